"""Takes a file into the library: from its bytes to a book that can be read, then asked.

Runs in the worker process and is the only writer of texts. Everything is stored in steps short
enough that other writers never wait long, the document to be read first. No model is needed. Until
the last step the book is `importing`; if the work fails or is stopped it is removed again, and if
the process dies the next start removes it.
"""

from __future__ import annotations

import hashlib
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from app.books.canonical import TEXT_RULE
from app.books.open_book import open_book
from app.books.passages import cut_passages
from app.books.segments import DocumentPassages, cut_segments
from app.domain.book import BookFormat, ImportState
from app.domain.errors import BookNotFound, BookUnreadable
from app.domain.progress import BookKnown, Progress
from app.preparing.quoted_summaries import QuotedSummaries
from app.storage.import_writer import ImportWriter, NewBook
from app.storage.library import Library

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator, Sequence
    from pathlib import Path

    from app.books.book_file import BookFile
    from app.domain.document import CanonicalDocument, DocumentText, Resource
    from app.domain.passage import Passage
    from app.domain.progress import ImportEvent
    from app.storage.database import Database

_STEP_S = 0.08  # a transaction aims at this; DESIGN allows 0.2 s, and other work may slow it down
_PAUSE_S = 0.004  # between two, long enough for a writer that polls each millisecond to get in
_BATCH_S = 0.25  # documents are collected this long before they are stored together
_BATCH_BYTES = 4_000_000
_FIRST_PASSAGES = 200  # in the first indexing step, before its speed is known
_POLL_S = 0.1  # how often another process that imports the same file is looked at


def import_book(
    path: Path,
    database: Database,
    *,
    password: str | None = None,
    first_file_index: int = 0,
) -> Generator[ImportEvent, None, int]:
    """Takes a file into the library.

    A file that is there already is only noted to lie at `path`; one that another process is just
    taking in is waited for.

    Args:
        path: an EPUB or PDF file; only read.
        database: the library.
        password: for a PDF that asks for one.
        first_file_index: the document to be stored, and readable, first.

    Yields:
        `BookKnown` as soon as that document can be read, and progress.

    Returns:
        The book's key; it is ready.

    Raises:
        BookError: the file cannot be read; nothing of it stays in the library.
        StoreError: the library cannot be written.
    """
    library = Library(database)
    content_hash = hash_file(path)
    while True:
        known = library.find_by_hash(content_hash)
        if known is not None and known.state is ImportState.READY and known.text_rule == TEXT_RULE:
            if known.path != path:
                library.moved(known.book_id, path)
            yield BookKnown(known.book_id)
            return known.book_id
        with open_book(path, password=password) as book:
            writer = ImportWriter.begin(database, _new_book(book, path, content_hash))
            if writer is not None:
                yield from _Import(book, writer, first_file_index).run()
                return writer.book_id
        yield from _wait_for_other(library, content_hash)


def hash_file(path: Path) -> str:
    """SHA-256 of a file, hexadecimal: the identity of a book.

    Raises:
        BookNotFound: there is no such file.
        BookUnreadable: it cannot be read.
    """
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except FileNotFoundError as fault:
        raise BookNotFound(path) from fault
    except OSError as fault:
        raise BookUnreadable(path, fault.strerror or "it cannot be read") from fault


def _wait_for_other(library: Library, content_hash: str) -> Iterator[ImportEvent]:
    """Waits while another living process imports the same file; removes what a dead one left."""
    known_id = 0
    while (importing := library.importing(content_hash)) is not None:
        book_id, importer = importing
        if library.abandon(book_id, importer):
            return
        done, total = library.documents_stored(book_id)
        if done and book_id != known_id:
            known_id = book_id
            yield BookKnown(book_id)
        yield Progress(done, total, "documents")
        time.sleep(_POLL_S)


def _new_book(book: BookFile, path: Path, content_hash: str) -> NewBook:
    return NewBook(
        content_hash=content_hash,
        path=path,
        book_format=book.book_format,
        metadata=book.metadata,
        text_rule=TEXT_RULE,
        document_count=book.document_count,
        cover_name=book.cover_name,
    )


class _Pace:
    """Says when it is time to report again, so that long work is never silent."""

    def __init__(self) -> None:
        self._since = time.monotonic()

    def is_due(self) -> bool:
        now = time.monotonic()
        if now - self._since < _BATCH_S:
            return False
        self._since = now
        return True


@dataclass(slots=True)
class _Batch:
    """Documents that were read and wait to be stored together."""

    documents: list[CanonicalDocument] = field(default_factory=list)
    size_bytes: int = 0
    since: float = field(default_factory=time.monotonic)

    def add(self, document: CanonicalDocument) -> None:
        self.documents.append(document)
        self.size_bytes += 2 * len(document.content.text)
        self.size_bytes += sum(len(part.markup) for part in document.parts)

    @property
    def is_full(self) -> bool:
        return self.size_bytes > _BATCH_BYTES or time.monotonic() - self.since > _BATCH_S


