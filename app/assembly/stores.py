"""The parts of the library, opened together on one database."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.storage.conversations import Conversations
from app.storage.database import Database
from app.storage.library import Library
from app.storage.reading_positions import ReadingPositions
from app.storage.search_index import SearchIndex
from app.storage.summaries import Summaries
from app.storage.texts import Texts

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class Stores:
    """Everything that the database holds, by kind."""

    database: Database
    library: Library
    texts: Texts
    summaries: Summaries
    search_index: SearchIndex
    conversations: Conversations
    positions: ReadingPositions

    @classmethod
    def open(cls, path: Path) -> Stores:
        """Opens or makes the database.

        Raises:
            StoreError: it is damaged, written by a newer Ibid, or cannot be written.
        """
        database = Database(path)
        return cls(
            database=database,
            library=Library(database),
            texts=Texts(database),
            summaries=Summaries(database),
            search_index=SearchIndex(database),
            conversations=Conversations(database),
            positions=ReadingPositions(database),
        )
