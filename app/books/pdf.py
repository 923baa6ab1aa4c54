"""A PDF file: its pages as canonical documents, and as pictures with places in them.

MuPDF is neither safe to call from two threads nor sure to come back from a hostile file; this
module is used by one thread of the worker process. The text rule is in `pdf_text`, drawing in
`pdf_drawing`.
"""

from __future__ import annotations

import hashlib
import re
from bisect import bisect_left
from functools import cached_property
from typing import TYPE_CHECKING, Self

from app.books.model_text import model_text
from app.books.pdf_blocks import BodyStyle, body_style, page_blocks, page_breaks
from app.books.pdf_direction import is_mainly_right_to_left
from app.books.pdf_labels import LabelsBroken, page_labels
from app.books.pdf_metadata import read_metadata
from app.books.pdf_opening import FAULTS
from app.books.pdf_outline import (
    OutlineLine,
    PageHeading,
    made_contents,
    outline_contents,
    read_outline,
)
from app.books.pdf_pages import PdfPages, page_text
from app.books.pdf_places import PagePlaces
from app.books.pdf_text import PageText, read_page_text
from app.books.pdf_voices import Speaker, speakers_by_outline, voiced_blocks
from app.domain.book import BookFormat, PageLabel, Voice
from app.domain.document import BlockKind, CanonicalDocument, DocumentText
from app.domain.errors import BookUnreadable, PageUnreadable
from app.domain.position import Locator

if TYPE_CHECKING:
    from pathlib import Path
    from types import TracebackType

    import pymupdf

    from app.domain.book import BookMetadata, ContentsEntry
    from app.domain.document import Resource

_SAMPLED_PAGES = 8  # looked at when a book opens, to learn what its running text looks like
_PAGES_TO_SHRINK = 50  # MuPDF's store of fonts and pictures is emptied after so many
_UNREADABLE_SHARE = 0.2  # of a page's characters that have no known meaning
_UNKNOWN = re.compile("[\ufffd\ue000-\uf8ff\U000f0000-\U0010ffff]")
_PAGE_DAMAGED = "This page is damaged and cannot be read."
_PAGE_IS_PICTURE = "This page is a picture: it has no text that can be searched."
_PAGE_IS_GARBLED = "The file does not say what the letters of this page are."


