"""The two tools of a turn, run by name; what a model calls wrongly is told to it, never raised."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from app.answering.tools.full_book_summaries import FullBookSummaries
from app.answering.tools.related_segments import NAME as RELATED
from app.answering.tools.related_segments import RelatedSegments
from app.answering.tools.tool import Evidence, ToolArgumentsInvalid
from app.llm.chat_model import ToolCall, ToolDefinition, ToolResult

if TYPE_CHECKING:
    from collections.abc import Generator, Mapping

    from app.answering.tools.tool import Tool
    from app.domain.conversation import Searching

_log = logging.getLogger(__name__)


class Toolbox:
    """Runs the tools on one turn's evidence."""

    def __init__(self, evidence: Evidence) -> None:
        self._evidence = evidence
        tools: list[Tool] = [RelatedSegments(), FullBookSummaries()]
        self._tools = {tool.definition.name: tool for tool in tools}

    @property
    def definitions(self) -> tuple[ToolDefinition, ...]:
        """The tools as models are told of them."""
        return tuple(tool.definition for tool in self._tools.values())

    def run(self, call: ToolCall, budget_tokens: int) -> Generator[Searching, None, ToolResult]:
        """Runs one call.

        Args:
            call: as the model made it.
            budget_tokens: what the result may take.

        Yields:
            When searches begin and end.

        Returns:
            The result, or what was wrong with the call.
        """
        tool = self._tools.get(call.name)
        if tool is None:
            return _wrong(call, f"there is no tool {call.name!r}, only {', '.join(self._tools)}")
        if call.arguments is None:
            return _wrong(call, "the arguments are no JSON object")
        try:
            text = yield from tool.run(call.arguments, self._evidence, budget_tokens)
        except ToolArgumentsInvalid as error:
            return _wrong(call, str(error))
        _log.debug("tool %s %s returned:\n%s", call.name, dict(call.arguments), text)
        return ToolResult(call.call_id, call.name, text)

    def search(
        self, words: str, budget_tokens: int
    ) -> Generator[Searching, None, tuple[ToolCall, ToolResult]]:
        """Searches for the program itself, as a model's call would.

        Args:
            words: what to look for.
            budget_tokens: what the result may take.

        Yields:
            When searches begin and end.

        Returns:
            The call and its result.
        """
        arguments: Mapping[str, Any] = {"question": words}
        call = ToolCall("program01", RELATED, arguments, "")
        result = yield from self.run(call, budget_tokens)
        return call, result


def _wrong(call: ToolCall, reason: str) -> ToolResult:
    _log.debug("tool call %s refused: %s", call.name, reason)
    return ToolResult(call.call_id, call.name, f"Error: {reason}.", is_error=True)
