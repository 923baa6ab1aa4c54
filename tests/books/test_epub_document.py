"""A page of a book becomes a canonical document."""

from __future__ import annotations

import hashlib

import pytest

from app.books.canonical import tree_text
from app.books.document_voices import Surroundings
from app.books.epub_document import (
    Page,
    headings_of,
    make_document,
    make_empty_document,
    make_picture_document,
)
from app.books.markup_names import xhtml
from app.books.package_paths import PathResolver
from app.books.parse_markup import reparsed
from app.domain.book import Voice
from tests.builders import BEYOND_ASCII

NAMES = ["text/a.xhtml", "text/my pic.png", "style.css"]
XHTML = '<html xmlns="http://www.w3.org/1999/xhtml"{}><head><title>t</title>{}</head><body>{}</body></html>'


def page(raw: bytes, *, title: str = "", name: str = "text/a.xhtml") -> Page:
    return Page(3, raw, Surroundings(name, None, title), "en", is_linear=True)


def document(body: str, *, attributes: str = "", head: str = "", title: str = ""):
    markup = XHTML.format(attributes, head, body)
    return make_document(page(markup.encode(), title=title), PathResolver(NAMES))


def test_a_page_becomes_a_document():
    made = document(
        f'<h1 id="top">Chapter 1</h1>\n<p id="p">{BEYOND_ASCII}words <img src="my%20pic.png"/></p>',
        attributes=' xml:lang="fr-CA"',
        head='<link rel="stylesheet" href="../style.css"/>',
    )
    assert made.content.text == f"Chapter 1\n{BEYOND_ASCII}words "
    assert made.content.file_index == 3
    assert (made.title, made.voice, made.language) == ("Chapter 1", Voice.BODY, "fr-CA")
    assert made.anchors == {"top": 0, "p": 10}
    assert made.resource_names == ("style.css", "text/my pic.png")
    assert made.warnings == ()
    digest = hashlib.sha256(made.content.text.encode()).hexdigest()
    assert made.fingerprint == digest[:16]
    [part] = made.parts
    assert tree_text(reparsed(part.markup).find(xhtml("body"))) == made.content.text


def test_the_book_s_language_fills_in():
    assert document("x").language == "en"


@pytest.mark.parametrize(
    ("body", "contents_title", "title"),
    [
        ("<h2>Down the<br/>Hole</h2>", "Chapter 1", "Down the Hole"),
        ("<h2>I</h2><p>x</p>", "I. The Start", "I. The Start"),
        ("<h2>I</h2><p>x</p>", "", "I"),
        ("<p>x</p>", "Chapter 1", "Chapter 1"),
        ("<p>x</p>", "", ""),
        ("<h1 class='pg-boilerplate'>The Project Gutenberg eBook</h1><h1>Alice</h1>", "", "Alice"),
    ],
)
def test_the_title_is_the_first_heading_that_says_enough(body, contents_title, title):
    assert document(body, title=contents_title).title == title


def test_faults_are_repaired_and_told():
    raw = XHTML.format("", "", "<p>a<p>b&nbsp;\xff").encode("latin-1")
    made = make_document(page(raw), PathResolver(NAMES))
    assert made.content.text == "ab\xa0\ufffd"
    assert made.warnings == (
        "Some characters of this part are damaged and shown as \ufffd.",
        "The markup of this part is faulty and was repaired.",
    )


def test_a_guessed_encoding_is_told():
    raw = XHTML.format("", "", "<p>吾輩は猫である。名前はまだ無い。</p>" * 5).encode("euc-jp")
    japanese = Page(0, raw, Surroundings("a"), "ja", is_linear=True)
    made = make_document(japanese, PathResolver(NAMES))
    assert made.content.text.startswith("吾輩は猫である。")
    assert "guessed" in made.warnings[0]


def test_a_fixed_page_has_its_size_in_points():
    made = document("x", head='<meta name="viewport" content="width=1200, height = 1600"/>')
    assert (made.width_pt, made.height_pt) == (900.0, 1200.0)
    loose = document("x", head='<meta name="viewport" content="width=device-width"/>')
    assert (loose.width_pt, loose.height_pt) == (0.0, 0.0)


def test_headings_are_known_with_level_and_place():
    made = document("<h1>A</h1><p>b</p><h3>C <br/>d</h3>")
    assert headings_of(made) == [(1, "A", 0), (3, "C d", 2)]


def test_a_picture_in_the_spine_becomes_a_page_that_shows_it():
    made = make_picture_document(page(b"", name="text/my pic.png"), PathResolver(NAMES), "The map")
    assert made.content.text == ""
    assert made.resource_names == ("text/my pic.png",)
    image = reparsed(made.parts[0].markup).find(f".//{xhtml('img')}")
    assert (image.get("src"), image.get("alt")) == ("my%20pic.png", "The map")


def test_an_empty_document_keeps_its_place():
    made = make_empty_document(page(b""), "It is missing.")
    assert (made.content.file_index, made.content.text, made.parts) == (3, "", ())
    assert made.warnings == ("It is missing.",)
    assert make_empty_document(page(b"")).warnings == ()


@pytest.mark.parametrize("raw", [b"", b"\0\1\2", b"plain words", b"<", b"%PDF-1.4", b"<html"])
def test_any_bytes_become_a_document_that_can_be_shown(raw):
    made = make_document(page(raw), PathResolver(NAMES))
    texts = [tree_text(reparsed(part.markup).find(xhtml("body"))) for part in made.parts]
    assert "".join(texts) == made.content.text
    assert texts
