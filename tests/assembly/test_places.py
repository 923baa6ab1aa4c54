"""What a place is called, from the book's own contents and labels."""

from __future__ import annotations

from app.assembly.places import Places
from app.domain.book import ContentsEntry, PageLabel, SpineDocument, Voice
from app.domain.position import Locator, Span


def document(file_index: int, length: int, *, is_linear: bool = True) -> SpineDocument:
    return SpineDocument(file_index, f"d{file_index}", "", Voice.BODY, is_linear, length)


CONTENTS = (
    ContentsEntry(0, None, 0, "Book One", 0, 0),
    ContentsEntry(1, 0, 1, "Chapter 1", 0, 10),
    ContentsEntry(2, 0, 1, "", 1, 0),
    ContentsEntry(3, None, 0, "A heading without a target", None, None),
    ContentsEntry(4, 3, 1, "Chapter 3", 2, 5),
)
LABELS = (
    PageLabel("xii", 0, 0),
    PageLabel("1", 0, 60),
    PageLabel("2", 1, 50),
    PageLabel("1", 2, 0),
)


def places() -> Places:
    documents = [document(0, 100), document(1, 100), document(2, 100, is_linear=False)]
    return Places(documents, CONTENTS, LABELS)


def test_a_place_is_named_by_the_entries_above_it() -> None:
    assert places().contents_path(Span(0, 4, 8)) == ("Book One",)
    assert places().contents_path(Span(0, 10, 12)) == ("Book One", "Chapter 1")
    assert places().contents_path(Span(1, 70, 80)) == ("Book One",)
    assert places().contents_path(Span(2, 5, 6)) == ("A heading without a target", "Chapter 3")


def test_a_place_before_the_first_entry_has_no_path() -> None:
    contents = (ContentsEntry(0, None, 0, "Late", 1, 0),)
    assert Places([document(0, 9), document(1, 9)], contents, ()).contents_path(Span(0, 0, 4)) == ()


def test_a_printed_page_is_the_last_label_at_or_before_the_place() -> None:
    assert places().page_label(Locator(0, 59)) == "xii"
    assert places().page_label(Locator(0, 60)) == "1"
    assert places().page_label(Locator(1, 0)) == "1"


def test_an_edition_without_labels_has_no_printed_pages() -> None:
    bare = Places([document(0, 100)], CONTENTS[:1], ())
    assert not bare.page_label(Locator(0, 50))
    assert bare.spans_of_label("1") == ()


def test_every_page_that_carries_a_label_is_named() -> None:
    assert places().spans_of_label("1") == (Span(0, 60, 100), Span(1, 0, 50), Span(2, 0, 100))
    assert places().spans_of_label(" XII ") == (Span(0, 0, 60),)
    assert places().spans_of_label("405") == ()


def test_a_page_without_text_has_a_place_all_the_same() -> None:
    plates = Places(
        [document(0, 10), document(1, 0)],
        CONTENTS[:1],
        (PageLabel("i", 0, 0), PageLabel("Plate", 1, 0)),
    )
    assert plates.spans_of_label("plate") == ()
    assert plates.place_of_label("plate") == Locator(1, 0)
    assert plates.place_of_label("405") is None


def test_percent_counts_the_reading_order_only() -> None:
    assert places().percent(Locator(0, 0)) == 0
    assert places().percent(Locator(1, 50)) == 75
    assert places().percent(Locator(2, 50)) == 100
