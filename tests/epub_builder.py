"""EPUB files built in code with `zipfile`, sound or broken in a known way."""

from __future__ import annotations

import zipfile
from dataclasses import dataclass, field
from enum import StrEnum
from html import escape
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108020000009077"
    "53de0000000c49444154789c63f8cfc0000003010100c9fe92ef0000000049454e44ae426082"
)
"""A red picture of one pixel."""

_XHTML = "application/xhtml+xml"
_MEDIA_TYPES = {
    "xhtml": _XHTML,
    "html": _XHTML,
    "css": "text/css",
    "png": "image/png",
    "jpg": "image/jpeg",
    "svg": "image/svg+xml",
    "ttf": "font/ttf",
    "otf": "font/otf",
    "woff2": "font/woff2",
    "mp3": "audio/mpeg",
    "js": "text/javascript",
    "ncx": "application/x-dtbncx+xml",
}


class Broken(StrEnum):
    """Ways in which an EPUB can be broken."""

    NO_CONTAINER = "no META-INF/container.xml"
    NO_PACKAGE = "the package document is missing"
    PACKAGE_NOT_XML = "the package document is no XML"
    CUT_OFF = "the second half of the file is missing"
    CHAPTER_MISSING = "the last chapter is in the spine, not in the file"
    PROTECTED = "the chapters are encrypted (Adobe ADEPT)"


@dataclass(frozen=True)
class Chapter:
    """One spine entry.

    Attributes:
        body: markup inside `body`; text without markup becomes paragraphs at blank lines.
        title: of the contents line and the document; "" leaves it out of the contents.
        name: file name; "" for chapter1.xhtml, chapter2.xhtml and so on.
        is_linear: False writes `linear="no"`.
        epub_type: of `body`.
        body_attributes: further attributes of `body`, as markup.
        head: markup added to `head`.
        raw: the whole file as it is, instead of all of the above but the name.
        depth: of its contents line, 0 at the top.
    """

    body: str = ""
    title: str = ""
    name: str = ""
    is_linear: bool = True
    epub_type: str = ""
    body_attributes: str = ""
    head: str = ""
    raw: bytes | None = None
    depth: int = 0


@dataclass(frozen=True)
class EpubOptions:
    """What `make_epub` takes beside the chapters.

    Attributes:
        css: a style sheet that every chapter links to.
        files: further files by name inside the package folder; in the manifest.
        loose_files: files by full name inside the zip; not in the manifest.
        has_nav: an EPUB 3 navigation document.
        has_ncx: an EPUB 2 NCX.
        page_list: (label, target) such as ("12", "chapter1.xhtml#p12"), in the navigation document.
        landmarks: (epub:type, target), in the navigation document.
        cover: name of one of `files`.
        direction: page progression, "rtl" or "".
        metadata: further markup of the package's metadata.
        broken: leaves the file broken in this way.
    """

    title: str = "A Built Book"
    author: str = "Ada Author"
    language: str = "en"
    identifier: str = "urn:ibid:built-book"
    css: str = ""
    files: Mapping[str, bytes] = field(default_factory=dict)
    loose_files: Mapping[str, bytes] = field(default_factory=dict)
    has_nav: bool = True
    has_ncx: bool = False
    page_list: Sequence[tuple[str, str]] = ()
    landmarks: Sequence[tuple[str, str]] = ()
    cover: str = ""
    direction: str = ""
    metadata: str = ""
    broken: Broken | None = None


