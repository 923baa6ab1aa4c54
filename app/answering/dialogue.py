"""The messages of one turn with one model: rounds, tools, the search that cannot be skipped.

It passes on what the gate lets through and says how the model ended; what becomes of a turn without
citations is for `answerer` to decide.
"""

from __future__ import annotations

import logging
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from app.answering.context_budget import check_room, estimated_tokens, prompt_tokens, room_left
from app.answering.own_sentences import language_name, primary_language
from app.answering.prompts import prompt
from app.answering.toolbox import Toolbox
from app.answering.turn import Draft, Turn
from app.domain.conversation import AnswerState
from app.domain.errors import ToolsUnsupported, TooManyRounds
from app.domain.position import neutralise_tags
from app.domain.provider import BUILT_IN
from app.llm.chat_model import (
    AssistantMessage,
    ModelFinished,
    SystemMessage,
    TextDelta,
    ToolCall,
    ToolResult,
    UserMessage,
)

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator, Sequence

    from app.answering.tools.tool import Evidence
    from app.domain.conversation import AnswerEvent, Searching
    from app.llm.chat_model import ChatModel, Message, ModelEvent, ToolChoice, ToolDefinition

MOST_ROUNDS = 8
_SLACK_TOKENS = 300
_STATES = {"length": AnswerState.CUT, "refused": AnswerState.REFUSED}

_log = logging.getLogger(__name__)


@dataclass(slots=True)
class _Reply:
    """What one request to a model brought."""

    draft: Draft
    calls: list[ToolCall] = field(default_factory=list)
    finished: ModelFinished | None = None  # None: it was aborted


