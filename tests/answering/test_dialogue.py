"""The messages of a turn: what a model is sent, round by round."""

from __future__ import annotations

import logging

import pytest

from app.answering.dialogue import Dialogue
from app.answering.tools.tool import Evidence
from app.answering.turn import Turn
from app.domain.conversation import AnswerState, Question
from app.llm.chat_model import (
    AssistantMessage,
    ModelCapabilities,
    ModelFinished,
    SystemMessage,
    TextDelta,
    ToolResult,
    UserMessage,
)
from tests.fakes.in_memory_book import Chapter, InMemoryBook, InMemorySearch
from tests.fakes.scripted_model import ScriptedModel

RELATED = "get_related_segment_summaries"


@pytest.fixture
def turn():
    book = InMemoryBook([Chapter("One", ["The whale was white.", "The sea was grey."])])
    return Turn(Evidence(Question("Which colour was the whale?"), book, InMemorySearch(book)))


def test_what_the_server_wants_back_goes_back_with_the_call(turn):
    model = ScriptedModel().call(RELATED, question="whale").say("x").say("x")
    extras = {"reasoning_content": "hm"}
    model._turns[0][-1] = ModelFinished("tool_calls", extras=extras)
    list(Dialogue(turn, model, "").hold())
    said = model.asked[1].messages[2]
    assert isinstance(said, AssistantMessage)
    assert said.extras == extras


def test_two_user_messages_never_follow_each_other(turn):
    model = ScriptedModel(capabilities=ModelCapabilities(calls_tools=False)).say("").say("")
    list(Dialogue(turn, model, "").hold())
    kinds = [type(message) for message in model.asked[1].messages]
    assert kinds == [SystemMessage, UserMessage]
    assert "Write it once more" in model.asked[1].messages[1].text


def test_the_system_message_stays_the_only_one(turn):
    model = ScriptedModel().say("from memory").say("x").say("x")
    list(Dialogue(turn, model, "A note.").hold())
    for asked in model.asked:
        assert [type(one) for one in asked.messages].count(SystemMessage) == 1
        assert "A note." in asked.messages[0].text


def test_the_evidence_is_put_before_the_built_in_model_as_a_result(turn):
    for passage in turn.evidence.book.passages_of_segment(0):
        turn.evidence.issue(passage)
    model = ScriptedModel().say("x")
    list(Dialogue(turn, model, "").answer_from_evidence())
    result = model.asked[0].messages[-1]
    assert isinstance(result, ToolResult)
    assert result.text.splitlines()[0].endswith("The whale was white.")
    assert model.asked[0].tool_choice == "none"


def test_an_aborted_stream_is_known(turn):
    model = ScriptedModel().turn([TextDelta("It")])
    dialogue = Dialogue(turn, model, "")
    list(dialogue.hold())
    assert dialogue.is_aborted
    assert turn.state is AnswerState.STOPPED
    assert turn.usage.requests == 1


def test_tokens_are_counted_by_the_server_or_estimated(turn):
    model = ScriptedModel().call(RELATED, question="whale")
    model.turn([TextDelta("x"), ModelFinished("stop", 500, 7)]).say("x")
    list(Dialogue(turn, model, "").hold())
    assert turn.usage.requests == 3
    assert turn.usage.prompt_tokens > 500
    assert turn.usage.completion_tokens >= 8


def test_the_request_can_be_inspected(turn, caplog):
    caplog.set_level(logging.DEBUG, logger="app.answering")
    model = ScriptedModel().call(RELATED, question="whale").say("x").say("x")
    list(Dialogue(turn, model, "").hold())
    assert "You answer questions about one book" in caplog.text
    assert "Which colour was the whale?" in caplog.text
