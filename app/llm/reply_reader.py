"""Reads one streamed reply: chunks in, events of `app.llm.chat_model` out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from app.llm.chat_model import ModelFinished, ReasoningDelta, TextDelta
from app.llm.message_history import CALL_EXTRAS
from app.llm.think_splitter import ThinkSplitter
from app.llm.tool_call_merge import ToolCallMerge, calls_in_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from app.llm.chat_model import ModelEvent
    from app.llm.think_splitter import SplitText

_REASONING_FIELDS = ("reasoning_content", "reasoning", "reasoning_text", "thinking")
_REASONS = {
    "stop": "stop",
    "eos": "stop",
    "end_turn": "stop",
    "length": "length",
    "model_length": "length",
    "max_tokens": "length",
    "tool_calls": "tool_calls",
    "function_call": "tool_calls",
    "content_filter": "refused",
    "refusal": "refused",
    "safety": "refused",
}


class ReplyReader:
    """What a reply has brought so far.

    Args:
        begins_in_reasoning: see `ThinkSplitter`.
        has_tools: tools were offered; a call that the server left in the text is one too.
    """

    def __init__(self, *, begins_in_reasoning: bool = False, has_tools: bool = False) -> None:
        self.has_text = False
        """Text, reasoning or a call has come."""
        self.is_ended = False
        """The server said that the reply is over."""
        self._has_tools = has_tools
        self.splitter = ThinkSplitter(is_open=begins_in_reasoning)
        self._calls = ToolCallMerge()
        self._finish = ""
        self._prompt_tokens: int | None = None
        self._completion_tokens: int | None = None
        self._said: list[str] = []
        self._extras: dict[str, Any] = {}

    @property
    def is_usable(self) -> bool:
        """Whether a stream that ended here, without a word, may be taken for whole."""
        return self.is_ended or self._calls.are_complete

    def read(self, chunk: Mapping[str, Any]) -> Iterator[ModelEvent]:
        """Takes a chunk without an error in it.

        Yields:
            The text and reasoning in it.
        """
        self._count(chunk.get("usage"))
        choices = chunk.get("choices")
        for choice in filter(_is_object, choices[:1] if isinstance(choices, list) else ()):
            yield from self._read_choice(choice)

    def finish(self) -> Iterator[ModelEvent]:
        """Yields what was held, the calls, and `ModelFinished`."""
        unclosed = self.splitter.unclosed
        yield from self._events(self.splitter.finish())
        said = "".join(self._said)
        calls = self._calls.calls()
        if self._has_tools and not calls:
            calls = calls_in_text(said)
        if unclosed.strip() and not said.strip() and not calls and self._finish != "length":
            # A block that was opened and never closed around a whole reply is the reply.
            yield TextDelta(unclosed)
        yield from calls
        call_extras = self._calls.extras()
        if call_extras:
            self._extras[CALL_EXTRAS] = call_extras
        reason = "tool_calls" if calls else _REASONS.get(self._finish.lower(), self._finish)
        yield ModelFinished(
            "stop" if reason == "tool_calls" and not calls else reason,
            self._prompt_tokens,
            self._completion_tokens,
            self._extras,
        )

    def _read_choice(self, choice: Mapping[str, Any]) -> Iterator[ModelEvent]:
        self._count(choice.get("usage"))
        delta = choice.get("delta") or choice.get("message")
        if isinstance(delta, dict):
            yield from self._read_delta(delta)
        reason = choice.get("finish_reason")
        if isinstance(reason, str) and reason:
            self._finish = reason
            self.is_ended = True

    def _read_delta(self, delta: Mapping[str, Any]) -> Iterator[ModelEvent]:
        self._keep(delta)
        thought, text = _parts(delta.get("content"))
        reasoning = _reasoning(delta) or thought
        if reasoning:
            self.has_text = True
            yield from self._events(self.splitter.release())
            yield ReasoningDelta(reasoning)
        yield from self._events(self.splitter.feed(text))
        calls = delta.get("tool_calls")
        self.has_text = self.has_text or bool(text)
        if isinstance(calls, list) and calls:
            self.has_text = True
            for call in filter(_is_object, calls):
                self._calls.add(call)

    def _events(self, runs: list[SplitText]) -> Iterator[ModelEvent]:
        for run in runs:
            if run.is_reasoning:
                yield ReasoningDelta(run.text)
            else:
                self._said.append(run.text)
                yield TextDelta(run.text)

    def _keep(self, delta: Mapping[str, Any]) -> None:
        text, details = delta.get("reasoning_content"), delta.get("reasoning_details")
        if isinstance(text, str) and text:
            self._extras["reasoning_content"] = self._extras.get("reasoning_content", "") + text
        if isinstance(details, list) and details:
            self._extras["reasoning_details"] = [
                *self._extras.get("reasoning_details", []),
                *details,
            ]
        extra = delta.get("extra_content")
        if isinstance(extra, dict) and extra:
            self._extras["extra_content"] = {**self._extras.get("extra_content", {}), **extra}

    def _count(self, usage: object) -> None:
        if not isinstance(usage, dict):
            return
        sent, received = usage.get("prompt_tokens"), usage.get("completion_tokens")
        self._prompt_tokens = sent if isinstance(sent, int) else self._prompt_tokens
        self._completion_tokens = received if isinstance(received, int) else self._completion_tokens


def _is_object(value: object) -> bool:
    return isinstance(value, dict)


def _reasoning(delta: Mapping[str, Any]) -> str:
    """The first of the fields that is not empty: some servers fill two with the same."""
    for name in _REASONING_FIELDS:
        text = delta.get(name)
        if isinstance(text, str) and text:
            return text
    return ""


def _parts(content: object) -> tuple[str, str]:
    """Reasoning and text of a `content`, which some servers send as a list of parts."""
    if isinstance(content, str):
        return "", content
    thought = text = ""
    for part in content if isinstance(content, list) else []:
        if not isinstance(part, dict):
            continue
        thinking = part.get("thinking")
        thought += thinking if isinstance(thinking, str) else _parts(thinking)[1]
        said = part.get("text")
        text += said if isinstance(said, str) else ""
    return thought, text