class _Import:
    """The import of one open book."""

    def __init__(self, book: BookFile, writer: ImportWriter, first_file_index: int) -> None:
        self._book = book
        self._writer = writer
        self._first = min(max(first_file_index, 0), book.document_count - 1)
        self._texts: dict[int, DocumentText] = {}
        self._passages: dict[int, DocumentPassages] = {}
        self._stored_resources: set[str] = set()
        self._warnings: list[str] = []
        self._unit = "pages" if book.book_format is BookFormat.PDF else "documents"

    def run(self) -> Generator[ImportEvent, None, None]:
        """Stores everything; removes it again when stopped or when something fails."""
        is_finished = False
        try:
            yield from self._store_first()
            yield from self._store_documents()
            yield from self._store_resources(self._book.resource_names())
            yield from self._store_passages()
            self._writer.finish((*self._book.warnings, *self._warnings))
            is_finished = True
        finally:
            if not is_finished:
                self._writer.abandon()

    def _store_first(self) -> Generator[ImportEvent, None, None]:
        """What a reader needs to see the first document as it is meant to look."""
        book = self._book
        document = book.document(self._first)
        self._writer.store_documents([document])
        names = book.resource_names()
        styles = [name for name in names if name.lower().endswith(".css")]
        wanted = set(document.resource_names).intersection(names)
        yield from self._store_resources([*styles, *sorted(wanted)])
        self._writer.store_structure(book.contents(), book.page_labels())
        yield BookKnown(self._writer.book_id)
        self._take(document)
        yield Progress(len(self._texts), book.document_count, self._unit)

    def _store_documents(self) -> Iterator[ImportEvent]:
        count = self._book.document_count
        batch = _Batch()
        for file_index in (*range(self._first + 1, count), *range(self._first)):
            document = self._book.document(file_index)
            self._take(document)
            batch.add(document)
            if batch.is_full:
                self._writer.store_documents(batch.documents)
                batch = _Batch()
                yield Progress(len(self._texts), count, self._unit)
        self._writer.store_documents(batch.documents)
        # Only now every place that the contents name inside a document is known.
        self._writer.store_structure(self._book.contents(), self._book.page_labels())
        yield Progress(len(self._texts), count, self._unit)

    def _take(self, document: CanonicalDocument) -> None:
        """Keeps what is needed of a document after it is stored."""
        content = document.content
        index = content.file_index
        self._texts[index] = content
        self._passages[index] = DocumentPassages(
            index, len(content.text), document.title, cut_passages(content)
        )

    def _store_resources(self, names: Sequence[str]) -> Iterator[ImportEvent]:
        missing = [name for name in dict.fromkeys(names) if name not in self._stored_resources]
        batch: list[Resource] = []
        size = 0
        for done, name in enumerate(missing, 1):
            try:
                resource = self._book.resource(name)
            except BookUnreadable as fault:
                self._warnings.append(f"{name}: {fault.reason}")
                continue
            batch.append(resource)
            size += len(resource.content)
            if size > _BATCH_BYTES:
                self._writer.store_resources(batch)
                batch, size = [], 0
                yield Progress(done, len(missing), "pictures")
        self._writer.store_resources(batch)
        self._stored_resources.update(missing)

    def _store_passages(self) -> Iterator[ImportEvent]:
        documents = [self._passages[index] for index in sorted(self._passages)]
        cuts = [cut for document in documents for cut in document.passages]
        segments, passages = cut_segments(
            documents, self._book.contents(), are_pages=self._book.book_format is BookFormat.PDF
        )
        count = len(segments)
        yield Progress(0, count, "sections")
        self._writer.store_segments(segments)
        for passage in self._indexed(passages):
            yield Progress(passage.segment_index, count, "sections")
        quoter = QuotedSummaries(self._texts)
        pace = _Pace()
        for cut, passage in zip(cuts, passages, strict=True):
            quoter.add(cut, passage.segment_index)
            if pace.is_due():
                yield Progress(count, count, "sections")
        summaries = []
        for segment in segments:
            summaries.append(quoter.summary(segment.segment_index))
            if pace.is_due():
                yield Progress(count, count, "sections")
        self._writer.store_summaries(summaries)

    def _indexed(self, passages: Sequence[Passage]) -> Iterator[Passage]:
        """Stores passages in steps of about `_STEP_S`, and yields the last one of each."""
        at, count = 0, _FIRST_PASSAGES
        while at < len(passages):
            batch = passages[at : at + count]
            begun = time.monotonic()
            self._writer.store_passages(batch)
            took = max(time.monotonic() - begun, 0.001)
            count = min(2 * count, max(50, int(len(batch) * _STEP_S / took)))
            at += len(batch)
            yield batch[-1]
            time.sleep(_PAUSE_S)
