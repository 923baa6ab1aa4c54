"""Built books are what they say, checked with parsers that are not ours."""

from __future__ import annotations

import zipfile

import ebooklib
import pymupdf
import pytest
from ebooklib import epub
from lxml import etree

from tests.builders import (
    BEYOND_ASCII,
    PNG,
    Broken,
    Chapter,
    PdfLine,
    PdfPage,
    make_epub,
    make_pdf,
)


def test_an_epub_opens_and_holds_its_chapters(tmp_path):
    chapters = ["First & foremost.\n\nSecond.", Chapter("<p>Third.</p>", title="Three", depth=1)]
    path = make_epub(
        tmp_path / "a.epub",
        chapters,
        css="p { margin: 0 }",
        files={"red.png": PNG},
        cover="red.png",
        has_ncx=True,
        page_list=[("1", "chapter1.xhtml")],
        landmarks=[("bodymatter", "chapter1.xhtml")],
    )
    book = epub.read_epub(path)
    assert book.title == "A Built Book"
    assert [name for name, _ in book.spine] == ["item0", "item1"]
    text = book.get_item_with_href("chapter1.xhtml").content.decode()
    assert "<p>First &amp; foremost.</p>\n<p>Second.</p>" in text
    assert [item.file_name for item in book.get_items_of_type(ebooklib.ITEM_COVER)] == ["red.png"]


def test_every_document_of_an_epub_is_well_formed(tmp_path):
    chapters = [
        Chapter("a", title="A"),
        Chapter("b", title="B", depth=1),
        Chapter("c", title="C", depth=2),
        Chapter("d", title="D"),
        Chapter("e"),
    ]
    path = make_epub(
        tmp_path / "a.epub", chapters, has_ncx=True, page_list=[("i", "chapter1.xhtml")]
    )
    with zipfile.ZipFile(path) as book:
        names = [name for name in book.namelist() if name.endswith(("xhtml", "opf", "ncx", "xml"))]
        trees = {name: etree.fromstring(book.read(name)) for name in names}
        assert book.infolist()[0].filename == "mimetype"
    titles = trees["OEBPS/nav.xhtml"].xpath(
        "//*[local-name()='nav'][1]//*[local-name()='a']/text()"
    )
    assert titles == ["A", "B", "C", "D"]
    depths = [
        len(link.xpath("ancestor::*[local-name()='ol']"))
        for link in trees["OEBPS/nav.xhtml"].xpath(
            "//*[local-name()='nav'][1]//*[local-name()='a']"
        )
    ]
    assert depths == [1, 2, 3, 1]


@pytest.mark.parametrize("broken", list(Broken))
def test_a_broken_epub_is_broken(tmp_path, broken):
    path = make_epub(tmp_path / "a.epub", ["One.", "Two."], broken=broken)
    assert path.stat().st_size > 100
    if broken is Broken.CUT_OFF:
        assert not zipfile.is_zipfile(path)


def test_a_pdf_carries_text_of_every_kind(tmp_path):
    path = make_pdf(
        tmp_path / "a.pdf",
        [f"Plain line.\n{BEYOND_ASCII}then the cited sentence.", "Second page."],
        title="Built",
        labels=[{"startpage": 0, "prefix": "", "style": "r", "firstpagenum": 1}],
        outline=[(1, "One", 1), (2, "Two", 2)],
    )
    with pymupdf.open(path) as book:
        assert book[0].get_text() == f"Plain line.\n{BEYOND_ASCII}then the cited sentence.\n"
        assert [page.get_label() for page in book] == ["i", "ii"]
        assert book.get_toc() == [[1, "One", 1], [2, "Two", 2]]
        assert book.metadata["title"] == "Built"


def test_characters_beyond_latin_leave_ink(tmp_path):
    path = make_pdf(tmp_path / "a.pdf", [PdfPage([PdfLine("𠮷", x=100, y=100, size=20)])])
    with pymupdf.open(path) as book:
        picture = book[0].get_pixmap()
        assert picture.pixel(106, 95) == (0, 0, 0)
        assert picture.pixel(130, 95) == (255, 255, 255)


def test_pages_can_be_turned_cropped_scanned_and_locked(tmp_path):
    pages = [
        PdfPage("Turned.", rotation=90),
        PdfPage("Cropped.", crop=(50, 50, 300, 300)),
        PdfPage([PdfLine("Scanned.", is_hidden=True)], picture=True),
    ]
    path = make_pdf(tmp_path / "a.pdf", pages, password="secret")
    with pymupdf.open(path) as book:
        assert book.needs_pass
        assert book.authenticate("secret")
        assert (book[0].rect.width, book[0].rect.height) == (595, 420)
        assert book[1].rect.width == 250
        assert book[2].get_pixmap().pixel(80, 70) == (200, 200, 200)
        assert book[2].get_text() == "Scanned.\n"