def make_epub(
    path: Path,
    chapters: Sequence[Chapter | str] = ("It was a quiet morning.",),
    **options: Any,
) -> Path:
    """Writes an EPUB.

    Args:
        path: the file to write.
        chapters: a `Chapter`, or just its `body`: then its title is "Chapter N".
        **options: the fields of `EpubOptions`.

    Returns:
        `path`.
    """
    chosen = EpubOptions(**options)
    listed = [_named(chapter, number) for number, chapter in enumerate(chapters, 1)]
    names = {chapter.name: chapter for chapter in listed}  # a repeated name is one file
    files: dict[str, bytes] = {}
    for name, chapter in names.items():
        files[f"OEBPS/{name.partition('#')[0]}"] = _chapter_file(chapter, chosen)
    if chosen.css:
        files["OEBPS/style.css"] = chosen.css.encode()
    files.update({f"OEBPS/{name}": content for name, content in chosen.files.items()})
    if chosen.has_nav:
        files["OEBPS/nav.xhtml"] = _nav(listed, chosen).encode()
    if chosen.has_ncx:
        files["OEBPS/toc.ncx"] = _ncx(listed, chosen).encode()
    manifest = [name.removeprefix("OEBPS/") for name in files]
    files["OEBPS/package.opf"] = _package(listed, manifest, chosen).encode()
    files["META-INF/container.xml"] = _CONTAINER.encode()
    files.update(chosen.loose_files)
    _break(files, listed, chosen.broken)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as book:
        book.writestr("mimetype", "application/epub+zip", zipfile.ZIP_STORED)
        for name, content in files.items():
            book.writestr(name, content)
    if chosen.broken is Broken.CUT_OFF:
        whole = path.read_bytes()
        path.write_bytes(whole[: len(whole) // 2])
    return path


def _named(chapter: Chapter | str, number: int) -> Chapter:
    if isinstance(chapter, str):
        chapter = Chapter(chapter, title=f"Chapter {number}")
    if chapter.name:
        return chapter
    fields = {**vars(chapter), "name": f"chapter{number}.xhtml"}
    return Chapter(**fields)


def _chapter_file(chapter: Chapter, options: EpubOptions) -> bytes:
    if chapter.raw is not None:
        return chapter.raw
    body = chapter.body
    if "<" not in body:
        paragraphs = [part for part in body.split("\n\n") if part.strip()]
        body = "\n".join(f"<p>{escape(part, quote=False)}</p>" for part in paragraphs)
    sheet = '<link rel="stylesheet" type="text/css" href="style.css"/>' if options.css else ""
    kind = f' epub:type="{chapter.epub_type}"' if chapter.epub_type else ""
    attributes = f"{kind} {chapter.body_attributes}".rstrip()
    return _page(
        chapter.title or options.title, f"{sheet}{chapter.head}", attributes, body
    ).encode()


def _page(title: str, head: str, attributes: str, body: str) -> str:
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE html>\n'
        '<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops">\n'
        f"<head><title>{escape(title)}</title>{head}</head>\n<body{attributes}>\n{body}\n</body>\n</html>"
    )


def _nav(chapters: Sequence[Chapter], options: EpubOptions) -> str:
    lines, depth = [], -1
    for chapter in (chapter for chapter in chapters if chapter.title):
        lines.append("<ol>" if chapter.depth > depth else "</li>")
        lines.extend("</ol></li>" for _ in range(depth - chapter.depth))
        lines.append(f'<li><a href="{chapter.name}">{escape(chapter.title)}</a>')
        depth = chapter.depth
    lines.append("</li></ol>" * (depth + 1))
    body = f'<nav epub:type="toc"><h1>Contents</h1>{"".join(lines)}</nav>'
    for kind, links in (("page-list", options.page_list), ("landmarks", options.landmarks)):
        if links:
            attribute = "epub:type" if kind == "landmarks" else "class"
            items = (
                f'<li><a {attribute}="{a}" href="{to}">{escape(a)}</a></li>' for a, to in links
            )
            body += f'<nav epub:type="{kind}"><ol>{"".join(items)}</ol></nav>'
    return _page("Contents", "", "", body)


def _ncx(chapters: Sequence[Chapter], options: EpubOptions) -> str:
    points = "".join(
        f'<navPoint id="n{number}" playOrder="{number}"><navLabel><text>{escape(chapter.title)}'
        f'</text></navLabel><content src="{chapter.name}"/></navPoint>'
        for number, chapter in enumerate(chapters, 1)
        if chapter.title
    )
    return (
        '<ncx xmlns="http://www.daisy.org/z3986/2005/ncx/" version="2005-1"><head/>'
        f"<docTitle><text>{escape(options.title)}</text></docTitle><navMap>{points}</navMap></ncx>"
    )


def _package(chapters: Sequence[Chapter], manifest: Sequence[str], options: EpubOptions) -> str:
    ids = {name: f"item{number}" for number, name in enumerate(manifest)}
    properties = {"nav.xhtml": ' properties="nav"', options.cover: ' properties="cover-image"'}
    items = "".join(
        f'<item id="{ids[name]}" href="{name}"{properties.get(name, "")} media-type="'
        f'{_MEDIA_TYPES.get(name.rpartition(".")[2], "application/octet-stream")}"/>'
        for name in manifest
    )
    linear = {True: "", False: ' linear="no"'}
    spine = "".join(
        f'<itemref idref="{ids[chapter.name.partition("#")[0]]}"{linear[chapter.is_linear]}/>'
        for chapter in chapters
    )
    ncx = f' toc="{ids["toc.ncx"]}"' if options.has_ncx else ""
    direction = f' page-progression-direction="{options.direction}"' if options.direction else ""
    version = "3.0" if options.has_nav else "2.0"
    author = f"<dc:creator>{escape(options.author)}</dc:creator>" if options.author else ""
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n<package xmlns="http://www.idpf.org/2007/opf"'
        f' version="{version}" unique-identifier="id"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/">'
        f'<dc:identifier id="id">{options.identifier}</dc:identifier>{author}'
        f"<dc:title>{escape(options.title)}</dc:title>"
        f"<dc:language>{options.language}</dc:language>"
        '<meta property="dcterms:modified">2025-01-01T00:00:00Z</meta>'
        f"{options.metadata}</metadata>"
        f"<manifest>{items}</manifest><spine{ncx}{direction}>{spine}</spine></package>"
    )


