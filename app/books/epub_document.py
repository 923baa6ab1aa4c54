"""One spine entry of an EPUB becomes a canonical document.

The whole way of a page: bytes, text, tree, cleaned tree, canonical text, parts; and the check that
the parts, read again as strictly as the page will be, hold exactly that text.
"""

from __future__ import annotations

import hashlib
import logging
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lxml import etree

from app.books.canonical import tree_text
from app.books.clean_tree import clean_tree
from app.books.decoding import decode_markup
from app.books.document_voices import Surroundings, headings, voiced
from app.books.markup_names import XHTML, XML_LANG, xhtml
from app.books.markup_parts import cut_into_parts
from app.books.package_paths import PathResolver, percent_encoded
from app.books.parse_markup import parse_markup, reparsed
from app.books.tree_edits import new_element
from app.books.tree_walk import read_tree
from app.domain.book import Voice
from app.domain.document import CanonicalDocument, DocumentText

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lxml.etree import _Element

    from app.domain.document import MarkupPart

_log = logging.getLogger(__name__)
_VIEWPORT = re.compile(r"(width|height)\s*=\s*([\d.]+)")
_POINTS_PER_PIXEL = 0.75  # CSS Values 4 §6.2: 96 px to the inch of 72 pt
_SHORT_TITLE = 4  # "IV." alone says less than the contents' "IV. The Voyage"


@dataclass(frozen=True, slots=True)
class Page:
    """What a document is made from.

    Attributes:
        file_index: place in the raw spine.
        raw: the file's bytes.
        around: its name, and what is known of it from outside.
        language: the book's language, for a page that names none.
        is_linear: part of the reading order.
    """

    file_index: int
    raw: bytes
    around: Surroundings
    language: str
    is_linear: bool


def make_document(page: Page, resolver: PathResolver) -> CanonicalDocument:
    """Makes the canonical document of a page of markup.

    Args:
        page: its bytes and what is known of it.
        resolver: of the package.
    """
    decoded = decode_markup(page.raw, page.language)
    parsed = parse_markup(decoded.text)
    warnings: list[str] = []
    if decoded.is_damaged:
        warnings.append("Some characters of this part are damaged and shown as \ufffd.")
    if decoded.is_guess:
        warnings.append("This part does not say how its letters are encoded; that was guessed.")
    if parsed.is_repaired:
        warnings.append("The markup of this part is faulty and was repaired.")
    return _from_tree(page, parsed.root, resolver, warnings)


def make_picture_document(page: Page, resolver: PathResolver, title: str) -> CanonicalDocument:
    """Makes a document that shows a picture which stands in the spine itself.

    Args:
        page: its name and what is known of it.
        resolver: of the package.
        title: for those who cannot see the picture.
    """
    root = new_element(xhtml("html"), {None: XHTML})
    etree.SubElement(etree.SubElement(root, xhtml("head")), xhtml("title")).text = title
    body = etree.SubElement(root, xhtml("body"), style="margin: 0; text-align: center")
    file_name = page.around.name.rpartition("/")[2]
    style = "max-width: 100%; max-height: 100vh"
    etree.SubElement(body, xhtml("img"), src=percent_encoded(file_name), alt=title, style=style)
    return _from_tree(page, root, resolver, [])


def make_empty_document(page: Page, warning: str = "") -> CanonicalDocument:
    """A document without text and parts, so that the indexes of the others stay right."""
    return CanonicalDocument(
        content=DocumentText(page.file_index, "", (), ()),
        name=page.around.name,
        title="",
        voice=Voice.BODY,
        is_linear=page.is_linear,
        language=page.language,
        anchors={},
        parts=(),
        resource_names=(),
        fingerprint=_fingerprint(""),
        warnings=(warning,) if warning else (),
    )


def headings_of(document: CanonicalDocument) -> list[tuple[int, str, int]]:
    """Level, words and offset of each heading that is the book's own, in order."""
    return [
        (block.level, words, block.start)
        for block, words in headings(document.content)
        if block.voice is not Voice.LICENCE
    ]


def _from_tree(
    page: Page, root: _Element, resolver: PathResolver, warnings: list[str]
) -> CanonicalDocument:
    resources = clean_tree(root, page.around.name, resolver)
    width_pt, height_pt = _viewport(root)
    language = _language(root) or page.language
    found = read_tree(_body(root))
    parts = cut_into_parts(root, len(found.text))
    if not _is_sound(parts, found.text):
        _log.error("the stored markup of spine entry %d is not sound", page.file_index)
        warnings.append("This part is shown without its layout.")
        root = _plain_tree(found.text[block.start : block.end] for block in found.blocks)
        found = read_tree(_body(root))
        parts = cut_into_parts(root, len(found.text))
    blocks, voice = voiced(found, page.around)
    content = DocumentText(page.file_index, found.text, blocks, tuple(found.breaks))
    return CanonicalDocument(
        content=content,
        name=page.around.name,
        title=_title(content, page.around.contents_title),
        voice=voice,
        is_linear=page.is_linear,
        language=language,
        anchors=found.anchors,
        parts=parts,
        resource_names=resources,
        fingerprint=_fingerprint(found.text),
        width_pt=width_pt,
        height_pt=height_pt,
        warnings=tuple(warnings),
    )


def _body(root: _Element) -> _Element:
    body = root.find(xhtml("body"))
    return etree.SubElement(root, xhtml("body")) if body is None else body


def _is_sound(parts: tuple[MarkupPart, ...], text: str) -> bool:
    """Whether the parts are well-formed and hold the text where they say they do."""
    end = 0
    for part in parts:
        try:
            body = reparsed(part.markup).find(xhtml("body"))
        except ValueError:
            return False
        is_next = part.start == end
        end = part.end
        if body is None or not is_next or tree_text(body) != text[part.start : end]:
            return False
    return end == len(text)


def _plain_tree(paragraphs: Iterable[str]) -> _Element:
    """The words alone, for a tree that would not survive being stored."""
    root = new_element(xhtml("html"), {None: XHTML})
    etree.SubElement(root, xhtml("head"))
    body = etree.SubElement(root, xhtml("body"))
    for words in paragraphs:
        etree.SubElement(body, xhtml("p")).text = words
    return root


def _title(content: DocumentText, contents_title: str) -> str:
    own = (words for block, words in headings(content) if block.voice is not Voice.LICENCE)
    heading = next(own, "")
    if contents_title and len(heading) <= _SHORT_TITLE:
        return contents_title
    return heading


def _language(root: _Element) -> str:
    for element in (root.find(xhtml("body")), root):
        if element is not None:
            language = element.get(XML_LANG) or element.get("lang")
            if language and language.strip():
                return language.strip()
    return ""


def _viewport(root: _Element) -> tuple[float, float]:
    """Width and height in points that a fixed-layout page gives itself, else zeros."""
    for meta in root.iter(xhtml("meta")):
        if meta.get("name", "").lower() == "viewport":
            sizes = dict(_VIEWPORT.findall(meta.get("content", "")))
            try:
                width, height = float(sizes["width"]), float(sizes["height"])
            except (KeyError, ValueError):
                continue
            return width * _POINTS_PER_PIXEL, height * _POINTS_PER_PIXEL
    return 0.0, 0.0


def _fingerprint(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
