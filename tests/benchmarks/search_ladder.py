"""How well and how fast the ladder finds, and when the built-in model refuses; prints, never fails.

    python tests/benchmarks/search_ladder.py [--questions FILE] [--book BOOK.epub]

Sections: whether a known section is among the first 1, 3 and 5 that the ladder names, on stories
with 1,025 questions (plain BM25 reaches .810 at 3, with stems .832; the aim is .87).
Refusals: the questions of one story asked of itself and of another. Speed: the book twice over,
about 6 million characters, against DESIGN's 20 ms at the 95th percentile, in CPU time.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import time
from pathlib import Path
from statistics import quantiles
from typing import TYPE_CHECKING, Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from app.answering.quoting_model import QuotingModel  # noqa: E402 - the path is set above
from app.books.open_book import open_book  # noqa: E402
from app.domain.document import DocumentText  # noqa: E402
from app.domain.evidence import IssuedPassage, Ledger  # noqa: E402
from app.domain.scope import WHOLE_BOOK  # noqa: E402
from app.llm.chat_model import TextDelta, UserMessage  # noqa: E402
from app.storage.database import Database  # noqa: E402
from tests.fakes.indexed_book import IndexedBook  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Sequence

SHARED = ROOT.parent / "shared"
ISSUED = 60
ASKED_OF_EACH = 40


def is_answered(book: IndexedBook, question: str) -> bool:
    """Whether the built-in model quotes anything from the best passages."""
    ledger = Ledger()
    for hit in book.ladder.search(question, WHOLE_BOOK, limit=ISSUED).hits:
        one = hit.passage
        ledger.issue(IssuedPassage(one.span, one.text, (), one.voice, ""))
    events = QuotingModel(ledger, book, book.ladder).stream([UserMessage(question)])
    return any(isinstance(event, TextDelta) for event in events)


def print_sections(stories: Sequence[dict[str, Any]], books: Sequence[IndexedBook]) -> None:
    """The share of questions whose known section is among the first."""
    counts = {1: 0, 3: 0, 5: 0}
    total = 0
    for story, book in zip(stories, books, strict=True):
        ids = [section["id"] for section in story["sections"]]
        for question in story["questions"]:
            hits = book.ladder.search(question["question"], WHOLE_BOOK, limit=50).hits
            ranked = list(dict.fromkeys(ids[hit.passage.span.file_index] for hit in hits))
            total += 1
            for first in counts:
                counts[first] += bool(set(question["gold_sections"]) & set(ranked[:first]))
    shares = "  ".join(f"hit@{first} {count / total:.3f}" for first, count in counts.items())
    print(f"sections, {total} questions: {shares}")


def print_refusals(stories: Sequence[dict[str, Any]], books: Sequence[IndexedBook]) -> None:
    """How often the built-in model refuses a story's own questions, and another story's."""
    chance = random.Random(2)
    own: list[bool] = []
    other: list[bool] = []
    for number, story in enumerate(stories):
        texts = [question["question"] for question in story["questions"]]
        for text in chance.sample(texts, min(ASKED_OF_EACH, len(texts))):
            elsewhere = chance.choice([book for at, book in enumerate(books) if at != number])
            own.append(not is_answered(books[number], text))
            other.append(not is_answered(elsewhere, text))
    print(
        f"refused, {len(own)} questions: own {sum(own) / len(own):.3f}"
        f"  of another story {sum(other) / len(other):.3f}"
    )


def print_speed(path: Path, questions: Sequence[str], database: Database) -> None:
    """Indexing and searching a large book."""
    with open_book(path) as book:
        once = [book.document(index).content for index in range(book.document_count)]
    documents = [
        DocumentText(index, one.text, one.blocks, one.breaks) for index, one in enumerate(once * 2)
    ]
    chars = sum(len(one.text) for one in documents)
    begun = time.process_time()
    large = IndexedBook(database, documents)
    spent = time.process_time() - begun
    print(f"cut and indexed {chars:,} characters in {spent:.1f} s, {chars / spent / 1e6:.2f} MB/s")
    begun = time.process_time()
    large.ladder.search("first", WHOLE_BOOK, limit=50)
    print(f"first search {1000 * (time.process_time() - begun):.0f} ms")
    times: list[float] = []
    for question in questions:
        begun = time.process_time()
        large.ladder.search(question, WHOLE_BOOK, limit=50)
        times.append(1000 * (time.process_time() - begun))
    parts = quantiles(times, n=100)
    print(
        f"{len(times)} searches: median {parts[49]:.1f} ms, 95th percentile {parts[94]:.1f} ms,"
        f" longest {max(times):.1f} ms"
    )


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--questions", type=Path, default=SHARED / "qa" / "fairytale_val.jsonl")
    parser.add_argument("--book", type=Path, default=SHARED / "corpus" / "se-war-and-peace.epub")
    arguments = parser.parse_args()
    with arguments.questions.open(encoding="utf-8") as lines:
        stories = [json.loads(line) for line in lines]
    with tempfile.TemporaryDirectory() as folder, Database(Path(folder) / "library") as database:
        books = [
            IndexedBook(database, [one["text"].split("\n") for one in story["sections"]])
            for story in stories
        ]
        print_sections(stories, books)
        print_refusals(stories, books)
        questions = [one["question"] for story in stories[:12] for one in story["questions"]]
        print_speed(arguments.book, questions, database)


if __name__ == "__main__":
    main()
