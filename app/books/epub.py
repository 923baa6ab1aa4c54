"""An EPUB as a book: spine entries become documents, its lists become contents and printed pages.

Everything that can be missing or wrong in the package is a warning here, and the rest of the book
opens. Only a file that holds nothing to read, or text that a copy protection encrypts, is refused.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Self

from app.books.contents import ContentsLine, contents_of, first_titles
from app.books.decoding import decode_markup
from app.books.document_voices import Surroundings
from app.books.ebooklib_package import PackageRefused, read_with_ebooklib
from app.books.epub_archive import EntryUnreadable, EpubArchive
from app.books.epub_document import (
    Page,
    headings_of,
    make_document,
    make_empty_document,
    make_picture_document,
)
from app.books.epub_navigation import Navigation, read_nav, read_ncx
from app.books.epub_package import (
    find_package,
    is_document,
    read_tolerantly,
    spine_of_documents,
)
from app.books.epub_protection import read_protection
from app.books.epub_resources import EpubResources, sniffed_type
from app.books.markup_names import SVG, XLINK_HREF, xhtml
from app.books.page_labels import page_labels_of
from app.books.parse_markup import parse_markup, parse_package_xml
from app.books.voices import voice_of_types
from app.domain.book import BookFormat, BookMetadata, Voice
from app.domain.errors import BookProtected, NothingToRead
from app.domain.position import Locator

if TYPE_CHECKING:
    from pathlib import Path
    from types import TracebackType

    from app.domain.book import ContentsEntry, PageLabel
    from app.domain.document import CanonicalDocument, Resource


class EpubFile:
    """An open EPUB; see `app.books.book_file.BookFile`."""

    book_format = BookFormat.EPUB

    def __init__(self, path: Path) -> None:
        """Opens the archive and reads its package; documents are read when asked for.

        Args:
            path: the user's file, never written to.

        Raises:
            BookUnreadable: the archive or its package file is damaged beyond reading.
            BookProtected: a copy protection encrypts the text.
            NothingToRead: there is no document in it.
        """
        self._archive = EpubArchive(path)
        try:
            self._open()
        except BaseException:
            self._archive.close()
            raise

    def _open(self) -> None:
        archive = self._archive
        package_name = find_package(archive)
        try:
            self._package = read_with_ebooklib(archive, package_name)
        except PackageRefused:
            self._package = read_tolerantly(archive, package_name)
        self._warnings = list(dict.fromkeys(self._package.warnings))
        self._spine = self._package.spine
        if not any(entry.item is not None and entry.item.is_present for entry in self._spine):
            self._spine = spine_of_documents(archive, self._package)
            self._warnings.append("The book gives no order of its parts; its files' order is used.")
        if not self._spine:
            raise NothingToRead(archive.path)
        self._protection = read_protection(archive)
        if any(entry.item and self._protection.is_locked(entry.item.name) for entry in self._spine):
            raise BookProtected(archive.path, self._protection.scheme)
        self._resources = EpubResources(archive, self._package, self._protection)
        # An entry that repeats a file is an empty document: only the first holds the text.
        self._index_of: dict[str, int] = {}
        for index, entry in enumerate(self._spine):
            if entry.item is not None and entry.item.is_present:
                self._index_of.setdefault(entry.item.name, index)
        self._anchors: dict[int, dict[str, int]] = {}
        self._headings: dict[int, list[tuple[int, str, int]]] = {}

    @cached_property
    def metadata(self) -> BookMetadata:
        """What the package says of the book; its file's name where it gives no title."""
        package = self._package
        identifiers = sorted(package.identifiers, key=lambda item: item[0] != package.unique_id)
        layout = package.meta("rendition:layout") or package.meta("fixed-layout")
        return BookMetadata(
            title=package.titles[0] if package.titles else self._archive.path.stem,
            authors=tuple(dict.fromkeys(package.creators)),
            language=package.languages[0] if package.languages else "",
            identifier=identifiers[0][1] if identifiers else "",
            is_right_to_left=package.progression.strip().lower() == "rtl",
            is_fixed_layout=layout.strip().lower() in {"pre-paginated", "true"},
        )

    @property
    def document_count(self) -> int:
        """Number of spine entries."""
        return len(self._spine)

    @property
    def warnings(self) -> tuple[str, ...]:
        """Plain sentences on what the package lacks."""
        return tuple(self._warnings)

    @cached_property
    def cover_name(self) -> str | None:
        """The picture that the package calls its cover, or that its cover page shows, or None."""
        package = self._package
        named = package.meta("cover")
        items = [item for item in package.items if item.is_present]
        candidates = [item.name for item in items if "cover-image" in item.properties]
        candidates += [item.name for item in items if named and named in {item.item_id, item.name}]
        for kind, address in package.guide:
            if kind == "cover" and (
                target := self._archive.resolver.resolve(package.name, address)
            ):
                candidates += [target.name, *self._pictures_of(target.name)]
        candidates += [item.name for item in items if "cover" in item.item_id.lower()]
        is_picture = (
            name for name in candidates if self._resources.media_type(name).startswith("image/")
        )
        return next(is_picture, None)

    def document(self, file_index: int) -> CanonicalDocument:
        """Parses one spine entry; one that repeats a file, or is missing, is empty.

        Args:
            file_index: 0-based place in the raw spine.

        Raises:
            IndexError: there is no such entry.
        """
        entry = self._spine[file_index]
        name = entry.idref if entry.item is None else entry.item.name
        around = Surroundings(name, self._named_voices.get(name), self._titles.get(file_index, ""))
        page = Page(file_index, b"", around, self.metadata.language, entry.is_linear)
        if entry.item is None or not entry.item.is_present:
            return make_empty_document(page, "This part is missing from the book's file.")
        if self._index_of[name] != file_index:
            return make_empty_document(page)
        try:
            raw = self._archive.read(name)
        except EntryUnreadable:
            return make_empty_document(page, "This part of the book's file is damaged.")
        document = self._made(page, raw, is_markup=is_document(entry.item))
        self._anchors[file_index] = document.anchors
        self._headings[file_index] = headings_of(document)
        return document

    def _made(self, page: Page, raw: bytes, *, is_markup: bool) -> CanonicalDocument:
        resolver = self._archive.resolver
        sniffed = sniffed_type(raw) or ""
        if sniffed.startswith("image/") and not (is_markup and sniffed == "image/svg+xml"):
            title = page.around.contents_title or self.metadata.title
            document = make_picture_document(page, resolver, title)
        else:
            page = Page(page.file_index, raw, page.around, page.language, page.is_linear)
            document = make_document(page, resolver)
        needed = self._resources.with_needs(document.resource_names)
        return replace(document, resource_names=needed)

    def contents(self) -> tuple[ContentsEntry, ...]:
        """The book's contents; made from the headings of the documents read where it has none."""
        lines = self._contents_lines()
        return contents_of(lines) if lines else contents_of(self._made_lines(), is_made=True)

    def page_labels(self) -> tuple[PageLabel, ...]:
        """Printed pages that the navigation document or the NCX lists."""
        navigation = next((found for found in self._navigation if found.pages), None)
        if navigation is None:
            return ()
        return page_labels_of(
            (line.title, self._place(navigation.name, line.address)) for line in navigation.pages
        )

    def resource_names(self) -> tuple[str, ...]:
        """Pictures, styles, fonts, sounds and films, in the archive's order."""
        return self._resources.names()

    def resource(self, name: str) -> Resource:
        """One of `resource_names`.

        Raises:
            BookUnreadable: there is none of this name, or it is damaged or encrypted.
        """
        return self._resources.read(name)

    def close(self) -> None:
        """Closes the file."""
        self._archive.close()

    def __enter__(self) -> Self:
        """The open book."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        fault: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Closes the file."""
        self.close()

    @cached_property
    def _navigation(self) -> tuple[Navigation, ...]:
        """Navigation document and NCX, as far as the book has them and they can be read."""
        found: list[Navigation] = []
        nav, ncx = self._package.nav, self._package.ncx
        try:
            if nav is not None:
                markup = decode_markup(self._archive.read(nav.name)).text
                found.append(read_nav(parse_markup(markup).root, nav.name))
        except EntryUnreadable:
            self._warnings.append("The list of contents is damaged.")
        try:
            if ncx is not None:
                markup = decode_markup(self._archive.read(ncx.name)).text
                found.append(read_ncx(parse_package_xml(markup), ncx.name))
        except (EntryUnreadable, ValueError):
            self._warnings.append("The list of contents is damaged.")
        return tuple(found)

    @cached_property
    def _titles(self) -> dict[int, str]:
        return first_titles(contents_of(self._contents_lines()))

    @cached_property
    def _named_voices(self) -> dict[str, Voice]:
        """What guide and landmarks call whole documents: only where they lead to their start."""
        named: dict[str, Voice] = {}
        references = [(self._package.name, kind, address) for kind, address in self._package.guide]
        for navigation in self._navigation:
            references += [(navigation.name, *landmark) for landmark in navigation.landmarks]
        for base, kind, address in references:
            target = self._archive.resolver.resolve(base, address)
            voice = voice_of_types(kind)
            if target is not None and voice is not None and not target.fragment:
                named.setdefault(target.name, voice)
        if self._package.nav is not None:
            named[self._package.nav.name] = Voice.CONTENTS
        return named

    def _contents_lines(self) -> list[ContentsLine]:
        navigation = next((found for found in self._navigation if found.contents), None)
        if navigation is None:
            return []
        return [
            ContentsLine(line.depth, line.title, self._place(navigation.name, line.address))
            for line in navigation.contents
        ]

    def _made_lines(self) -> list[ContentsLine]:
        """Headings of the documents read so far; file names where there is not one heading."""
        read = sorted(self._headings.items())
        lines = [
            ContentsLine(level, title, Locator(file_index, start))
            for file_index, headings in read
            for level, title, start in headings
        ]
        if lines:
            return lines
        return [
            ContentsLine(0, _stem(name), Locator(file_index, 0))
            for name, file_index in self._index_of.items()
        ]

    def _place(self, base_name: str, address: str) -> Locator | None:
        """Where an address leads; the start of a document whose anchors are not known."""
        target = self._archive.resolver.resolve(base_name, address) if address else None
        file_index = None if target is None else self._index_of.get(target.name)
        if target is None or file_index is None:
            return None
        return Locator(file_index, self._anchors.get(file_index, {}).get(target.fragment, 0))

    def _pictures_of(self, name: str) -> list[str]:
        """Pictures that a page shows, in order."""
        try:
            root = parse_markup(decode_markup(self._archive.read(name)).text).root
        except EntryUnreadable:
            return []
        addresses = [image.get("src", "") for image in root.iter(xhtml("img"))]
        addresses += [
            image.get(XLINK_HREF, "") or image.get("href", "")
            for image in root.iter(f"{{{SVG}}}image")
        ]
        targets = (
            self._archive.resolver.resolve(name, address) for address in addresses if address
        )
        return [target.name for target in targets if target is not None]


def _stem(name: str) -> str:
    return name.rpartition("/")[2].rpartition(".")[0]
