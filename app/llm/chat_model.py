"""The interface to any language model: messages, tools, stream events.

One protocol, `ChatModel`, for servers and for the built-in quoting model alike. Nothing here
knows a book, a tag or a network package.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence


@dataclass(frozen=True, slots=True)
class SystemMessage:
    """The rules of the turn."""

    text: str


@dataclass(frozen=True, slots=True)
class UserMessage:
    """What the reader, or the program in the reader's name, says."""

    text: str


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call that the model made, complete; also a stream event.

    Attributes:
        call_id: never empty; made by the client where the server gave none.
        name: the tool's name.
        arguments: parsed arguments, or None where they were no JSON object.
        raw_arguments: as the server sent them.
    """

    call_id: str
    name: str
    arguments: Mapping[str, Any] | None
    raw_arguments: str = ""


@dataclass(frozen=True, slots=True)
class AssistantMessage:
    """What the model said earlier in this turn or conversation.

    Attributes:
        text: its text, may be "" beside calls.
        tool_calls: its calls.
        extras: opaque fields that the server wants back (reasoning, signatures).
    """

    text: str
    tool_calls: tuple[ToolCall, ...] = ()
    extras: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ToolResult:
    """The answer to one call."""

    call_id: str
    name: str
    text: str
    is_error: bool = False


Message = SystemMessage | UserMessage | AssistantMessage | ToolResult


@dataclass(frozen=True, slots=True)
class ToolDefinition:
    """A tool as the model is told of it; `parameters` is a JSON schema object."""

    name: str
    description: str
    parameters: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class TextDelta:
    """Event: a piece of answer text."""

    text: str


@dataclass(frozen=True, slots=True)
class ReasoningDelta:
    """Event: a piece of reasoning, never scanned and never shown as the answer."""

    text: str


@dataclass(frozen=True, slots=True)
class ModelFinished:
    """Event: the last one of every complete stream.

    Attributes:
        reason: "stop", "length", "tool_calls", "refused" or "".
        prompt_tokens: as counted by the server, or None.
        completion_tokens: as counted by the server, or None.
        extras: for `AssistantMessage.extras`.
    """

    reason: str
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    extras: Mapping[str, Any] = field(default_factory=dict)


ModelEvent = TextDelta | ReasoningDelta | ToolCall | ModelFinished
ToolChoice = Literal["auto", "required", "none"]


@dataclass(frozen=True, slots=True)
class ModelCapabilities:
    """What an endpoint and model can do.

    Attributes:
        calls_tools: accepts tools and calls them.
        honours_forced_call: `tool_choice="required"` is obeyed.
        context_tokens: window in tokens.
        is_on_this_computer: nothing leaves the machine.
    """

    calls_tools: bool = True
    honours_forced_call: bool = True
    context_tokens: int = 32_768
    is_on_this_computer: bool = False


class ChatModel(Protocol):
    """A language model that streams an answer and may call tools."""

    @property
    def provider(self) -> str:
        """The provider's name, for people and for the answer's record."""
        ...

    @property
    def model(self) -> str:
        """The model's name."""
        ...

    @property
    def capabilities(self) -> ModelCapabilities:
        """What this endpoint can do."""
        ...

    def stream(
        self,
        messages: Sequence[Message],
        *,
        tools: Sequence[ToolDefinition] = (),
        tool_choice: ToolChoice = "auto",
    ) -> Iterator[ModelEvent]:
        """Sends the messages and yields events as they come.

        Yields:
            Text, reasoning and complete tool calls, then one `ModelFinished`.

        Raises:
            ModelError: see `app.domain.errors`; after `abort` the iterator simply ends.
        """
        ...

    def abort(self) -> None:
        """Ends the running stream from any thread, within a second, also before the first token."""
        ...
