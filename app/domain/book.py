"""What a book is: its identity, its documents in raw spine order, its contents and printed pages.

Plain values. Nothing here reads a file or a database.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


class BookFormat(StrEnum):
    """The file formats that Ibid opens."""

    EPUB = "epub"
    PDF = "pdf"

    @property
    def suffix(self) -> str:
        """The usual file name ending, with its dot."""
        return f".{self.value}"

    @property
    def media_type(self) -> str:
        """The registered media type."""
        return "application/epub+zip" if self is BookFormat.EPUB else "application/pdf"


class Voice(StrEnum):
    """Who speaks in a part of a book, so that a note is never passed off as the author's text."""

    BODY = "body"
    COVER = "cover"
    TITLE_PAGE = "title page"
    COPYRIGHT = "copyright"
    LICENCE = "licence"
    DEDICATION = "dedication"
    EPIGRAPH = "epigraph"
    CONTENTS = "contents"
    FOREWORD = "foreword"
    PREFACE = "preface"
    INTRODUCTION = "introduction"
    NOTES = "notes"
    APPENDIX = "appendix"
    AFTERWORD = "afterword"
    GLOSSARY = "glossary"
    BIBLIOGRAPHY = "bibliography"
    INDEX = "index"
    COLOPHON = "colophon"

    @property
    def is_evidence(self) -> bool:
        """Whether text of this part may support a statement about what the book says."""
        return self not in _NO_EVIDENCE


_NO_EVIDENCE = frozenset(
    {Voice.COVER, Voice.CONTENTS, Voice.INDEX, Voice.LICENCE, Voice.COPYRIGHT, Voice.COLOPHON}
)


class ImportState(StrEnum):
    """How far a book has come into the library."""

    IMPORTING = "importing"
    READY = "ready"


@dataclass(frozen=True, slots=True)
class BookMetadata:
    """What a file says of itself.

    Attributes:
        title: never empty; the file's name where the book gives none.
        authors: in the book's order, may be empty.
        language: BCP 47 as the book gives it, or "" where unknown.
        identifier: the publisher's identifier, or "". Never used as identity.
        is_right_to_left: pages progress from right to left.
        is_fixed_layout: EPUB with pre-paginated pages.
    """

    title: str
    authors: tuple[str, ...] = ()
    language: str = ""
    identifier: str = ""
    is_right_to_left: bool = False
    is_fixed_layout: bool = False


@dataclass(frozen=True, slots=True)
class SpineDocument:
    """One document of a book without its text: a spine entry (EPUB) or a page (PDF).

    Attributes:
        file_index: 0-based position in the raw spine or page order.
        name: path inside the package (EPUB) or "page N" (PDF).
        title: heading or contents title, may be "".
        voice: what the document is as a whole.
        is_linear: part of the reading order (`linear="no"` is False).
        length_chars: code points of canonical text.
        part_count: number of markup parts served to the reader (0 for PDF).
        width_pt: page width in points (PDF, fixed layout), else 0.
        height_pt: page height in points (PDF, fixed layout), else 0.
        warnings: plain sentences on what was lost or repaired.
    """

    file_index: int
    name: str
    title: str
    voice: Voice
    is_linear: bool
    length_chars: int
    part_count: int = 0
    width_pt: float = 0.0
    height_pt: float = 0.0
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ContentsEntry:
    """One line of the table of contents.

    Attributes:
        entry_index: 0-based position in reading order of the tree (depth first).
        parent_index: `entry_index` of the parent, or None at the top.
        depth: 0 at the top.
        title: may be "".
        file_index: target document, or None for a heading without a target.
        start: target offset in code points, or None.
        is_made: made by Ibid from headings, not given by the book.
    """

    entry_index: int
    parent_index: int | None
    depth: int
    title: str
    file_index: int | None
    start: int | None
    is_made: bool = False


@dataclass(frozen=True, slots=True)
class PageLabel:
    """A printed page: its label as printed, and where it begins."""

    label: str
    file_index: int
    start: int


@dataclass(frozen=True, slots=True)
class Book:
    """A book in the library.

    Attributes:
        book_id: key in the library.
        content_hash: SHA-256 of the file, hexadecimal: the book's identity.
        path: where the user's file is; never written to.
        book_format: EPUB or PDF.
        metadata: what the file says of itself.
        state: importing or ready.
        text_rule: version of the rule that made the canonical text.
        document_count: number of spine entries or pages.
        length_chars: code points of all canonical documents.
        warnings: plain sentences on what was lost or repaired.
    """

    book_id: int
    content_hash: str
    path: Path
    book_format: BookFormat
    metadata: BookMetadata
    state: ImportState
    text_rule: int
    document_count: int
    length_chars: int
    warnings: tuple[str, ...] = field(default=())