_CONTAINER = (
    '<?xml version="1.0"?><container version="1.0"'
    ' xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
    '<rootfile full-path="OEBPS/package.opf" media-type="application/oebps-package+xml"/>'
    "</rootfiles></container>"
)
_ENCRYPTION = '<encryption xmlns="urn:oasis:names:tc:opendocument:xmlns:container">{}</encryption>'
_ENCRYPTED_FILE = (
    '<EncryptedData xmlns="http://www.w3.org/2001/04/xmlenc#"><EncryptionMethod '
    'Algorithm="http://www.w3.org/2001/04/xmlenc#aes128-cbc"/><CipherData>'
    '<CipherReference URI="{}"/></CipherData></EncryptedData>'
)


def _break(files: dict[str, bytes], chapters: Sequence[Chapter], broken: Broken | None) -> None:
    match broken:
        case Broken.NO_CONTAINER:
            del files["META-INF/container.xml"]
        case Broken.NO_PACKAGE:
            del files["OEBPS/package.opf"]
        case Broken.PACKAGE_NOT_XML:
            files["OEBPS/package.opf"] = b"\x00\x01 this is no package"
        case Broken.CHAPTER_MISSING:
            del files[f"OEBPS/{chapters[-1].name}"]
        case Broken.PROTECTED:
            names = [f"OEBPS/{chapter.name}" for chapter in chapters]
            for name in names:
                files[name] = bytes(reversed(files[name]))
            marks = "".join(_ENCRYPTED_FILE.format(name) for name in names)
            files["META-INF/encryption.xml"] = _ENCRYPTION.format(marks).encode()
            files["META-INF/rights.xml"] = b'<rights xmlns="http://ns.adobe.com/adept"/>'
        case _:
            pass
