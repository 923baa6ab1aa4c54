import pymupdf
import pytest

from app.books.pdf_pages import PdfPages
from app.domain.drawn_page import PageRect
from app.domain.errors import PageUnreadable
from tests.builders import BEYOND_ASCII, PdfLine, PdfPage, make_pdf


@pytest.fixture
def pages(tmp_path):
    path = make_pdf(tmp_path / "a.pdf", [PdfPage([PdfLine(f"{BEYOND_ASCII}cited.")]), "Two\nlines"])
    with PdfPages(path) as opened:
        yield opened


def test_each_code_point_has_its_box(pages):
    found = pages.characters(1)
    assert [one.offset for one in found] == list(range(len("Two\nlines")))
    assert found[3].rect.x0 == found[3].rect.x1
    [rect] = pages.rectangles(1, 0, 3)
    assert rect.contains((found[1].rect.x0 + found[1].rect.x1) / 2, (rect.y0 + rect.y1) / 2)


def test_a_place_behind_emoji_and_marks_is_found(pages):
    start = len(BEYOND_ASCII)
    [rect] = pages.rectangles(0, start, start + len("cited."))
    [before] = pages.rectangles(0, 0, start - 1)
    assert before.x1 <= rect.x0 + 0.1
    assert pages.rectangles(0, 0, 10_000)[-1].x1 == pytest.approx(rect.x1, abs=0.1)


@pytest.mark.parametrize("page_index", [-1, 2, 10**9])
def test_a_page_that_is_not_there_is_unreadable(pages, page_index):
    for ask in (
        lambda: pages.render(page_index, 1.0),
        lambda: pages.rectangles(page_index, 0, 1),
        lambda: pages.characters(page_index),
        lambda: pages.links(page_index),
    ):
        with pytest.raises(PageUnreadable) as caught:
            ask()
        assert caught.value.page_index == page_index


def test_asking_a_hundred_times_gives_the_same(pages):
    first = (pages.render(0, 1.0), pages.rectangles(1, 0, 5))
    for _ in range(100):
        assert (pages.render(0, 1.0), pages.rectangles(1, 0, 5)) == first


@pytest.mark.corpus
def test_a_page_that_cannot_be_found_costs_only_itself(corpus):
    with PdfPages(corpus / "malformed" / "Pages-tree-refs.pdf") as pages:
        assert pages.page_count == 2
        assert pages.render(0, 1.0).width_px > 0
        with pytest.raises(PageUnreadable):
            pages.render(1, 1.0)
        assert isinstance(pages.rectangles(0, 0, 4)[0], PageRect)


@pytest.mark.corpus
@pytest.mark.parametrize("name", ["habibi-rotated-ar.pdf", "lshort-persian.pdf", "acl2023-386.pdf"])
def test_rectangles_cover_the_ink_of_their_words_on_real_pages(corpus, name):
    with PdfPages(corpus / name) as pages:
        page_index = min(3, pages.page_count - 1)
        page = pages.document[page_index]
        picture = page.get_pixmap(colorspace=pymupdf.csGRAY)
        boxes = pages.characters(page_index)
        for start in range(0, len(boxes) - 12, max(1, len(boxes) // 20)):
            for rect in pages.rectangles(page_index, start, start + 12):
                area = pymupdf.IRect(int(rect.x0), int(rect.y0), int(rect.x1) + 1, int(rect.y1) + 1)
                darkest = min(
                    picture.pixel(x, y)[0]
                    for x in range(max(0, area.x0), min(area.x1, picture.width))
                    for y in range(max(0, area.y0), min(area.y1, picture.height))
                )
                assert darkest < 200
