"""One question and its answer, from the first search to the checks after the text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from app.domain.conversation import (
    Answer,
    AnswerCitation,
    AnswerEvent,
    AnswerRestarted,
    AnswerState,
    AnswerText,
    Citation,
    Lane,
    QuoteVerdict,
    Searching,
)
from app.domain.scope import ScopeKind
from app.ui.chat.answer_body import AnswerBody
from app.ui.chat.folded import Folded
from app.ui.chat.markdown import is_right_to_left
from app.ui.chat.not_found_box import NotFoundBox
from app.ui.chat.place_strip import PlaceMark, PlaceStrip
from app.ui.chat.sentences import (
    coverage_words,
    detail_lines,
    place_words,
    quote_words,
    report_words,
    scope_words,
    searching_words,
    state_words,
)
from app.ui.icons import icon
from app.ui.notice_bar import NoticeBar

if TYPE_CHECKING:
    from app.domain.conversation import Question
    from app.ui.notices import Notice
    from app.ui.theme import Theme

_STREAM_INTERVAL_MS = 40
"""Text that streams is laid out at most 25 times a second, which the eye takes for at once."""


class TurnView(QWidget):
    """A turn of the conversation.

    Signals:
        source_wanted: index of the footnote whose card is to be opened; answered by
            `body.open_card`.
        show_in_book: the `Citation` to jump to.
        link_chosen: the address of a link.
        notice_action_chosen: the `NoticeAction` chosen on a failed turn.
        card_opened: the `SourceCard` that was opened.
    """

    source_wanted = Signal(int)
    show_in_book = Signal(object)
    link_chosen = Signal(str)
    notice_action_chosen = Signal(object)
    card_opened = Signal(object)

    def __init__(self, question: Question, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.question = question
        self.answer: Answer | None = None
        self._theme = theme
        self._markdown = ""
        self._citations: dict[int, Citation] = {}
        self._redraw = QTimer(self)
        self._redraw.setSingleShot(True)
        self._redraw.setInterval(_STREAM_INTERVAL_MS)
        self._redraw.timeout.connect(self._draw)
        self.body = AnswerBody(theme)
        self.body.source_wanted.connect(self.source_wanted)
        self.body.show_in_book.connect(self.show_in_book)
        self.body.link_chosen.connect(self.link_chosen)
        self.body.card_opened.connect(self.card_opened)
        self._state = _small_label()
        self._mark = _small_label()
        self._mark.setObjectName("laneMark")
        self._warning = _small_label()
        self._warning.setProperty("kind", "error")
        self._not_found = NotFoundBox()
        self._not_found.show_in_book.connect(self.show_in_book)
        self._unsourced = Folded(self.tr("Unsourced words of the model"), theme)
        self._strip_words = _small_label(self.tr("Where in the book"))
        self._strip = PlaceStrip(theme)
        self._strip.mark_chosen.connect(self._on_mark_chosen)
        self._coverage = _small_label()
        self._copy = QPushButton(self.tr("Copy"))
        self._copy.setProperty("kind", "fold")
        self._copy.setIconSize(QSize(14, 14))
        self._copy.clicked.connect(self.copy_answer)
        self._details = Folded(self.tr("Details"), theme)
        self._notice = NoticeBar()
        self._notice.action_chosen.connect(self.notice_action_chosen)
        self._lay_out()
        self.set_theme(theme)

    def _lay_out(self) -> None:
        foot = QHBoxLayout()
        foot.setContentsMargins(0, 0, 0, 0)
        foot.addWidget(self._details, 1)
        foot.addWidget(self._copy, 0, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(10)
        layout.addWidget(self._make_bubble())
        layout.addWidget(self._mark)
        layout.addWidget(self.body)
        layout.addWidget(self._state)
        layout.addWidget(self._not_found)
        layout.addWidget(self._warning)
        layout.addWidget(self._unsourced)
        strip = QVBoxLayout()
        strip.setSpacing(0)
        strip.addWidget(self._strip_words)
        strip.addWidget(self._strip)
        layout.addLayout(strip)
        layout.addWidget(self._coverage)
        layout.addLayout(foot)
        layout.addWidget(self._notice)
        for part in (
            self._mark, self._state, self._not_found, self._warning, self._unsourced,
            self._strip_words, self._strip, self._coverage, self._copy, self._details,
        ):  # fmt: skip
            part.hide()

    def _make_bubble(self) -> QWidget:
        text = QLabel(self.question.text)
        text.setTextFormat(Qt.TextFormat.PlainText)
        text.setWordWrap(True)
        text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        if is_right_to_left(self.question.text):
            text.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignAbsolute)
        bubble = QFrame()
        bubble.setObjectName("questionBubble")
        inside = QVBoxLayout(bubble)
        inside.setContentsMargins(14, 10, 14, 10)
        inside.setSpacing(3)
        inside.addWidget(text)
        if self.question.scope.kind is not ScopeKind.BOOK:
            inside.addWidget(_small_label(scope_words(self.question.scope)))
        return bubble

    # What happens

    def show_waiting(self, words: str) -> None:
        """Says what the turn waits for."""
        self._set_state(words)

    def receive(self, event: AnswerEvent) -> None:
        """Shows one event; text is drawn a moment later, together with what follows it."""
        match event:
            case Searching(words, None):
                self._set_state(searching_words(words))
            case Searching(_, report) if report is not None:
                self._set_state(self.tr("Searched {what}").format(what=report_words(report)))
            case AnswerText(text):
                self._markdown += text
                self._redraw.start()
            case AnswerCitation(citation):
                self._citations[citation.number] = citation
                self._markdown += f"[^{citation.number}]"
                self._redraw.start()
            case AnswerRestarted():
                self._markdown = ""
                self._redraw.start()
            case _:
                pass

    def show_answer(self, answer: Answer, marks: tuple[PlaceMark, ...]) -> None:
        """Shows a finished or ended answer in full.

        Args:
            answer: the answer.
            marks: where its citations stand in the book.
        """
        self.answer = answer
        self._redraw.stop()
        self._markdown = answer.markdown
        self._citations = {citation.number: citation for citation in answer.citations}
        self._draw()
        self._set_state(state_words(answer.state))
        self._show_lane(answer)
        self._strip.set_marks(marks)
        self._strip.setVisible(bool(marks))
        self._strip_words.setVisible(bool(marks))
        covered = coverage_words(answer.coverage) if answer.lane is Lane.GROUNDED else ""
        self._coverage.setText(covered)
        self._coverage.setVisible(bool(covered))
        self._copy.setVisible(bool(answer.markdown))
        lines = detail_lines(answer)
        self._details.set_lines(lines)
        self._details.setVisible(bool(lines))
        self._unsourced.set_lines([answer.unsourced])
        self._unsourced.setVisible(bool(answer.unsourced))
        wrong = [quote for quote in answer.quotes if quote.verdict is not QuoteVerdict.VERBATIM]
        self._warning.setText("\n".join(quote_words(quote) for quote in wrong))
        self._warning.setVisible(bool(wrong))

    def show_stopped(self) -> None:
        """Keeps what was said so far and says that it is unfinished."""
        self._redraw.stop()
        self._draw()
        self._set_state(state_words(AnswerState.STOPPED))
        self._copy.setVisible(bool(self._markdown))

    def show_failed(self, notice: Notice) -> None:
        """Keeps what was said so far and shows the fault under it."""
        self._redraw.stop()
        self._draw()
        self._set_state("")
        self._notice.show_notice(notice)

    def set_theme(self, theme: Theme) -> None:
        """Draws the turn in a theme's colours."""
        self._theme = theme
        self.body.set_theme(theme)
        self._strip.set_theme(theme)
        self._details.set_theme(theme)
        self._unsourced.set_theme(theme)
        self._copy.setIcon(icon("copy", theme.color("muted"), size_px=14))

    def copy_answer(self) -> None:
        """Puts the answer on the clipboard with its sources listed below it."""
        self._draw()
        text = self.body.plain_text().strip()
        sources = [self._source_line(self._citations[number]) for number in sorted(self._citations)]
        QGuiApplication.clipboard().setText("\n\n".join([text, "\n".join(sources)]).strip())

    @staticmethod
    def _source_line(citation: Citation) -> str:
        place = place_words(citation)
        return f"[{citation.number}] “{citation.text}”" + (f" ({place})" if place else "")

    # What is shown

    @property
    def state_text(self) -> str:
        """The line on what goes on or how the answer ended."""
        return self._state.text() if not self._state.isHidden() else ""

    @property
    def coverage_text(self) -> str:
        """The coverage line."""
        return self._coverage.text() if not self._coverage.isHidden() else ""

    @property
    def strip(self) -> PlaceStrip:
        """Where in the book."""
        return self._strip

    @property
    def details(self) -> Folded:
        """What is folded away under the answer."""
        return self._details

    @property
    def unsourced(self) -> Folded:
        """A model's own words without a source."""
        return self._unsourced

    @property
    def notice(self) -> NoticeBar:
        """The fault that ended the turn, if one did."""
        return self._notice

    @property
    def not_found(self) -> NotFoundBox:
        """What was searched in vain."""
        return self._not_found

    def _show_lane(self, answer: Answer) -> None:
        match answer.lane:
            case Lane.GROUNDED:
                self._mark.hide()
            case Lane.NOT_FOUND:
                self._mark.setText(self.tr("Not found in this book"))
                self._mark.show()
                self._not_found.show_search(answer.searches, answer.nearest)
            case Lane.NOT_ABOUT_BOOK:
                self._mark.setText(self.tr("Not from this book"))
                self._mark.show()
        self._not_found.setVisible(answer.lane is Lane.NOT_FOUND)

    def _draw(self) -> None:
        self.body.set_answer(self._markdown, self._citations)
        if self._markdown and self.answer is None:
            self._set_state("")

    def _set_state(self, words: str) -> None:
        self._state.setText(words)
        self._state.setVisible(bool(words))

    def _on_mark_chosen(self, citation: Citation) -> None:
        self.show_in_book.emit(citation)


def _small_label(words: str = "") -> QLabel:
    label = QLabel(words)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setProperty("kind", "small")
    label.setWordWrap(True)
    return label
