"""What stands under the text of an answer: what was searched in vain, checks, places, details.

Made when an answer has ended, and of it only what the answer needs: a long conversation has many.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from app.domain.conversation import Lane, QuoteVerdict
from app.ui.chat.folded import Folded
from app.ui.chat.not_found_box import NotFoundBox
from app.ui.chat.place_strip import PlaceMark, PlaceStrip
from app.ui.chat.sentences import coverage_words, detail_lines, quote_words
from app.ui.icons import icon

if TYPE_CHECKING:
    from app.domain.conversation import Answer
    from app.ui.theme import Theme


class AnswerFoot(QWidget):
    """The foot of one answer.

    Attributes:
        not_found: what was searched in vain, or None.
        unsourced: a model's own words without a source, or None.
        strip: where in the book, or None.
        details: searches, checks and cost, folded.

    Signals:
        show_in_book: the `Citation` to jump to.
        copy_asked: the answer is to be copied.
    """

    show_in_book = Signal(object)
    copy_asked = Signal()

    def __init__(
        self,
        answer: Answer,
        marks: tuple[PlaceMark, ...],
        theme: Theme,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(10)
        self.not_found = self._make_not_found(answer)
        self._add_warnings(answer)
        self.unsourced: Folded | None = None
        if answer.unsourced:
            self.unsourced = Folded(self.tr("Unsourced words of the model"), theme)
            self.unsourced.set_lines([answer.unsourced])
            self._layout.addWidget(self.unsourced)
        self.strip = self._make_strip(marks, theme)
        covered = coverage_words(answer.coverage) if answer.lane is Lane.GROUNDED else ""
        self._coverage = _small_label(covered)
        if covered:
            self._layout.addWidget(self._coverage)
        self.details = Folded(self.tr("Details"), theme)
        self.details.set_lines(detail_lines(answer))
        self._copy = QPushButton(self.tr("Copy"))
        self._copy.setProperty("kind", "fold")
        self._copy.setIconSize(QSize(14, 14))
        self._copy.clicked.connect(self.copy_asked)
        across = QHBoxLayout()
        across.setContentsMargins(0, 0, 0, 0)
        across.addWidget(self.details, 1)
        across.addWidget(self._copy, 0, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop)
        self._layout.addLayout(across)
        self.set_theme(theme)

    @property
    def coverage_text(self) -> str:
        """The coverage line, or ""."""
        return self._coverage.text()

    def set_theme(self, theme: Theme) -> None:
        """Draws the foot in a theme's colours."""
        for part in (self.strip, self.unsourced, self.details):
            if part is not None:
                part.set_theme(theme)
        self._copy.setIcon(icon("copy", theme.color("muted"), size_px=14))

    def _make_not_found(self, answer: Answer) -> NotFoundBox | None:
        if answer.lane is not Lane.NOT_FOUND:
            return None
        box = NotFoundBox()
        box.show_search(answer.searches, answer.nearest)
        box.show_in_book.connect(self.show_in_book)
        self._layout.addWidget(box)
        return box

    def _add_warnings(self, answer: Answer) -> None:
        for quote in answer.quotes:
            if quote.verdict is not QuoteVerdict.VERBATIM:
                label = _small_label(quote_words(quote))
                label.setProperty("kind", "error")
                self._layout.addWidget(label)

    def _make_strip(self, marks: tuple[PlaceMark, ...], theme: Theme) -> PlaceStrip | None:
        if not marks:
            return None
        strip = PlaceStrip(theme)
        strip.set_marks(marks)
        strip.mark_chosen.connect(self.show_in_book)
        column = QVBoxLayout()
        column.setSpacing(0)
        column.addWidget(_small_label(self.tr("Where in the book")))
        column.addWidget(strip)
        self._layout.addLayout(column)
        return strip


def _small_label(words: str) -> QLabel:
    label = QLabel(words)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setProperty("kind", "small")
    label.setWordWrap(True)
    return label
