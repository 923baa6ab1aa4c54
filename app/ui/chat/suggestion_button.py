"""A question to begin with, as a button that never makes the panel wider than it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton, QSizePolicy, QWidget

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent

_MARGINS_PX = 32  # left and right of the words, as the style sheet sets them, and the border


class SuggestionButton(QPushButton):
    """A button whose words are cut where they do not fit; the tool tip has them whole.

    Args:
        words: the question.
        parent: the panel.
    """

    def __init__(self, words: str, parent: QWidget | None = None) -> None:
        super().__init__(words.replace("&", "&&"), parent)
        self.words = words
        self.setProperty("kind", "suggestion")
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(words)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Cuts the words anew."""
        super().resizeEvent(event)
        room = max(0, self.width() - _MARGINS_PX)
        cut = self.fontMetrics().elidedText(self.words, Qt.TextElideMode.ElideRight, room)
        self.setText(cut.replace("&", "&&"))  # a lone & would mark a key
        self.setToolTip("" if cut == self.words else self.words)
