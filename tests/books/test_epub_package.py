"""Package files, sound and faulty; two readers that agree."""

from __future__ import annotations

import zipfile

import pytest

from app.books.ebooklib_package import PackageRefused, read_with_ebooklib
from app.books.epub_archive import EpubArchive
from app.books.epub_package import (
    ManifestItem,
    find_package,
    is_document,
    read_tolerantly,
    spine_of_documents,
)
from app.domain.errors import BookUnreadable
from tests.builders import Broken, Chapter, make_epub

OPF = """<?xml version="1.0"?>
<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="b">
<metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>A  Book</dc:title>
{metadata}</metadata>
<manifest>{manifest}</manifest><spine {spine_attributes}>{spine}</spine>{guide}</package>"""
ITEM = '<item id="{0}" href="{0}.xhtml" media-type="application/xhtml+xml"/>'


def archive_of(tmp_path, files):
    path = tmp_path / "book.epub"
    with zipfile.ZipFile(path, "w") as book:
        for name, content in files.items():
            book.writestr(name, content)
    return EpubArchive(path)


def package_of(tmp_path, manifest, spine="", *, files=(), encoding="utf-8", **parts):
    fields = {"metadata": "", "spine_attributes": "", "guide": "", **parts}
    text = OPF.format(manifest=manifest, spine=spine, **fields)
    contents = {"OEBPS/content.opf": text.encode(encoding), **dict.fromkeys(files, b"x")}
    archive = archive_of(tmp_path, contents)
    package = read_tolerantly(archive, find_package(archive))
    archive.close()
    return package


def test_both_readers_give_the_same_package(tmp_path):
    path = make_epub(
        tmp_path / "a.epub",
        [Chapter("one", title="One"), Chapter("two", title="Two", is_linear=False)],
        files={"cover.png": b"x", "a b.png": b"y"},
        cover="cover.png",
        has_ncx=True,
        direction="rtl",
        metadata='<meta name="cover" content="item9"/>'
        '<meta property="rendition:layout">reflowable</meta>',
    )
    archive = EpubArchive(path)
    name = find_package(archive)
    package = read_with_ebooklib(archive, name)
    assert package == read_tolerantly(archive, name)
    assert [entry.is_linear for entry in package.spine] == [True, False]
    assert package.progression == "rtl"
    assert package.meta("rendition:layout") == "reflowable"
    assert "cover-image" in next(i for i in package.items if i.name == "OEBPS/cover.png").properties
    assert package.nav.name == "OEBPS/nav.xhtml"
    assert package.ncx.name == "OEBPS/toc.ncx"
    archive.close()


def test_metadata_is_read_in_order(tmp_path):
    package = package_of(
        tmp_path,
        "",
        metadata="<dc:creator>Ada</dc:creator><dc:creator> B\nC </dc:creator>"
        "<dc:language>fr</dc:language>"
        '<dc:identifier id="a">one</dc:identifier><dc:identifier id="b">two</dc:identifier>'
        '<meta property="x:y">v</meta><meta name="n" content="w"/>',
    )
    assert package.titles == ["A Book"]
    assert package.creators == ["Ada", "B C"]
    assert package.languages == ["fr"]
    assert (package.unique_id, package.identifiers) == ("b", [("a", "one"), ("b", "two")])
    assert (package.meta("x:y"), package.meta("n"), package.meta("z")) == ("v", "w", "")


def test_a_missing_file_is_one_warning_each_and_not_the_end(tmp_path):
    manifest = (
        ITEM.format("one")
        + ITEM.format("gone")
        + '<item id="c" href="gone.css" media-type="text/css"/>'
    )
    spine = '<itemref idref="one"/><itemref idref="gone"/><itemref idref="nowhere"/>'
    package = package_of(tmp_path, manifest, spine, files=["OEBPS/one.xhtml"])
    assert [entry.item is not None and entry.item.is_present for entry in package.spine] == [
        True,
        False,
        False,
    ]
    assert package.warnings == [
        "A file is missing from the book: gone.xhtml",
        "A file is missing from the book: gone.css",
    ]


def test_a_remote_file_is_left_out(tmp_path):
    package = package_of(
        tmp_path, '<item id="a" href="https://example.org/a.js" media-type="text/x"/>'
    )
    assert package.items == []
    assert "https://example.org/a.js" in package.warnings[0]


