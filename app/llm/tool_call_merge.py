"""Puts streamed tool calls together, however a server sends them.

Deltas may come in fragments or whole, with or without index and id, with an index that is always 0,
with arguments as text or as an object. Known id first, then index, then "a new name is a new call".
Source: PROTOCOLS 4a and rule 2 of 4c; openai-python#2806, agno PR#8880, openai/codex#7517,
ollama#15457, lmdeploy#3412.
"""

from __future__ import annotations

import json
import re
import secrets
import string
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from app.llm.chat_model import ToolCall

if TYPE_CHECKING:
    from collections.abc import Mapping

_IN_TEXT = re.compile(
    r"<tool_call>\s*(\{.*?\})\s*(?:</tool_call>|\Z)"
    r"|\[TOOL_REQUEST\]\s*(\{.*?\})\s*\[END_TOOL_REQUEST\]",
    re.DOTALL,
)
_ID_LENGTH = 9
"""Mistral takes exactly nine of [A-Za-z0-9], and every other server takes those too."""
_KNOWN_FIELDS = frozenset({"index", "id", "type", "function", "name", "arguments"})


@dataclass(slots=True)
class _Part:
    """One call as far as it has come."""

    call_id: str = ""
    index: int | None = None
    name: str = ""
    arguments: str = ""
    extras: dict[str, Any] = field(default_factory=dict)

    @property
    def is_whole(self) -> bool:
        """Whether its arguments are complete, so that nothing more can belong to it."""
        return bool(self.arguments) and isinstance(_parsed(self.arguments), dict)


class ToolCallMerge:
    """The tool calls of one stream."""

    def __init__(self) -> None:
        self._parts: list[_Part] = []

    def add(self, delta: Mapping[str, Any]) -> None:
        """Takes one tool call delta."""
        function = delta.get("function")
        if not isinstance(function, dict):
            function = delta
        name = function.get("name") or ""
        arguments = function.get("arguments")
        call_id = delta.get("id") or ""
        index = delta.get("index")
        given = arguments if isinstance(arguments, str) else ""
        if isinstance(arguments, dict):
            given = json.dumps(arguments, ensure_ascii=False)
        part = self._part_for(str(call_id), index if isinstance(index, int) else None, str(name))
        part.call_id = part.call_id or str(call_id)
        part.name = part.name or str(name)
        if not (part.is_whole and given.strip()):  # some send the whole again at the end
            part.arguments += given
        part.extras |= {key: value for key, value in delta.items() if key not in _KNOWN_FIELDS}

    @property
    def are_complete(self) -> bool:
        """Whether there are calls, and the arguments of all are whole."""
        parts = [part for part in self._parts if part.name]
        return bool(parts) and all(part.is_whole for part in parts)

    def calls(self) -> tuple[ToolCall, ...]:
        """The calls, complete: ids made where they are missing or used twice."""
        made: list[ToolCall] = []
        used: set[str] = set()
        for part in self._parts:
            if not part.name:
                continue
            call_id = part.call_id
            if not call_id or call_id in used:
                call_id = part.call_id = _new_id()
            used.add(call_id)
            arguments = _parsed(part.arguments) if part.arguments.strip() else {}
            made.append(
                ToolCall(
                    call_id,
                    part.name,
                    arguments if isinstance(arguments, dict) else None,
                    part.arguments,
                )
            )
        return tuple(made)

    def extras(self) -> dict[str, dict[str, Any]]:
        """What servers want back with a call, such as a signature, by call id."""
        parts = [part for part in self._parts if part.name]
        return {
            call.call_id: part.extras
            for call, part in zip(self.calls(), parts, strict=True)
            if part.extras
        }

    def _part_for(self, call_id: str, index: int | None, name: str) -> _Part:
        """The call that a delta belongs to, or a new one."""
        for part in reversed(self._parts):
            if call_id and part.call_id == call_id:
                return self._new(index) if name and part.is_whole else part
        last = next(
            (part for part in reversed(self._parts) if index is None or part.index == index), None
        )
        if last is None:
            return self._new(index)
        # Without a name it is a fragment: some servers give every fragment an id of its own.
        is_other = bool(call_id and last.call_id and (name or last.is_whole))
        is_next = bool(name and last.name and (last.is_whole or name != last.name))
        return self._new(index) if is_other or is_next else last

    def _new(self, index: int | None) -> _Part:
        part = _Part(index=index)
        self._parts.append(part)
        return part


def calls_in_text(text: str) -> tuple[ToolCall, ...]:
    """The calls that a server failed to recognise and left in the text, as LM Studio does."""
    merge = ToolCallMerge()
    for found in _IN_TEXT.finditer(text):
        written = _parsed(found[1] or found[2])
        if isinstance(written, dict) and isinstance(written.get("name"), str):
            arguments = written.get("arguments", written.get("parameters")) or {}
            merge.add({"id": _new_id(), "name": written["name"], "arguments": arguments})
    return merge.calls()


def _new_id() -> str:
    return "".join(secrets.choice(string.ascii_letters + string.digits) for _ in range(_ID_LENGTH))


def _parsed(arguments: str) -> Any:  # noqa: ANN401 - any JSON value
    """The JSON value of arguments, also where they were encoded twice; None where they are none."""
    try:
        value = json.loads(arguments, strict=False)
        return json.loads(value) if isinstance(value, str) else value
    except (ValueError, RecursionError):
        return None
