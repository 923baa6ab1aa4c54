"""The loop that answers a question: search, ask, run tools, check.

The program guarantees the search: a model that answers without one has its draft withheld, the
program searches with the reader's words and asks again. A model that was given passages and cites
none is asked once more; then the built-in model answers from the same passages. What was found is
never turned into a "not found", and what was not found is never made up.

Facts decide the lane; the words of a not-found are the program's own. Knows neither screen nor
server.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from app.answering.coverage import coverage
from app.answering.dialogue import Dialogue
from app.answering.lanes import Talk, read_talk
from app.answering.own_sentences import (
    language_name,
    language_of,
    primary_language,
    sentence,
)
from app.answering.page_references import named_pages
from app.answering.prompts import prompt
from app.answering.quote_check import check_quotes
from app.answering.toolbox import Toolbox
from app.answering.tools.passage_text import passages_text
from app.answering.tools.tool import Evidence
from app.answering.turn import Turn
from app.domain.conversation import AnswerState, Citation, Lane
from app.domain.errors import (
    ModelError,
    PageLabelUnknown,
)
from app.domain.position import neutralise_tags
from app.domain.provider import BUILT_IN

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

    from app.answering.book_access import BookAccess, PassageFinder
    from app.domain.conversation import Answer, AnswerEvent, Question
    from app.domain.evidence import Ledger
    from app.domain.passage import Passage
    from app.llm.chat_model import ChatModel

MOST_NEAREST = 3
_MOST_PAGE_PASSAGES = 12
_FALLBACK_TOKENS = 8_000

_log = logging.getLogger(__name__)


class Answerer:
    """Answers questions about one book, one at a time.

    Args:
        book: the book.
        search: its search.
        model_for: makes the model that answers, given the turn's ledger.
        quoting_for: makes the built-in model, given the turn's ledger.
    """

    def __init__(
        self,
        book: BookAccess,
        search: PassageFinder,
        model_for: Callable[[Ledger], ChatModel],
        quoting_for: Callable[[Ledger], ChatModel],
    ) -> None:
        self._book = book
        self._search = search
        self._model_for = model_for
        self._quoting_for = quoting_for
        self._turn: Turn | None = None

    def partial(self) -> Answer:
        """The answer as far as it came, marked as stopped: what was shown, with its citations.

        For whoever closes the generator of `answer`, which then returns nothing.

        Raises:
            ValueError: nothing was asked.
        """
        if self._turn is None:
            raise ValueError("nothing was asked")
        self._turn.state = AnswerState.STOPPED
        return self._checked(self._turn)

    def answer(self, question: Question) -> Generator[AnswerEvent, None, Answer]:
        """Answers a question; closing the generator stops, and `partial` gives what there is.

        Args:
            question: what is asked, and of which part of the book.

        Yields:
            Searches, confirmed text and citations.

        Returns:
            The answer. A server that fails after a citation was shown leaves an answer marked as
            cut; a model that was aborted leaves one marked as stopped.

        Raises:
            ModelError: the model cannot be used, and nothing was shown.
        """
        turn = Turn(Evidence(question, self._book, self._search))
        self._turn = turn
        model = self._model_for(turn.evidence.ledger)
        turn.name_model(model)
        talk = read_talk(question.text)
        if talk is not None:
            yield from self._talk(turn, model, talk)
        else:
            yield from self._ground(turn, model)
        return self._checked(turn)

    # About the book

    def _ground(self, turn: Turn, model: ChatModel) -> Generator[AnswerEvent]:
        dialogue = Dialogue(turn, model, self._notes(turn))
        try:
            yield from dialogue.hold()
        except ModelError as error:
            if not turn.is_sourced:
                raise
            _log.warning("the model failed after it had answered: %r", error)
            turn.state = AnswerState.CUT
        if turn.is_sourced or dialogue.is_aborted:
            return
        if not dialogue.last_words and turn.state is AnswerState.COMPLETE:
            turn.state = _silence(model)
        if model.provider != BUILT_IN and turn.evidence.ledger.issued():
            yield from self._quote_instead(turn)
            turn.unsourced = dialogue.last_words
        if not turn.is_sourced:
            yield from self._not_found(turn)

    def _quote_instead(self, turn: Turn) -> Generator[AnswerEvent]:
        """Lets the built-in model answer from the passages that were issued."""
        model = self._quoting_for(turn.evidence.ledger)
        dialogue = Dialogue(turn, model, "")
        state = turn.state
        yield from dialogue.answer_from_evidence()
        if turn.is_sourced:
            turn.name_model(model)
        turn.state = state

    def _not_found(self, turn: Turn) -> Generator[AnswerEvent]:
        """Says in the program's own words that nothing was found, and where it is nearest."""
        turn.lane = Lane.NOT_FOUND
        evidence = turn.evidence
        question = evidence.question
        if not evidence.searches:
            yield from Toolbox(evidence).search(question.text, _FALLBACK_TOKENS)
        asked = language_of(question.text)
        book = primary_language(self._book.book.metadata.language)
        scope = question.scope.label
        key = "not_found_scope" if question.scope.spans is not None else "not_found"
        said = [sentence(key, asked or book, **({"scope": scope} if "scope" in key else {}))]
        said += self._page_sentences(question, asked or book)
        if asked and book and asked != book:
            said.append(
                sentence("languages", asked, asked=language_name(asked), book=language_name(book))
            )
        turn.nearest = self._nearest(turn)
        yield turn.show(" ".join(said))

    def _nearest(self, turn: Turn) -> tuple[Citation, ...]:
        """The best hits that could be evidence: never support, and numbered apart.

        A place that shares nothing but common words with the question is near nothing.
        """
        best: dict[Passage, None] = {}
        for hits in turn.evidence.hits:
            near = [hit for hit in hits if hit.passage.voice.is_evidence and hit.is_telling]
            best |= dict.fromkeys(hit.passage for hit in near[:MOST_NEAREST])
        return tuple(
            Citation(
                number=number,
                span=passage.span,
                text=self._book.document_text(passage.span.file_index).readable_span(passage.span),
                contents_path=self._book.contents_path(passage.span),
                voice=passage.voice,
                page_label=self._book.page_label(passage.span),
            )
            for number, passage in enumerate(list(best)[:MOST_NEAREST], start=1)
        )

    def _page_sentences(self, question: Question, language: str) -> list[str]:
        """What is to be said of pages that the question names and the edition does not have."""
        said = []
        for label in named_pages(question.text):
            try:
                self._book.printed_page(label)
            except PageLabelUnknown as error:
                key = "page_unknown" if error.has_labels else "no_pages"
                said.append(sentence(key, language, label=label))
        return said

    def _notes(self, turn: Turn) -> str:
        """What the model is told of printed pages that the question names, with their text."""
        notes: list[str] = []
        evidence = turn.evidence
        for label in named_pages(evidence.question.text):
            try:
                spans = self._book.printed_page(label)
            except PageLabelUnknown as error:
                missing = f"page {label}" if error.has_labels else "printed page numbers"
                notes.append(f"This edition has no {missing}; say so if it matters.")
                continue
            passages = [
                passage
                for span in spans
                for passage in self._book.passages_in(span)
                if evidence.question.scope.admits(passage.span)
            ][:_MOST_PAGE_PASSAGES]
            if passages:
                notes.append(
                    f"Printed page {label} of this edition begins so:\n"
                    f"{passages_text(passages, evidence)}"
                )
        return "\n\n".join(notes)

    # Not about the book

    def _talk(self, turn: Turn, model: ChatModel, talk: Talk) -> Generator[AnswerEvent]:
        """Answers what is not about the book: plainly, citing nothing."""
        turn.lane = Lane.NOT_ABOUT_BOOK
        text = turn.evidence.question.text
        language = language_of(text) or primary_language(self._book.book.metadata.language)
        if model.provider == BUILT_IN:
            key = {Talk.GREETING: "greeting", Talk.THANKS: "thanks"}.get(talk, "only_quotes")
            turn.state = AnswerState.COMPLETE
            yield turn.show(sentence(key, language))
            return
        title = neutralise_tags(self._book.book.metadata.title)
        dialogue = Dialogue(turn, model, "")
        yield from dialogue.talk(prompt("not_about_book", title=title))

    def _checked(self, turn: Turn) -> Answer:
        """The answer with its quotes checked and its sentences counted."""
        if turn.is_sourced:
            turn.coverage = coverage(turn.markdown)
            turn.quotes = check_quotes(
                turn.markdown, self._book, self._search, turn.evidence.question.scope
            )
        return turn.answer()


def _silence(model: ChatModel) -> AnswerState:
    """What it means that a model said nothing: for the built-in one, that nothing fits."""
    return AnswerState.COMPLETE if model.provider == BUILT_IN else AnswerState.EMPTY
