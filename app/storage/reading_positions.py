"""Where each book was left."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from app.domain.position import Locator

if TYPE_CHECKING:
    from app.storage.database import Database


class ReadingPositions:
    """The reading position of every book of one database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def position(self, book_id: int) -> Locator | None:
        """Where the reader left off, or None for a book that was never read."""
        with self._database.read() as connection:
            row = connection.execute(
                "SELECT file_index, offset FROM reading_positions WHERE book_id = ?", (book_id,)
            ).fetchone()
        return Locator(*row) if row else None

    def updated_at(self, book_id: int) -> float | None:
        """When it was saved, in seconds since 1970 UTC, or None."""
        with self._database.read() as connection:
            seconds: float | None = connection.execute(
                "SELECT updated_at FROM reading_positions WHERE book_id = ?", (book_id,)
            ).get
        return seconds

    def save(self, book_id: int, place: Locator) -> None:
        """Keeps where the reader is now."""
        with self._database.write() as connection:
            connection.execute(
                "INSERT OR REPLACE INTO reading_positions VALUES (?, ?, ?, ?)",
                (book_id, place.file_index, place.offset, time.time()),
            )
