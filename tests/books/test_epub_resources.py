"""Pictures, styles and fonts: what they are and what they need."""

from __future__ import annotations

import zipfile

import pytest

from app.books.epub_archive import EpubArchive
from app.books.epub_package import Package, add_item
from app.books.epub_protection import Protection
from app.books.epub_resources import EpubResources, sniffed_type
from app.domain.errors import BookUnreadable
from tests.builders import PNG

SVG = b'<?xml version="1.0"?>\n<!-- x --><svg xmlns="http://www.w3.org/2000/svg"/>'
FILES = {
    "OEBPS/a.css": b"@import 'b.css'; p { background: url(i.png) }",
    "OEBPS/b.css": b"@import 'a.css'; @font-face { src: url(f.otf) } q { content: url(none.png) }",
    "OEBPS/c.css": b"p { background: url(https://example.org/x.png); color: red }",
    "OEBPS/i.png": PNG,
    "OEBPS/really-a-png.jpg": PNG,
    "OEBPS/f.otf": b"OTTO....",
    "OEBPS/s.svg": SVG,
    "OEBPS/song.mp3": b"ID3",
    "OEBPS/declared": b"????",
    "OEBPS/page.xhtml": b"<html/>",
    "OEBPS/run.js": b"run()",
    "META-INF/cover.png": PNG,
    "mimetype": b"application/epub+zip",
}


@pytest.fixture
def resources(tmp_path):
    path = tmp_path / "book.epub"
    with zipfile.ZipFile(path, "w") as book:
        for name, content in FILES.items():
            book.writestr(name, content)
    archive = EpubArchive(path)
    package = Package("OEBPS/content.opf")
    for name, kind in (("declared", "image/jxl"), ("a.css", "text/plain"), ("i.png", "image/gif")):
        add_item(package, archive, item_id=name, address=name, media_type=kind, properties="")
    yield EpubResources(archive, package, Protection({"OEBPS/song.mp3": "aes"}, "Adobe ADEPT"))
    archive.close()


def test_what_can_be_shown_is_listed(resources):
    unseen = {"OEBPS/page.xhtml", "OEBPS/run.js", "META-INF/cover.png", "mimetype"}
    assert resources.names() == tuple(name for name in FILES if name not in unseen)


@pytest.mark.parametrize(
    ("name", "media_type"),
    [
        ("a.css", "text/css"),
        ("i.png", "image/png"),
        ("really-a-png.jpg", "image/png"),
        ("f.otf", "font/otf"),
        ("s.svg", "image/svg+xml"),
        ("declared", "image/jxl"),
    ],
)
def test_a_resource_is_what_its_bytes_say(resources, name, media_type):
    resource = resources.read(f"OEBPS/{name}")
    assert resource.media_type == media_type
    assert resource.content == FILES[f"OEBPS/{name}"]


def test_a_style_sheet_reaches_nothing_outside(resources):
    assert resources.read("OEBPS/c.css").content == b'p { background: url(""); color: red }'


@pytest.mark.parametrize("name", ["OEBPS/none.png", "../a.css", "", "OEBPS/song.mp3"])
def test_what_is_not_there_or_encrypted_is_unreadable(resources, name):
    with pytest.raises(BookUnreadable):
        resources.read(name)


def test_a_page_needs_what_its_styles_need(resources):
    needed = resources.with_needs(
        ["OEBPS/a.css", "OEBPS/s.svg", "OEBPS/page.xhtml", "OEBPS/none.png"]
    )
    assert needed == ("OEBPS/a.css", "OEBPS/b.css", "OEBPS/f.otf", "OEBPS/i.png", "OEBPS/s.svg")


@pytest.mark.parametrize(
    ("content", "media_type"),
    [
        (PNG, "image/png"),
        (b"\xff\xd8\xff\xe0", "image/jpeg"),
        (b"GIF89a", "image/gif"),
        (b"RIFF\0\0\0\0WEBPVP8 ", "image/webp"),
        (b"RIFF\0\0\0\0WAVE", None),
        (SVG, "image/svg+xml"),
        (b"\xef\xbb\xbf<svg:svg/>", "image/svg+xml"),
        (b"<html><svg/></html>", None),
        (b"", None),
    ],
)
def test_first_bytes_prove_a_type(content, media_type):
    assert sniffed_type(content) == media_type
