"""Where a question is written: grows with its text, Enter asks, and Stop stands where Ask stood."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPlainTextEdit, QToolButton, QWidget

from app.ui.icons import icon

if TYPE_CHECKING:
    from app.ui.theme import Theme

_MOST_LINES = 7
_BUTTON_PX = 30


class QuestionBox(QFrame):
    """A field for a question with its button.

    Signals:
        question_asked: the text, without white space at its ends.
        stop_asked: Stop was pressed.
    """

    question_asked = Signal(str)
    stop_asked = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("questionBox")
        self._theme = theme
        self._is_busy = False
        self._asked: list[str] = []
        self._recalled = 0
        self._field = QPlainTextEdit()
        self._field.setPlaceholderText(self.tr("Ask about this book…"))
        self._field.setAccessibleName(self.tr("Your question"))
        self._field.setTabChangesFocus(True)
        self._field.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self._field.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._field.document().setDocumentMargin(4)
        self._field.installEventFilter(self)
        self._field.textChanged.connect(self._on_text_changed)
        self._button = QToolButton()
        self._button.setProperty("kind", "send")
        self._button.setFixedSize(_BUTTON_PX, _BUTTON_PX)
        self._button.setIconSize(QSize(16, 16))
        self._button.setCursor(Qt.CursorShape.PointingHandCursor)
        self._button.clicked.connect(self._on_button)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(12, 7, 7, 7)
        layout.setSpacing(6)
        layout.addWidget(self._field, 1)
        layout.addWidget(self._button, 0, Qt.AlignmentFlag.AlignBottom)
        self.setFocusProxy(self._field)
        self._show_button()
        self._fit_height()

    @property
    def field(self) -> QPlainTextEdit:
        """The field itself."""
        return self._field

    @property
    def button(self) -> QToolButton:
        """Ask, or Stop while an answer is made."""
        return self._button

    def set_busy(self, is_busy: bool) -> None:  # noqa: FBT001 - the one value is what it sets
        """Offers Stop instead of Ask."""
        self._is_busy = is_busy
        self._show_button()

    def set_text(self, text: str) -> None:
        """Puts a question into the field without asking it."""
        self._field.setPlainText(text)
        self._field.moveCursor(self._field.textCursor().MoveOperation.End)

    def set_theme(self, theme: Theme) -> None:
        """Draws the button in a theme's colours."""
        self._theme = theme
        self._show_button()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Enter asks, Shift+Enter breaks the line, Up in an empty field recalls a question."""
        if event.type() in {QEvent.Type.FocusIn, QEvent.Type.FocusOut}:
            self.setProperty("hasFocus", event.type() == QEvent.Type.FocusIn)
            self.style().unpolish(self)
            self.style().polish(self)
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            is_plain = not event.modifiers() & Qt.KeyboardModifier.ShiftModifier
            if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter} and is_plain:
                self._ask()
                return True
            if event.key() == Qt.Key.Key_Up and self._can_recall():
                self._recalled = min(self._recalled + 1, len(self._asked))
                self.set_text(self._asked[-self._recalled])
                return True
        return super().eventFilter(watched, event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fits the height to the new width."""
        super().resizeEvent(event)
        self._fit_height()

    def _can_recall(self) -> bool:
        text = self._field.toPlainText()
        return bool(self._asked) and (not text or text in self._asked)

    def _ask(self) -> None:
        text = self._field.toPlainText().strip()
        if not text or self._is_busy:
            return
        self._asked.append(text)
        self._recalled = 0
        self._field.clear()
        self.question_asked.emit(text)

    def _on_button(self) -> None:
        if self._is_busy:
            self.stop_asked.emit()
        else:
            self._ask()

    def _on_text_changed(self) -> None:
        self._show_button()
        self._fit_height()

    def _show_button(self) -> None:
        has_text = bool(self._field.toPlainText().strip())
        words = self.tr("Stop") if self._is_busy else self.tr("Ask (Enter)")
        self._button.setToolTip(words)
        self._button.setAccessibleName(words)
        self._button.setEnabled(self._is_busy or has_text)
        self._button.setIcon(
            icon(
                "stop" if self._is_busy else "send",
                self._theme.color("accent_text"),
                disabled_color=self._theme.color("muted"),
                size_px=16,
            )
        )

    def _fit_height(self) -> None:
        lines = min(max(1, round(self._field.document().size().height())), _MOST_LINES)
        margin = 2 * self._field.document().documentMargin()
        height = lines * self._field.fontMetrics().lineSpacing() + margin
        self._field.setFixedHeight(max(round(height), _BUTTON_PX))
