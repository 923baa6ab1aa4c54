"""Asks the open book and shows the answers: the only part of the chat that reaches the core."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QObject, Signal

from app.domain.conversation import Answer, Citation, Question
from app.domain.errors import ReaderError
from app.domain.position import Locator
from app.domain.scope import WHOLE_BOOK, Scope
from app.jobs import LaneName
from app.ui.chat.chooser import Choice
from app.ui.chat.place_strip import PlaceMark
from app.ui.chat.sentences import place_words, provider_advice, provider_words, tr
from app.ui.chat.source_card import SourceCardContent
from app.ui.chat.suggestions import suggested_titles
from app.ui.notices import NoticeAction, describe

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

    from app.domain.book import Book, ContentsEntry
    from app.domain.conversation import AnswerEvent
    from app.domain.position import Span
    from app.domain.provider import ProviderInfo
    from app.ui.chat.chat_panel import ChatPanel
    from app.ui.chat.turn_view import TurnView
    from app.ui.jobs import Job, JobRunner

_TURNS_AT_ONCE = 8
"""Saved turns shown at once: each takes about 7 ms to lay out."""
_BOOK, _CHAPTER, _READ, _SELECTION, _CONNECT = "book", "chapter", "read", "selection", "+"


class SourceContext(Protocol):
    """A cited text between its neighbours."""

    @property
    def before(self) -> str:
        """Readable text before the span."""
        ...

    @property
    def text(self) -> str:
        """Readable text of the span."""
        ...

    @property
    def after(self) -> str:
        """Readable text after the span."""
        ...


class AskedBook(Protocol):
    """A book that can be asked; `app.assembly.OpenBook` is one."""

    def ask(
        self, question: Question, provider: str | None = None
    ) -> Generator[AnswerEvent, None, Answer]:
        """Answers a question in steps and keeps the turn."""
        ...

    @property
    def book(self) -> Book:
        """Which book."""
        ...

    @property
    def contents(self) -> tuple[ContentsEntry, ...]:
        """The table of contents, depth first."""
        ...

    def stop_asking(self) -> None:
        """Ends a wait on a model server, from any thread."""
        ...

    def turns(self) -> tuple[Answer, ...]:
        """The saved conversation, oldest first."""
        ...

    def source(self, span: Span) -> SourceContext:
        """The text of a span between its neighbours."""
        ...

    def progress_percent(self, place: Locator) -> float:
        """How far into the book a place is, 0 to 100."""
        ...

    def scope(self, words: str) -> Scope:
        """The part of the book that words of the command line's `--scope` name."""
        ...


