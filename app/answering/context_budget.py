"""How much fits into a model's window: estimated high, and never cut in silence."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from app.domain.errors import PromptTooLong
from app.llm.chat_model import AssistantMessage, SystemMessage, ToolResult, UserMessage

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.llm.chat_model import Message, ToolDefinition

BYTES_A_TOKEN = 3
"""UTF-8 bytes of one token. English prose has about 4.3, Chinese about 3, a position tag 1.6: the
estimate is high for prose, so that passages with their tags come out right or a little high."""

MOST_REPLY_TOKENS = 2_048
"""What is left free for the answer, at most; a quarter of a small window."""

_MESSAGE_TOKENS = 8


def estimated_tokens(text: str) -> int:
    """The tokens of a text for any usual model, estimated high."""
    return -(-len(text.encode("utf-8", "surrogatepass")) // BYTES_A_TOKEN)


def prompt_tokens(messages: Sequence[Message], tools: Sequence[ToolDefinition] = ()) -> int:
    """The tokens of a whole request, estimated high."""
    total = 0
    for message in messages:
        total += _MESSAGE_TOKENS
        match message:
            case SystemMessage(text) | UserMessage(text):
                total += estimated_tokens(text)
            case AssistantMessage(text, calls):
                written = text + "".join(call.name + call.raw_arguments for call in calls)
                total += estimated_tokens(written) + _MESSAGE_TOKENS * len(calls)
            case ToolResult():
                total += estimated_tokens(message.text)
    for tool in tools:
        total += estimated_tokens(tool.name + tool.description + json.dumps(dict(tool.parameters)))
    return total


def room_for_prompt(context_tokens: int) -> int:
    """How many tokens of a window a prompt may take."""
    return context_tokens - min(MOST_REPLY_TOKENS, context_tokens // 4)


def room_left(
    messages: Sequence[Message], tools: Sequence[ToolDefinition], context_tokens: int
) -> int:
    """How many tokens are left beside a prompt; below zero where it does not fit."""
    return room_for_prompt(context_tokens) - prompt_tokens(messages, tools)


def check_room(
    messages: Sequence[Message], tools: Sequence[ToolDefinition], context_tokens: int
) -> None:
    """Refuses a prompt that would not fit, before a server cuts it without a word.

    Raises:
        PromptTooLong: it does not fit.
    """
    left = room_left(messages, tools, context_tokens)
    if left < 0:
        limit = room_for_prompt(context_tokens)
        raise PromptTooLong(limit - left, limit)
