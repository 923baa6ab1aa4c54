import pymupdf
import pytest

from app.books.pdf_blocks import BodyStyle, page_blocks
from app.books.pdf_outline import OutlineLine
from app.books.pdf_places import PagePlaces
from app.books.pdf_text import read_page_text
from app.domain.document import BlockKind
from tests.books.pdf_pages import page_with

BODY = BodyStyle(10.0)


def draw(page):
    page.insert_text((50, 30), "Running head", fontsize=9)
    page.insert_text((50, 120), "1.2", fontsize=10, fontname="hebo")
    page.insert_text((75, 120), "Scientific Whales", fontsize=10, fontname="hebo")
    page.insert_text((50, 150), ["Whales are scientific and", "said to be large."], fontsize=10)
    page.insert_text((50, 300), "A last paragraph.", fontsize=10)


def places(rotation=0):
    def turned(page):
        draw(page)
        page.set_rotation(rotation)

    page = page_with(turned)
    found = read_page_text(page)
    blocks = page_blocks(found, BODY, 500)
    return found.text, PagePlaces(found, blocks, page.rotation_matrix)


def words_at(title, y, rotation=0):
    text, found = places(rotation)
    start = found.start_of(OutlineLine(0, title, 0, y))
    return text[start : start + 8].split("\n")[0]


def test_the_heading_with_the_words_is_the_place_wherever_the_height_points_near_it():
    for y in (None, 95.0, 108.0, 122.0):
        assert words_at("Scientific Whales", y) == "1.2"


def test_without_the_words_it_is_the_first_block_below_the_height():
    assert words_at("Something else", 140.0) == "Whales a"
    assert words_at("", 280.0) == "A last p"
    assert words_at("Something else", 499.0) == "A last p"


def test_without_a_height_it_is_the_top():
    assert words_at("Something else", None) == "Running "


def test_a_running_head_is_no_place_below_a_height():
    assert words_at("Something else", 0.0) == "1.2"


def test_heights_are_those_of_the_page_as_shown():
    # Turned by 180 degrees the last paragraph stands at a height of about 200.
    assert words_at("Something else", 190.0, rotation=180) == "A last p"


def test_the_block_with_the_words_is_a_heading_of_the_outlines_rank():
    text, found = places()
    lines = [OutlineLine(2, "Scientific Whales", 0, 110.0), OutlineLine(0, "Not here", 0, None)]
    headings = [block for block in found.with_headings(lines) if block.kind is BlockKind.HEADING]
    assert [(text[block.start : block.end], block.level) for block in headings] == [
        ("1.2\nScientific Whales", 3)
    ]


def test_a_page_without_text_has_one_place():
    page = page_with(lambda page: page.draw_line((0, 0), (9, 9)))
    found = PagePlaces(read_page_text(page), (), pymupdf.Matrix(1, 1))
    assert found.start_of(OutlineLine(0, "A picture", 0, 20.0)) == 0


@pytest.mark.corpus
def test_the_outline_of_a_manual_leads_to_its_headings(corpus):
    document = pymupdf.open(corpus / "R-fullrefman.pdf")
    for title, page_index, y in (
        ("dots", 195, 408.7),
        ("double", 196, 501.4),
        ("drop", 200, 509.0),
    ):
        page = document[page_index]
        found = read_page_text(page)
        start = PagePlaces(found, page_blocks(found, BODY, 792), page.rotation_matrix).start_of(
            OutlineLine(1, title, page_index, y)
        )
        assert found.text[start:].startswith(title)
