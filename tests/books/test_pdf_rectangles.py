import pymupdf
import pytest

from app.books.pdf_rectangles import character_boxes, line_rectangles, shown_box
from app.books.pdf_text import PageText, PlacedBlock, PlacedLine, read_page_text
from tests.books.pdf_pages import page_with

SAME = pymupdf.Matrix(1, 1)


def rectangles(page, words):
    found = read_page_text(page, with_characters=True)
    start = found.text.index(words)
    return line_rectangles(found, start, start + len(words), page.rotation_matrix)


def ink(page, rect):
    """The darkest level inside a rectangle of the drawn page."""
    clip = pymupdf.Rect(rect.x0, rect.y0, rect.x1, rect.y1)
    return min(page.get_pixmap(clip=clip, colorspace=pymupdf.csGRAY).samples)


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
@pytest.mark.parametrize("crop", [None, (30, 40, 380, 460)])
def test_a_rectangle_covers_the_ink_of_its_words_on_the_page_as_shown(rotation, crop):
    def draw(page):
        page.insert_text((60, 100), "Not this one", color=(1, 0, 0))
        page.insert_text((60, 200), "CITED", fontsize=18)
        page.insert_text((60, 300), "Not this one", color=(1, 0, 0))
        if crop:
            page.set_cropbox(pymupdf.Rect(crop))
        page.set_rotation(rotation)

    page = page_with(draw)
    [rect] = rectangles(page, "CITED")
    assert 0 <= rect.x0 < rect.x1 <= page.rect.width
    assert 0 <= rect.y0 < rect.y1 <= page.rect.height
    assert ink(page, rect) < 40
    # All black ink of the page lies in it: what is left when it is whitened is red.
    picture = page.get_pixmap(matrix=pymupdf.Matrix(2, 2), alpha=False)
    picture.set_rect(
        pymupdf.IRect(*(round(2 * value) for value in (rect.x0, rect.y0, rect.x1, rect.y1))),
        (255, 255, 255),
    )
    red = picture.samples[0::3]
    assert min(red) > 200


def test_each_line_has_its_rectangle():
    page = page_with(
        lambda page: page.insert_text((60, 100), ["One line", "and another", "and more"])
    )
    found = rectangles(page, "line\nand another\nand")
    assert len(found) == 3
    assert found[0].x0 > found[1].x0
    assert found[1].y0 >= found[0].y1 - 1


def test_a_rectangle_is_not_larger_than_what_was_asked_for():
    page = page_with(lambda page: page.insert_text((60, 100), "Left middle right"))
    [whole], [middle] = rectangles(page, "Left middle right"), rectangles(page, "middle")
    assert whole.x0 < middle.x0 < middle.x1 < whole.x1


def test_columns_that_stand_in_one_row_are_apart():
    def draw(page):
        page.insert_text((50, 100), "Left piece")
        page.insert_text((250, 100), "Right piece")

    assert len(rectangles(page_with(draw), "piece\nRight")) == 2


def test_what_does_not_stand_anywhere_has_no_rectangle():
    page = page_with(lambda page: page.insert_text((60, 100), ["One", "Two"]))
    found = read_page_text(page, with_characters=True)
    assert line_rectangles(found, 3, 4, SAME) == ()
    assert line_rectangles(found, 50, 60, SAME) == ()
    assert line_rectangles(found, 0, 0, SAME) == ()


def placed(boxes):
    line = PlacedLine(0, len(boxes), boxes[0], [])
    return PageText("x" * len(boxes), [PlacedBlock([line], boxes[0])], boxes)


def test_a_tall_glyph_does_not_stretch_its_line():
    boxes = [(10 * at, 100, 10 * at + 10, 112) for at in range(8)]
    boxes[3] = (30, 97, 40, 118)
    [rect] = line_rectangles(placed(boxes), 0, 8, SAME)
    assert (rect.x0, rect.x1) == (0, 80)
    assert rect.y1 < 115


def test_characters_below_each_other_are_one_column():
    boxes = [(100, 10 + 12 * at, 110, 20 + 12 * at) for at in range(6)]
    [rect] = line_rectangles(placed(boxes), 0, 6, SAME)
    assert (rect.y0, rect.y1) == (10, 80)


def test_a_box_is_turned_with_its_page():
    quarter = pymupdf.Matrix(0, 1, -1, 0, 500, 0)  # of a page 400 wide and 500 high
    assert shown_box((10, 20, 60, 40), quarter) == (460, 10, 480, 60)


def test_characters_of_one_glyph_share_its_box():
    glyph, flat, after = (10.0, 0.0, 22.0, 12.0), (22.0, 0.0, 22.0, 12.0), (22.0, 0.0, 30.0, 12.0)
    line_end = (30.0, 0.0, 30.0, 12.0)
    page = PageText("abcd\n", [], [glyph, flat, flat, after, line_end])
    assert character_boxes(page) == [
        (10.0, 0.0, 14.0, 12.0),
        (14.0, 0.0, 18.0, 12.0),
        (18.0, 0.0, 22.0, 12.0),
        after,
        line_end,
    ]
