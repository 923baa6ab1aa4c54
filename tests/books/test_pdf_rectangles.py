import pymupdf
import pytest

from app.books.pdf_rectangles import line_rectangles, shown_box
from app.books.pdf_text import PageText, PlacedBlock, PlacedLine
from app.domain.drawn_page import PageRect
from tests.books.pdf_pages import run

UPRIGHT = pymupdf.Matrix(1, 0, 0, 1, 0, 0)


def page_of(*lines):
    """A page of one block; each line is its text, its left end and its top."""
    text, boxes, placed = "", [], []
    for words, x, y in lines:
        start = len(text) + bool(text)
        if text:
            boxes.append((0.0, y, 0.0, y + 10))
        one = run(words, x, y)
        text, boxes = "\n".join(filter(None, [text, words])), boxes + one.boxes
        placed.append(PlacedLine(start, len(text), one.box, [one]))
    return PageText(text, [PlacedBlock(placed, (0, 0, 0, 0))], boxes)


def test_each_line_has_one_rectangle():
    page = page_of(("abcdef", 10, 20), ("ghijkl", 10, 34))
    assert line_rectangles(page, 4, 9, UPRIGHT) == (
        PageRect(30, 20, 40, 30),
        PageRect(10, 34, 20, 44),
    )


def test_a_range_past_the_text_is_clipped_and_an_empty_one_has_no_place():
    page = page_of(("abc", 10, 20))
    assert line_rectangles(page, 2, 99, UPRIGHT) == (PageRect(20, 20, 25, 30),)
    assert line_rectangles(page, 1, 1, UPRIGHT) == ()
    assert line_rectangles(PageText("", [], []), 0, 5, UPRIGHT) == ()


def test_a_word_space_is_covered_and_a_gap_between_cells_is_not():
    page = page_of(("ab", 10, 20))
    for left, count in ((26, 1), (40, 2)):
        page.boxes[1] = (left, 20, left + 5, 30)
        assert len(line_rectangles(page, 0, 2, UPRIGHT)) == count


def test_a_line_in_two_directions_has_no_rectangle_over_what_was_not_asked_for():
    page = page_of(("abcdef", 10, 20))
    page.boxes[3:] = reversed(page.boxes[3:])
    found = line_rectangles(page, 2, 4, UPRIGHT)
    assert found == (PageRect(20, 20, 25, 30), PageRect(35, 20, 40, 30))


def test_a_glyph_with_a_tall_box_does_not_reach_over_the_line_below():
    page = page_of(("abc", 10, 20), ("def", 10, 31))
    page.boxes[1] = (15, 18, 20, 38)
    assert line_rectangles(page, 0, 3, UPRIGHT) == (PageRect(10, 20, 25, 30),)


def test_a_raised_letter_stays_in_the_rectangle_of_its_line():
    page = page_of(("abc", 10, 20))
    page.boxes[2] = (20, 12, 25, 22)
    assert line_rectangles(page, 0, 3, UPRIGHT) == (PageRect(10, 12, 25, 30),)


def test_characters_that_stand_below_each_other_share_a_rectangle():
    page = page_of(("abc", 10, 20))
    page.boxes[:] = [(10, 20, 20, 30), (10, 30, 20, 40), (10, 40, 20, 50)]
    assert line_rectangles(page, 0, 3, UPRIGHT) == (PageRect(10, 20, 20, 50),)


@pytest.mark.parametrize(
    ("rotation", "shown"),
    [
        (0, (10, 20, 30, 25)),
        (90, (75, 10, 80, 30)),
        (180, (20, 75, 40, 80)),
        (270, (20, 20, 25, 40)),
    ],
)
def test_a_box_turns_with_its_page(rotation, shown):
    page = pymupdf.open().new_page(width=50, height=100)
    page.set_rotation(rotation)
    assert shown_box((10, 20, 30, 25), page.rotation_matrix) == shown
