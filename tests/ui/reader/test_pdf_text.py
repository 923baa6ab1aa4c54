"""Finding text on a page whose letters stand in two rows, each 10 points wide and high."""

from __future__ import annotations

from app.domain.document import DocumentText
from app.domain.drawn_page import CharacterBox, PageLink, PageRect
from app.ui.reader.pdf_text import MeasuredPage

LINK = PageLink(PageRect(0, 40, 30, 50), uri="https://example.org")


def page(text, links=()):
    boxes = []
    x, y = 0, 0
    for offset, character in enumerate(text):
        width = 0 if character == "\n" else 10
        boxes.append(CharacterBox(offset, PageRect(x, y, x + width, y + 10)))
        x, y = (0, y + 20) if character == "\n" else (x + width, y)
    return MeasuredPage(DocumentText(0, text, (), ()), tuple(boxes), links)


def test_the_border_nearest_to_the_pointer_is_found():
    measured = page("one two\nthree")
    assert measured.border_at(12, 5) == 1
    assert measured.border_at(18, 5) == 2
    assert measured.border_at(500, 6) == 7, "beside a row, its end"
    assert measured.border_at(-5, 24) == 8, "before a row, its beginning"
    assert page("").border_at(1, 1) is None


def test_in_right_to_left_text_the_left_half_is_the_later_one():
    assert page("אב").border_at(2, 5) == 1
    assert page("אב").border_at(8, 5) == 0


def test_a_word_is_found_whatever_stands_before_it():
    measured = page("😀 𠮷 naïve words")
    start = measured.content.text.index("naïve")
    assert measured.word_at(start + 2) == (start, start + 5)
    assert measured.word_at(start) == (start, start + 5)


def test_rows_are_one_rectangle_each():
    measured = page("one two\nthree")
    assert measured.rectangles(4, 11) == (PageRect(40, 0, 70, 10), PageRect(0, 20, 30, 30))


def test_what_rectangles_cover_is_read_back_with_the_line_end_between():
    measured = page("one two\nthree")
    assert measured.text_within(measured.rectangles(4, 11)) == "two\nthr"
    assert measured.text_within(()) == ""


def test_the_first_character_below_a_height_is_found():
    assert page("one two\nthree").first_below(5) == 8
    assert page("one two\nthree").first_below(500) == 0


def test_links_and_characters_are_found_under_the_pointer():
    measured = page("one", (LINK,))
    assert measured.link_at(5, 45) == LINK
    assert measured.link_at(5, 5) is None
    assert measured.character_at(15, 5) == 1
    assert measured.character_at(15, 45) is None