class ChatController(QObject):
    """Joins the chat panel to the open book.

    Args:
        panel: the widgets.
        jobs: where questions run.
        providers: who can answer now, the default first.
        parent: the window.

    Signals:
        place_chosen: the `Span` to show in the book, highlighted.
        settings_wanted: the person wants to connect a model.
        provider_changed: name of the provider that the person chose.
        busy_changed: whether an answer is being made.
    """

    place_chosen = Signal(object)
    settings_wanted = Signal()
    provider_changed = Signal(str)
    busy_changed = Signal(bool)

    def __init__(
        self,
        panel: ChatPanel,
        jobs: JobRunner,
        providers: Callable[[], tuple[ProviderInfo, ...]],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._panel = panel
        self._jobs = jobs
        self._providers = providers
        self._provider = self._default = ""
        self._book: AskedBook | None = None
        self._is_ready = False
        self._job: Job | None = None
        self._waiting: tuple[TurnView, Question] | None = None
        self._scope_key = _BOOK
        self._earlier: list[Answer] = []
        self._chapter: tuple[str, Callable[[], Scope]] | None = None
        self._selection: Span | None = None
        panel.question_asked.connect(self.ask)
        panel.stop_asked.connect(self.stop)
        panel.scope_chosen.connect(self._on_scope_chosen)
        panel.provider_chosen.connect(self._on_provider_chosen)
        panel.earlier_asked.connect(self.show_earlier)
        self.refresh_providers()
        self._show_scopes()

    @property
    def is_busy(self) -> bool:
        """Whether an answer is being made."""
        return self._job is not None or self._waiting is not None

    @property
    def has_selection(self) -> bool:
        """Whether something is selected that could be asked about."""
        return self._selection is not None

    # The book

    def open_book(self, book: AskedBook, turns: tuple[Answer, ...], *, is_ready: bool) -> None:
        """Shows the conversation about a book.

        Args:
            book: which one.
            turns: the saved conversation.
            is_ready: questions can be answered; before that they wait for `set_ready`.
        """
        self.close_book()
        self._book = book
        self._is_ready = is_ready
        self._panel.set_suggestions(_suggestions(book))
        self._earlier = list(turns[:-_TURNS_AT_ONCE])
        for answer in turns[-_TURNS_AT_ONCE:]:
            self._show_saved(answer)
        self._panel.show_earlier_count(len(self._earlier))

    def show_earlier(self) -> None:
        """Shows some more of the saved conversation above what is shown."""
        more = self._earlier[-_TURNS_AT_ONCE:]
        del self._earlier[-_TURNS_AT_ONCE:]
        for answer in reversed(more):
            self._show_saved(answer, is_earlier=True)
        self._panel.show_earlier_count(len(self._earlier))

    def _show_saved(self, answer: Answer, *, is_earlier: bool = False) -> None:
        turn = self._add_turn(answer.question, is_earlier=is_earlier)
        turn.show_answer(answer, self._marks(answer))

    def close_book(self) -> None:
        """Stops what runs and empties the panel."""
        self.stop()
        self._forget_job()
        self._book = None
        self._is_ready = False
        self._earlier.clear()
        self._selection = None
        self._chapter = None
        self._scope_key = _BOOK
        self._panel.clear()
        self._show_scopes()

    def set_ready(self) -> None:
        """The book can be asked now; a question that waited is asked."""
        self._is_ready = True
        if self._waiting is not None:
            turn, question = self._waiting
            self._waiting = None
            self._start(turn, question)

    def set_chapter(self, title: str, scope: Callable[[], Scope]) -> None:
        """The chapter that the reader is in, and how to get its scope."""
        self._chapter = (title, scope) if title else None
        self._show_scopes()

    def set_selection(self, span: Span | None) -> None:
        """What is selected in the reader, as a scope to ask about."""
        if span == self._selection:
            return
        self._selection = span
        if span is None and self._scope_key == _SELECTION:
            self._scope_key = _BOOK
        self._show_scopes()

    def refresh_providers(self) -> None:
        """Reads anew who can answer; a new default is chosen at once."""
        providers = self._providers()
        names = [provider.name for provider in providers]
        if names[0] != self._default or self._provider not in names:
            self._default = self._provider = names[0]
        self._show_providers()

    # Asking

    def choose_scope(self, key: str) -> None:
        """Chooses "book", "chapter", "read" or "selection" for the next question."""
        self._on_scope_chosen(key)

    def ask(self, text: str) -> None:
        """Asks the open book."""
        if self._book is None or self.is_busy:
            return
        try:
            question = Question(text, self._scope())
        except ReaderError as error:
            self._add_turn(Question(text)).show_failed(describe(error))
            return
        self._put(question)

    def stop(self) -> None:
        """Ends the answer that is being made; what was said is kept."""
        if self._waiting is not None:
            turn, _ = self._waiting
            self._waiting = None
            turn.show_stopped()
            self._show_busy()
        if self._job is not None:
            self._job.stop()

    def copy_last_answer(self) -> None:
        """Puts the last answer with its sources on the clipboard."""
        if self._panel.turns:
            self._panel.turns[-1].copy_answer()

    def _put(self, question: Question) -> None:
        turn = self._add_turn(question)
        if self._is_ready:
            self._start(turn, question)
        else:
            self._waiting = (turn, question)
            turn.show_waiting(tr("This is answered as soon as the book is read in."))
            self._show_busy()

    def _start(self, turn: TurnView, question: Question) -> None:
        book = self._book
        if book is None:
            return
        turn.show_waiting(tr("Searching the book…"))
        job = self._jobs.start(
            book.ask(question, self._provider), lane=LaneName.NETWORK, abort=book.stop_asking
        )
        self._job = job
        job.happened.connect(turn.receive)
        job.finished.connect(lambda answer: self._on_answered(turn, answer))
        job.stopped.connect(lambda answer: self._on_stopped(turn, answer))
        job.failed.connect(lambda error: turn.show_failed(describe(error)))
        job.broken.connect(turn.show_stopped)
        job.ended.connect(lambda: self._on_ended(job))
        self._show_busy()

    def _on_answered(self, turn: TurnView, answer: Answer) -> None:
        turn.show_answer(answer, self._marks(answer))

    def _on_stopped(self, turn: TurnView, answer: Answer | None) -> None:
        if answer is not None:
            self._on_answered(turn, answer)
        else:
            turn.show_stopped()

    def _on_ended(self, job: Job) -> None:
        if job is self._job:
            self._job = None
            self._show_busy()

    def _forget_job(self) -> None:
        """Lets a stopped job end by itself: its turn is gone."""
        if self._job is not None:
            self._job.blockSignals(True)
            self._job = None
        self._show_busy()

    def _show_busy(self) -> None:
        self._panel.question_box.set_busy(self.is_busy)
        self.busy_changed.emit(self.is_busy)

    # Turns

    def _add_turn(self, question: Question, *, is_earlier: bool = False) -> TurnView:
        turn = self._panel.add_turn(question, is_earlier=is_earlier)
        turn.source_wanted.connect(lambda index: self._open_card(turn, index))
        turn.show_in_book.connect(lambda citation: self.place_chosen.emit(citation.span))
        turn.notice_action_chosen.connect(lambda action: self._on_notice(turn, action))
        return turn

    def _open_card(self, turn: TurnView, mention_index: int) -> None:
        if self._book is None:
            return
        citation = turn.body.citation_of(mention_index)
        try:
            found = self._book.source(citation.span)
        except ReaderError as error:
            turn.show_notice(describe(error))
            return
        turn.body.open_card(
            mention_index,
            SourceCardContent(citation, found.before, found.text, found.after),
        )

    def _on_notice(self, turn: TurnView, action: NoticeAction) -> None:
        if action is NoticeAction.OPEN_SETTINGS:
            self.settings_wanted.emit()
        elif action is NoticeAction.TRY_AGAIN and not self.is_busy:
            self._put(turn.question)

    def _marks(self, answer: Answer) -> tuple[PlaceMark, ...]:
        return tuple(self._mark(citation) for citation in answer.citations)

    def _mark(self, citation: Citation) -> PlaceMark:
        place = Locator(citation.span.file_index, citation.span.start)
        percent = self._book.progress_percent(place) if self._book is not None else 0.0
        return PlaceMark(citation, percent, place_words(citation))

    # What is asked, and of whom

    def _scope(self) -> Scope:
        if self._book is None or self._scope_key == _BOOK:
            return WHOLE_BOOK
        if self._scope_key == _CHAPTER and self._chapter is not None:
            return self._chapter[1]()
        if self._scope_key == _SELECTION and self._selection is not None:
            return self._book.scope(self._selection.tag)
        return self._book.scope(_READ) if self._scope_key == _READ else WHOLE_BOOK

    def _show_scopes(self) -> None:
        choices = [Choice(_BOOK, tr("Whole book"))]
        if self._chapter is not None:
            title = re.sub(r"\s+", " ", self._chapter[0])
            choices.append(Choice(_CHAPTER, tr("This chapter: {title}").format(title=title)))
        choices.append(
            Choice(_READ, tr("What I have read"), tr("Nothing after your place is looked at."))
        )
        if self._selection is not None:
            choices.append(Choice(_SELECTION, tr("The selection")))
        if self._scope_key not in {choice.key for choice in choices}:
            self._scope_key = _BOOK
        self._panel.scope_chooser.set_choices(tuple(choices), self._scope_key)

    def _show_providers(self) -> None:
        providers = self._providers()
        choices = [
            Choice(provider.name, provider_words(provider), provider_advice(provider))
            for provider in providers
        ]
        choices.append(Choice(_CONNECT, tr("Connect a model…"), is_command=True))
        self._panel.provider_chooser.set_choices(tuple(choices), self._provider)
        for provider in providers:
            if provider.name == self._provider:
                self._panel.set_advice(provider_advice(provider))

    def _on_scope_chosen(self, key: str) -> None:
        self._scope_key = key
        self._show_scopes()

    def _on_provider_chosen(self, key: str) -> None:
        if key == _CONNECT:
            self.settings_wanted.emit()
            self._show_providers()
            return
        self._provider = key
        self.provider_changed.emit(key)
        self._show_providers()


def _suggestions(book: AskedBook) -> tuple[str, ...]:
    """Questions from the contents; in a book in another language, its titles alone."""
    metadata = book.book.metadata
    titles = suggested_titles((entry.title for entry in book.contents), metadata.title)
    if metadata.language and not metadata.language.lower().startswith("en"):
        return titles
    return tuple(tr("What does it say about “{title}”?").format(title=title) for title in titles)
