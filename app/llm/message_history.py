"""Writes messages and tools as the chat completions protocol has them, and so that no server balks.

One system message, no empty assistant turn, no two user messages in a row, arguments that are
always a JSON object, contents that are always text, and the fields that the server wants back.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from app.llm.chat_model import AssistantMessage, SystemMessage, ToolResult, UserMessage

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from app.llm.chat_model import Message, ToolDefinition

CALL_EXTRAS = "call_extras"
"""Key in `AssistantMessage.extras`: what goes back with each call, by its id."""


def chat_messages(messages: Sequence[Message]) -> list[dict[str, Any]]:
    """The messages as JSON values, cleaned."""
    rules = "\n\n".join(one.text for one in messages if isinstance(one, SystemMessage) and one.text)
    written: list[dict[str, Any]] = [{"role": "system", "content": rules}] if rules else []
    for message in messages:
        match message:
            case SystemMessage():
                pass
            case UserMessage(text):
                if written and written[-1]["role"] == "user":
                    written[-1]["content"] += f"\n\n{text}"
                else:
                    written.append({"role": "user", "content": text})
            case AssistantMessage():
                written += _assistant(message)
            case ToolResult(call_id, _, text):
                written.append({"role": "tool", "tool_call_id": call_id, "content": text})
    return written


def tool_payload(tools: Sequence[ToolDefinition]) -> list[dict[str, Any]]:
    """The tools as JSON values."""
    return [
        {
            "type": "function",
            "function": {
                "name": tool.name,
                "description": tool.description,
                "parameters": dict(tool.parameters),
            },
        }
        for tool in tools
    ]


def _assistant(message: AssistantMessage) -> list[dict[str, Any]]:
    if not message.tool_calls:
        return [{"role": "assistant", "content": message.text}] if message.text.strip() else []
    # Reasoning goes back beside calls only: DeepSeek demands it there and refuses it elsewhere.
    extras: dict[str, Any] = dict(message.extras)
    call_extras: Mapping[str, Mapping[str, Any]] = extras.pop(CALL_EXTRAS, {})
    calls = [
        {
            "id": call.call_id,
            "type": "function",
            "function": {
                "name": call.name,
                "arguments": json.dumps(dict(call.arguments or {}), ensure_ascii=False),
            },
            **call_extras.get(call.call_id, {}),
        }
        for call in message.tool_calls
    ]
    return [{**extras, "role": "assistant", "content": message.text, "tool_calls": calls}]
