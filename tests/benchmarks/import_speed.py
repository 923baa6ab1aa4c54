"""Measures import: speed, the longest transaction, and the longest time without a sign of life.

    python tests/benchmarks/import_speed.py [FILE …]

Each file goes into an empty library in this process, on one core. "readable" is the time until the
first document can be shown, "parsed" until every document is stored and cut. Rates are UTF-8 bytes
of canonical text a second of CPU time, since other work on the machine does not count: over the
whole import, and over what follows parsing (passages, segments, search index, quoted summaries).
"""

from __future__ import annotations

import argparse
import contextlib
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from app.books.open_book import open_book  # noqa: E402 - the path is set above
from app.domain.progress import BookKnown, Progress  # noqa: E402
from app.preparing.import_book import import_book  # noqa: E402
from app.storage.database import Database  # noqa: E402
from app.storage.library import Library  # noqa: E402
from app.storage.texts import Texts  # noqa: E402

CORPUS = ROOT.parent / "shared" / "corpus"
FILES = (
    "pg11-alice.epub",
    "se-war-and-peace.epub",
    "idpf-mahabharata-sa.epub",
    "se-divine-comedy.epub",
    "debian-policy.pdf",
    "R-fullrefman.pdf",
)


class TimedDatabase(Database):
    """A database that remembers how long its longest transaction took, in seconds."""

    longest_s = 0.0

    @contextlib.contextmanager
    def write(self):
        with super().write() as connection:
            begun = time.perf_counter()
            yield connection
        self.longest_s = max(self.longest_s, time.perf_counter() - begun)


def parsing_cpu_s(path: Path) -> float:
    """Seconds of CPU time to parse every document of a file, with nothing kept."""
    begun = time.process_time()
    with open_book(path) as book:
        for file_index in range(book.document_count):
            book.document(file_index)
    return time.process_time() - begun


def measure(path: Path, folder: Path) -> str:
    """One line about the import of one file."""
    with TimedDatabase(folder / f"{path.name}.sqlite3") as database:
        begun = last = time.perf_counter()
        cpu_begun = time.process_time()
        readable = text = silence = 0.0
        work = import_book(path, database)
        book_id = 0
        while True:
            try:
                event = next(work)
            except StopIteration as end:
                book_id = end.value
                break
            now = time.perf_counter()
            silence, last = max(silence, now - last), now
            match event:
                case BookKnown():
                    readable = now - begun
                case Progress(unit="documents" | "pages"):
                    text = now - begun
        took, cpu = time.perf_counter() - begun, time.process_time() - cpu_begun
        texts = Texts(database)
        documents = range(Library(database).book(book_id).document_count)
        size = sum(
            len(texts.document_text(book_id, index).text.encode("utf-8", "surrogatepass"))
            for index in documents
        )
        segments = len(texts.segments(book_id))
        counts = f"{texts.passage_count(book_id)} passages, {segments} segments"
    indexing = max(cpu - parsing_cpu_s(path), 0.001)
    megabytes = size / 1_000_000
    return (
        f"{path.name:26} {took:6.2f} s ({cpu:5.2f} CPU)  readable {readable:4.2f}"
        f"  parsed {text:5.2f}  {megabytes:5.2f} MB: {megabytes / cpu:4.2f} MB/s,"
        f" indexing {megabytes / indexing:4.2f}  longest write {database.longest_s * 1000:3.0f} ms,"
        f" silence {silence:4.2f} s  {len(documents)} documents, {counts}"
    )


def main() -> None:
    """Prints a line a file."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("files", nargs="*", type=Path)
    files = parser.parse_args().files or [CORPUS / name for name in FILES]
    with tempfile.TemporaryDirectory() as folder:
        for path in files:
            print(measure(path, Path(folder)), flush=True)


if __name__ == "__main__":
    main()
