"""EbookLib reads the package of a book.

Only metadata, manifest, spine and guide are taken from it: its parsed pages lose encodings, heads
and body attributes, and it holds every file of a book in memory at once. So it is given the files
that describe the package, and empty bytes for the others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ebooklib import epub
from lxml import etree

from app.books.epub_archive import EntryUnreadable, EpubArchive
from app.books.epub_package import CONTAINER, Package, SpineEntry, add_dublin_core, add_item

if TYPE_CHECKING:
    from collections.abc import Iterator

_DC = "http://purl.org/dc/elements/1.1/"
_OPF = "http://www.idpf.org/2007/opf"
# Empty contents of both kinds: EbookLib reads them at once, and `epub_navigation` does it better.
_EMPTY = (
    b'<html xmlns="http://www.w3.org/1999/xhtml"><body><nav class="toc"><ol/></nav></body>'
    b'<navMap xmlns="http://www.daisy.org/z3986/2005/ncx/"/></html>'
)


class PackageRefused(Exception):
    """EbookLib cannot read this package."""


class _PackageReader(epub.EpubReader):  # type: ignore[misc]  # EbookLib has no types
    """An EbookLib reader that takes bytes from our archive, and only those of the package."""

    def __init__(self, archive: EpubArchive, package_name: str) -> None:
        super().__init__(str(archive.path), {"ignore_ncx": True})
        self._archive = archive
        self._wanted = {CONTAINER, package_name}

    def read_file(self, name: str) -> bytes:
        """Bytes of the container and the package; nothing for what the package lists."""
        if name in self._wanted:
            return self._archive.read(name)
        return _EMPTY


def read_with_ebooklib(archive: EpubArchive, name: str) -> Package:
    """Reads the package file with EbookLib.

    Args:
        archive: the book.
        name: path of the package file, as `find_package` found it.

    Raises:
        PackageRefused: EbookLib cannot read it, or read another one than `name`.
    """
    reader = _PackageReader(archive, name)
    try:
        book = reader.load()
    except (
        epub.EpubException,
        EntryUnreadable,
        etree.LxmlError,
        # What EbookLib lets escape from packages that are not as it expects (0.20: E1, E2).
        AttributeError,
        IndexError,
        KeyError,
        TypeError,
        ValueError,
    ) as fault:
        raise PackageRefused(str(fault)) from fault
    if reader.opf_file != name:
        raise PackageRefused(f"it read {reader.opf_file!r}")
    return _converted(book, archive, name, reader.container.getroot())


def _converted(
    book: epub.EpubBook, archive: EpubArchive, name: str, root: etree._Element
) -> Package:
    package = Package(name, unique_id=root.get("unique-identifier", ""))
    for term in ("title", "creator", "language", "identifier"):
        for value, attributes in book.metadata.get(_DC, {}).get(term, ()):
            words = " ".join((value or "").split())
            if words:
                add_dublin_core(package, term, words, attributes.get("id", ""))
    package.metas.extend(_metas(book))
    # EbookLib drops the properties of pictures and navigation documents.
    properties = {item.get("id"): item.get("properties", "") for item in root.iter("{*}item")}
    for item in book.get_items():
        item_id = item.get_id() or ""
        add_item(
            package,
            archive,
            item_id=item_id,
            address=item.get_name() or "",
            media_type=item.media_type or "",
            properties=properties.get(item_id) or "",
        )
    package.spine.extend(
        SpineEntry(idref or "", package.item(idref or ""), is_linear=(linear or "").lower() != "no")
        for idref, linear in book.spine
    )
    package.guide.extend((part["type"] or "", part["href"] or "") for part in book.guide)
    spine = root.find("{*}spine")
    package.toc_id = "" if spine is None else spine.get("toc", "")
    package.progression = book.direction or ""
    return package


def _metas(book: epub.EpubBook) -> Iterator[tuple[str, str]]:
    for value, attributes in book.metadata.get(_OPF, {}).get("meta", ()):
        key = attributes.get("property") or attributes.get("name") or ""
        yield key, " ".join((value or "").split()) or attributes.get("content", "")