class PdfFile:
    """An open PDF.

    Args:
        path: the file; only read.
        password: for a file that asks for one.

    Raises:
        BookNotFound: there is no such file.
        BookUnreadable: it is damaged beyond repair, or may not be read.
        PasswordRequired: it opens with a password only, and this is not it.
        NothingToRead: it has no pages.
    """

    book_format = BookFormat.PDF
    cover_name: str | None = None

    def __init__(self, path: Path, *, password: str | None = None) -> None:
        self._path = path
        self._pages = PdfPages(path, password=password)
        self._document = self._pages.document
        self._warnings: list[str] = []
        self.document_count = self._pages.page_count
        self._learn_look()
        self._outline = self._read_outline()
        self._targets: dict[int, list[OutlineLine]] = {}
        for line in self._outline:
            if line.page_index is not None:
                self._targets.setdefault(line.page_index, []).append(line)
        self._places: dict[int, PagePlaces] = {}
        self._headings: dict[int, list[PageHeading]] = {}
        self._speakers: dict[int, Speaker] = {}

    def __enter__(self) -> Self:
        """Returns itself; leaving closes it."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        fault: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Closes the file."""
        self.close()

    def close(self) -> None:
        """Closes the file; nothing else may be asked afterwards."""
        self._pages.close()

    @property
    def metadata(self) -> BookMetadata:
        """What the file says of itself; the title on its first page where it names none."""
        return self._metadata

    @property
    def warnings(self) -> tuple[str, ...]:
        """Plain sentences on what the book lacks."""
        return tuple(self._warnings)

    # As text

    def document(self, file_index: int) -> CanonicalDocument:
        """Reads one page; a damaged one is empty and says so in its warnings."""
        try:
            with self._pages.page(file_index) as page:
                return self._canonical(file_index, page, page_text(page))
        except PageUnreadable:
            self._speakers[file_index] = self._speaker_before(file_index)
            return _empty_document(file_index)

    def contents(self) -> tuple[ContentsEntry, ...]:
        """The outline, else contents made of the headings of the pages read so far.

        A place on a page that was not read yet is the beginning of that page.
        """
        if self._outline:
            return outline_contents(self._outline, self._place)
        headings = [one for index in sorted(self._headings) for one in self._headings[index]]
        return made_contents(headings, self.document_count)

    def page_labels(self) -> tuple[PageLabel, ...]:
        """Printed pages from the file's own labels; empty where it has none or they are broken."""
        try:
            labels = page_labels(self._document, self.document_count)
        except (LabelsBroken, *FAULTS):
            self._warn("The printed page numbers of this file are damaged and left out.")
            return ()
        return tuple(PageLabel(label, index, 0) for index, label in labels.items())

    @staticmethod
    def resource_names() -> tuple[str, ...]:
        """Nothing: pages are drawn whole."""
        return ()

    def resource(self, name: str) -> Resource:
        """Nothing: pages are drawn whole.

        Raises:
            BookUnreadable: always.
        """
        raise BookUnreadable(self._path, f"it has no resource {name}")

    # Steps

    def _learn_look(self) -> None:
        last = self.document_count - 1
        spread = {last * part // (_SAMPLED_PAGES - 1) for part in range(_SAMPLED_PAGES)}
        sampled: dict[int, PageText] = {}
        for index in sorted(spread):
            try:
                sampled[index] = read_page_text(self._document.load_page(index))
            except (*FAULTS, ValueError):
                continue  # said when the page is read
        self._body: BodyStyle = body_style(sampled.values())
        text = "\n".join(page.text for page in sampled.values())
        if not text.strip():
            self._warn("The pages of this book are pictures: there is no text to search.")
        self._metadata = read_metadata(
            self._document,
            self._path,
            sampled.get(0),
            self._body,
            is_right_to_left=is_mainly_right_to_left(text),
        )

    def _read_outline(self) -> tuple[OutlineLine, ...]:
        try:
            return read_outline(self._document, self.document_count)
        except FAULTS:
            self._warn("The table of contents of this file is damaged and left out.")
            return ()

    def _warn(self, sentence: str) -> None:
        if sentence not in self._warnings:
            self._warnings.append(sentence)

    def _place(self, line: OutlineLine) -> Locator | None:
        if line.page_index is None:
            return None
        places = self._places.get(line.page_index)
        return Locator(line.page_index, 0 if places is None else places.start_of(line))

    def _canonical(self, file_index: int, page: pymupdf.Page, found: PageText) -> CanonicalDocument:
        height = page.rect.height if page.rotation % 180 == 0 else page.rect.width
        blocks = page_blocks(found, self._body, height)
        targets = self._targets.get(file_index, [])
        titles: dict[int, OutlineLine] = {}
        if targets:
            places = PagePlaces(found, blocks, page.rotation_matrix)
            self._places[file_index] = places
            blocks = places.with_headings(targets)
            for line in targets:
                titles.setdefault(places.start_of(line), line)
        blocks, voice, speaker = voiced_blocks(
            found.text, blocks, titles, self._speaker_before(file_index)
        )
        self._speakers[file_index] = speaker
        breaks = page_breaks(found, blocks)
        content = DocumentText(file_index, found.text, blocks, breaks)
        if not self._outline:
            self._headings[file_index] = [
                PageHeading(
                    file_index,
                    block.start,
                    block.end,
                    block.level,
                    " ".join(model_text(content.readable(block.start, block.end)).split()),
                )
                for block in blocks
                if block.kind is BlockKind.HEADING
            ]
        return CanonicalDocument(
            content=content,
            name=_name(file_index),
            title=next((line.title for line in targets if line.title), ""),
            voice=voice,
            is_linear=True,
            language=self._metadata.language,
            anchors={},
            parts=(),
            resource_names=(),
            fingerprint=_fingerprint(found.text),
            width_pt=page.rect.width,
            height_pt=page.rect.height,
            warnings=_page_warnings(page, found.text),
        )

    def _speaker_before(self, page_index: int) -> Speaker:
        known = self._speakers.get(page_index - 1)
        if known is not None:
            return known
        after = bisect_left(self._outline_speakers, page_index, key=lambda one: one[0])
        return self._outline_speakers[after - 1][1] if after else Speaker()

    @cached_property
    def _outline_speakers(self) -> list[tuple[int, Speaker]]:
        return speakers_by_outline(self._outline)


def _name(page_index: int) -> str:
    return f"page {page_index + 1}"


def _fingerprint(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _page_warnings(page: pymupdf.Page, text: str) -> tuple[str, ...]:
    if not text:
        return (_PAGE_IS_PICTURE,) if page.get_images() else ()
    unknown = len(_UNKNOWN.findall(text))
    return (_PAGE_IS_GARBLED,) if unknown > _UNREADABLE_SHARE * len(text) else ()


def _empty_document(file_index: int) -> CanonicalDocument:
    return CanonicalDocument(
        content=DocumentText(file_index, "", (), ()),
        name=_name(file_index),
        title="",
        voice=Voice.BODY,
        is_linear=True,
        language="",
        anchors={},
        parts=(),
        resource_names=(),
        fingerprint=_fingerprint(""),
        warnings=(_PAGE_DAMAGED,),
    )
