"""The right pane: what is asked and of whom, the conversation, and where a question is written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from app.ui.chat.chooser import Chooser
from app.ui.chat.question_box import QuestionBox
from app.ui.chat.suggestion_button import SuggestionButton
from app.ui.chat.turn_view import TurnView
from app.ui.link_bar import LinkBar

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent

    from app.domain.conversation import Question
    from app.ui.chat.source_card import SourceCard
    from app.ui.theme import Theme

_ABOVE_TURNS = 2
"""Widgets above the turns: the offer of earlier ones, the empty state."""
_NEAR_END_PX = 48
"""A view this near to its end follows the text as it grows."""


class ChatPanel(QWidget):
    """The conversation about a book.

    Signals:
        question_asked: the text of a question.
        stop_asked: Stop was pressed.
        scope_chosen: key of the scope that was chosen.
        provider_chosen: key of the provider that was chosen.
        earlier_asked: more of the saved conversation is to be shown.
    """

    question_asked = Signal(str)
    stop_asked = Signal()
    scope_chosen = Signal(str)
    provider_chosen = Signal(str)
    earlier_asked = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("chatPanel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._theme = theme
        self._turns: list[TurnView] = []
        self._follows = True
        self.scope_chooser = Chooser(self.tr("Asked about"))
        self.provider_chooser = Chooser(self.tr("Answered by"))
        self.scope_chooser.chosen.connect(self.scope_chosen)
        self.provider_chooser.chosen.connect(self.provider_chosen)
        self.question_box = QuestionBox(theme)
        self.question_box.question_asked.connect(self.question_asked)
        self.question_box.stop_asked.connect(self.stop_asked)
        self._link_bar = LinkBar()
        self.earlier_button = QPushButton()
        self.earlier_button.setProperty("kind", "fold")
        self.earlier_button.clicked.connect(self.earlier_asked)
        self.earlier_button.hide()
        self._empty = _EmptyConversation()
        self._empty.suggested.connect(self.question_asked)
        self._area = QScrollArea()
        self._area.setWidgetResizable(True)
        self._area.setFrameShape(QFrame.Shape.NoFrame)
        self._area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._lay_out()
        bar = self._area.verticalScrollBar()
        bar.valueChanged.connect(self._on_scrolled)
        bar.rangeChanged.connect(self._on_grown)

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setContentsMargins(14, 9, 14, 9)
        head.addWidget(self.scope_chooser)
        head.addStretch(1)
        head.addWidget(self.provider_chooser)
        content = QWidget()
        content.setObjectName("chatTurns")
        self._list = QVBoxLayout(content)
        self._list.setContentsMargins(20, 8, 20, 20)
        self._list.setSpacing(30)
        self._list.addWidget(self.earlier_button, 0, Qt.AlignmentFlag.AlignHCenter)
        self._list.addWidget(self._empty)
        self._list.addStretch(1)
        self._area.setWidget(content)
        foot = QVBoxLayout()
        foot.setContentsMargins(16, 8, 16, 16)
        foot.setSpacing(8)
        foot.addWidget(self._link_bar)
        foot.addWidget(self.question_box)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(head)
        layout.addWidget(self._area, 1)
        layout.addLayout(foot)

    @property
    def turns(self) -> tuple[TurnView, ...]:
        """The turns, oldest first."""
        return tuple(self._turns)

    @property
    def empty_state(self) -> QWidget:
        """What stands here before the first question."""
        return self._empty

    def show_earlier_count(self, count: int) -> None:
        """Offers to show more of the saved conversation; 0 takes the offer away."""
        self.earlier_button.setText(self.tr("Show earlier questions ({count})").format(count=count))
        self.earlier_button.setVisible(count > 0)

    def add_turn(self, question: Question, *, is_earlier: bool = False) -> TurnView:
        """Adds a turn at the end and brings it into sight, or at the beginning."""
        turn = TurnView(question, self._theme)
        turn.link_chosen.connect(self._link_bar.offer)
        turn.card_opened.connect(self._on_card_opened)
        self._empty.hide()
        if is_earlier:
            self._turns.insert(0, turn)
            self._list.insertWidget(_ABOVE_TURNS, turn)
            self._follows = False
        else:
            self._turns.append(turn)
            self._list.insertWidget(self._list.count() - 1, turn)
            self._follows = True
        return turn

    def clear(self) -> None:
        """Takes away all turns."""
        for turn in self._turns:
            self._list.removeWidget(turn)
            turn.hide()
            turn.deleteLater()
        self._turns.clear()
        self.show_earlier_count(0)
        self._link_bar.hide()
        self._empty.show()

    def set_suggestions(self, questions: tuple[str, ...]) -> None:
        """Questions to begin with, as buttons before the first turn."""
        self._empty.set_suggestions(questions)

    def set_advice(self, words: str) -> None:
        """Says under the empty conversation who answers and what leaves the machine."""
        self._empty.set_advice(words)

    def set_theme(self, theme: Theme) -> None:
        """Draws everything in a theme's colours."""
        self._theme = theme
        self.question_box.set_theme(theme)
        for turn in self._turns:
            turn.set_theme(theme)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape goes back to the question; Page keys scroll the conversation."""
        bar = self._area.verticalScrollBar()
        step = {Qt.Key.Key_PageUp: -1, Qt.Key.Key_PageDown: 1}.get(Qt.Key(event.key()))
        if step is not None:
            bar.setValue(bar.value() + step * bar.pageStep())
        elif event.key() == Qt.Key.Key_Escape:
            self.question_box.setFocus(Qt.FocusReason.ShortcutFocusReason)
        else:
            super().keyPressEvent(event)

    def _on_card_opened(self, card: SourceCard) -> None:
        self._follows = False
        # The card has its place only after the layout has run.
        QTimer.singleShot(0, card, lambda: self._area.ensureWidgetVisible(card, 0, 24))

    def _on_scrolled(self, value: int) -> None:
        self._follows = value >= self._area.verticalScrollBar().maximum() - _NEAR_END_PX

    def _on_grown(self, _least: int, most: int) -> None:
        if self._follows:
            self._area.verticalScrollBar().setValue(most)


class _EmptyConversation(QWidget):
    """What stands before the first question: what this is for, and ways to begin."""

    suggested = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        title = QLabel(self.tr("Ask this book"))
        title.setProperty("kind", "display")
        promise = QLabel(
            self.tr(
                "Each statement carries a number. Click it to see the very sentence it rests on."
            )
        )
        promise.setWordWrap(True)
        promise.setProperty("kind", "muted")
        self._advice = QLabel()
        self._advice.setWordWrap(True)
        self._advice.setProperty("kind", "small")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(2, 26, 2, 0)
        layout.setSpacing(9)
        layout.addWidget(title)
        layout.addWidget(promise)
        layout.addSpacing(10)
        self._suggestions = QVBoxLayout()
        self._suggestions.setSpacing(9)
        layout.addLayout(self._suggestions)
        layout.addSpacing(10)
        layout.addWidget(self._advice)
        self.set_suggestions(())

    def set_suggestions(self, questions: tuple[str, ...]) -> None:
        """Offers questions as buttons; a general one where there are none."""
        while (item := self._suggestions.takeAt(0)) is not None:
            old = item.widget()
            if old is not None:
                old.hide()
                old.deleteLater()
        for words in questions or (self.tr("What is this book about?"),):
            button = SuggestionButton(words)
            button.clicked.connect(lambda _checked=False, text=words: self.suggested.emit(text))
            self._suggestions.addWidget(button)

    def set_advice(self, words: str) -> None:
        self._advice.setText(words)
