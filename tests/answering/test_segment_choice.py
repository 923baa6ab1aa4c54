"""Best first within the budget, then in reading order; nothing from outside the scope."""

from __future__ import annotations

import pytest

from app.answering.segment_choice import choose_passages, fused
from app.domain.book import Voice
from app.domain.evidence import Rung, SearchHit
from app.domain.position import Span
from app.domain.scope import WHOLE_BOOK, Scope, ScopeKind
from tests.fakes.in_memory_book import Chapter, InMemoryBook


@pytest.fixture
def book():
    return InMemoryBook(
        [
            Chapter("One", [f"Paragraph {n} of the first chapter." for n in range(6)]),
            Chapter("Two", [f"Paragraph {n} of the second chapter." for n in range(6)]),
            Chapter("Index", ["Paragraph, passim"], Voice.INDEX),
        ]
    )


def passages(book, *places):
    return [book.passages_of_segment(segment)[at] for segment, at in places]


def test_a_hit_comes_with_its_neighbours_in_reading_order(book):
    chosen = choose_passages(passages(book, (1, 2), (0, 0)), book, WHOLE_BOOK, 10_000)
    assert list(chosen.passages) == passages(book, (0, 0), (0, 1), (1, 1), (1, 2), (1, 3))
    assert chosen.left_out == chosen.no_evidence == ()


def test_what_does_not_fit_is_left_out_whole_and_named(book):
    found = passages(book, (1, 2), (0, 0), (0, 4))
    chosen = choose_passages(found, book, WHOLE_BOOK, 30)
    assert list(chosen.passages) == [found[0]]
    assert list(chosen.left_out) == found[1:]


def test_an_index_is_no_evidence(book):
    found = passages(book, (2, 0))
    chosen = choose_passages(found, book, WHOLE_BOOK, 10_000)
    assert chosen.passages == ()
    assert list(chosen.no_evidence) == found


def test_no_neighbour_comes_from_outside_the_scope(book):
    hit = passages(book, (0, 2))[0]
    scope = Scope(ScopeKind.READ, "read", (Span(0, 0, hit.span.end),))
    chosen = choose_passages([hit], book, scope, 10_000)
    assert list(chosen.passages) == passages(book, (0, 1), (0, 2))


def test_late_hits_come_alone():
    book = InMemoryBook([Chapter("One", [f"Paragraph number {n}." for n in range(90)])])
    found = list(book.passages_of_segment(0))[::3]
    chosen = choose_passages(found, book, WHOLE_BOOK, 100_000)
    alone = book.passages_of_segment(0)[87 + 1]
    assert alone not in chosen.passages


def test_searches_are_united_best_first_over_all(book):
    first, second, third = passages(book, (0, 0), (0, 1), (0, 2))

    def hits(*found):
        return [SearchHit(passage, Rung.ALL_WORDS, 1.0) for passage in found]

    assert fused([hits(first, second), hits(third, second)]) == [second, first, third]
    assert fused([hits(first), ()]) == [first]
