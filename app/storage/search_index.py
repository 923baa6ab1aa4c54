"""The search index: where every word of a book stands, and its folded wording.

Writing (import calls these inside its own transaction, in steps of any size):

    SCHEMA                                       statements for the migration, in order
    add_passages(connection, book_id, passages)  (passage_id, Passage) pairs of one or more
                                                 documents, each in reading order; passage_id
                                                 is the key in table `passages`
    remove_book(connection, book_id)             everything this module keeps of a book

A connection needs no preparation.

Reading: `SearchIndex(database).book(book_id) -> BookSearch`, for a book that is ready; it loads
the places of the passages once and must be made anew after the book was imported again.

It needs one table of others: `passages(passage_id INTEGER PRIMARY KEY, text, segment_index, ...)`,
from which hits take their text. A `book_id` is never used twice (AUTOINCREMENT).

FTS5 serves as the store of word positions only, read through `fts5vocab`: no text of a reader is
ever parsed as FTS5 syntax. Words are made by `search_words` and carry their book's number, so the
size of the library does not slow a search in one book.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from app.domain.book import Voice
from app.domain.passage import Passage
from app.domain.position import Span
from app.storage.search_words import ends_word, index_words, is_unspaced

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from contextlib import AbstractContextManager

    import apsw

_INNER_PUNCTUATION = r"""!""#$%&()*+,-./:;<=>?@[\]^_`{|}~"""

SCHEMA: tuple[str, ...] = (
    """CREATE TABLE search_passages (
        passage_id INTEGER PRIMARY KEY,
        book_id INTEGER NOT NULL,
        file_index INTEGER NOT NULL,
        start INTEGER NOT NULL,
        "end" INTEGER NOT NULL,
        voice TEXT NOT NULL,
        word_count INTEGER NOT NULL,
        wording TEXT NOT NULL
    ) STRICT""",
    "CREATE INDEX search_passages_of_book ON search_passages (book_id, file_index, start)",
    f"""CREATE VIRTUAL TABLE search_words USING fts5 (
        words, content='', contentless_delete=1, tokenize="ascii tokenchars '{_INNER_PUNCTUATION}'"
    )""",
    "CREATE VIRTUAL TABLE search_places USING fts5vocab (search_words, 'instance')",
    "CREATE VIRTUAL TABLE search_vocabulary USING fts5vocab (search_words, 'row')",
)

_PLACES_OF_WORD = "SELECT doc, offset FROM search_places WHERE term = ?"
_PLACES_OF_BEGINNING = "SELECT doc, offset FROM search_places WHERE term >= ? AND term < ?"

DOCUMENT_GAP = 150
"""Word positions left free between two documents: more than a window of the ladder spans. A word in
the document before counts about half of what it would in the same one; measured with `ranking`."""


class Readable(Protocol):
    """What the index needs of the database (`app.storage.database.Database` fits)."""

    def read(self) -> AbstractContextManager[apsw.Connection]:
        """The calling thread's connection; SQLite's faults become `StoreError`."""
        ...


def add_passages(
    connection: apsw.Connection, book_id: int, passages: Iterable[tuple[int, Passage]]
) -> None:
    """Enters passages into the index, within the caller's transaction.

    Args:
        connection: of the caller.
        book_id: their book.
        passages: keys in table `passages` and the passages, each document in reading order.
    """
    mark = _book_mark(book_id)
    places: list[tuple[int, int, int, int, int, str, int, str]] = []
    tokens: list[tuple[int, str]] = []
    for passage_id, passage in passages:
        words, wording = index_words(passage.text)
        span = passage.span
        places.append(
            (
                passage_id,
                book_id,
                span.file_index,
                span.start,
                span.end,
                passage.voice.value,
                len(words),
                wording,
            )
        )
        tokens.append((passage_id, mark + f" {mark}".join(words) if words else ""))
    connection.executemany("INSERT INTO search_passages VALUES (?, ?, ?, ?, ?, ?, ?, ?)", places)
    connection.executemany("INSERT INTO search_words (rowid, words) VALUES (?, ?)", tokens)


def remove_book(connection: apsw.Connection, book_id: int) -> None:
    """Removes a book from the index, within the caller's transaction."""
    connection.execute(
        "DELETE FROM search_words WHERE rowid IN"
        " (SELECT passage_id FROM search_passages WHERE book_id = ?)",
        (book_id,),
    )
    connection.execute("DELETE FROM search_passages WHERE book_id = ?", (book_id,))


def _book_mark(book_id: int) -> str:
    """What precedes each word of a book: its number in hexadecimal, ended by a letter above f."""
    return f"{book_id:x}z"


class SearchIndex:
    """The search index of the whole library."""

    def __init__(self, database: Readable) -> None:
        self._database = database

    def book(self, book_id: int) -> BookSearch:
        """The index of one ready book; reads nothing before the first search."""
        return BookSearch(self._database, book_id)


@dataclass(frozen=True, slots=True)
class PassagePlaces:
    """Where the passages of a book stand: parallel sequences in reading order.

    Attributes:
        ids: keys in table `passages`.
        spans: canonical places.
        voices: whose text each is.
        first_words: position of each passage's first word, counted through the whole book with
            `DOCUMENT_GAP` between documents.
        behind_words: position behind each passage's last word.
        first_chars: offset of each passage's wording in `wording`; one more at the end.
        wording: folded wording of the whole book, documents separated by a line end.
        average_words: words in a passage, on average; at least 1.
    """

    ids: array[int]
    spans: tuple[Span, ...]
    voices: tuple[Voice, ...]
    first_words: array[int]
    behind_words: array[int]
    first_chars: array[int]
    wording: str
    average_words: float


