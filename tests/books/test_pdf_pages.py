import random

import pytest

from app.books.pdf_pages import PdfPages, page_text
from app.domain.errors import (
    BookNotFound,
    BookUnreadable,
    NothingToRead,
    PageUnreadable,
    PasswordRequired,
)
from tests.builders import BEYOND_ASCII, PdfLine, PdfPage, make_pdf

CITED = "then the cited sentence."
SCALE = 2


def turned_page(rotation, crop=None):
    lines = [
        PdfLine("A line above it.", x=90, y=150),
        PdfLine(BEYOND_ASCII + CITED, x=90, y=180, size=9),
        PdfLine("A line below it.", x=90, y=210),
    ]
    return PdfPage(lines, rotation=rotation, crop=crop)


def text_of(pages, page_index):
    with pages.page(page_index) as page:
        return page_text(page).text


def ink_share(image, rect):
    """The share of dark pixels in a rectangle of a picture."""
    left, right = round(rect.x0 * SCALE), round(rect.x1 * SCALE)
    rows = range(round(rect.y0 * SCALE), round(rect.y1 * SCALE))
    reds = b"".join(
        image.data[row * image.stride_bytes + 3 * left : row * image.stride_bytes + 3 * right : 3]
        for row in rows
    )
    return sum(red < 128 for red in reds) / len(reds)


def spelled(text, characters, rects):
    """What is written where the rectangles are: the characters whose middles lie in them."""
    return "".join(
        text[one.offset]
        for one in characters
        if one.rect.x1 > one.rect.x0
        and any(
            rect.contains((one.rect.x0 + one.rect.x1) / 2, (one.rect.y0 + one.rect.y1) / 2)
            for rect in rects
        )
    )


@pytest.mark.parametrize("crop", [None, (60, 100, 400, 400)])
@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
def test_the_ink_of_a_span_lies_under_its_rectangle(tmp_path, rotation, crop):
    path = make_pdf(tmp_path / "a.pdf", [turned_page(rotation, crop)])
    with PdfPages(path) as pages:
        text = text_of(pages, 0)
        start = text.index(CITED)
        (rect,) = pages.rectangles(0, start, start + len(CITED))
        image = pages.render(0, SCALE)
        assert spelled(text, pages.characters(0), [rect]) == CITED
    width, height = (crop[2] - crop[0], crop[3] - crop[1]) if crop else (420, 595)
    if rotation % 180:
        width, height = height, width
    assert (image.width_px, image.height_px) == (width * SCALE, height * SCALE)
    assert ink_share(image, rect) > 0.25  # letters are drawn as solid boxes


def test_nothing_but_the_span_is_covered(tmp_path):
    path = make_pdf(tmp_path / "a.pdf", [turned_page(90)])
    with PdfPages(path) as pages:
        text, characters = text_of(pages, 0), pages.characters(0)
        assert [one.offset for one in characters] == list(range(len(text)))
        for start, end in [(0, 7), (len(text) - 5, len(text)), (5, 40)]:
            found = spelled(text, characters, pages.rectangles(0, start, end))
            assert found.split() == text[start:end].split()


@pytest.mark.corpus
@pytest.mark.parametrize(
    "name",
    ["tracemonkey.pdf", "acl2023-386.pdf", "debian-reference-zh-cn.pdf", "prefilled_f1040.pdf"],
)
def test_spans_of_real_pages_are_spelled_by_what_they_cover(corpus, name):
    chance = random.Random(7)
    with PdfPages(corpus / name) as pages:
        for page_index in chance.sample(range(pages.page_count), min(4, pages.page_count)):
            text, characters = text_of(pages, page_index), pages.characters(page_index)
            for _ in range(5):
                start = chance.randrange(max(1, len(text) - 20))
                end = start + chance.randint(20, 200)
                found = spelled(text, characters, pages.rectangles(page_index, start, end))
                assert found.split() == text[start:end].split()


@pytest.mark.corpus
def test_a_page_that_cannot_be_found_is_unreadable(corpus):
    with PdfPages(corpus / "malformed" / "Pages-tree-refs.pdf") as pages:
        for page_index in (1, 2, -1):
            with pytest.raises(PageUnreadable) as caught:
                pages.render(page_index, 1)
            assert caught.value.page_index == page_index


def test_a_file_that_cannot_be_opened_says_why(tmp_path):
    with pytest.raises(BookNotFound):
        PdfPages(tmp_path / "none.pdf")
    junk = tmp_path / "junk.pdf"
    junk.write_bytes(b"")
    with pytest.raises(BookUnreadable):
        PdfPages(junk)
    locked = make_pdf(tmp_path / "locked.pdf", password="sesame")
    for password in (None, "", "wrong"):
        with pytest.raises(PasswordRequired):
            PdfPages(locked, password=password)
    with PdfPages(locked, password="sesame") as pages:
        assert pages.page_count == 1


@pytest.mark.corpus
def test_a_file_without_pages_has_nothing_to_read(corpus):
    with pytest.raises(NothingToRead):
        PdfPages(corpus / "malformed" / "issue9105_other.pdf")
