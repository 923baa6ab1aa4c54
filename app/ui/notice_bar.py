"""A notice where the fault happened: a sentence, what to do next, a button, a way to close it."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from app.ui.notices import Notice, NoticeAction, action_words


class NoticeBar(QFrame):
    """A notice among the widgets it belongs to; hidden until `show_notice`.

    Signals:
        action_chosen: the `NoticeAction` whose button was pressed.
        dismissed: it was closed.
    """

    action_chosen = Signal(object)
    dismissed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("notice")
        self._action: NoticeAction | None = None
        self._title = QLabel()
        self._title.setProperty("kind", "heading")
        self._advice = QLabel()
        for label in (self._title, self._advice):
            label.setWordWrap(True)
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._button = QPushButton()
        self._button.clicked.connect(self._on_action)
        self._close = QPushButton(self.tr("Close"))
        self._close.setProperty("kind", "quiet")
        self._close.clicked.connect(self._on_close)
        buttons = QHBoxLayout()
        buttons.addWidget(self._button)
        buttons.addWidget(self._close)
        buttons.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 13, 16, 13)
        layout.setSpacing(6)
        layout.addWidget(self._title)
        layout.addWidget(self._advice)
        layout.addSpacing(4)
        layout.addLayout(buttons)
        self.hide()

    @property
    def title(self) -> str:
        """The sentence that is shown."""
        return self._title.text()

    @property
    def advice(self) -> str:
        """The advice that is shown."""
        return self._advice.text()

    def show_notice(self, notice: Notice) -> None:
        """Shows a notice in place of the one before."""
        self._action = notice.action
        self._title.setText(notice.title)
        self._advice.setText(notice.advice)
        self._button.setVisible(notice.action is not None)
        if notice.action is not None:
            self._button.setText(action_words(notice.action))
        self.setAccessibleName(f"{notice.title} {notice.advice}")
        self.show()

    def clear(self) -> None:
        """Hides the notice."""
        self.hide()

    def _on_action(self) -> None:
        if self._action is not None:
            self.hide()
            self.action_chosen.emit(self._action)

    def _on_close(self) -> None:
        self.hide()
        self.dismissed.emit()
