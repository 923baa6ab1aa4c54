"""Estimates are high rather than low, and what does not fit is refused."""

from __future__ import annotations

import pytest

from app.answering.context_budget import (
    check_room,
    estimated_tokens,
    prompt_tokens,
    room_for_prompt,
    room_left,
)
from app.domain.errors import PromptTooLong
from app.llm.chat_model import (
    AssistantMessage,
    SystemMessage,
    ToolCall,
    ToolDefinition,
    ToolResult,
    UserMessage,
)


@pytest.mark.parametrize(
    ("text", "least"),
    [
        ("", 0),
        ("The whale was white, and no man aboard had seen its like before.", 15),
        ("[f45-10320-10655]", 6),
        ("吾輩は猫である。名前はまだ無い。", 12),
        ("Что такое искусство?", 7),
    ],
)
def test_an_estimate_is_not_below_what_tokenizers_count(text, least):
    assert estimated_tokens(text) >= least


def test_every_part_of_a_request_counts():
    messages = [SystemMessage("rules " * 10)]
    sizes = [prompt_tokens(messages)]
    for message in (
        UserMessage("question " * 10),
        AssistantMessage("", (ToolCall("c", "tool", {}, '{"question": "whale whale whale"}'),)),
        ToolResult("c", "tool", "passage " * 10),
    ):
        messages.append(message)
        sizes.append(prompt_tokens(messages))
    assert sizes == sorted(set(sizes))
    tool = ToolDefinition("tool", "what it does " * 5, {"type": "object"})
    assert prompt_tokens(messages, (tool,)) > sizes[-1] + 20


def test_room_is_kept_for_the_reply():
    assert room_for_prompt(4_096) == 3_072
    assert room_for_prompt(32_768) == 30_720


def test_a_prompt_that_does_not_fit_is_refused_with_its_size():
    messages = [UserMessage("word " * 2_000)]
    check_room(messages, (), 8_192)
    assert room_left(messages, (), 8_192) > 0
    with pytest.raises(PromptTooLong) as refused:
        check_room(messages, (), 2_048)
    assert refused.value.limit_tokens == room_for_prompt(2_048)
    assert refused.value.tokens == prompt_tokens(messages)


def test_broken_characters_can_be_counted():
    assert estimated_tokens("a\udc80b") > 0
