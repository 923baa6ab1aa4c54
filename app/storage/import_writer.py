"""Stores one book while it is read: in short transactions, and never half a book in the end.

The book is `importing` until `finish`; nobody but a reader of this book sees it before. The process
that imports holds a lock that its death releases, so that a half import is told from a living one.
What is stored, and in which order, is decided by `app.preparing.import_book`.
"""

from __future__ import annotations

import json
import time
import uuid
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import apsw

from app.domain.book import Voice
from app.storage import search_index
from app.storage.database import beside
from app.storage.library import Library
from app.storage.process_lock import ProcessLock
from app.storage.summaries import Summaries
from app.storage.text_codec import encode_blocks, encode_breaks, encode_text, storable

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from app.domain.book import BookFormat, BookMetadata, ContentsEntry, PageLabel
    from app.domain.document import CanonicalDocument, Resource
    from app.domain.passage import Passage, Segment, Summary
    from app.storage.database import Database


@dataclass(frozen=True, slots=True)
class NewBook:
    """What is known of a book before its text.

    Attributes:
        content_hash: SHA-256 of the file, hexadecimal.
        path: where the file lies.
        book_format: EPUB or PDF.
        metadata: what the file says of itself.
        text_rule: version of the rule that makes its canonical text.
        document_count: spine entries or pages.
        cover_name: name of the cover's picture, or None.
    """

    content_hash: str
    path: Path
    book_format: BookFormat
    metadata: BookMetadata
    text_rule: int
    document_count: int
    cover_name: str | None = None


class ImportWriter:
    """Writes one new book; `begin` makes one.

    Every method is one transaction, and as long as what it is given: callers give little at a time.

    Attributes:
        book_id: the book's key, also while it is importing.
    """

    def __init__(self, database: Database, book_id: int, lock: ProcessLock) -> None:
        self.book_id = book_id
        self._database = database
        self._lock = lock

    @classmethod
    def begin(cls, database: Database, book: NewBook) -> ImportWriter | None:
        """Enters a book as importing, with a place for each of its documents.

        Returns:
            The writer, or None where another import of the same file is entered already.

        Raises:
            StoreError: the library cannot be written.
        """
        importer = uuid.uuid4().hex
        lock = ProcessLock.take(beside(database.path, f"importing-{importer}"))
        if lock is None:
            return None
        try:
            with database.write() as connection:
                book_id = _insert_book(connection, book, importer)
        except apsw.ConstraintError:
            lock.release()
            return None
        except BaseException:
            lock.release()
            raise
        return cls(database, book_id, lock)

    def store_documents(self, documents: Sequence[CanonicalDocument]) -> None:
        """Stores documents with their text, markup and anchors."""
        with self._database.write() as connection:
            for document in documents:
                self._store_document(connection, document)

    def store_resources(self, resources: Sequence[Resource]) -> None:
        """Stores pictures, styles and fonts; one that is there already is left."""
        with self._database.write() as connection:
            connection.executemany(
                "INSERT OR IGNORE INTO resources VALUES (?, ?, ?, ?)",
                (
                    (self.book_id, storable(one.name), one.media_type, one.content)
                    for one in resources
                ),
            )

    def store_structure(
        self, contents: Sequence[ContentsEntry], labels: Sequence[PageLabel]
    ) -> None:
        """Stores contents and printed pages in place of what was stored before."""
        with self._database.write() as connection:
            connection.execute("DELETE FROM contents WHERE book_id = ?", (self.book_id,))
            connection.execute("DELETE FROM page_labels WHERE book_id = ?", (self.book_id,))
            connection.executemany(
                "INSERT INTO contents VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    (
                        self.book_id,
                        entry.entry_index,
                        entry.parent_index,
                        entry.depth,
                        storable(entry.title),
                        entry.file_index,
                        entry.start,
                        entry.is_made,
                    )
                    for entry in contents
                ),
            )
            connection.executemany(
                "INSERT INTO page_labels VALUES (?, ?, ?, ?, ?)",
                (
                    (self.book_id, index, storable(label.label), label.file_index, label.start)
                    for index, label in enumerate(labels)
                ),
            )

    def store_segments(self, segments: Sequence[Segment]) -> None:
        """Stores the segments."""
        with self._database.write() as connection:
            connection.executemany(
                "INSERT INTO segments VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    (
                        self.book_id,
                        segment.segment_index,
                        json.dumps([storable(title) for title in segment.contents_path]),
                        json.dumps([(s.file_index, s.start, s.end) for s in segment.spans]),
                        segment.length_chars,
                        segment.size_bytes,
                        segment.tokens,
                        segment.voice.value,
                    )
                    for segment in segments
                ),
            )

    def store_summaries(self, summaries: Sequence[Summary]) -> None:
        """Stores the quoted summaries."""
        Summaries(self._database).store(self.book_id, summaries)

    def store_passages(self, passages: Sequence[Passage]) -> None:
        """Stores passages and enters them into the search index."""
        with self._database.write() as connection:
            first_id = connection.execute("SELECT ifnull(max(passage_id), 0) + 1 FROM passages").get
            numbered = list(enumerate(passages, first_id))
            connection.executemany(
                "INSERT INTO passages VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    (
                        number,
                        self.book_id,
                        passage.span.file_index,
                        passage.span.start,
                        passage.span.end,
                        passage.voice.value,
                        passage.segment_index,
                        passage.text,
                    )
                    for number, passage in numbered
                ),
            )
            search_index.add_passages(connection, self.book_id, numbered)

    def finish(self, warnings: Sequence[str]) -> None:
        """Makes the book ready, in place of an older reading of the same file.

        What a person made with the older reading (conversations, position) goes over to this one.
        """
        with self._database.write() as connection:
            older: int | None = connection.execute(
                "SELECT book_id FROM books WHERE state = 'ready' AND content_hash ="
                " (SELECT content_hash FROM books WHERE book_id = ?)",
                (self.book_id,),
            ).get
            if older is not None:
                _hand_over(connection, older, self.book_id)
            connection.execute(
                "UPDATE books SET state = 'ready', importer = '', warnings = ?2, length_chars ="
                " (SELECT ifnull(sum(length_chars), 0) FROM documents WHERE book_id = ?1)"
                " WHERE book_id = ?1",
                (self.book_id, json.dumps([storable(warning) for warning in warnings])),
            )
        self._lock.release()
        if older is not None:
            Library(self._database).remove(older)

    def abandon(self) -> None:
        """Removes what was stored; the book was never in the library."""
        self._lock.release()
        Library(self._database).remove(self.book_id)

    def _store_document(self, connection: apsw.Connection, document: CanonicalDocument) -> None:
        content = document.content
        key = (self.book_id, content.file_index)
        connection.execute(
            "INSERT OR REPLACE INTO documents VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                *key,
                storable(document.name),
                storable(document.title),
                document.voice.value,
                document.is_linear,
                document.language,
                len(content.text),
                len(document.parts),
                document.width_pt,
                document.height_pt,
                document.fingerprint,
                json.dumps([storable(warning) for warning in document.warnings]),
            ),
        )
        if content.text:
            connection.execute(
                "INSERT INTO document_texts VALUES (?, ?, ?, ?, ?)",
                (
                    *key,
                    encode_text(content.text),
                    encode_blocks(content.blocks),
                    encode_breaks(content.breaks),
                ),
            )
        connection.executemany(
            "INSERT INTO markup_parts VALUES (?, ?, ?, ?, ?, ?)",
            ((*key, part.part_index, part.start, part.end, part.markup) for part in document.parts),
        )
        connection.executemany(
            "INSERT OR IGNORE INTO anchors VALUES (?, ?, ?, ?)",
            ((*key, storable(name), offset) for name, offset in document.anchors.items()),
        )


