"""One line of text that ends in … where there is no room, and never widens the window."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent

_LEAST_PX = 40
_LEFT_TO_RIGHT, _RIGHT_TO_LEFT = "\u200e", "\u200f"


class ElidedLabel(QLabel):
    """A label for texts of any length: titles, names, addresses."""

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._full_text = ""
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setAlignment(Qt.AlignmentFlag.AlignLeading | Qt.AlignmentFlag.AlignVCenter)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        self.set_full_text(text)

    @property
    def full_text(self) -> str:
        """The whole text."""
        return self._full_text

    def set_full_text(self, text: str) -> None:
        """Shows a text; white space and line ends become single spaces."""
        self._full_text = " ".join(text.split())
        self.updateGeometry()
        self._elide()

    def sizeHint(self) -> QSize:
        """As wide as the whole text."""
        width = self.fontMetrics().horizontalAdvance(self._full_text) + 2
        return QSize(width, super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        """Narrow: the text gives way."""
        return QSize(_LEAST_PX, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Cuts the text to the new width."""
        super().resizeEvent(event)
        self._elide()

    def _elide(self) -> None:
        shown = self.fontMetrics().elidedText(
            self._full_text, Qt.TextElideMode.ElideRight, max(self.width(), _LEAST_PX)
        )
        # Without a mark a Hebrew title in an English window would jump to the other side.
        is_rtl = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        self.setText(f"{_RIGHT_TO_LEFT if is_rtl else _LEFT_TO_RIGHT}{shown}")
        self.setToolTip(self._full_text if shown != self._full_text else "")
