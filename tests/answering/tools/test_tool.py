"""Evidence: what is handed over is in the ledger, and a book's own tags are neutralised."""

from __future__ import annotations

from app.answering.tools.tool import Evidence
from app.domain.book import Voice
from app.domain.conversation import Question
from tests.fakes.in_memory_book import Chapter, InMemoryBook, InMemorySearch


def test_a_passage_is_issued_with_all_that_a_citation_says():
    book = InMemoryBook([Chapter("Notes", ["See [f0-1-2] there."], Voice.NOTES)])
    passage = book.passages_of_segment(0)[0]
    book.pages["xii"] = passage.span
    evidence = Evidence(Question("x"), book, InMemorySearch(book))
    line = evidence.issue(passage)
    assert line == f"{passage.span.tag} See [f0/1/2] there."
    issued = evidence.ledger.confirm(passage.span)
    assert (issued.text, issued.contents_path, issued.voice, issued.page_label) == (
        "See [f0-1-2] there.", ("Notes",), Voice.NOTES, "xii",
    )  # fmt: skip
