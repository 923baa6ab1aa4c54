"""Places and the contents: where a place lies, what comes next, what a chapter spans."""

from __future__ import annotations

from app.domain.book import ContentsEntry, SpineDocument, Voice
from app.domain.position import Locator, Span
from app.domain.scope import ScopeKind
from app.ui.reader.chapters import Chapters

DOCUMENTS = tuple(
    SpineDocument(index, f"{index}.xhtml", "", Voice.BODY, True, length, 1)
    for index, length in enumerate((100, 0, 200, 50))
)


def entry(index, title, place, depth=0, parent=None):
    file_index, start = place or (None, None)
    return ContentsEntry(index, parent, depth, title, file_index, start)


CONTENTS = (
    entry(0, "Part one", (0, 10)),
    entry(1, "Chapter 1", (0, 10), 1, 0),
    entry(2, "", (0, 60), 1, 0),
    entry(3, "A heading without target", None),
    entry(4, "Part two", (2, 0)),
    entry(5, "Chapter 2", (2, 120), 1, 4),
)
CHAPTERS = Chapters(CONTENTS, DOCUMENTS)


def test_a_place_lies_under_the_deepest_entry_that_begins_at_or_before_it():
    assert CHAPTERS.at(Locator(0, 5)) is None
    assert CHAPTERS.at(Locator(0, 10)).title == "Chapter 1"
    assert CHAPTERS.at(Locator(2, 119)).title == "Part two"
    assert CHAPTERS.at(Locator(3, 40)).title == "Chapter 2"


def test_an_entry_without_words_is_called_by_the_one_above():
    assert CHAPTERS.title_at(Locator(0, 70)) == "Part one"
    assert not CHAPTERS.title_at(Locator(0, 0))


def test_next_and_previous_go_from_beginning_to_beginning():
    assert CHAPTERS.after(Locator(0, 10)) == Locator(0, 60)
    assert CHAPTERS.after(Locator(2, 130)) is None
    assert CHAPTERS.before(Locator(0, 70)) == Locator(0, 60)
    assert CHAPTERS.before(Locator(0, 60)) == Locator(0, 10)
    assert CHAPTERS.before(Locator(0, 10)) is None


def test_a_chapter_spans_to_the_next_entry_of_its_own_or_a_higher_level():
    scope = CHAPTERS.scope_at(Locator(2, 5))
    assert (scope.kind, scope.label) == (ScopeKind.CHAPTER, "Part two")
    assert scope.spans == (Span(2, 0, 200), Span(3, 0, 50))
    assert CHAPTERS.scope_at(Locator(0, 15)).spans == (Span(0, 10, 60),)
    assert CHAPTERS.scope_at(Locator(0, 60)).spans == (Span(0, 60, 100),)


def test_before_the_first_entry_there_is_no_chapter():
    assert CHAPTERS.scope_at(Locator(0, 0)).spans == ()
    assert Chapters((), DOCUMENTS).scope_at(Locator(2, 0)).spans == ()
