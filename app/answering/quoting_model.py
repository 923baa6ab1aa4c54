"""The built-in model: answers only by quoting the book, with no network, key or download.

A `ChatModel` like any other: it calls a tool, reads what the ledger issued and answers with the
sentences that fit best, verbatim, each with its tag. Where the passages do not speak of what is
asked it says nothing at all, and the program tells what was searched. It cannot invent: every word
of its answers but the quotation marks stands in the book.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from app.answering.overview_question import asks_for_overview
from app.answering.sentence_choice import SentenceChoice
from app.domain.provider import BUILT_IN
from app.llm.chat_model import (
    AssistantMessage,
    ModelCapabilities,
    ModelFinished,
    TextDelta,
    ToolCall,
    ToolResult,
    UserMessage,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from app.answering.search_ladder import SearchLadder
    from app.answering.sentence_choice import ChosenSentence, DocumentTexts
    from app.domain.evidence import Ledger
    from app.llm.chat_model import Message, ModelEvent, ToolChoice, ToolDefinition

RELATED = "get_related_segment_summaries"
FULL_BOOK = "get_full_book_segment_summaries"

MODEL_NAME = "quoting"
OVERVIEW_QUOTES = 6

_MARKS = {
    "en": "“”‘’", "de": "„“‚‘", "fr": "«»“”", "es": "«»“”", "it": "«»“”", "pt": "“”‘’",
    "nl": "“”‘’", "sv": "””’’", "da": "»«›‹", "nb": "«»“”", "no": "«»“”", "nn": "«»“”",
    "pl": "„”«»", "cs": "„“‚‘", "ru": "«»„“", "uk": "«»„“", "el": "«»“”", "tr": "“”‘’",
    "he": "””’’", "ar": "«»“”", "fa": "«»“”", "ja": "「」『』", "zh": "“”‘’", "ko": "“”‘’",
}  # fmt: skip
"""Opening and closing marks by language, and those for a sentence that holds the first itself.
Source: CLDR delimiters."""

_MARKDOWN = re.compile(r"[\\`*_\[\]<>]")


class QuotingModel:
    """Answers one turn by quoting what its ledger issued."""

    def __init__(self, ledger: Ledger, texts: DocumentTexts, ladder: SearchLadder) -> None:
        """Keeps the turn's ledger and where to read.

        Args:
            ledger: of the turn; sentences within issued passages are entered in it.
            texts: the book's documents.
            ladder: the book's search, for the weight of words.
        """
        self._ledger = ledger
        self._book_words = ladder.book_words
        self._choice = SentenceChoice(texts, ladder.index, ladder.book_words)
        self._is_aborted = False

    @property
    def provider(self) -> str:
        """The built-in provider."""
        return BUILT_IN

    @property
    def model(self) -> str:
        """The name under which answers are kept."""
        return MODEL_NAME

    @property
    def capabilities(self) -> ModelCapabilities:
        """Calls tools whenever they are offered; nothing leaves this computer."""
        return ModelCapabilities(is_on_this_computer=True)

    def stream(
        self,
        messages: Sequence[Message],
        *,
        tools: Sequence[ToolDefinition] = (),
        tool_choice: ToolChoice = "auto",
    ) -> Iterator[ModelEvent]:
        """Calls a tool if one is offered and none has answered yet, else quotes.

        Args:
            messages: the last `UserMessage` is the question.
            tools: `RELATED` and `FULL_BOOK`, or none.
            tool_choice: "none" keeps it from calling.

        Yields:
            One tool call, or one text for each quotation; none where the passages do not speak of
            what is asked. Then the end.
        """
        self._is_aborted = False
        question = next(
            (one.text for one in reversed(messages) if isinstance(one, UserMessage)), ""
        )
        is_overview = asks_for_overview(question)
        call = _call(
            question, messages, tools if tool_choice != "none" else (), is_overview=is_overview
        )
        if call is not None:
            yield call
            yield ModelFinished("tool_calls")
            return
        issued = self._ledger.issued()
        chosen = (
            self._choice.outline(issued, OVERVIEW_QUOTES)
            if is_overview and _was_called(messages, FULL_BOOK)
            else self._choice.choose(question, issued)
        )
        separator = ""
        for sentence in chosen:
            if self._is_aborted:
                return
            yield TextDelta(separator + self._quotation(sentence))
            separator = "\n\n"
        if not self._is_aborted:
            yield ModelFinished("stop")

    def abort(self) -> None:
        """Ends the running stream before its next quotation."""
        self._is_aborted = True

    def _quotation(self, sentence: ChosenSentence) -> str:
        """A sentence in quotation marks, as Markdown, with its tag."""
        issued = self._ledger.issue_within(sentence.span, sentence.text)
        text = " ".join(issued.text.split())
        language = re.split("[-_]", self._book_words.language.lower(), maxsplit=1)[0]
        marks = _MARKS.get(language, _MARKS["en"])
        first, last = marks[0], marks[1]
        if first in text or last in text:
            first, last = marks[2], marks[3]
        return f"{first}{_MARKDOWN.sub(_escaped, text)}{last} {issued.span.tag}"


def _escaped(found: re.Match[str]) -> str:
    return f"\\{found[0]}"


def _call(
    question: str,
    messages: Sequence[Message],
    tools: Sequence[ToolDefinition],
    *,
    is_overview: bool,
) -> ToolCall | None:
    """The call to make next, or None if it is time to answer."""
    offered = {tool.name for tool in tools}
    wanted = FULL_BOOK if is_overview and FULL_BOOK in offered else RELATED
    if wanted not in offered or any(_was_called(messages, name) for name in (RELATED, FULL_BOOK)):
        return None
    arguments = {} if wanted == FULL_BOOK else {"question": question}
    return ToolCall("quoting-1", wanted, arguments)


def _was_called(messages: Sequence[Message], name: str) -> bool:
    """Whether a tool has answered since the question was put."""
    for message in reversed(messages):
        if isinstance(message, UserMessage):
            return False
        if isinstance(message, ToolResult) and message.name == name:
            return True
        if isinstance(message, AssistantMessage) and not message.tool_calls:
            return False
    return False
