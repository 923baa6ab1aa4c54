"""Both error rates of the built-in model on questions that books do and do not answer.

    python tests/benchmarks/refusals.py [--show]

Asks every question of `questions.toml` through the assembly, as the command line does. Prints, per
book and in all: answerable questions refused, unanswerable ones answered, and right places (the
named wording stands within 600 characters of a citation).
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from app.assembly import Assembly, OpenBook  # noqa: E402 - the path is set above
from app.domain.conversation import Answer, Lane, Question  # noqa: E402
from app.domain.provider import BUILT_IN  # noqa: E402
from app.paths import find_paths  # noqa: E402

CORPUS = ROOT.parent / "shared" / "corpus"
NEAR_CHARS = 600


def finish(work):
    """Runs a generator to its end and returns its result."""
    while True:
        try:
            next(work)
        except StopIteration as finished:
            return finished.value


def is_near(book: OpenBook, answer: Answer, wording: str) -> bool:
    """Whether the wording stands close to one of the citations."""
    for citation in answer.citations:
        text = book.document_text(citation.span.file_index)
        around = text.readable(
            max(0, citation.span.start - NEAR_CHARS), citation.span.end + NEAR_CHARS
        )
        if wording.casefold() in around.casefold():
            return True
    return False


def main() -> None:
    """Asks and prints."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--show", action="store_true", help="print each wrong answer")
    show = parser.parse_args().show
    data = tomllib.loads((Path(__file__).parent / "questions.toml").read_text(encoding="utf-8"))
    totals = {"asked": 0, "refused": 0, "near": 0, "absent": 0, "answered": 0}
    with (
        tempfile.TemporaryDirectory() as folder,
        Assembly(find_paths(Path(folder)).made(), {}) as assembly,
    ):
        for entry in data["book"]:
            book_id = finish(assembly.import_book(CORPUS / entry["file"])).book_id
            with assembly.open(book_id) as book:
                measure(book, entry, totals, show=show)
    print(
        f"answerable {totals['asked']}: refused {totals['refused']}, right place {totals['near']}; "
        f"unanswerable {totals['absent']}: answered {totals['answered']}"
    )


def measure(book: OpenBook, entry: dict, totals: dict, *, show: bool) -> None:
    """Asks the questions of one book, prints its line and adds to the totals."""
    refused = near = answered = 0
    for row in entry["answerable"]:
        answer = finish(book.ask(Question(row["ask"]), BUILT_IN, is_saved=False))
        refused += answer.lane is not Lane.GROUNDED
        found = is_near(book, answer, row["near"])
        near += found
        if show and not found:
            print(f"  {answer.lane}: {row['ask']}  -> {[c.text for c in answer.citations]}")
    for question in entry["unanswerable"]:
        answer = finish(book.ask(Question(question), BUILT_IN, is_saved=False))
        answered += answer.lane is Lane.GROUNDED
        if show and answer.lane is Lane.GROUNDED:
            print(f"  ANSWERED: {question}  -> {[c.text for c in answer.citations]}")
    asked, absent = len(entry["answerable"]), len(entry["unanswerable"])
    print(
        f"{entry['file']:28} refused {refused}/{asked}  right place {near}/{asked}  "
        f"wrongly answered {answered}/{absent}"
    )
    for key, value in zip(totals, (asked, refused, near, absent, answered), strict=True):
        totals[key] += value


if __name__ == "__main__":
    main()
