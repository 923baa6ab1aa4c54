"""The words for a part of a book become whole ranges of text, or are refused."""

from __future__ import annotations

import pytest

from app.answering.scopes import chapter_scope, parse_scope, read_scope
from app.domain.book import ContentsEntry, PageLabel, SpineDocument, Voice
from app.domain.errors import ScopeUnknown
from app.domain.position import Locator, Span
from app.domain.scope import WHOLE_BOOK, ScopeKind

DOCUMENTS = [
    SpineDocument(index, f"{index}.xhtml", "", Voice.BODY, is_linear, length)
    for index, (length, is_linear) in enumerate(
        [(100, True), (200, True), (50, False), (300, True)]
    )
]


def entry(index, title, depth, file_index, start=0):
    return ContentsEntry(index, None, depth, title, file_index, start)


CONTENTS = [
    entry(0, "Preface", 0, 0),
    entry(1, "Part One", 0, None),
    entry(2, "Chapter 1. Loomings", 1, 1, 0),
    entry(3, "Chapter 2", 1, 1, 120),
    entry(4, "A section", 2, 1, 150),
    entry(5, "III", 1, 3, 10),
]
LABELS = [
    PageLabel("xii", 0, 0),
    PageLabel("1", 1, 0),
    PageLabel("2", 1, 90),
    PageLabel("A-3", 3, 5),
]


def scope(words, contents=CONTENTS, labels=LABELS, position=None):
    return parse_scope(words, DOCUMENTS, contents, labels, position)


@pytest.mark.parametrize("words", ["book", " Book ", ""])
def test_the_whole_book(words):
    assert scope(words) is WHOLE_BOOK


@pytest.mark.parametrize(
    ("words", "label", "spans"),
    [
        ("chapter:1", "Chapter 1. Loomings", (Span(1, 0, 120),)),
        ("chapter:2", "Chapter 2", (Span(1, 120, 200), Span(2, 0, 50), Span(3, 0, 10))),
        ("chapter:3", "III", (Span(3, 10, 300),)),
        ("chapter:a SECTION", "A section", (Span(1, 150, 200), Span(2, 0, 50), Span(3, 0, 10))),
        ("chapter:Part One", "Part One", (Span(1, 0, 200), Span(2, 0, 50), Span(3, 0, 300))),
        ("chapter:Preface", "Preface", (Span(0, 0, 100),)),
    ],
)
def test_a_chapter_runs_to_the_next_of_its_level(words, label, spans):
    found = scope(words)
    assert (found.kind, found.label, found.spans) == (ScopeKind.CHAPTER, label, spans)


@pytest.mark.parametrize(
    ("titles", "number", "title"),
    [
        (["I. The Start", "II. The End"], 2, "II. The End"),
        (["第一章 猫", "第十二章 犬"], 12, "第十二章 犬"),
        (["Kapitel 7", "Kapitel 8"], 8, "Kapitel 8"),
        (["The Cat", "The Dog"], 2, "The Dog"),
        (["I am here", "Mild days"], 1, "I am here"),
        (["3. Method", "4. Results"], 4, "4. Results"),
    ],
)
def test_a_chapter_is_known_by_its_number_or_else_by_its_place(titles, number, title):
    contents = [entry(index, one, 0, index) for index, one in enumerate(titles)]
    assert scope(f"chapter:{number}", contents).label == title


@pytest.mark.parametrize(
    ("words", "spans"),
    [
        ("pages:1-2", (Span(1, 0, 200), Span(2, 0, 50), Span(3, 0, 5))),
        ("pages:1", (Span(1, 0, 90),)),
        ("pages:XII–1", (Span(0, 0, 100), Span(1, 0, 90))),
        ("pages:A-3", (Span(3, 5, 300),)),
        ("pages:2-A-3", (Span(1, 90, 200), Span(2, 0, 50), Span(3, 0, 300))),
    ],
)
def test_pages_are_those_that_the_edition_prints(words, spans):
    assert scope(words).spans == spans


def test_what_has_been_read_ends_at_the_place_and_leaves_out_notes_that_lie_aside():
    assert scope("read", position=Locator(3, 40)).spans == (
        Span(0, 0, 100), Span(1, 0, 200), Span(3, 0, 40),
    )  # fmt: skip
    assert scope("read", position=Locator(2, 10)).spans[-1] == Span(2, 0, 10)
    assert read_scope(DOCUMENTS, None).spans == ()
    assert not scope("read").admits(Span(0, 0, 1))


def test_a_tag_is_a_part_of_the_book_too():
    assert scope("[f1-5-20]").spans == (Span(1, 5, 20),)


@pytest.mark.parametrize(
    "words",
    ["chapter:9", "chapter:Nobody", "chapter:", "pages:5-6", "pages:2-1", "pages:", "[f9-1-2]",
    "[f0-5-900]",
     "[f1-2]", "volume:2", "everything", "chapter:" + "9" * 5_000],
)  # fmt: skip
def test_what_the_book_does_not_have_is_refused(words):
    with pytest.raises(ScopeUnknown):
        scope(words)


def test_a_title_of_endless_digits_bears_no_number():
    contents = [entry(0, "9" * 5_000, 0, 0), entry(1, "1. Loomings", 0, 1)]
    assert scope("chapter:1", contents).label == "1. Loomings"


def test_a_book_without_contents_or_page_numbers_says_so():
    with pytest.raises(ScopeUnknown, match="no contents") as refused:
        scope("chapter:1", contents=[])
    with pytest.raises(ScopeUnknown, match="no printed page numbers"):
        scope("pages:1-2", labels=[])
    assert refused.value.scope == "chapter:1"


def test_a_line_that_leads_nowhere_is_no_chapter():
    with pytest.raises(ScopeUnknown):
        chapter_scope(entry(0, "Nowhere", 0, None), DOCUMENTS, [entry(0, "Nowhere", 0, None)])
