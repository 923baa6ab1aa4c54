from contextlib import suppress

import pymupdf
import pytest

from app.books.pdf_opening import FAULTS
from app.books.pdf_outline import (
    OutlineLine,
    PageHeading,
    clean_title,
    made_contents,
    outline_contents,
    read_outline,
)
from app.domain.position import Locator
from tests.builders import make_pdf


def heading(text, page=0, level=2, start=0):
    return PageHeading(page, start, start + len(text), level, text)


def test_lines_come_depth_first_with_their_pages(tmp_path):
    outline = [(1, "One", 1), (2, "One, again", 2), (3, "Deep", 2), (1, "Two", 3)]
    document = pymupdf.open(make_pdf(tmp_path / "a.pdf", ["a", "b", "c"], outline=outline))
    assert [(line.depth, line.title, line.page_index) for line in read_outline(document, 3)] == [
        (0, "One", 0),
        (1, "One, again", 1),
        (2, "Deep", 1),
        (0, "Two", 2),
    ]


def test_a_file_without_outline_has_none(tmp_path):
    assert read_outline(pymupdf.open(make_pdf(tmp_path / "a.pdf")), 1) == ()


def test_an_outline_that_leads_into_itself_ends(tmp_path):
    path = make_pdf(tmp_path / "a.pdf", ["a"], outline=[(1, "One", 1), (1, "Two", 1)])
    document = pymupdf.open(path)
    root = int(document.xref_get_key(document.pdf_catalog(), "Outlines")[1].split()[0])
    first = int(document.xref_get_key(root, "First")[1].split()[0])
    document.xref_set_key(first, "Next", f"{first} 0 R")
    looped = pymupdf.open("pdf", document.tobytes())
    with suppress(*FAULTS):  # then the book says that its contents are damaged
        assert len(read_outline(looped, 1)) < 3


def test_titles_can_be_shown_and_stored():
    assert clean_title("  A\ttitle\r\n on two lines ") == "A title on two lines"
    assert clean_title("bad \ud800 \x00\ue001 one") == "bad \ufffd one"
    assert clean_title("\U0001f433 \ud83d\udc33") == "\U0001f433 \U0001f433"
    assert clean_title("<FEFF00410042>") == "AB"
    assert clean_title("<FEFFxyz>") == "<FEFFxyz>"
    assert clean_title("نیم\u200cفاصله") == "نیم\u200cفاصله"


def test_contents_keep_lines_without_a_target():
    lines = [OutlineLine(0, "Part", None, None), OutlineLine(1, "Chapter", 4, 120.0)]
    entries = outline_contents(
        lines, lambda line: None if line.page_index is None else Locator(line.page_index, 7)
    )
    assert [(entry.title, entry.depth, entry.file_index, entry.start) for entry in entries] == [
        ("Part", 0, None, None),
        ("Chapter", 1, 4, 7),
    ]
    assert not any(entry.is_made for entry in entries)


def test_contents_are_made_of_headings():
    headings = [
        heading("A Book", level=1),
        heading("Whales", page=1),
        heading("Their teeth", page=2, level=3),
        heading("Ships", page=5),
    ]
    entries = made_contents(headings, 9)
    assert [(entry.title, entry.depth, entry.file_index) for entry in entries] == [
        ("A Book", 0, 0),
        ("Whales", 1, 1),
        ("Their teeth", 2, 2),
        ("Ships", 1, 5),
    ]
    assert all(entry.is_made for entry in entries)


def test_a_title_on_two_lines_is_one_entry():
    headings = [
        heading("A very long", level=1),
        heading("title", level=1, start=13),
        heading("B"),
        heading("C", page=3),
    ]
    assert made_contents(headings, 5)[0].title == "A very long title"


def test_too_few_headings_make_no_contents():
    assert made_contents([heading("A"), heading("B", page=3)], 20) == ()
    assert made_contents([heading("1"), heading("2", page=3), heading("3", page=5)], 20) == ()


def test_where_bold_lines_abound_only_numbered_and_larger_ones_count():
    bold = [
        heading(f"Bold {index}", page=index % 3, level=4, start=9 * index) for index in range(40)
    ]
    numbered = [
        heading(f"{index}.1 Whales", page=index, level=4, start=1000) for index in range(1, 3)
    ]
    entries = made_contents([*bold, *numbered, heading("Large", page=2, level=2, start=2000)], 3)
    assert {entry.title for entry in entries} == {"1.1 Whales", "2.1 Whales", "Large"}


@pytest.mark.corpus
def test_wrong_destinations_of_a_real_file_have_no_target(corpus):
    document = pymupdf.open(corpus / "malformed" / "outlines-with-invalid-destinations.pdf")
    lines = read_outline(document, document.page_count)
    assert len(lines) == 9
    assert [line.page_index is None for line in lines].count(True) == 7
    assert all(line.title for line in lines)
