"""What stands in a book: documents, text, markup, pictures, contents, passages, segments.

Reads only; `app.storage.import_writer` stores. A book that is still importing has all its documents
here, those not read yet without text.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from app.domain.book import ContentsEntry, PageLabel, SpineDocument, Voice
from app.domain.document import DocumentText, Resource
from app.domain.passage import Passage, Segment
from app.domain.position import Span
from app.storage.text_codec import decode_blocks, decode_breaks, decode_text

if TYPE_CHECKING:
    from app.storage.database import Database

_PASSAGES_OF_SEGMENT = """
SELECT file_index, start, "end", text, voice, segment_index FROM passages
WHERE book_id = ? AND segment_index = ? ORDER BY file_index, start
"""
# The last passage that begins at or before the span's start may reach into it.
_PASSAGES_IN_SPAN = """
SELECT file_index, start, "end", text, voice, segment_index FROM passages
WHERE book_id = ?1 AND file_index = ?2 AND start < ?4 AND "end" > ?3 AND start >= ifnull(
    (SELECT max(start) FROM passages WHERE book_id = ?1 AND file_index = ?2 AND start <= ?3), 0)
ORDER BY start
"""


class Texts:
    """The texts of every book of one database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def documents(self, book_id: int) -> tuple[SpineDocument, ...]:
        """All documents in raw spine or page order, each at its own index."""
        rows = self._rows(
            "SELECT file_index, name, title, voice, is_linear, length_chars, part_count, width_pt,"
            " height_pt, warnings FROM documents WHERE book_id = ? ORDER BY file_index",
            book_id,
        )
        return tuple(
            SpineDocument(
                file_index=row[0],
                name=row[1],
                title=row[2],
                voice=Voice(row[3]),
                is_linear=bool(row[4]),
                length_chars=row[5],
                part_count=row[6],
                width_pt=row[7],
                height_pt=row[8],
                warnings=tuple(json.loads(row[9])),
            )
            for row in rows
        )

    def document_text(self, book_id: int, file_index: int) -> DocumentText:
        """The text of a document; empty where it has none or was not read yet."""
        rows = self._rows(
            "SELECT text, blocks, breaks FROM document_texts WHERE book_id = ? AND file_index = ?",
            book_id,
            file_index,
        )
        if not rows:
            return DocumentText(file_index, "", (), ())
        text, blocks, breaks = rows[0]
        return DocumentText(
            file_index, decode_text(text), decode_blocks(blocks), decode_breaks(breaks)
        )

    def fingerprint(self, book_id: int, file_index: int) -> str:
        """The hash of a document's canonical text when it was stored, or ""."""
        rows = self._rows(
            "SELECT fingerprint FROM documents WHERE book_id = ? AND file_index = ?",
            book_id,
            file_index,
        )
        return str(rows[0][0]) if rows else ""

    def part_ranges(self, book_id: int, file_index: int) -> tuple[tuple[int, int], ...]:
        """Start and end of the text in each markup part, in code points."""
        rows = self._rows(
            'SELECT start, "end" FROM markup_parts WHERE book_id = ? AND file_index = ?'
            " ORDER BY part_index",
            book_id,
            file_index,
        )
        return tuple((row[0], row[1]) for row in rows)

    def part(self, book_id: int, file_index: int, part_index: int) -> bytes:
        """The markup of a part: a whole XHTML document, UTF-8.

        Raises:
            LookupError: there is no such part, or it was not read yet.
        """
        rows = self._rows(
            "SELECT markup FROM markup_parts"
            " WHERE book_id = ? AND file_index = ? AND part_index = ?",
            book_id,
            file_index,
            part_index,
        )
        if not rows:
            raise LookupError(f"no part {part_index} of document {file_index}")
        return bytes(rows[0][0])

    def resource(self, book_id: int, name: str) -> Resource | None:
        """A picture, style sheet or font by its path in the package, or None."""
        rows = self._rows(
            "SELECT media_type, content FROM resources WHERE book_id = ? AND name = ?",
            book_id,
            name,
        )
        return Resource(name, rows[0][0], bytes(rows[0][1])) if rows else None

    def anchor(self, book_id: int, file_index: int, name: str) -> int | None:
        """The offset of an element's id in a document, or None."""
        rows = self._rows(
            "SELECT offset FROM anchors WHERE book_id = ? AND file_index = ? AND name = ?",
            book_id,
            file_index,
            name,
        )
        return int(rows[0][0]) if rows else None

    def contents(self, book_id: int) -> tuple[ContentsEntry, ...]:
        """The table of contents, depth first."""
        rows = self._rows(
            "SELECT entry_index, parent_index, depth, title, file_index, start, is_made"
            " FROM contents WHERE book_id = ? ORDER BY entry_index",
            book_id,
        )
        return tuple(
            ContentsEntry(row[0], row[1], row[2], row[3], row[4], row[5], bool(row[6]))
            for row in rows
        )

    def page_labels(self, book_id: int) -> tuple[PageLabel, ...]:
        """Printed pages in their order; empty where the edition gives none."""
        rows = self._rows(
            "SELECT label, file_index, start FROM page_labels"
            " WHERE book_id = ? ORDER BY label_index",
            book_id,
        )
        return tuple(PageLabel(*row) for row in rows)

    def segments(self, book_id: int) -> tuple[Segment, ...]:
        """The segments in reading order; empty until the whole text is known."""
        rows = self._rows(
            "SELECT segment_index, contents_path, spans, length_chars, size_bytes, tokens, voice"
            " FROM segments WHERE book_id = ? ORDER BY segment_index",
            book_id,
        )
        return tuple(
            Segment(
                segment_index=row[0],
                contents_path=tuple(json.loads(row[1])),
                spans=tuple(Span(*numbers) for numbers in json.loads(row[2])),
                length_chars=row[3],
                size_bytes=row[4],
                tokens=row[5],
                voice=Voice(row[6]),
            )
            for row in rows
        )

    def passage_count(self, book_id: int) -> int:
        """Number of passages."""
        return int(self._rows("SELECT count(*) FROM passages WHERE book_id = ?", book_id)[0][0])

    def passages_of_segment(self, book_id: int, segment_index: int) -> tuple[Passage, ...]:
        """The passages of a segment, in reading order."""
        rows = self._rows(_PASSAGES_OF_SEGMENT, book_id, segment_index)
        return tuple(_passage(row) for row in rows)

    def passages_in(self, book_id: int, span: Span) -> tuple[Passage, ...]:
        """The passages that share text with a span, in reading order."""
        rows = self._rows(
            _PASSAGES_IN_SPAN,
            book_id,
            span.file_index,
            span.start,
            span.end,
        )
        return tuple(_passage(row) for row in rows)

    def _rows(self, statement: str, *values: str | int) -> list[tuple[Any, ...]]:
        with self._database.read() as connection:
            return connection.execute(statement, values).fetchall()


def _passage(row: tuple[Any, ...]) -> Passage:
    return Passage(Span(row[0], row[1], row[2]), row[3], Voice(row[4]), row[5])


def _contents_entry(row: tuple[Any, ...]) -> ContentsEntry:
    return ContentsEntry(row[0], row[1], row[2], row[3], row[4], row[5], bool(row[6]))
