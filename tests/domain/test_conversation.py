"""Values of a conversation: what an answer is when nothing more is known of it."""

from __future__ import annotations

from app.domain.conversation import Answer, AnswerState, Coverage, Lane, Question, TokenUsage
from app.domain.scope import WHOLE_BOOK


def test_a_question_is_about_the_whole_book_unless_it_says_otherwise():
    assert Question("Who?").scope is WHOLE_BOOK


def test_an_answer_without_more_cites_nothing_and_cost_nothing():
    answer = Answer(Question("Who?"), Lane.NOT_FOUND, AnswerState.COMPLETE, "")
    assert answer.citations == answer.nearest == answer.evidence == answer.searches == ()
    assert answer.coverage == Coverage(0, 0)
    assert answer.usage == TokenUsage(0, 0, 0)


def test_the_words_of_the_command_line_are_those_of_the_values():
    assert [lane.value for lane in Lane] == ["grounded", "not_found", "not_about_book"]
    assert {state.value for state in AnswerState} == {
        "complete", "stopped", "cut", "refused", "empty",
    }  # fmt: skip
