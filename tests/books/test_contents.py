"""The tree of contents."""

from __future__ import annotations

from app.books.contents import ContentsLine, contents_of, first_titles
from app.domain.position import Locator


def test_depth_makes_parents():
    lines = [
        ContentsLine(0, "Part One", None),
        ContentsLine(1, "Chapter 1", Locator(1, 0)),
        ContentsLine(2, "Scene", Locator(1, 40)),
        ContentsLine(1, "Chapter 2", Locator(2, 0)),
        ContentsLine(0, "Part Two", Locator(3, 0)),
    ]
    entries = contents_of(lines)
    assert [(entry.depth, entry.parent_index) for entry in entries] == [
        (0, None),
        (1, 0),
        (2, 1),
        (1, 0),
        (0, None),
    ]
    assert [entry.entry_index for entry in entries] == list(range(5))
    assert (entries[0].file_index, entries[0].start) == (None, None)
    assert (entries[2].file_index, entries[2].start) == (1, 40)


def test_a_jump_in_depth_leaves_no_empty_level():
    entries = contents_of(
        [
            ContentsLine(1, "a", Locator(0, 0)),
            ContentsLine(4, "b", Locator(0, 1)),
            ContentsLine(3, "c", None),
        ]
    )
    assert [(entry.title, entry.depth, entry.parent_index) for entry in entries] == [
        ("a", 0, None),
        ("b", 1, 0),
        ("c", 1, 0),
    ]


def test_a_line_with_neither_title_nor_place_says_nothing():
    entries = contents_of([ContentsLine(0, "", None), ContentsLine(0, "", Locator(1, 2))])
    assert [(entry.title, entry.start) for entry in entries] == [("", 2)]


def test_made_entries_say_so():
    assert contents_of([ContentsLine(1, "a", Locator(0, 0))], is_made=True)[0].is_made


def test_the_first_title_of_a_document_counts():
    entries = contents_of(
        [
            ContentsLine(0, "", Locator(1, 0)),
            ContentsLine(0, "One", Locator(1, 0)),
            ContentsLine(0, "More", Locator(1, 9)),
            ContentsLine(0, "Heading", None),
        ]
    )
    assert first_titles(entries) == {1: "One"}
