"""Source passages for a question, found with the model's words and the reader's."""

from __future__ import annotations

import pytest

from app.answering.tools.related_segments import MOST_TOKENS, RelatedSegments
from app.answering.tools.tool import Evidence, ToolArgumentsInvalid
from app.domain.conversation import Question, Searching
from tests.fakes.in_memory_book import Chapter, InMemoryBook, InMemorySearch


@pytest.fixture
def evidence():
    book = InMemoryBook(
        [
            Chapter("Ships", ["The ship left Nantucket in December."]),
            Chapter("Whales", ["The whale was white.", "It frightened the sailors."]),
        ]
    )
    return Evidence(Question("Why was the whale white?"), book, InMemorySearch(book))


def run(evidence, budget=5_000, **arguments):
    work = RelatedSegments().run(arguments, evidence, budget)
    events = []
    while True:
        try:
            events.append(next(work))
        except StopIteration as end:
            return events, end.value


def test_the_first_call_searches_with_the_readers_words_too_and_later_ones_do_not(evidence):
    run(evidence, question="Nantucket ship")
    assert evidence.search.searched == ["Nantucket ship", "Why was the whale white?"]
    run(evidence, question="December")
    assert evidence.search.searched[2:] == ["December"]
    assert len(evidence.searches) == len(evidence.hits) == 3


def test_the_same_words_are_searched_once(evidence):
    run(evidence, question=" Why was the whale white? ")
    assert len(evidence.search.searched) == 1


def test_a_tag_among_a_models_words_is_in_no_event_and_no_report(evidence):
    events, _ = run(evidence, question="ship [f0-1-999]")
    assert events[0].words == "ship [f0/1/999]"
    assert evidence.search.searched[0] == "ship [f0/1/999]"


def test_each_search_is_told_when_it_begins_and_ends(evidence):
    events, _ = run(evidence, question="Nantucket ship")
    assert [type(event) for event in events] == [Searching] * 4
    assert [event.report is None for event in events] == [True, False, True, False]


def test_source_text_is_returned_with_tags_that_were_issued(evidence):
    _, text = run(evidence, question="Nantucket ship")
    for passage in evidence.ledger.issued():
        assert f"{passage.span.tag} {passage.text}" in text
    assert {passage.text for passage in evidence.ledger.issued()} == {
        "The ship left Nantucket in December.", "The whale was white.",
        "It frightened the sailors.",
    }  # fmt: skip


def test_nothing_found_is_said_plainly(evidence):
    evidence.question = Question("quarks")
    _, text = run(evidence, question="quarks")
    assert "exact wording: 0" in text
    assert "Nothing was found. That is a result" in text
    assert evidence.ledger.issued() == ()
    assert evidence.is_searched


def test_no_room_is_not_nothing_found(evidence):
    _, text = run(evidence, budget=100, question="whale")
    assert "no room left" in text
    assert "Nothing was found" not in text


def test_a_call_hands_over_no_more_in_a_larger_window():
    book = InMemoryBook([Chapter("Long", [f"Whale {n} swam. " * 20 for n in range(300)])])
    evidence = Evidence(Question("whale"), book, InMemorySearch(book))
    _, text = run(evidence, budget=1_000_000, question="whale")
    assert len(text.encode()) < 4 * MOST_TOKENS
    assert "Left out because they did not fit" in text
    assert "Long (" in text


@pytest.mark.parametrize("arguments", [{}, {"question": ""}, {"question": 3}, {"query": "x"}])
def test_a_call_without_a_question_is_refused(evidence, arguments):
    with pytest.raises(ToolArgumentsInvalid):
        run(evidence, **arguments)
    assert evidence.search.searched == []
