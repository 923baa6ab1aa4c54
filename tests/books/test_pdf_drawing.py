import pymupdf
import pytest

from app.books.pdf_drawing import draw_page, page_links
from app.domain.drawn_page import PageLink
from tests.books.pdf_pages import page_with, reopened

RED, WHITE = b"\xff\x00\x00", b"\xff\xff\xff"


def with_red_corner(page):
    page.draw_rect(pymupdf.Rect(0, 0, 40, 40), color=(1, 0, 0), fill=(1, 0, 0))


def pixel(image, x, y):
    at = y * image.stride_bytes + 3 * x
    return image.data[at : at + 3]


@pytest.mark.parametrize(
    ("rotation", "corner"), [(0, (5, 5)), (90, (995, 5)), (180, (795, 995)), (270, (5, 795))]
)
def test_a_page_is_drawn_at_its_scale_and_turned_clockwise(rotation, corner):
    image = draw_page(page_with(with_red_corner), 2, rotation=rotation)
    sides = (800, 1000) if rotation % 180 == 0 else (1000, 800)
    assert (image.width_px, image.height_px) == sides
    assert len(image.data) == image.stride_bytes * image.height_px
    assert pixel(image, *corner) == RED
    assert pixel(image, 500, 400) == WHITE


def test_a_huge_page_is_drawn_smaller():
    page = page_with(with_red_corner, width=14_400, height=14_400)
    image = draw_page(page, 3)
    assert image.width_px * image.height_px <= 16_010_000
    assert pixel(image, 3, 3) == RED


def test_notes_and_form_fields_are_drawn():
    def draw(page):
        page.add_highlight_annot(pymupdf.Rect(100, 100, 200, 120))

    image = draw_page(page_with(draw), 1)
    assert pixel(image, 150, 110) != WHITE


def test_links_lead_to_a_place_in_the_book_or_out_of_it():
    made = pymupdf.open()
    page = made.new_page(width=400, height=500)
    made.new_page(width=400, height=500)
    box = pymupdf.Rect(10, 10, 60, 20)
    target = {"kind": pymupdf.LINK_GOTO, "from": box, "page": 1, "to": pymupdf.Point(30, 200)}
    page.insert_link(target)
    page.insert_link({"kind": pymupdf.LINK_URI, "from": box, "uri": "https://example.org/a"})
    book = reopened(made)
    inside, outside = page_links(book, book[0])
    assert (inside.page_index, inside.y, inside.uri) == (1, pytest.approx(200), "")
    assert (inside.rect.x0, inside.rect.y1) == (10, 20)
    assert outside == PageLink(inside.rect, uri="https://example.org/a")


def test_a_link_to_a_page_that_is_not_there_is_left_out():
    made = pymupdf.open()
    page = made.new_page()
    xref = made.get_new_xref()
    made.update_object(xref, "<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/Dest[99 /Fit]>>")
    made.xref_set_key(page.xref, "Annots", f"[{xref} 0 R]")
    book = reopened(made)
    assert page_links(book, book[0]) == ()
