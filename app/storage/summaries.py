"""Summaries of segments: quoted ones from import, written ones from a model.

Both are kept; the written one is what is given. Making them is the work of `app.preparing`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.domain.passage import Summary, SummaryKind
from app.storage.text_codec import storable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.storage.database import Database


class Summaries:
    """The summaries of every book of one database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def summaries(self, book_id: int) -> dict[int, Summary]:
        """The best summary of each segment, by segment index: written before quoted."""
        with self._database.read() as connection:
            rows = connection.execute(
                "SELECT segment_index, kind, text, model, prompt_version, fingerprint"
                " FROM summaries WHERE book_id = ?"
                " ORDER BY segment_index, kind = 'written'",
                (book_id,),
            )
            # The later row of a segment, the written one, takes the place of the earlier.
            return {row[0]: Summary(row[0], SummaryKind(row[1]), *row[2:]) for row in rows}

    def store(self, book_id: int, summaries: Sequence[Summary]) -> None:
        """Stores summaries, each in place of an older one of its kind."""
        with self._database.write() as connection:
            connection.executemany(
                "INSERT OR REPLACE INTO summaries VALUES (?, ?, ?, ?, ?, ?, ?)",
                (
                    (
                        book_id,
                        one.segment_index,
                        one.kind.value,
                        storable(one.text),
                        one.model,
                        one.prompt_version,
                        one.fingerprint,
                    )
                    for one in summaries
                ),
            )
