import pymupdf
import pytest

from app.books.model_text import model_text
from app.books.pdf_runs import read_blocks
from app.books.pdf_text import clean, read_page_text
from tests.books.pdf_pages import page_with
from tests.builders import BEYOND_ASCII, PdfLine, PdfPage, make_pdf

SOUND = [
    "AMAZON_2017_10K.pdf",
    "R-fullrefman.pdf",
    "acl2023-386.pdf",
    "alice-wordtagged.pdf",
    "debian-policy.pdf",
    "debian-reference-zh-cn.pdf",
    "freeculture.pdf",
    "habibi-rotated-ar.pdf",
    "huckfinn-c02-22-scan.pdf",
    "intro-to-mathematics-pg41568.pdf",
    "labelled_pages.pdf",
    "lshort-persian.pdf",
    "prefilled_f1040.pdf",
    "r6-user-password.pdf",
    "siege-of-vicksburg-ocr.pdf",
    "tracemonkey.pdf",
]
_SAMPLED_PAGES = 12


def opened(path):
    document = pymupdf.open(path)
    if document.needs_pass:
        document.authenticate("asdfzxcv")
    return document


def pages_of(document):
    step = max(1, document.page_count // _SAMPLED_PAGES)
    return [document[index] for index in range(0, document.page_count, step)]


def test_lines_are_joined_by_a_line_end_and_blocks_by_two():
    def draw(page):
        page.insert_text((50, 80), ["The first para-", "graph of a page."])
        page.insert_text((50, 160), "The second one.")

    assert read_page_text(page_with(draw)).text == (
        "The first para-\ngraph of a page.\n\nThe second one."
    )


def test_an_empty_page_has_no_text():
    found = read_page_text(page_with(lambda _page: None), with_characters=True)
    assert (found.text, found.blocks, found.boxes) == ("", [], [])


def test_characters_beyond_ascii_are_one_code_point_each(tmp_path):
    path = make_pdf(tmp_path / "a.pdf", [PdfPage([PdfLine(f"{BEYOND_ASCII}cited.", size=10)])])
    [page] = pymupdf.open(path)
    found = read_page_text(page, with_characters=True)
    assert found.text == f"{BEYOND_ASCII}cited."
    assert len(found.boxes) == len(found.text)


def test_what_cannot_be_kept_is_replaced_one_for_one():
    assert clean("a\0b\x1fc\x7fd\x9fe") == "a\ufffdb\ufffdc\ufffdd\ufffde"
    assert clean("a\ud800b\uffffc\ufdd0") == "a\ufffdb\ufffdc\ufffd"
    assert clean("a\tb\nc\u2028d") == "a b c d"
    assert clean("  ﬁne\u00ad \u00a0") == "  ﬁne\u00ad"
    assert len(clean("a\0\ud800\tb")) == 5


def test_a_lone_surrogate_in_a_file_can_be_stored(tmp_path):
    path = make_pdf(tmp_path / "a.pdf", [PdfPage([PdfLine("ab\U0001f600")])])
    broken = pymupdf.open(path)
    for xref in range(1, broken.xref_length()):
        if broken.xref_is_stream(xref) and b"beginbfchar" in broken.xref_stream(xref):
            stream = (
                broken.xref_stream(xref)
                .replace(b"<d83dde00>", b"<d83d>")
                .replace(b"<0061>", b"<0000>")
            )
            broken.update_stream(xref, stream)
    [page] = pymupdf.open("pdf", broken.tobytes())
    fast, slow = (read_page_text(page, with_characters=each) for each in (False, True))
    assert fast.text == slow.text
    fast.text.encode()
    assert "\0" not in fast.text


def test_a_span_of_text_has_the_boxes_of_its_glyphs():
    def draw(page):
        page.insert_text((50, 80), "One")
        page.insert_text((50, 200), "Two", fontsize=20)

    found = read_page_text(page_with(draw), with_characters=True)
    at = found.text.index("Two")
    x0, y0, _, y1 = found.boxes[at]
    assert (round(x0), y0 < 200 < y1) == (50, True)
    border = found.boxes[at - 2 : at]
    assert all(box[0] == box[2] for box in border)


@pytest.mark.corpus
@pytest.mark.parametrize("name", SOUND)
def test_the_text_is_the_same_with_and_without_characters(corpus, name):
    for page in pages_of(opened(corpus / name)):
        fast = read_page_text(page)
        slow = read_page_text(page, with_characters=True)
        assert fast.text == slow.text
        assert len(slow.boxes) == len(slow.text)
        spans = [(line.start, line.end) for block in fast.blocks for line in block.lines]
        assert spans == [(line.start, line.end) for block in slow.blocks for line in block.lines]
        kept = set().union(*(range(*span) for span in spans)) if spans else set()
        assert all(fast.text[at] == "\n" for at in range(len(fast.text)) if at not in kept)


@pytest.mark.corpus
@pytest.mark.parametrize("name", ["tracemonkey.pdf", "acl2023-386.pdf", "freeculture.pdf"])
def test_the_order_of_a_file_that_is_in_order_is_kept(corpus, name):
    for page in pages_of(opened(corpus / name)):
        given = [
            clean(line.text)
            for block in read_blocks(page, with_characters=False)
            for line in block.lines
        ]
        found = read_page_text(page)
        lines = [
            found.text[line.start : line.end] for block in found.blocks for line in block.lines
        ]
        assert lines == [line for line in given if line]


@pytest.mark.corpus
@pytest.mark.parametrize(
    ("name", "order"),
    [
        (
            "tracemonkey.pdf",
            ["Trace-based", "Abstract", "Categories", "Introduction", "and is used", "Unlike"],
        ),
        (
            "acl2023-386.pdf",
            ["Fact-Checking Complex", "Abstract", "The proliferation", "Instead, a human"],
        ),
    ],
)
def test_columns_of_papers_are_read_one_after_the_other(corpus, name, order):
    text = read_page_text(opened(corpus / name)[0]).text
    places = [text.index(words) for words in order]
    assert places == sorted(places)


@pytest.mark.corpus
def test_persian_is_in_logical_order_with_spaces_and_brackets(corpus):
    text = model_text(read_page_text(opened(corpus / "lshort-persian.pdf")[15]).text)
    for words in ("برای انتشار چیزی", "(عرض ستون، قلم", "«اگر یک متن", "Corel WordPerfect از آن"):
        assert words in text


@pytest.mark.corpus
def test_arabic_that_the_file_keeps_in_order_stays_so(corpus):
    assert read_page_text(opened(corpus / "habibi-rotated-ar.pdf")[1]).text.startswith(
        "حَبيبي habibi"
    )
