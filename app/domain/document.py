"""A canonical document: the one text that is shown, indexed, sent to a model and highlighted.

`text` is the bare canonical text; every offset counts its code points. `readable` puts back what
the bare concatenation glues together (line breaks, table cells) and takes out what only layout put
there (line ends of a PDF), and is what people, the search index and models are given. Making a
document from a file is the work of `app.books`; this module only holds it.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from app.domain.book import Voice

if TYPE_CHECKING:
    from app.domain.position import Span

_SPACES = re.compile(r"[\t\r\n\f][ \t\r\n\f]*| [ \t\r\n\f]+")  # all but one plain space


class BlockKind(StrEnum):
    """What a block of text is."""

    HEADING = "heading"
    PARAGRAPH = "paragraph"
    LIST_ITEM = "list item"
    CELL = "cell"
    VERSE = "verse"
    CODE = "code"
    CAPTION = "caption"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Block:
    """A block element or a block of a page: passages never cross its borders.

    Attributes:
        start: first code point.
        end: one past the last.
        kind: what it is.
        level: heading level 1 to 6, else 0.
        voice: whose text it is.
    """

    start: int
    end: int
    kind: BlockKind
    level: int = 0
    voice: Voice = Voice.BODY


@dataclass(frozen=True, slots=True)
class Break:
    r"""What readable text has in place of `length` bare code points at `offset`.

    An EPUB `a<br/>b` is `Break(1, 0, "\n")`; a PDF line end after a hyphen is
    `Break(offset_of_hyphen, 2, "")`, any other `Break(offset_of_newline, 1, " ")`.
    """

    offset: int
    length: int
    text: str


@dataclass(frozen=True, slots=True)
class MarkupPart:
    """A piece of the serialised tree, cut at block ends, as the reading view loads it.

    Attributes:
        part_index: 0-based within the document.
        start: offset of the first code point of canonical text in it.
        end: one past the last.
        markup: a whole XHTML document, UTF-8, cleaned.
    """

    part_index: int
    start: int
    end: int
    markup: bytes


@dataclass(frozen=True, slots=True)
class Resource:
    """A picture, style sheet, font or sound of a book, by its path inside the package."""

    name: str
    media_type: str
    content: bytes


@dataclass(frozen=True, slots=True)
class DocumentText:
    """The text of one document with what is needed to read it aloud, quote it and cut it.

    Attributes:
        file_index: 0-based spine or page index.
        text: bare canonical text.
        blocks: in order, not overlapping; text outside blocks is white space.
        breaks: in order, not overlapping.
    """

    file_index: int
    text: str
    blocks: tuple[Block, ...]
    breaks: tuple[Break, ...]

    def readable(self, start: int, end: int) -> str:
        """The text of a range as a person reads it: breaks put back, white space collapsed.

        Args:
            start: first code point.
            end: one past the last; clipped to the document.

        Returns:
            Text without white space at its ends. Lines of code keep their line ends.
        """
        end = min(end, len(self.text))
        written: list[str] = []
        tail = "\n"
        at = start
        first = bisect_left(self.breaks, start, key=lambda item: item.offset)
        last = bisect_left(self.breaks, end, first, key=lambda item: item.offset)
        for item in self.breaks[first:last]:
            for piece in (self._collapsed(at, item.offset, tail), item.text):
                tail = _append(written, piece, tail)
            at = max(at, item.offset + item.length)
        _append(written, self._collapsed(at, end, tail), tail)
        return "".join(written).strip()

    def readable_span(self, span: Span) -> str:
        """`readable` for a span of this document."""
        return self.readable(span.start, span.end)

    def _collapsed(self, start: int, end: int, tail: str) -> str:
        if start >= end:
            return ""
        piece = self.text[start:end]
        index = bisect_right(self.blocks, start, key=lambda block: block.start) - 1
        if index >= 0:
            block = self.blocks[index]
            if block.kind is BlockKind.CODE and start < block.end:
                return piece
        piece = _SPACES.sub(" ", piece)
        return piece.lstrip(" ") if tail.endswith((" ", "\n", "\t")) else piece


def _append(written: list[str], piece: str, tail: str) -> str:
    """Adds a piece, at most two line ends in a row, no space before one; returns the new tail."""
    if not piece:
        return tail
    if piece.startswith("\n"):
        while written and written[-1].endswith(" "):
            written[-1] = written[-1].rstrip(" ")
        if tail.endswith("\n\n"):
            return tail
    elif piece.isspace() and tail.endswith((" ", "\n", "\t")):
        return tail
    written.append(piece)
    return (tail + piece)[-2:]


@dataclass(frozen=True, slots=True)
class CanonicalDocument:
    """One spine entry or page as import stores it.

    Attributes:
        content: its text, blocks and breaks.
        name: path inside the package (EPUB) or "page N" (PDF).
        title: heading, may be "".
        voice: what the document is as a whole.
        is_linear: part of the reading order.
        language: BCP 47 or "".
        anchors: element id to offset (EPUB), for links and contents.
        parts: markup to serve (EPUB), at least one for a document that exists.
        resource_names: pictures and styles that the markup needs (EPUB).
        width_pt: page width in points (PDF), else 0.
        height_pt: page height in points (PDF), else 0.
        fingerprint: hash of the canonical text: SHA-256, hexadecimal, first 16 characters.
        warnings: plain sentences on what was lost or repaired.
    """

    content: DocumentText
    name: str
    title: str
    voice: Voice
    is_linear: bool
    language: str
    anchors: dict[str, int]
    parts: tuple[MarkupPart, ...]
    resource_names: tuple[str, ...]
    fingerprint: str
    width_pt: float = 0.0
    height_pt: float = 0.0
    warnings: tuple[str, ...] = ()
