"""One question and its answer, from the first search to the checks after the text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFrame, QLabel, QVBoxLayout, QWidget

from app.domain.conversation import (
    Answer,
    AnswerCitation,
    AnswerEvent,
    AnswerState,
    AnswerText,
    Citation,
    Lane,
    Searching,
)
from app.domain.scope import ScopeKind
from app.ui.chat.answer_body import AnswerBody
from app.ui.chat.answer_foot import AnswerFoot
from app.ui.chat.markdown import is_right_to_left
from app.ui.chat.sentences import (
    place_words,
    report_words,
    scope_words,
    searching_words,
    state_words,
)
from app.ui.notice_bar import NoticeBar

if TYPE_CHECKING:
    from app.domain.conversation import Question
    from app.ui.chat.place_strip import PlaceMark
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
        self._foot: AnswerFoot | None = None
        self._notice: NoticeBar | None = None
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(10)
        for part in (self._make_bubble(), self._mark, self.body, self._state):
            self._layout.addWidget(part)
        self._mark.hide()
        self._state.hide()

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
                self._draw_soon()
            case AnswerCitation(citation):
                self._citations[citation.number] = citation
                self._markdown += f"[^{citation.number}]"
                self._draw_soon()
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
        self._show_lane(answer.lane)
        if self._foot is not None:
            self._foot.deleteLater()
        self._foot = AnswerFoot(answer, marks, self._theme)
        self._foot.show_in_book.connect(self.show_in_book)
        self._foot.copy_asked.connect(self.copy_answer)
        self._layout.addWidget(self._foot)
        self._foot.show()

    def show_stopped(self) -> None:
        """Keeps what was said so far and says that it is unfinished."""
        self._redraw.stop()
        self._draw()
        self._set_state(state_words(AnswerState.STOPPED))

    def show_failed(self, notice: Notice) -> None:
        """Keeps what was said so far and shows the fault under it."""
        self._redraw.stop()
        self._draw()
        self._set_state("")
        self.show_notice(notice)

    def show_notice(self, notice: Notice) -> None:
        """Shows a fault under the turn."""
        if self._notice is None:
            self._notice = NoticeBar()
            self._notice.action_chosen.connect(self.notice_action_chosen)
            self._layout.addWidget(self._notice)
        self._notice.show_notice(notice)

    def set_theme(self, theme: Theme) -> None:
        """Draws the turn in a theme's colours."""
        self._theme = theme
        self.body.set_theme(theme)
        if self._foot is not None:
            self._foot.set_theme(theme)

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
    def foot(self) -> AnswerFoot | None:
        """What stands under an answer that has ended."""
        return self._foot

    @property
    def notice(self) -> NoticeBar | None:
        """The fault of this turn, if there was one."""
        return self._notice

    def _show_lane(self, lane: Lane) -> None:
        words = {
            Lane.GROUNDED: "",
            Lane.NOT_FOUND: self.tr("Not found in this book"),
            Lane.NOT_ABOUT_BOOK: self.tr("Not from this book"),
        }[lane]
        self._mark.setText(words)
        self._mark.setVisible(bool(words))

    def _draw_soon(self) -> None:
        """Draws after the interval, however fast more text follows."""
        if not self._redraw.isActive():
            self._redraw.start()

    def _draw(self) -> None:
        self.body.set_answer(self._markdown, self._citations)
        if self._markdown and self.answer is None:
            self._set_state("")

    def _set_state(self, words: str) -> None:
        self._state.setText(words)
        self._state.setVisible(bool(words))


def _small_label(words: str = "") -> QLabel:
    label = QLabel(words)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setProperty("kind", "small")
    label.setWordWrap(True)
    return label
