"""Lines that are there for who wants them: folded behind one small button."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QLabel, QPushButton, QVBoxLayout, QWidget

from app.ui.icons import icon

if TYPE_CHECKING:
    from app.ui.theme import Theme


class Folded(QWidget):
    """A button that shows and hides what belongs to it."""

    def __init__(self, words: str, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._button = QPushButton(words)
        self._button.setProperty("kind", "foldhead")
        self._button.setCheckable(True)
        self._button.setIconSize(QSize(14, 14))
        self._button.toggled.connect(self._on_toggled)
        self._content = QWidget()
        self._content.hide()
        self._waiting: list[str] = []
        self._lines = QVBoxLayout(self._content)
        self._lines.setContentsMargins(20, 2, 4, 6)
        self._lines.setSpacing(5)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2)
        layout.addWidget(self._button, 0, Qt.AlignmentFlag.AlignLeft)
        layout.addWidget(self._content)
        self._on_toggled(is_open=False)

    @property
    def button(self) -> QPushButton:
        """What opens it."""
        return self._button

    @property
    def is_open(self) -> bool:
        """Whether its content is shown."""
        return self._button.isChecked()

    def set_lines(self, lines: list[str]) -> None:
        """Gives it plain lines in place of the ones before; labels are made when it opens."""
        while (item := self._lines.takeAt(0)) is not None:
            if (old := item.widget()) is not None:
                old.deleteLater()
        self._waiting = lines
        if self.is_open:
            self._make_labels()

    def _make_labels(self) -> None:
        lines, self._waiting = self._waiting, []
        for line in lines:
            label = QLabel(line)
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setProperty("kind", "small")
            label.setWordWrap(True)
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            self._lines.addWidget(label)

    def set_theme(self, theme: Theme) -> None:
        """Draws the arrow in a theme's ink."""
        self._theme = theme
        self._on_toggled(is_open=self.is_open)

    def _on_toggled(self, is_open: bool) -> None:  # noqa: FBT001 - a slot of Qt's `toggled`
        if is_open:
            self._make_labels()
        self._content.setVisible(is_open)
        name = "chevron-down" if is_open else "chevron-right"
        self._button.setIcon(icon(name, self._theme.color("muted"), size_px=14))