class Dialogue:
    """The messages of one turn with one model."""

    def __init__(self, turn: Turn, model: ChatModel, notes: str) -> None:
        self._turn = turn
        self._model = model
        self._toolbox = Toolbox(turn.evidence)
        self._can_call = model.capabilities.calls_tools
        self._is_asked_again = False
        self._messages: list[Message] = [
            SystemMessage(_rules(turn.evidence, notes)),
            UserMessage(turn.evidence.question.text),
        ]
        self.last_words = ""
        self.is_aborted = False

    def hold(self) -> Generator[AnswerEvent]:
        """Goes on until the model has answered from passages, or has nothing more to say.

        Yields:
            The events of the answer.

        Raises:
            ModelError: the server failed, or the prompt does not fit.
            ToolsUnsupported: the server says so of a request without tools.
            TooManyRounds: the model went on calling tools.
        """
        for number in range(MOST_ROUNDS):
            if not self._can_call and not self._turn.evidence.is_searched:
                yield from self._hand_over()
            is_searched = self._turn.evidence.is_searched
            tools = self._toolbox.definitions if self._can_call else ()
            try:
                reply = yield from self._ask(
                    tools,
                    self._choice(is_last=number == MOST_ROUNDS - 1),
                    is_withheld=not is_searched,
                )
            except ToolsUnsupported:
                if not self._can_call:
                    raise
                self._can_call = False
                continue
            if reply.finished is None:
                return
            if reply.calls:
                yield from self._run_calls(reply)
            elif not is_searched:
                yield from self._hand_over()
            elif not self._wants_again(reply):
                return
        raise TooManyRounds(MOST_ROUNDS)

    def answer_from_evidence(self) -> Generator[AnswerEvent]:
        """Asks for an answer from what was issued, as if the model had searched for it itself."""
        question = self._turn.evidence.question.text
        call = ToolCall("program01", self._toolbox.definitions[0].name, {"question": question})
        lines = [f"{one.span.tag} {one.text}" for one in self._turn.evidence.ledger.issued()]
        self._messages += [
            AssistantMessage("", (call,)),
            ToolResult(call.call_id, call.name, "\n".join(lines)),
        ]
        yield from self._ask((), "none", is_withheld=False, is_checked=False)

    def talk(self, rules: str) -> Generator[AnswerEvent]:
        """One reply without tools and without citations, shown as it comes."""
        self._messages[0] = SystemMessage(rules)
        reply = yield from self._ask((), "none", is_withheld=False, is_plain=True)
        if reply.finished is not None and not reply.draft.text:
            self._turn.state = AnswerState.EMPTY

    def _choice(self, *, is_last: bool) -> ToolChoice:
        if is_last:
            return "none"
        must = not self._turn.evidence.is_searched
        return "required" if must and self._model.capabilities.honours_forced_call else "auto"

    def _ask(
        self,
        tools: Sequence[ToolDefinition],
        choice: ToolChoice,
        *,
        is_withheld: bool,
        is_plain: bool = False,
        is_checked: bool = True,
    ) -> Generator[AnswerEvent, None, _Reply]:
        """Sends the messages and passes on what may be shown.

        Args:
            tools: what the model may call.
            choice: whether it must.
            is_withheld: nothing of the reply is shown.
            is_plain: text is shown without waiting for a citation.
            is_checked: the prompt must fit the model's window.
        """
        if is_checked:
            check_room(self._messages, tools, self._model.capabilities.context_tokens)
        _log_request(self._messages)
        draft = Draft(self._turn, is_withheld=is_withheld, is_plain=is_plain)
        reply = _Reply(draft)
        said: list[str] = []
        stream = self._model.stream(self._messages, tools=tools, tool_choice=choice)
        try:
            with _ended(stream):
                for event in stream:
                    match event:
                        case TextDelta(text):
                            said.append(text)
                            yield from draft.feed(text)
                        case ToolCall():
                            reply.calls.append(event)
                        case ModelFinished():
                            reply.finished = event
                        case _:
                            pass
        finally:
            self._count(reply.finished, tools, "".join(said))
        yield from draft.finish()
        self.is_aborted = reply.finished is None
        if not is_withheld and draft.text:
            self.last_words = draft.text
        reason = reply.finished.reason if reply.finished else ""
        self._turn.state = (
            AnswerState.STOPPED
            if reply.finished is None
            else _STATES.get(reason, AnswerState.COMPLETE)
        )
        return reply

    def _count(
        self, finished: ModelFinished | None, tools: Sequence[ToolDefinition], said: str
    ) -> None:
        if self._model.provider == BUILT_IN:
            return
        sent = finished.prompt_tokens if finished else None
        received = finished.completion_tokens if finished else None
        self._turn.count(
            prompt_tokens(self._messages, tools) if sent is None else sent,
            estimated_tokens(said) if received is None else received,
        )

    def _run_calls(self, reply: _Reply) -> Generator[Searching]:
        extras = reply.finished.extras if reply.finished else {}
        self._messages.append(AssistantMessage(reply.draft.text, tuple(reply.calls), extras))
        for call in reply.calls:
            result = yield from self._toolbox.run(call, self._room())
            self._messages.append(result)

    def _hand_over(self) -> Generator[Searching]:
        """Searches with the reader's words and puts the passages beside the question."""
        question = self._turn.evidence.question.text
        rules = self._messages[0]
        _, result = yield from self._toolbox.search(question, self._room())
        text = prompt("passages_given", question=question, passages=result.text)
        self._messages = [rules, UserMessage(text)]

    def _wants_again(self, reply: _Reply) -> bool:
        """Asks once more where the model was given passages and cited none."""
        issued = self._turn.evidence.ledger.issued()
        if (
            self._turn.is_sourced
            or not issued
            or self._is_asked_again
            or self._model.provider == BUILT_IN
        ):
            return False
        self._is_asked_again = True
        if reply.draft.text:
            self._messages.append(AssistantMessage(reply.draft.text))
        again = prompt("cite_again")
        last = self._messages[-1]
        if isinstance(last, UserMessage):  # some servers refuse two in a row
            self._messages[-1] = UserMessage(f"{last.text}\n\n{again}")
        else:
            self._messages.append(UserMessage(again))
        return True

    def _room(self) -> int:
        """Tokens that one more result may take, with some left for asking once more."""
        tools = self._toolbox.definitions if self._can_call else ()
        left = room_left(self._messages, tools, self._model.capabilities.context_tokens)
        return left - _SLACK_TOKENS


def _rules(evidence: Evidence, notes: str) -> str:
    metadata = evidence.book.book.metadata
    language = primary_language(metadata.language)
    return prompt(
        "book_question",
        title=neutralise_tags(metadata.title),
        authors=neutralise_tags(", ".join(metadata.authors)) or "not given",
        language=f"{language_name(language)} ({metadata.language})" if language else "not given",
        scope=neutralise_tags(evidence.question.scope.label) or "the whole book",
        notes=notes,
    )


@contextmanager
def _ended(stream: Iterator[ModelEvent]) -> Iterator[None]:
    """Closes a stream at the end, also when the answer is stopped in the middle of it."""
    try:
        yield
    finally:
        close = getattr(stream, "close", None)
        if close is not None:
            close()


def _log_request(messages: Sequence[Message]) -> None:
    """What is sent, for whoever wants to see it; keys are no part of it."""
    if _log.isEnabledFor(logging.DEBUG):
        for message in messages:
            _log.debug("%s", message)