class BookSearch:
    """Looks up words and wordings of one book; passages are named by their number in it.

    A passage number is 0-based in reading order. Safe to use from several threads: what is loaded
    never changes afterwards.
    """

    def __init__(self, database: Readable, book_id: int) -> None:
        self._database = database
        self._mark = _book_mark(book_id)
        self._book_id = book_id
        self._places: PassagePlaces | None = None
        self._numbers: dict[int, int] = {}
        self._vocabulary: dict[str, int] | None = None

    @property
    def places(self) -> PassagePlaces:
        """Where the passages stand."""
        if self._places is None:
            self._places = self._load_places()
        return self._places

    @property
    def vocabulary(self) -> dict[str, int]:
        """Every word of the book, and in how many passages it stands."""
        if self._vocabulary is None:
            skip = len(self._mark)
            with self._database.read() as connection:
                rows: Iterable[Any] = connection.execute(
                    "SELECT term, doc FROM search_vocabulary WHERE term >= ? AND term < ?",
                    (self._mark, self._mark[:-1] + "{"),
                )
                self._vocabulary = {term[skip:]: count for term, count in rows}
        return self._vocabulary

    def positions(self, word: str) -> list[tuple[int, int]]:
        """Where a word stands.

        Args:
            word: folded, as `query_words` gives it; a single character of writing without spaces
                stands wherever a pair begins with it.

        Returns:
            Passage number and position in the whole book (see `PassagePlaces.first_words`), in
            the order of passage keys.
        """
        first_words = self.places.first_words
        numbers = self._numbers
        term = self._mark + word
        query = _PLACES_OF_WORD
        bounds: tuple[str, ...] = (term,)
        if len(word) == 1 and is_unspaced(word):
            query, bounds = _PLACES_OF_BEGINNING, (term, term + "\U0010ffff")
        with self._database.read() as connection:
            rows: list[Any] = connection.execute(query, bounds).fetchall()
        found: list[tuple[int, int]] = []
        for passage_id, offset in rows:
            number = numbers[passage_id]
            found.append((number, first_words[number] + offset))
        return found

    def wording_places(self, wording: str) -> list[tuple[int, int]]:
        """Where a folded wording stands, also across passages, never across documents.

        Args:
            wording: as `search_words.wording` gives it; "" stands nowhere.

        Returns:
            Number of the first and of the last passage of each place, in reading order. An empty
            list proves that the wording is not in the book.
        """
        places = self.places
        found: list[tuple[int, int]] = []
        if not wording:
            return found
        text = places.wording
        at = text.find(wording)
        while at >= 0:
            end = at + len(wording)
            if ends_word(text, end):
                first = bisect_right(places.first_chars, at) - 1
                last = bisect_right(places.first_chars, end - 1) - 1
                found.append((first, last))
            at = text.find(wording, at + 1)
        return found

    def passages(self, numbers: Sequence[int]) -> list[Passage]:
        """The passages with these numbers, in the order asked for."""
        places = self.places
        found: list[Passage] = []
        with self._database.read() as connection:
            for number in numbers:
                rows: Iterable[Any] = connection.execute(
                    "SELECT text, segment_index FROM passages WHERE passage_id = ?",
                    (places.ids[number],),
                )
                ((text, segment_index),) = rows
                found.append(
                    Passage(places.spans[number], text, places.voices[number], segment_index)
                )
        return found

    def _load_places(self) -> PassagePlaces:
        ids: array[int] = array("q")
        spans: list[Span] = []
        voices: list[Voice] = []
        first_words: array[int] = array("q")
        behind_words: array[int] = array("q")
        first_chars: array[int] = array("q")
        wordings: list[str] = []
        words = chars = gaps = 0
        file_before: int | None = None
        known = {voice.value: voice for voice in Voice}
        with self._database.read() as connection:
            rows: list[Any] = connection.execute(
                'SELECT passage_id, file_index, start, "end", voice, word_count, wording'
                " FROM search_passages WHERE book_id = ? ORDER BY file_index, start",
                (self._book_id,),
            ).fetchall()
        for passage_id, file_index, start, end, voice, word_count, wording in rows:
            if file_before is not None and file_index != file_before:
                words += DOCUMENT_GAP
                gaps += DOCUMENT_GAP
                wordings.append("\n")
                chars += 1
            file_before = file_index
            ids.append(passage_id)
            spans.append(Span(file_index, start, end))
            voices.append(known[voice])
            first_words.append(words)
            first_chars.append(chars)
            wordings.append(wording)
            words += word_count
            behind_words.append(words)
            chars += len(wording)
        first_chars.append(chars)
        self._numbers = {passage_id: number for number, passage_id in enumerate(ids)}
        return PassagePlaces(
            ids,
            tuple(spans),
            tuple(voices),
            first_words,
            behind_words,
            first_chars,
            "".join(wordings),
            max(1.0, (words - gaps) / max(1, len(ids))),
        )
