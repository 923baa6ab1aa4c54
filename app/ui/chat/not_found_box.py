"""A search that found nothing, shown as a result: what was searched, and what stands nearest.

The nearest places are never support: they are set apart, named so, and carry no footnote number.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from app.ui.chat.sentences import place_words, report_words
from app.ui.elided_label import ElidedLabel

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.domain.conversation import Citation
    from app.domain.evidence import SearchReport

_EXCERPT_CHARS = 130


class NotFoundBox(QFrame):
    """What was searched, with counts, and the nearest places.

    Signals:
        show_in_book: the `Citation` of a nearest place.
    """

    show_in_book = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("notFound")
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(16, 12, 16, 12)
        self._layout.setSpacing(6)

    def show_search(self, searches: Sequence[SearchReport], nearest: Sequence[Citation]) -> None:
        """Shows the searches that ran and the nearest places."""
        while (item := self._layout.takeAt(0)) is not None:
            if (old := item.widget()) is not None:
                old.deleteLater()
        self._add(self.tr("What was searched"), "overline")
        for report in searches:
            self._add(report_words(report), "small")
        if nearest:
            self._layout.addSpacing(6)
            self._add(self.tr("Nearest places – they do not answer the question"), "overline")
            for citation in nearest:
                self._add_place(citation)

    def lines(self) -> list[str]:
        """Everything it says, line by line."""
        return [
            label.full_text if isinstance(label, ElidedLabel) else label.text()
            for label in self.findChildren(QLabel)
        ]

    def _add(self, words: str, kind: str) -> None:
        label = QLabel(words)
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setProperty("kind", kind)
        label.setWordWrap(True)
        self._layout.addWidget(label)

    def _add_place(self, citation: Citation) -> None:
        text = " ".join(citation.text.split())
        if len(text) > _EXCERPT_CHARS:
            text = text[:_EXCERPT_CHARS].rsplit(" ", 1)[0] + "…"
        excerpt = QLabel(f"“{text}”")
        excerpt.setTextFormat(Qt.TextFormat.PlainText)
        excerpt.setWordWrap(True)
        excerpt.setObjectName("sourceText")
        self._layout.addWidget(excerpt)
        place = place_words(citation)
        button = QPushButton(self.tr("Show in book"))
        button.setProperty("kind", "fold")
        button.setCursor(Qt.CursorShape.PointingHandCursor)
        button.clicked.connect(lambda: self.show_in_book.emit(citation))
        label = ElidedLabel(place)
        label.setProperty("kind", "small")
        line = QWidget()
        across = QHBoxLayout(line)
        across.setContentsMargins(0, 0, 0, 0)
        across.addWidget(label, 1)
        across.addWidget(button)
        self._layout.addWidget(line)
