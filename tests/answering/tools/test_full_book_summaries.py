"""All of the book in brief: every section, in order, whole units, evenly shortened."""

from __future__ import annotations

import re

import pytest

from app.answering.context_budget import estimated_tokens
from app.answering.tools.full_book_summaries import FullBookSummaries
from app.answering.tools.tool import Evidence
from app.domain.book import Voice
from app.domain.conversation import Question
from app.domain.position import Span, find_tags
from app.domain.scope import WHOLE_BOOK, Scope, ScopeKind
from tests.fakes.in_memory_book import Chapter, InMemoryBook, InMemorySearch


def make_evidence(book, scope=WHOLE_BOOK):
    return Evidence(Question("What is it about?", scope), book, InMemorySearch(book))


def run(evidence, budget=20_000):
    work = FullBookSummaries().run({"ignored": 1}, evidence, budget)
    try:
        next(work)
    except StopIteration as end:
        return end.value
    raise AssertionError("no search runs")


@pytest.fixture
def book():
    return InMemoryBook(
        [
            Chapter("One", ["The ship left.", "It was cold."]),
            Chapter("Two", ["The whale came.", "It was white."]),
            Chapter("Notes", ["A note."], Voice.NOTES),
        ]
    )


def test_every_section_stands_there_in_reading_order_with_its_tags_issued(book):
    evidence = make_evidence(book)
    text = run(evidence)
    assert re.findall(r"^#+ .*", text, re.MULTILINE) == ["## One", "## Two", "## Notes (notes)"]
    assert [span for _, _, span in find_tags(text)] == [
        book.span_of("ship"), book.span_of("whale"), book.span_of("note"),
    ]  # fmt: skip
    assert {passage.span for passage in evidence.ledger.issued()} == {
        span for _, _, span in find_tags(text)
    }
    assert "All are sentences quoted from the book." in text
    assert evidence.is_searched


def test_a_written_summary_keeps_the_tags_of_its_segment_and_loses_all_others(book):
    own = book.span_of("whale").tag
    book.written[1] = f"A whale comes {own}. It swims [f7-1-2] and dives [f1-293] f1-2-3."
    evidence = make_evidence(book)
    text = run(evidence)
    assert f"A whale comes {own}" in text
    assert "[f7-1-2]" not in text
    assert "f1-2-3" not in text
    assert evidence.ledger.confirm(book.span_of("whale")).text == "The whale came."
    assert "1 were written by a model, 2 are quoted" in text


def test_what_does_not_fit_is_cut_evenly_at_whole_units_and_said():
    book = InMemoryBook([Chapter(f"Chapter {n}", ["Words of it. " * 6] * 3) for n in range(40)])
    for index, passages in enumerate(book.passages_of_segment(n) for n in range(40)):
        book.written[index] = " ".join(f"{one.text}{one.span.tag}" for one in passages)
    text = run(make_evidence(book), 2_600)
    assert estimated_tokens(text) < 2_900
    counts = [len(find_tags(part)) for part in text.split("## ")[1:]]
    assert len(counts) == 40
    assert max(counts) - min(counts) <= 1
    assert sum(counts[:20]) > 5
    assert sum(counts[20:]) > 5
    assert "Shortened to fit: the summaries of 40 of 40 sections." in text


def test_where_not_even_the_headings_fit_sections_are_left_out_evenly_and_said():
    book = InMemoryBook([Chapter(f"A chapter with the number {n}", ["Text."]) for n in range(300)])
    text = run(make_evidence(book), 2_000)
    assert estimated_tokens(text) < 2_200
    assert "Left out to fit:" in text
    assert "300 sections in reading order" in text
    assert "number 0\n" in text
    assert re.search(r"number 29\d\n", text)


def test_a_part_that_was_not_read_gives_nothing_away(book):
    book.written[1] = f"The whale comes and kills them all {book.span_of('whale').tag}."
    scope = Scope(ScopeKind.READ, "what has been read", (Span(0, 0, 99), Span(1, 0, 15)))
    evidence = make_evidence(book, scope)
    text = run(evidence)
    assert "kills" not in text
    assert "white" not in text
    assert "The whale came." in text
    assert "Notes" not in text
    assert all(scope.admits(passage.span) for passage in evidence.ledger.issued())


def test_an_empty_part_is_said(book):
    assert "holds no text" in run(make_evidence(book, Scope(ScopeKind.READ, "read", ())))


def test_headings_show_only_what_is_new(book):
    paths = [("Book I", "1"), ("Book I", "2"), ("Book II", "1"), ("Book II",)]
    book.chapters = [Chapter("x", ["Text."]) for _ in paths]
    book.__post_init__()
    segments = book.segments()
    book.segments = lambda: [
        type(one)(
            one.segment_index, path, one.spans, one.length_chars, one.size_bytes, one.tokens,
            one.voice,
        )
        for one, path in zip(segments, paths, strict=True)
    ]  # fmt: skip
    headings = re.findall(r"^#+ .*", run(make_evidence(book)), re.MULTILINE)
    assert headings == ["## Book I", "### 1", "### 2", "## Book II", "### 1", "## Book II"]
