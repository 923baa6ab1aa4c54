"""One reply, chunk by chunk."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from app.llm.chat_model import ModelFinished, ReasoningDelta, TextDelta, ToolCall
from app.llm.reply_reader import ReplyReader

if TYPE_CHECKING:
    from app.llm.chat_model import ModelEvent


def chunk(delta: dict[str, Any], finish: str | None = None) -> dict[str, Any]:
    return {"choices": [{"delta": delta, "finish_reason": finish}]}


def read(*chunks: dict[str, Any], **more: bool) -> list[ModelEvent]:
    reader = ReplyReader(**more)
    return [event for one in chunks for event in reader.read(one)] + list(reader.finish())


@pytest.mark.parametrize("name", ["reasoning_content", "reasoning", "reasoning_text", "thinking"])
def test_reasoning_is_read_from_every_field(name: str) -> None:
    assert read(chunk({name: "Hm."}))[0] == ReasoningDelta("Hm.")


def test_reasoning_in_two_fields_is_told_once() -> None:
    events = read(chunk({"reasoning": "Hm.", "reasoning_content": "Hm.", "content": "Ahab."}))
    assert events[:2] == [ReasoningDelta("Hm."), TextDelta("Ahab.")]


def test_content_may_be_a_list_of_parts() -> None:
    parts = [
        {"type": "thinking", "thinking": [{"type": "text", "text": "Hm."}]},
        {"type": "text", "text": "Ahab."},
    ]
    assert read(chunk({"content": parts}))[:2] == [ReasoningDelta("Hm."), TextDelta("Ahab.")]


def test_a_reply_in_one_message_is_read_too() -> None:
    whole = {"choices": [{"message": {"content": "Ahab."}, "finish_reason": "stop"}]}
    assert read(whole) == [TextDelta("Ahab."), ModelFinished("stop")]


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ("stop", "stop"),
        ("model_length", "length"),
        ("content_filter", "refused"),
        ("tool_calls", "stop"),
        (None, ""),
    ],
)
def test_the_reason_of_the_end_is_one_of_ours(said: str | None, reason: str) -> None:
    assert read(chunk({"content": "Ahab."}, said))[-1] == ModelFinished(reason)


def test_a_call_counts_whatever_the_reason() -> None:
    call = {"id": "a1", "function": {"name": "search", "arguments": "{}"}}
    events = read(chunk({"tool_calls": [call, None]}, "stop"))
    assert events == [ToolCall("a1", "search", {}, "{}"), ModelFinished("tool_calls")]


@pytest.mark.parametrize(
    "one",
    [
        {"choices": [], "usage": {"prompt_tokens": 3, "completion_tokens": 4}},
        {"choices": [{"delta": None, "usage": {"prompt_tokens": 3, "completion_tokens": 4}}]},
        {"usage": {"prompt_tokens": 3, "completion_tokens": 4}},
    ],
)
def test_the_count_is_read_wherever_it_is(one: dict[str, Any]) -> None:
    assert read(one, {"usage": None}, {"choices": None})[-1] == ModelFinished("", 3, 4)


def test_a_reply_within_reasoning_that_is_never_closed_is_the_reply() -> None:
    events = read(chunk({"content": "<think>Ahab."}, "stop"))
    assert events == [ReasoningDelta("Ahab."), TextDelta("Ahab."), ModelFinished("stop")]


def test_reasoning_that_was_cut_off_is_no_reply() -> None:
    events = read(chunk({"content": "<think>Ahab"}, "length"))
    assert events == [ReasoningDelta("Ahab"), ModelFinished("length")]


def test_a_stream_that_just_ends_is_usable_with_a_whole_call_only() -> None:
    reader = ReplyReader()
    list(reader.read(chunk({"tool_calls": [{"function": {"name": "search", "arguments": "{"}}]})))
    assert not reader.is_usable
    list(reader.read(chunk({"tool_calls": [{"function": {"arguments": "}"}}]})))
    assert reader.is_usable


def test_details_are_kept_for_the_server() -> None:
    events = read(
        chunk({"reasoning_details": [{"n": 1}], "extra_content": {"a": 1}}),
        chunk({"reasoning_details": [{"n": 2}]}),
    )
    assert events == [
        ModelFinished(
            "", extras={"reasoning_details": [{"n": 1}, {"n": 2}], "extra_content": {"a": 1}}
        )
    ]
