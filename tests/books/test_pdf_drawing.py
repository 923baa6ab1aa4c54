import pymupdf
import pytest

from app.books.pdf_drawing import draw_page, page_links
from tests.books.pdf_pages import page_with, reopened


def pixel(image, x, y):
    at = y * image.stride_bytes + 3 * x
    return tuple(image.data[at : at + 3])


def corner(page):
    page.draw_rect(pymupdf.Rect(0, 0, 50, 50), color=None, fill=(1, 0, 0))


def test_a_picture_has_a_pixel_a_point_at_scale_1():
    image = draw_page(page_with(corner), 1.0)
    assert (image.width_px, image.height_px) == (400, 500)
    assert len(image.data) == image.stride_bytes * image.height_px
    assert pixel(image, 10, 10) == (255, 0, 0)
    assert pixel(image, 300, 300) == (255, 255, 255)
    assert draw_page(page_with(corner), 2.5).width_px == 1000


@pytest.mark.parametrize(
    ("rotation", "size", "place"),
    [(90, (500, 400), (490, 10)), (180, (400, 500), (390, 490)), (270, (500, 400), (10, 390))],
)
def test_it_can_be_turned_clockwise(rotation, size, place):
    image = draw_page(page_with(corner), 1.0, rotation=rotation)
    assert (image.width_px, image.height_px) == size
    assert pixel(image, *place) == (255, 0, 0)


def test_notes_and_form_fields_are_drawn():
    def draw(page):
        note = page.add_rect_annot(pymupdf.Rect(100, 100, 200, 200))
        note.set_colors(stroke=(0, 0, 1), fill=(0, 0, 1))
        note.update()

    assert pixel(draw_page(page_with(draw), 1.0), 150, 150) == (0, 0, 255)


def test_a_picture_stays_within_what_can_be_kept():
    image = draw_page(page_with(corner), 100.0)
    assert image.width_px * image.height_px <= 16_100_000
    assert image.width_px / image.height_px == pytest.approx(0.8, abs=0.01)


def linked(rotation=0):
    made = pymupdf.open()
    for _ in range(3):
        made.new_page(width=400, height=500)
    made[0].insert_link(
        {
            "kind": pymupdf.LINK_GOTO,
            "from": pymupdf.Rect(10, 20, 60, 40),
            "page": 2,
            "to": pymupdf.Point(30, 100),
        }
    )
    made[0].insert_link(
        {
            "kind": pymupdf.LINK_URI,
            "from": pymupdf.Rect(10, 60, 60, 80),
            "uri": "https://example.org/",
        }
    )
    made[0].set_rotation(rotation)
    return reopened(made)


def test_links_lead_to_pages_and_addresses():
    document = linked()
    inner, outer = sorted(page_links(document, document[0]), key=lambda link: link.uri)
    assert (inner.page_index, inner.uri) == (2, "")
    assert (round(inner.x), round(inner.y)) == (30, 100)
    assert (outer.page_index, outer.uri) == (None, "https://example.org/")
    assert (outer.rect.x0, outer.rect.y0, outer.rect.x1, outer.rect.y1) == pytest.approx(
        (10, 60, 60, 80), abs=0.1
    )


def test_links_of_a_turned_page_stand_where_they_are_shown():
    document = linked(rotation=90)
    outer = next(link for link in page_links(document, document[0]) if link.uri)
    assert (outer.rect.x0, outer.rect.y0, outer.rect.x1, outer.rect.y1) == pytest.approx(
        (420, 10, 440, 60), abs=0.1
    )


def test_links_that_lead_nowhere_are_left_out():
    document = linked()
    document.delete_page(2)
    broken = reopened(document)
    assert [link.uri for link in page_links(broken, broken[0])] == ["https://example.org/"]


@pytest.mark.corpus
def test_links_of_a_real_book(corpus):
    document = pymupdf.open(corpus / "R-fullrefman.pdf")
    links = page_links(document, document[1])
    assert len(links) > 30
    assert all(link.page_index is not None and link.y is not None for link in links)
