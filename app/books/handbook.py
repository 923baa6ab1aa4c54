"""Builds the handbook, the book that a newcomer asks first, from its chapters in Markdown.

An ordinary EPUB 3, so that it is read, searched and cited like any other book. The same text always
gives the same bytes: a book is known by its content, and a start of Ibid must not make a new one.
"""

from __future__ import annotations

import re
import zipfile
from dataclasses import dataclass
from html import escape
from itertools import pairwise
from typing import TYPE_CHECKING

from markdown_it import MarkdownIt

from app.paths import RESOURCES

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

_SOURCES = RESOURCES / "handbook"
_TITLE = "The Ibid Handbook"
_AUTHOR = "The makers of Ibid"
_LANGUAGE = "en"
_IDENTIFIER = "urn:uuid:6f0c2f5e-6a51-4f0e-9d3c-1b1d6a2e7c40"
_TIME = (2025, 1, 1, 0, 0, 0)  # of every file and of the book, so that only its text changes it
_NOT_A_LETTER = re.compile(r"[^a-z0-9]+")


@dataclass(frozen=True, slots=True)
class _Chapter:
    """A chapter as XHTML: its sections are (id, title) of the second-level headings."""

    name: str
    title: str
    sections: tuple[tuple[str, str], ...]
    body: str


def build_handbook(target: Path) -> Path:
    """Writes the handbook as an EPUB.

    Args:
        target: the file to write; replaced at once, never half.

    Returns:
        `target`.

    Raises:
        OSError: the chapters cannot be read or the file cannot be written.
    """
    chapters = [_read_chapter(path) for path in sorted(_SOURCES.glob("*.md"))]
    files = {
        "META-INF/container.xml": _CONTAINER,
        "OEBPS/package.opf": _package(chapters),
        "OEBPS/nav.xhtml": _page("Contents", _navigation(chapters)),
        "OEBPS/handbook.css": (_SOURCES / "handbook.css").read_text(encoding="utf-8"),
    }
    files |= {f"OEBPS/{each.name}": _page(each.title, each.body) for each in chapters}
    unfinished = target.with_name(f"{target.name}.unfinished")
    # Stored, not compressed: another version of zlib would give other bytes.
    with zipfile.ZipFile(unfinished, "w", zipfile.ZIP_STORED) as book:
        for name, text in {"mimetype": "application/epub+zip", **files}.items():
            book.writestr(zipfile.ZipInfo(name, _TIME), text)
    unfinished.replace(target)
    return target


def _read_chapter(path: Path) -> _Chapter:
    markdown = MarkdownIt("commonmark", {"html": False, "xhtmlOut": True}).enable("table")
    tokens = markdown.parse(path.read_text(encoding="utf-8"))
    title, sections = "", []
    for opening, inline in pairwise(tokens):
        if opening.type != "heading_open":
            continue
        if opening.tag == "h1":
            title = inline.content
        elif opening.tag == "h2":
            anchor = _NOT_A_LETTER.sub("-", inline.content.lower()).strip("-")
            opening.attrSet("id", anchor)
            sections.append((anchor, inline.content))
    body = markdown.renderer.render(tokens, markdown.options, {})
    return _Chapter(f"{path.stem}.xhtml", title, tuple(sections), body)


def _page(title: str, body: str) -> str:
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE html>\n'
        '<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"'
        f' lang="{_LANGUAGE}" xml:lang="{_LANGUAGE}">\n<head>\n<title>{escape(title)}</title>\n'
        '<link rel="stylesheet" type="text/css" href="handbook.css"/>\n</head>\n'
        f"<body>\n{body}</body>\n</html>\n"
    )


def _navigation(chapters: Sequence[_Chapter]) -> str:
    lines = []
    for chapter in chapters:
        below = "".join(
            f'<li><a href="{chapter.name}#{anchor}">{escape(title)}</a></li>'
            for anchor, title in chapter.sections
        )
        nested = f"<ol>{below}</ol>" if below else ""
        lines.append(f'<li><a href="{chapter.name}">{escape(chapter.title)}</a>{nested}</li>\n')
    return f'<nav epub:type="toc">\n<h1>Contents</h1>\n<ol>\n{"".join(lines)}</ol>\n</nav>\n'


def _package(chapters: Sequence[_Chapter]) -> str:
    items = "".join(
        f'<item id="c{number}" href="{chapter.name}" media-type="application/xhtml+xml"/>\n'
        for number, chapter in enumerate(chapters, 1)
    )
    spine = "".join(f'<itemref idref="c{number}"/>' for number, _ in enumerate(chapters, 1))
    year, month, day, *_ = _TIME
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n'
        '<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id"'
        f' xml:lang="{_LANGUAGE}">\n<metadata xmlns:dc="http://purl.org/dc/elements/1.1/">\n'
        f'<dc:identifier id="id">{_IDENTIFIER}</dc:identifier>\n<dc:title>{_TITLE}</dc:title>\n'
        f"<dc:creator>{_AUTHOR}</dc:creator>\n<dc:language>{_LANGUAGE}</dc:language>\n"
        f'<meta property="dcterms:modified">{year}-{month:02}-{day:02}T00:00:00Z</meta>\n'
        "</metadata>\n<manifest>\n"
        '<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>\n'
        '<item id="css" href="handbook.css" media-type="text/css"/>\n'
        f"{items}</manifest>\n<spine>{spine}</spine>\n</package>\n"
    )


_CONTAINER = (
    '<?xml version="1.0" encoding="utf-8"?>\n'
    '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container" version="1.0"><rootfiles>'
    '<rootfile full-path="OEBPS/package.opf" media-type="application/oebps-package+xml"/>'
    "</rootfiles></container>\n"
)
