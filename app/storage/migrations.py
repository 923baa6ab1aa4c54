"""The tables of the library, as numbered steps from an empty file to this version.

A step is a function that runs inside one transaction together with its version mark; it never
commits, and once released it never changes. To add one, write the next function and append it to
`MIGRATIONS`. Rules of the tables: places count code points, end exclusive; times are seconds since
1970 UTC; lists are JSON; text that may hold lone surrogates is a BLOB (UTF-8, surrogates passed).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.storage import search_index

if TYPE_CHECKING:
    from collections.abc import Callable

    import apsw

_BOOKS = (
    # state: 'importing', 'ready', or 'leaving': no longer in the library, rows being removed.
    # importer: names the lock file of the process that imports it, else ''.
    """CREATE TABLE books (
        book_id INTEGER PRIMARY KEY AUTOINCREMENT,
        content_hash TEXT NOT NULL,
        path TEXT NOT NULL,
        format TEXT NOT NULL,
        title TEXT NOT NULL,
        authors TEXT NOT NULL,
        language TEXT NOT NULL,
        identifier TEXT NOT NULL,
        is_right_to_left INTEGER NOT NULL,
        is_fixed_layout INTEGER NOT NULL,
        cover_name TEXT,
        state TEXT NOT NULL,
        importer TEXT NOT NULL,
        text_rule INTEGER NOT NULL,
        document_count INTEGER NOT NULL,
        length_chars INTEGER NOT NULL,
        warnings TEXT NOT NULL,
        added_at REAL NOT NULL,
        opened_at REAL
    ) STRICT""",
    # The same file is in the library once, and imported once at a time.
    "CREATE UNIQUE INDEX books_ready ON books (content_hash) WHERE state = 'ready'",
    "CREATE UNIQUE INDEX books_importing ON books (content_hash) WHERE state = 'importing'",
)

_TEXTS = (
    """CREATE TABLE documents (
        book_id INTEGER NOT NULL REFERENCES books,
        file_index INTEGER NOT NULL,
        name TEXT NOT NULL,
        title TEXT NOT NULL,
        voice TEXT NOT NULL,
        is_linear INTEGER NOT NULL,
        language TEXT NOT NULL,
        length_chars INTEGER NOT NULL,
        part_count INTEGER NOT NULL,
        width_pt REAL NOT NULL,
        height_pt REAL NOT NULL,
        fingerprint TEXT NOT NULL,
        warnings TEXT NOT NULL,
        PRIMARY KEY (book_id, file_index)
    ) STRICT, WITHOUT ROWID""",
    """CREATE TABLE document_texts (
        book_id INTEGER NOT NULL REFERENCES books,
        file_index INTEGER NOT NULL,
        text BLOB NOT NULL,
        blocks TEXT NOT NULL,
        breaks TEXT NOT NULL,
        UNIQUE (book_id, file_index)
    ) STRICT""",
    """CREATE TABLE markup_parts (
        book_id INTEGER NOT NULL REFERENCES books,
        file_index INTEGER NOT NULL,
        part_index INTEGER NOT NULL,
        start INTEGER NOT NULL,
        "end" INTEGER NOT NULL,
        markup BLOB NOT NULL,
        UNIQUE (book_id, file_index, part_index)
    ) STRICT""",
    """CREATE TABLE resources (
        book_id INTEGER NOT NULL REFERENCES books,
        name TEXT NOT NULL,
        media_type TEXT NOT NULL,
        content BLOB NOT NULL,
        UNIQUE (book_id, name)
    ) STRICT""",
    """CREATE TABLE anchors (
        book_id INTEGER NOT NULL REFERENCES books,
        file_index INTEGER NOT NULL,
        name TEXT NOT NULL,
        offset INTEGER NOT NULL,
        PRIMARY KEY (book_id, file_index, name)
    ) STRICT, WITHOUT ROWID""",
    """CREATE TABLE contents (
        book_id INTEGER NOT NULL REFERENCES books,
        entry_index INTEGER NOT NULL,
        parent_index INTEGER,
        depth INTEGER NOT NULL,
        title TEXT NOT NULL,
        file_index INTEGER,
        start INTEGER,
        is_made INTEGER NOT NULL,
        PRIMARY KEY (book_id, entry_index)
    ) STRICT, WITHOUT ROWID""",
    """CREATE TABLE page_labels (
        book_id INTEGER NOT NULL REFERENCES books,
        label_index INTEGER NOT NULL,
        label TEXT NOT NULL,
        file_index INTEGER NOT NULL,
        start INTEGER NOT NULL,
        PRIMARY KEY (book_id, label_index)
    ) STRICT, WITHOUT ROWID""",
)

_PASSAGES = (
    """CREATE TABLE passages (
        passage_id INTEGER PRIMARY KEY,
        book_id INTEGER NOT NULL REFERENCES books,
        file_index INTEGER NOT NULL,
        start INTEGER NOT NULL,
        "end" INTEGER NOT NULL,
        voice TEXT NOT NULL,
        segment_index INTEGER NOT NULL,
        text TEXT NOT NULL
    ) STRICT""",
    "CREATE UNIQUE INDEX passages_by_place ON passages (book_id, file_index, start)",
    "CREATE INDEX passages_by_segment ON passages (book_id, segment_index)",
    """CREATE TABLE segments (
        book_id INTEGER NOT NULL REFERENCES books,
        segment_index INTEGER NOT NULL,
        contents_path TEXT NOT NULL,
        spans TEXT NOT NULL,
        length_chars INTEGER NOT NULL,
        size_bytes INTEGER NOT NULL,
        tokens INTEGER NOT NULL,
        voice TEXT NOT NULL,
        PRIMARY KEY (book_id, segment_index)
    ) STRICT, WITHOUT ROWID""",
    """CREATE TABLE summaries (
        book_id INTEGER NOT NULL REFERENCES books,
        segment_index INTEGER NOT NULL,
        kind TEXT NOT NULL,
        text TEXT NOT NULL,
        model TEXT NOT NULL,
        prompt_version INTEGER NOT NULL,
        fingerprint TEXT NOT NULL,
        PRIMARY KEY (book_id, segment_index, kind)
    ) STRICT""",
)

_PERSONAL = (
    """CREATE TABLE conversations (
        conversation_id INTEGER PRIMARY KEY AUTOINCREMENT,
        book_id INTEGER NOT NULL REFERENCES books,
        begun_at REAL NOT NULL
    ) STRICT""",
    "CREATE INDEX conversations_of_book ON conversations (book_id)",
    # answer: the whole answer as JSON, NULL while it is being made or where it never was.
    """CREATE TABLE turns (
        turn_id INTEGER PRIMARY KEY AUTOINCREMENT,
        conversation_id INTEGER NOT NULL REFERENCES conversations ON DELETE CASCADE,
        question BLOB NOT NULL,
        scope TEXT NOT NULL,
        asked_at REAL NOT NULL,
        lane TEXT,
        state TEXT,
        provider TEXT,
        model TEXT,
        answer TEXT,
        answered_at REAL
    ) STRICT""",
    "CREATE INDEX turns_of_conversation ON turns (conversation_id)",
    # text_hash: of the cited text, to find the place again when the text of the book has changed.
    """CREATE TABLE citations (
        turn_id INTEGER NOT NULL REFERENCES turns ON DELETE CASCADE,
        number INTEGER NOT NULL,
        file_index INTEGER NOT NULL,
        start INTEGER NOT NULL,
        "end" INTEGER NOT NULL,
        text_hash TEXT NOT NULL,
        PRIMARY KEY (turn_id, number)
    ) STRICT, WITHOUT ROWID""",
    """CREATE TABLE reading_positions (
        book_id INTEGER PRIMARY KEY REFERENCES books,
        file_index INTEGER NOT NULL,
        offset INTEGER NOT NULL,
        updated_at REAL NOT NULL
    ) STRICT""",
)


def _make_tables(connection: apsw.Connection) -> None:
    """Version 1: the first tables."""
    for statement in (*_BOOKS, *_TEXTS, *_PASSAGES, *search_index.SCHEMA, *_PERSONAL):
        connection.execute(statement)


MIGRATIONS: tuple[Callable[[apsw.Connection], None], ...] = (_make_tables,)
