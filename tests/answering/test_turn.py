"""A turn can become an answer at any moment; a draft is held until its first citation."""

from __future__ import annotations

import pytest

from app.answering.tools.tool import Evidence
from app.answering.turn import Draft, Turn
from app.domain.conversation import (
    AnswerCitation,
    AnswerState,
    AnswerText,
    Lane,
    Question,
    TokenUsage,
)
from tests.fakes.in_memory_book import Chapter, InMemoryBook, InMemorySearch


@pytest.fixture
def turn():
    book = InMemoryBook([Chapter("One", ["The whale was white.", "The sea was grey."])])
    turn = Turn(Evidence(Question("What colour?"), book, InMemorySearch(book)))
    for passage in book.passages_of_segment(0):
        turn.evidence.issue(passage)
    return turn


def tags(turn):
    return [passage.span.tag for passage in turn.evidence.ledger.issued()]


def test_a_turn_that_has_shown_nothing_is_stopped_and_not_found(turn):
    answer = turn.answer()
    assert (answer.lane, answer.state, answer.markdown) == (
        Lane.NOT_FOUND, AnswerState.STOPPED, "",
    )  # fmt: skip
    assert len(answer.evidence) == 2


def test_a_draft_is_held_and_then_shown_from_its_beginning(turn):
    draft = Draft(turn, is_withheld=False)
    assert list(draft.feed("\n It was")) == []
    events = list(draft.feed(f" white {tags(turn)[0]}."))
    assert events[0] == AnswerText("It was white")
    assert isinstance(events[1], AnswerCitation)
    assert list(draft.feed(" And")) == [AnswerText(" And")]
    assert list(draft.finish()) == []
    assert turn.markdown == "It was white[^1]. And"
    assert turn.answer().lane is Lane.GROUNDED


def test_what_has_not_been_taken_is_not_noted_as_shown(turn):
    events = Draft(turn, is_withheld=False).feed(f"It was white {tags(turn)[0]}. And more")
    next(events)
    next(events)
    assert turn.markdown == "It was white[^1]"


def test_a_withheld_draft_shows_nothing_but_is_read(turn):
    draft = Draft(turn, is_withheld=True)
    assert list(draft.feed(f"It was white {tags(turn)[0]} [f9-1-2].")) == []
    assert list(draft.finish()) == []
    assert draft.text == "It was white."
    assert turn.shown == []
    assert turn.dropped_tags == 1


def test_plain_text_is_shown_as_it_comes(turn):
    draft = Draft(turn, is_withheld=False, is_plain=True)
    assert list(draft.feed("Hello there")) == [AnswerText("Hello there")]


def test_a_second_draft_begins_a_new_paragraph_and_goes_on_numbering(turn):
    for tag in (*tags(turn), tags(turn)[0]):
        draft = Draft(turn, is_withheld=False)
        assert list(draft.feed(f"So {tag}."))
        list(draft.finish())
    assert turn.markdown == "So[^1].\n\nSo[^2].\n\nSo[^1]."
    assert [citation.number for citation in turn.answer().citations] == [1, 2]


def test_usage_adds_up(turn):
    turn.count(100, 10)
    turn.count(50, 5)
    assert turn.usage == TokenUsage(2, 150, 15)
