"""What an EPUB's package file says: metadata, manifest, spine, guide.

EbookLib reads it; where EbookLib gives up (a missing file, a wrong `toc`, UTF-16, an item without
an id), our own tolerant reading of the same file takes over. Both give the same `Package`. Only
names and attributes come from here: the bytes of documents are read when they are needed.

Source: EPUB 3.3 §5; OPF 2.0.1.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from app.books.decoding import decode_markup
from app.books.epub_archive import EntryUnreadable, EpubArchive
from app.books.markup_names import local_name
from app.books.package_paths import is_remote
from app.books.parse_markup import parse_package_xml
from app.books.tree_edits import inner_text
from app.domain.errors import BookUnreadable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lxml.etree import _Element

CONTAINER = "META-INF/container.xml"
PACKAGE_TYPE = "application/oebps-package+xml"
NCX_TYPE = "application/x-dtbncx+xml"
_DOCUMENT_NAME = re.compile(r"\.(?:xhtml|html?|xht)$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ManifestItem:
    """A file that the package lists.

    Attributes:
        item_id: its id, or "".
        name: path inside the package, as the archive spells it; where it is missing, as written.
        fragment: what follows `#` in its address, or "".
        media_type: as declared, lower case.
        properties: tokens of `properties`.
        is_present: the archive has it.
    """

    item_id: str
    name: str
    fragment: str
    media_type: str
    properties: frozenset[str]
    is_present: bool


@dataclass(frozen=True, slots=True)
class SpineEntry:
    """One entry of the reading order; `item` is None where its idref leads nowhere."""

    idref: str
    item: ManifestItem | None
    is_linear: bool


@dataclass(slots=True)
class Package:
    """A package file's content.

    Attributes:
        name: path of the package file in the archive.
        titles: all titles, in order.
        creators: all creators, in order.
        languages: all languages, in order.
        identifiers: id attribute (or "") and value of each.
        unique_id: id of the identifier that keys of obfuscated fonts are made from.
        metas: name or property, and value.
        items: the manifest, in order.
        spine: in raw order.
        guide: type and address of each reference.
        toc_id: the spine's `toc`, or "".
        progression: `page-progression-direction`, or "".
        warnings: plain sentences.
    """

    name: str
    titles: list[str] = field(default_factory=list)
    creators: list[str] = field(default_factory=list)
    languages: list[str] = field(default_factory=list)
    identifiers: list[tuple[str, str]] = field(default_factory=list)
    unique_id: str = ""
    metas: list[tuple[str, str]] = field(default_factory=list)
    items: list[ManifestItem] = field(default_factory=list)
    spine: list[SpineEntry] = field(default_factory=list)
    guide: list[tuple[str, str]] = field(default_factory=list)
    toc_id: str = ""
    progression: str = ""
    warnings: list[str] = field(default_factory=list)
    _by_id: dict[str, ManifestItem] = field(default_factory=dict)

    def add(self, item: ManifestItem) -> None:
        """Adds an item to the manifest; the first of an id counts."""
        self.items.append(item)
        self._by_id.setdefault(item.item_id, item)

    def item(self, item_id: str) -> ManifestItem | None:
        """The manifest item of this id, or None."""
        return self._by_id.get(item_id)

    def meta(self, name: str) -> str:
        """The first value of a meta, or ""."""
        return next((value for key, value in self.metas if key == name), "")

    @property
    def nav(self) -> ManifestItem | None:
        """The EPUB 3 navigation document, where the archive has it."""
        return next((i for i in self.items if "nav" in i.properties and i.is_present), None)

    @property
    def ncx(self) -> ManifestItem | None:
        """The NCX: the one that the spine names, else any."""
        named = self.item(self.toc_id) if self.toc_id else None
        if named is not None and named.is_present:
            return named
        return next(
            (
                item
                for item in self.items
                if item.is_present
                and (item.media_type == NCX_TYPE or item.name.lower().endswith(".ncx"))
            ),
            None,
        )


def find_package(archive: EpubArchive) -> str:
    """Path of the package file: as the container says, else the only one there is.

    Raises:
        BookUnreadable: the archive has none.
    """
    for name in _package_names(archive):
        if archive.has(name):
            return name
    others = sorted(
        (name for name in archive.names if name.lower().endswith(".opf")),
        key=lambda name: (name.count("/"), name),
    )
    if not others:
        raise BookUnreadable(archive.path, "it has no package file that lists its chapters")
    return others[0]


def _package_names(archive: EpubArchive) -> Iterator[str]:
    container = archive.resolver.resolve("", CONTAINER)
    if container is None:
        return
    try:
        root = parse_package_xml(decode_markup(archive.read(container.name)).text)
    except (EntryUnreadable, ValueError):
        return
    for element in root.iter("{*}rootfile"):
        path = element.get("full-path", "")
        declared = element.get("media-type", PACKAGE_TYPE)
        target = archive.resolver.resolve("", path) if path else None
        if target is not None and declared == PACKAGE_TYPE:
            yield target.name


def read_tolerantly(archive: EpubArchive, name: str) -> Package:
    """Reads the package file without EbookLib, as far as it can be read.

    Args:
        archive: the book.
        name: path of the package file.

    Raises:
        BookUnreadable: the package file is missing, damaged or holds no element.
    """
    try:
        root = parse_package_xml(decode_markup(archive.read(name)).text)
    except (EntryUnreadable, ValueError) as fault:
        raise BookUnreadable(archive.path, "its package file cannot be read") from fault
    package = Package(name, unique_id=root.get("unique-identifier", ""))
    for element in _children(root, "metadata", "dc-metadata", "x-metadata"):
        _take_metadata(package, element)
    for element in _children(root, "manifest"):
        if local_name(element.tag) == "item":
            add_item(
                package,
                archive,
                item_id=element.get("id", ""),
                address=element.get("href", ""),
                media_type=element.get("media-type", ""),
                properties=element.get("properties", ""),
            )
    spine = next((part for part in root.iter("{*}spine")), None)
    if spine is not None:
        package.toc_id = spine.get("toc", "")
        package.progression = spine.get("page-progression-direction", "")
    for element in _children(root, "spine"):
        if local_name(element.tag) == "itemref":
            idref = element.get("idref", "")
            is_linear = element.get("linear", "yes").strip().lower() != "no"
            package.spine.append(SpineEntry(idref, package.item(idref), is_linear))
    for element in _children(root, "guide"):
        package.guide.append((element.get("type", ""), element.get("href", "")))
    return package


def add_item(
    package: Package,
    archive: EpubArchive,
    *,
    item_id: str,
    address: str,
    media_type: str,
    properties: str,
) -> None:
    """Adds a manifest item; a missing or remote file is a warning, not the end of the book."""
    if not address:
        package.warnings.append("The list of files has an entry that names no file.")
        return
    target = archive.resolver.resolve(package.name, address)
    if target is None and is_remote(address):
        package.warnings.append(f"A file that is not part of the book is left out: {address}")
        return
    if target is None:
        package.warnings.append(f"A file is missing from the book: {address}")
    package.add(
        ManifestItem(
            item_id,
            address if target is None else target.name,
            "" if target is None else target.fragment,
            media_type.strip().lower(),
            frozenset(properties.split()),
            is_present=target is not None,
        )
    )


def spine_of_documents(archive: EpubArchive, package: Package) -> list[SpineEntry]:
    """A reading order made from the documents themselves, for a package that gives none."""
    listed = [item for item in package.items if item.is_present and is_document(item)]
    if not listed:
        listed = [
            ManifestItem("", name, "", "application/xhtml+xml", frozenset(), is_present=True)
            for name in sorted(archive.names, key=_natural)
            if _DOCUMENT_NAME.search(name)
        ]
    return [SpineEntry(item.item_id, item, is_linear=True) for item in listed]


def is_document(item: ManifestItem) -> bool:
    """Whether a manifest item is a page of text."""
    return item.media_type in {"application/xhtml+xml", "text/html"} or bool(
        _DOCUMENT_NAME.search(item.name)
    )


def _natural(name: str) -> list[tuple[int, str]]:
    return [(int(part), "") if part.isdigit() else (0, part) for part in re.split(r"(\d+)", name)]


def _children(root: _Element, *names: str) -> Iterator[_Element]:
    """Elements inside the parts of these names; nested metadata parts are opened too."""
    for name in names:
        for part in root.iter(f"{{*}}{name}"):
            for child in part:
                if local_name(child.tag) not in names:
                    yield child


def _take_metadata(package: Package, element: _Element) -> None:
    name = local_name(element.tag).lower()
    value = " ".join(inner_text(element).split())
    if name == "meta":
        key = element.get("property") or element.get("name") or ""
        package.metas.append((key, value or element.get("content", "")))
    elif value:
        add_dublin_core(package, name, value, element.get("id", ""))


def add_dublin_core(package: Package, name: str, value: str, element_id: str) -> None:
    """Adds one Dublin Core statement of the package."""
    if name == "identifier":
        package.identifiers.append((element_id, value))
    elif name in {"title", "creator", "language"}:
        {"title": package.titles, "creator": package.creators, "language": package.languages}[
            name
        ].append(value)
