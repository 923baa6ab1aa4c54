"""Messages as servers are sent them."""

from __future__ import annotations

from app.llm.chat_model import (
    AssistantMessage,
    SystemMessage,
    ToolCall,
    ToolDefinition,
    ToolResult,
    UserMessage,
)
from app.llm.message_history import CALL_EXTRAS, chat_messages, tool_payload


def test_rules_are_one_message_at_the_front() -> None:
    messages = [SystemMessage("Cite."), UserMessage("Who?"), SystemMessage("Be brief.")]
    assert chat_messages(messages) == [
        {"role": "system", "content": "Cite.\n\nBe brief."},
        {"role": "user", "content": "Who?"},
    ]


def test_an_empty_turn_is_left_out_and_what_it_parted_is_joined() -> None:
    messages = [UserMessage("Who?"), AssistantMessage(" \n"), UserMessage("And why?")]
    assert chat_messages(messages) == [{"role": "user", "content": "Who?\n\nAnd why?"}]


def test_arguments_that_were_no_object_go_back_as_an_empty_one() -> None:
    call = ToolCall("a1", "search", None, '{"words": ')
    turn, result = chat_messages(
        [
            AssistantMessage("", (call,)),
            ToolResult("a1", "search", "No such words."),
        ]
    )
    assert turn["tool_calls"] == [
        {"id": "a1", "type": "function", "function": {"name": "search", "arguments": "{}"}}
    ]
    assert turn["content"] == ""
    assert result == {"role": "tool", "tool_call_id": "a1", "content": "No such words."}


def test_what_the_server_wants_back_goes_back_beside_calls_only() -> None:
    extras = {"reasoning_content": "Hm.", CALL_EXTRAS: {"a1": {"extra_content": {"s": 1}}}}
    call = ToolCall("a1", "search", {"words": "naïve"})
    beside, without = chat_messages(
        [
            AssistantMessage("", (call,), extras),
            AssistantMessage("Ahab.", (), extras),
        ]
    )
    assert beside["reasoning_content"] == "Hm."
    assert beside["tool_calls"][0]["extra_content"] == {"s": 1}
    assert beside["tool_calls"][0]["function"]["arguments"] == '{"words": "naïve"}'
    assert without == {"role": "assistant", "content": "Ahab."}
    assert CALL_EXTRAS in extras


def test_a_tool_is_a_function_with_a_schema() -> None:
    schema = {"type": "object", "properties": {}}
    assert tool_payload([ToolDefinition("search", "Searches.", schema)]) == [
        {
            "type": "function",
            "function": {"name": "search", "description": "Searches.", "parameters": schema},
        }
    ]
