"""The books of the library: which there are, where their files lie, and how one leaves.

A book is known by the hash of its file. It is `importing` until its last step, then `ready`; one
that is removed is first marked and then taken out table by table, so that no transaction is long
and a kill in between only leaves rows that the next start removes. Importing itself is the work of
`app.storage.import_writer`.
"""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.domain.book import Book, BookFormat, BookMetadata, ImportState
from app.storage import search_index
from app.storage.database import beside
from app.storage.process_lock import is_held, remove_lock

if TYPE_CHECKING:
    from app.storage.database import Database


_SELECT = (
    "SELECT book_id, content_hash, path, format, title, authors, language, identifier,"
    " is_right_to_left, is_fixed_layout, state, text_rule, document_count, length_chars, warnings"
    " FROM books"
)
_DELETIONS = (
    "DELETE FROM passages WHERE book_id = ?",
    "DELETE FROM segments WHERE book_id = ?",
    "DELETE FROM summaries WHERE book_id = ?",
    "DELETE FROM contents WHERE book_id = ?",
    "DELETE FROM page_labels WHERE book_id = ?",
    "DELETE FROM anchors WHERE book_id = ?",
    "DELETE FROM markup_parts WHERE book_id = ?",
    "DELETE FROM document_texts WHERE book_id = ?",
    "DELETE FROM resources WHERE book_id = ?",
    "DELETE FROM documents WHERE book_id = ?",
    "DELETE FROM conversations WHERE book_id = ?",
    "DELETE FROM reading_positions WHERE book_id = ?",
    "DELETE FROM books WHERE book_id = ?",
)


class Library:
    """The books of one database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def books(self) -> tuple[Book, ...]:
        """Every book that is ready, in the order of their coming."""
        return self._where("state = 'ready' ORDER BY added_at, book_id")

    def recent(self, limit: int) -> tuple[Book, ...]:
        """The ready books that were opened, last opened first."""
        return self._where(
            "state = 'ready' AND opened_at IS NOT NULL ORDER BY opened_at DESC LIMIT ?", limit
        )

    def book(self, book_id: int) -> Book:
        """One book, ready or importing.

        Raises:
            LookupError: there is no such book.
        """
        found = self._where("book_id = ? AND state <> 'leaving'", book_id)
        if not found:
            raise LookupError(f"no book {book_id} in the library")
        return found[0]

    def find_by_hash(self, content_hash: str) -> Book | None:
        """The book with this content, a ready one before one that is being imported."""
        found = self._where(
            "content_hash = ? AND state <> 'leaving' ORDER BY state = 'ready' DESC", content_hash
        )
        return found[0] if found else None

    def importing(self, content_hash: str) -> tuple[int, str] | None:
        """Key and importer of the book with this content that is being imported, or None."""
        with self._database.read() as connection:
            row: tuple[Any, ...] | None = connection.execute(
                "SELECT book_id, importer FROM books"
                " WHERE state = 'importing' AND content_hash = ?",
                (content_hash,),
            ).fetchone()
        return (row[0], row[1]) if row else None

    def documents_stored(self, book_id: int) -> tuple[int, int]:
        """How many documents of a book are stored, and how many there are."""
        with self._database.read() as connection:
            ((done, total),) = connection.execute(
                "SELECT ifnull(sum(fingerprint <> ''), 0), count(*) FROM documents"
                " WHERE book_id = ?",
                (book_id,),
            )
        return done, total

    def cover_name(self, book_id: int) -> str | None:
        """The name of the picture on the cover, a resource of the book, or None."""
        with self._database.read() as connection:
            name: str | None = connection.execute(
                "SELECT cover_name FROM books WHERE book_id = ?", (book_id,)
            ).get
        return name

    def opened(self, book_id: int) -> None:
        """Notes that a book was opened now."""
        with self._database.write() as connection:
            connection.execute(
                "UPDATE books SET opened_at = ? WHERE book_id = ?", (time.time(), book_id)
            )

    def moved(self, book_id: int, path: Path) -> None:
        """Notes where the file of a book lies now."""
        with self._database.write() as connection:
            connection.execute("UPDATE books SET path = ? WHERE book_id = ?", (str(path), book_id))

    def remove(self, book_id: int) -> None:
        """Takes a book with all that belongs to it out of the library; its file stays."""
        with self._database.write() as connection:
            connection.execute("UPDATE books SET state = 'leaving' WHERE book_id = ?", (book_id,))
        self._take_out(book_id)

    def sweep_unfinished(self) -> int:
        """Removes what a kill left behind: half imports and half removals.

        A book that a living process is importing is left alone.

        Returns:
            Number of books removed.
        """
        with self._database.read() as connection:
            rows: list[tuple[Any, ...]] = connection.execute(
                "SELECT book_id, state, importer FROM books WHERE state <> 'ready'"
            ).fetchall()
        removed = 0
        for book_id, state, importer in rows:
            if state == "leaving":
                self._take_out(book_id)
                removed += 1
            elif self.abandon(book_id, importer):
                removed += 1
        return removed

    def abandon(self, book_id: int, importer: str) -> bool:
        """Removes a half import unless its process lives or it became ready meanwhile."""
        lock = beside(self._database.path, f"importing-{importer}")
        if is_held(lock):
            return False
        with self._database.write() as connection:
            connection.execute(
                "UPDATE books SET state = 'leaving'"
                " WHERE book_id = ? AND state = 'importing' AND importer = ?",
                (book_id, importer),
            )
            is_ours = connection.changes() > 0
        remove_lock(lock)
        if is_ours:
            self._take_out(book_id)
        return is_ours

    def _where(self, condition: str, *values: str | int) -> tuple[Book, ...]:
        with self._database.read() as connection:
            rows = connection.execute(f"{_SELECT} WHERE {condition}", values)
            return tuple(_book(row) for row in rows)

    def _take_out(self, book_id: int) -> None:
        """Removes a marked book, a table at a time."""
        with self._database.write() as connection:
            search_index.remove_book(connection, book_id)
        for deletion in _DELETIONS:
            with self._database.write() as connection:
                connection.execute(deletion, (book_id,))


def _book(row: tuple[Any, ...]) -> Book:
    return Book(
        book_id=row[0],
        content_hash=row[1],
        path=Path(row[2]),
        book_format=BookFormat(row[3]),
        metadata=BookMetadata(
            title=row[4],
            authors=tuple(json.loads(row[5])),
            language=row[6],
            identifier=row[7],
            is_right_to_left=bool(row[8]),
            is_fixed_layout=bool(row[9]),
        ),
        state=ImportState(row[10]),
        text_rule=row[11],
        document_count=row[12],
        length_chars=row[13],
        warnings=tuple(json.loads(row[14])),
    )
