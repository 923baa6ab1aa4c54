"""What was asked of each book and what was answered, kept whole.

A question is on disk before its answer is begun, so that nothing that a reader wrote is lost; the
answer follows when it ends, however it ends. A book has conversations, a conversation has turns.
"""

from __future__ import annotations

import hashlib
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from app.domain.conversation import Answer, AnswerState, Lane, Question
from app.storage.answer_json import decode_answer, decode_scope, encode_answer, encode_scope
from app.storage.text_codec import decode_text, encode_text, storable

if TYPE_CHECKING:
    import apsw

    from app.storage.database import Database


@dataclass(frozen=True, slots=True)
class Turn:
    """A question and what became of it.

    Attributes:
        turn_id: its key.
        question: what was asked.
        asked_at: seconds since 1970 UTC.
        answer: the answer, or None where the program ended before it did.
    """

    turn_id: int
    question: Question
    asked_at: float
    answer: Answer | None


class Conversations:
    """The conversations about every book of one database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def conversations(self, book_id: int) -> tuple[int, ...]:
        """The keys of a book's conversations, oldest first."""
        with self._database.read() as connection:
            rows: list[tuple[Any, ...]] = connection.execute(
                "SELECT conversation_id FROM conversations WHERE book_id = ?"
                " ORDER BY conversation_id",
                (book_id,),
            ).fetchall()
        return tuple(row[0] for row in rows)

    def begin(self, book_id: int) -> int:
        """Begins a new conversation about a book and returns its key."""
        with self._database.write() as connection:
            return _begin(connection, book_id)

    def add_question(
        self, book_id: int, question: Question, conversation_id: int | None = None
    ) -> int:
        """Stores a question at once.

        Args:
            book_id: the book that is asked.
            question: what is asked.
            conversation_id: where it belongs; None for the book's latest conversation.

        Returns:
            The key of the turn, for `set_answer`.
        """
        with self._database.write() as connection:
            if conversation_id is None:
                conversation_id = connection.execute(
                    "SELECT max(conversation_id) FROM conversations WHERE book_id = ?", (book_id,)
                ).get
            if conversation_id is None:
                conversation_id = _begin(connection, book_id)
            connection.execute(
                "INSERT INTO turns (conversation_id, question, scope, asked_at)"
                " VALUES (?, ?, ?, ?)",
                (
                    conversation_id,
                    encode_text(question.text),
                    encode_scope(question.scope),
                    time.time(),
                ),
            )
            return connection.last_insert_rowid()

    def set_answer(self, turn_id: int, answer: Answer) -> None:
        """Stores the answer of a turn, in place of an earlier one."""
        with self._database.write() as connection:
            connection.execute(
                "UPDATE turns SET answer = ?, lane = ?, state = ?, provider = ?, model = ?,"
                " answered_at = ? WHERE turn_id = ?",
                (
                    encode_answer(answer),
                    answer.lane.value,
                    answer.state.value,
                    storable(answer.provider),
                    storable(answer.model),
                    time.time(),
                    turn_id,
                ),
            )
            connection.execute("DELETE FROM citations WHERE turn_id = ?", (turn_id,))
            connection.executemany(
                "INSERT INTO citations VALUES (?, ?, ?, ?, ?, ?)",
                (
                    (
                        turn_id,
                        citation.number,
                        citation.span.file_index,
                        citation.span.start,
                        citation.span.end,
                        text_hash(citation.text),
                    )
                    for citation in answer.citations
                ),
            )

    def all_turns(self, book_id: int, conversation_id: int | None = None) -> tuple[Turn, ...]:
        """The turns of a conversation, or of all of a book's, oldest first."""
        with self._database.read() as connection:
            rows: list[tuple[Any, ...]] = connection.execute(
                "SELECT turn_id, question, scope, asked_at, answer"
                " FROM turns JOIN conversations USING (conversation_id)"
                " WHERE book_id = ?1 AND (?2 IS NULL OR conversation_id = ?2) ORDER BY turn_id",
                (book_id, conversation_id),
            ).fetchall()
        return tuple(
            Turn(
                row[0],
                Question(decode_text(row[1]), decode_scope(row[2])),
                row[3],
                None if row[4] is None else decode_answer(row[4]),
            )
            for row in rows
        )

    def turns(self, book_id: int) -> tuple[Answer, ...]:
        """The answers to everything asked of a book, oldest first.

        A question whose answer was lost with the program stands there as stopped, with no text.
        """
        return tuple(
            turn.answer or Answer(turn.question, Lane.GROUNDED, AnswerState.STOPPED, markdown="")
            for turn in self.all_turns(book_id)
        )

    def remove(self, conversation_id: int) -> None:
        """Removes a conversation with its turns."""
        with self._database.write() as connection:
            connection.execute(
                "DELETE FROM conversations WHERE conversation_id = ?", (conversation_id,)
            )


def text_hash(text: str) -> str:
    """SHA-256 of a cited text, hexadecimal, first 16 characters."""
    return hashlib.sha256(encode_text(text)).hexdigest()[:16]


def _begin(connection: apsw.Connection, book_id: int) -> int:
    connection.execute(
        "INSERT INTO conversations (book_id, begun_at) VALUES (?, ?)", (book_id, time.time())
    )
    return connection.last_insert_rowid()