def test_an_address_is_resolved_as_everywhere(tmp_path):
    manifest = (
        '<item id="a" href="text/a%20b.xhtml#x" media-type="application/xhtml+xml"/>'
        '<item id="b" href="TEXT/C.xhtml" media-type="application/xhtml+xml"/><item id="c"/>'
    )
    package = package_of(tmp_path, manifest, files=["OEBPS/text/a b.xhtml", "OEBPS/text/c.xhtml"])
    assert [(item.name, item.fragment) for item in package.items] == [
        ("OEBPS/text/a b.xhtml", "x"),
        ("OEBPS/text/c.xhtml", ""),
    ]
    assert package.warnings == ["The list of files has an entry that names no file."]


def test_a_toc_that_names_nothing_leaves_the_other_ncx(tmp_path):
    manifest = '<item id="n" href="a.ncx" media-type="application/x-dtbncx+xml"/>'
    package = package_of(
        tmp_path, manifest, files=["OEBPS/a.ncx"], spine_attributes='toc="nowhere"'
    )
    assert package.toc_id == "nowhere"
    assert package.ncx.name == "OEBPS/a.ncx"
    assert package.nav is None


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig"])
def test_a_package_in_another_encoding_is_read(tmp_path, encoding):
    package = package_of(tmp_path, ITEM.format("one"), files=["OEBPS/one.xhtml"], encoding=encoding)
    assert [item.item_id for item in package.items] == ["one"]


def test_the_guide_is_read(tmp_path):
    guide = '<guide><reference type="cover" href="cover.xhtml"/><reference href="x"/></guide>'
    assert package_of(tmp_path, "", guide=guide).guide == [("cover", "cover.xhtml"), ("", "x")]


def test_without_a_container_the_only_package_file_is_taken(tmp_path):
    archive = EpubArchive(make_epub(tmp_path / "a.epub", broken=Broken.NO_CONTAINER))
    assert find_package(archive) == "OEBPS/package.opf"
    with pytest.raises(PackageRefused):
        read_with_ebooklib(archive, "OEBPS/package.opf")
    archive.close()


def test_the_container_decides_between_package_files(tmp_path):
    container = '<container><rootfiles><rootfile full-path="b/two.opf"/></rootfiles></container>'
    files = {"one.opf": "", "b/two.opf": "", "META-INF/container.xml": container}
    archive = archive_of(tmp_path, files)
    assert find_package(archive) == "b/two.opf"
    archive.close()


def test_a_book_without_package_file_says_so(tmp_path):
    archive = EpubArchive(make_epub(tmp_path / "a.epub", broken=Broken.NO_PACKAGE))
    with pytest.raises(BookUnreadable, match="no package file"):
        find_package(archive)
    archive.close()


def test_a_package_file_that_is_none_says_so(tmp_path):
    archive = EpubArchive(make_epub(tmp_path / "a.epub", broken=Broken.PACKAGE_NOT_XML))
    with pytest.raises(BookUnreadable, match="package file"):
        read_tolerantly(archive, find_package(archive))
    archive.close()


def test_an_order_is_made_from_the_documents_at_need(tmp_path):
    package = package_of(
        tmp_path, ITEM.format("b") + ITEM.format("a"), files=["OEBPS/a.xhtml", "OEBPS/b.xhtml"]
    )
    archive = archive_of(tmp_path, {"c10.html": "", "c9.html": "", "x.css": ""})
    assert [entry.item.name for entry in spine_of_documents(archive, package)] == [
        "OEBPS/b.xhtml",
        "OEBPS/a.xhtml",
    ]
    package.items.clear()
    assert [entry.item.name for entry in spine_of_documents(archive, package)] == [
        "c9.html",
        "c10.html",
    ]
    archive.close()


@pytest.mark.parametrize(
    ("name", "media_type", "expected"),
    [
        ("a.xhtml", "", True),
        ("a.xml", "application/xhtml+xml", True),
        ("a.HTM", "text/plain", True),
        ("a.svg", "image/svg+xml", False),
        ("a.css", "text/css", False),
    ],
)
def test_a_document_is_known_by_type_or_name(name, media_type, expected):
    item = ManifestItem("a", name, "", media_type, frozenset(), is_present=True)
    assert is_document(item) is expected
