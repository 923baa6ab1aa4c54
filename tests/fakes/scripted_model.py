"""A language model that says what it is told to, turn by turn, and keeps what it was asked."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from app.llm.chat_model import (
    Message,
    ModelCapabilities,
    ModelEvent,
    ModelFinished,
    TextDelta,
    ToolCall,
    ToolChoice,
    ToolDefinition,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


@dataclass(frozen=True)
class Asked:
    """One request as it was received."""

    messages: tuple[Message, ...]
    tools: tuple[str, ...]
    tool_choice: ToolChoice


@dataclass
class ScriptedModel:
    """A `ChatModel`; each request takes the next enqueued turn.

    Attributes:
        asked: every request, in order.
        is_aborted: `abort` was called; the running stream ends.
    """

    provider: str = "scripted"
    model: str = "script"
    capabilities: ModelCapabilities = field(default_factory=ModelCapabilities)
    asked: list[Asked] = field(default_factory=list)
    is_aborted: bool = False
    _turns: list[Any] = field(default_factory=list)

    def say(self, text: str, *, chunks: int = 0, reason: str = "stop") -> ScriptedModel:
        """Enqueues a turn of text, whole or in chunks of that many characters."""
        size = chunks or max(1, len(text))
        pieces = [text[at : at + size] for at in range(0, len(text), size)]
        return self.turn([*(TextDelta(piece) for piece in pieces), ModelFinished(reason)])

    def call(self, name: str, /, text: str = "", **arguments: Any) -> ScriptedModel:
        """Enqueues a turn that calls one tool, after some text."""
        said = [TextDelta(text)] if text else []
        call = ToolCall(f"call{len(self._turns)}", name, arguments, str(arguments))
        return self.turn([*said, call, ModelFinished("tool_calls")])

    def turn(self, events: Any) -> ScriptedModel:
        """Enqueues a turn: events, an exception among them to fail there, or what makes them."""
        self._turns.append(events)
        return self

    def stream(
        self,
        messages: Sequence[Message],
        *,
        tools: Sequence[ToolDefinition] = (),
        tool_choice: ToolChoice = "auto",
    ) -> Iterator[ModelEvent]:
        """Plays the next turn; a turn that was never enqueued is an error of the test."""
        self.is_aborted = False
        self.asked.append(Asked(tuple(messages), tuple(tool.name for tool in tools), tool_choice))
        if not self._turns:
            raise AssertionError("the script has no further turn")
        events = self._turns.pop(0)
        for event in events(messages) if callable(events) else events:
            if self.is_aborted:
                return
            if isinstance(event, Exception):
                raise event
            yield event

    def abort(self) -> None:
        """Ends the running stream."""
        self.is_aborted = True
