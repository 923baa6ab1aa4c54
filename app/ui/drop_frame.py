"""Says over the whole window that a file may be dropped."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QWidget

_INSET_PX = 40


class DropFrame(QLabel):
    """An invitation; hidden until `cover`."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("dropFrame")
        self.setProperty("kind", "display")
        self.setText(self.tr("Drop the book here"))
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()

    def cover(self, window: QWidget) -> None:
        """Shows the invitation over a window."""
        self.setGeometry(window.rect().adjusted(_INSET_PX, _INSET_PX, -_INSET_PX, -_INSET_PX))
        self.show()
        self.raise_()
