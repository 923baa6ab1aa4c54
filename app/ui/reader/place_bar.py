"""The line under the page: printed page, how far into the book, and a running import."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QProgressBar, QPushButton, QWidget

from app.ui.elided_label import ElidedLabel

if TYPE_CHECKING:
    from app.domain.progress import Progress


class PlaceBar(QWidget):
    """Where the reader is.

    Signals:
        stop_asked: the import is to be stopped.
    """

    stop_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("placeBar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._place = QLabel()
        self._task = ElidedLabel()
        self._bar = QProgressBar()
        self._bar.setTextVisible(False)
        self._bar.setFixedWidth(90)
        self._stop = QPushButton(self.tr("Stop"))
        self._stop.setProperty("kind", "fold")
        self._stop.setCursor(Qt.CursorShape.PointingHandCursor)
        self._stop.clicked.connect(self.stop_asked)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(18, 4, 12, 4)
        layout.setSpacing(10)
        layout.addWidget(self._place)
        layout.addStretch(1)
        layout.addWidget(self._task, 0)
        layout.addWidget(self._bar)
        layout.addWidget(self._stop)
        self.setFixedHeight(32)
        self.show_import(None)

    @property
    def place_text(self) -> str:
        """Where the reader is, in words."""
        return self._place.text()

    @property
    def task_text(self) -> str:
        """What is under way, in words, or ""."""
        return "" if self._task.isHidden() else self._task.full_text

    @property
    def stop_button(self) -> QPushButton:
        """Stops the import."""
        return self._stop

    def set_place(self, page_label: str, percent: float) -> None:
        """Shows the printed page, where the edition has one, and how far into the book it is.

        Args:
            page_label: as printed, or "".
            percent: 0 to 100.
        """
        parts = [self.tr("p. {label}").format(label=page_label)] if page_label else []
        parts.append(self.tr("{percent} %").format(percent=round(percent)))
        self._place.setText(" · ".join(parts))

    def clear(self) -> None:
        """Shows no place."""
        self._place.clear()

    def show_import(self, progress: Progress | None) -> None:
        """Shows how far the import of the open book is; None takes it away."""
        is_running = progress is not None
        for part in (self._task, self._bar, self._stop):
            part.setVisible(is_running)
        if progress is None:
            return
        self._task.set_full_text(progress_words(self, progress))
        self._bar.setRange(0, progress.total or 0)
        self._bar.setValue(progress.done)


def progress_words(speaker: QWidget, progress: Progress) -> str:
    """How far an import is, as a sentence."""
    if progress.total is None:
        return speaker.tr("Reading the book in…")
    units = {
        "documents": speaker.tr("{done} of {total} parts"),
        "pages": speaker.tr("{done} of {total} pages"),
        "pictures": speaker.tr("{done} of {total} pictures"),
        "sections": speaker.tr("{done} of {total} sections"),
    }
    counted = units.get(progress.unit, speaker.tr("{done} of {total}"))
    words = counted.format(done=progress.done, total=progress.total)
    return speaker.tr("Reading the book in: {words}").format(words=words)
