"""The two tools by their names; a wrong call is told to the model."""

from __future__ import annotations

import logging

import pytest

from app.answering.toolbox import Toolbox
from app.answering.tools.tool import Evidence
from app.domain.conversation import Question, Searching
from app.llm.chat_model import ToolCall
from tests.fakes.in_memory_book import Chapter, InMemoryBook, InMemorySearch


@pytest.fixture
def evidence():
    book = InMemoryBook([Chapter("One", ["The whale was white.", "The sea was grey."])])
    return Evidence(Question("Which whale?"), book, InMemorySearch(book))


def run(work):
    events = []
    while True:
        try:
            events.append(next(work))
        except StopIteration as end:
            return events, end.value


def test_the_tools_have_the_names_that_models_are_told(evidence):
    first, second = Toolbox(evidence).definitions
    assert first.name == "get_related_segment_summaries"
    assert first.parameters["required"] == ["question"]
    assert second.name == "get_full_book_segment_summaries"
    assert second.parameters["properties"] == {}
    assert all(len(tool.description) > 100 for tool in (first, second))


def test_a_call_is_run_and_its_searches_are_told(evidence):
    call = ToolCall("c1", "get_related_segment_summaries", {"question": "white whale"})
    events, result = run(Toolbox(evidence).run(call, 5_000))
    assert all(isinstance(event, Searching) for event in events)
    assert (result.call_id, result.name, result.is_error) == ("c1", call.name, False)
    assert "The whale was white." in result.text


@pytest.mark.parametrize(
    ("name", "arguments"),
    [("rm", {}), ("get_related_segment_summaries", None), ("get_related_segment_summaries", {})],
)
def test_a_wrong_call_is_an_error_for_the_model(evidence, name, arguments):
    events, result = run(Toolbox(evidence).run(ToolCall("c", name, arguments), 5_000))
    assert events == []
    assert result.is_error
    assert result.text.startswith("Error: ")
    assert not evidence.is_searched


def test_the_program_searches_as_a_model_would(evidence):
    _, (call, result) = run(Toolbox(evidence).search("white whale", 5_000))
    assert call.arguments == {"question": "white whale"}
    assert call.call_id.isalnum()
    assert len(call.call_id) == 9
    assert "white" in result.text
    assert evidence.is_searched


def test_what_a_tool_returned_can_be_inspected(evidence, caplog):
    caplog.set_level(logging.DEBUG, logger="app.answering")
    run(Toolbox(evidence).search("white whale", 5_000))
    assert "The whale was white." in caplog.text