def _insert_book(connection: apsw.Connection, book: NewBook, importer: str) -> int:
    metadata = book.metadata
    values: tuple[Any, ...] = (
        book.content_hash,
        str(book.path),
        book.book_format.value,
        storable(metadata.title),
        json.dumps([storable(author) for author in metadata.authors]),
        storable(metadata.language),
        storable(metadata.identifier),
        metadata.is_right_to_left,
        metadata.is_fixed_layout,
        book.cover_name,
        importer,
        book.text_rule,
        book.document_count,
        time.time(),
    )
    connection.execute(
        "INSERT INTO books (content_hash, path, format, title, authors, language, identifier,"
        " is_right_to_left, is_fixed_layout, cover_name, importer, text_rule, document_count,"
        " added_at, state, length_chars, warnings)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'importing', 0, '[]')",
        values,
    )
    book_id = connection.last_insert_rowid()
    connection.executemany(
        "INSERT INTO documents VALUES (?, ?, '', '', ?, 1, '', 0, 0, 0, 0, '', '[]')",
        ((book_id, index, Voice.BODY.value) for index in range(book.document_count)),
    )
    return book_id


def _hand_over(connection: apsw.Connection, older: int, newer: int) -> None:
    connection.execute("UPDATE conversations SET book_id = ?2 WHERE book_id = ?1", (older, newer))
    # A position that the reader took up while this reading was made is the later one.
    connection.execute(
        "INSERT OR IGNORE INTO reading_positions SELECT ?2, file_index, offset, updated_at"
        " FROM reading_positions WHERE book_id = ?1",
        (older, newer),
    )
    connection.execute(
        "UPDATE books SET (added_at, opened_at) ="
        " (SELECT added_at, opened_at FROM books WHERE book_id = ?1) WHERE book_id = ?2",
        (older, newer),
    )
    connection.execute("UPDATE books SET state = 'leaving' WHERE book_id = ?", (older,))
