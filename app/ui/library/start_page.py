"""What stands before a book is open: the books read last, a way to open one, the handbook."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QProgressBar,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from app.ui.elided_label import ElidedLabel
from app.ui.icons import icon, pixmap
from app.ui.notice_bar import NoticeBar

if TYPE_CHECKING:
    from app.ui.theme import Theme

_COLUMN_PX = 660
_SPINE_HUES = (8, 32, 96, 168, 208, 262, 330)
"""Hues of book spines, chosen by the book's identity, so that a book always looks the same."""


@dataclass(frozen=True, slots=True)
class BookRow:
    """A book as the start page shows it.

    Attributes:
        book_id: key in the library.
        title: never empty.
        authors: "" where the book names none.
        kind: "EPUB" or "PDF".
        identity: anything that tells books apart.
    """

    book_id: int
    title: str
    authors: str
    kind: str
    identity: str


class StartPage(QScrollArea):
    """The start page.

    Signals:
        book_chosen: id of a recent book.
        open_asked: a file is to be chosen.
        handbook_asked: the handbook is to be opened.
        stop_asked: the import is to be stopped.
    """

    book_chosen = Signal(int)
    open_asked = Signal()
    handbook_asked = Signal()
    stop_asked = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._rows: list[_BookButton] = []
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.notice = NoticeBar()
        self._logo = QLabel()
        self._open = QPushButton(self.tr("Open a book…"))
        self._open.setProperty("kind", "primary")
        self._open.clicked.connect(self.open_asked)
        self._handbook = QPushButton(self.tr("Read the handbook"))
        self._handbook.clicked.connect(self.handbook_asked)
        self._task = _ImportLine()
        self._task.stop_asked.connect(self.stop_asked)
        self._recent_words = QLabel(self.tr("Read last"))
        self._recent_words.setProperty("kind", "overline")
        self._recent = QVBoxLayout()
        self._recent.setSpacing(2)
        content = QWidget()
        content.setObjectName("library")
        across = QHBoxLayout(content)
        across.addStretch(1)
        column = QWidget()
        column.setMaximumWidth(_COLUMN_PX)
        across.addWidget(column, 6)
        across.addStretch(1)
        self._lay_out(QVBoxLayout(column))
        self.setWidget(content)
        self.set_theme(theme)
        self.set_books(())

    def _lay_out(self, column: QVBoxLayout) -> None:
        title = QLabel(self.tr("Ibid"))
        title.setProperty("kind", "display")
        promise = QLabel(self.tr("Read a book. Ask it. See the sentence behind every answer."))
        promise.setProperty("kind", "muted")
        promise.setWordWrap(True)
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addWidget(title)
        words.addWidget(promise)
        head = QHBoxLayout()
        head.setSpacing(18)
        head.addWidget(self._logo)
        head.addLayout(words, 1)
        buttons = QHBoxLayout()
        buttons.setSpacing(10)
        buttons.addWidget(self._open)
        buttons.addWidget(self._handbook)
        buttons.addStretch(1)
        hint = QLabel(self.tr("Or drop an EPUB or PDF anywhere on this window."))
        hint.setProperty("kind", "small")
        column.setContentsMargins(24, 64, 24, 40)
        column.setSpacing(12)
        column.addLayout(head)
        column.addSpacing(18)
        column.addLayout(buttons)
        column.addWidget(hint)
        column.addWidget(self._task)
        column.addWidget(self.notice)
        column.addSpacing(26)
        column.addWidget(self._recent_words)
        column.addLayout(self._recent)
        column.addStretch(1)

    @property
    def open_button(self) -> QPushButton:
        """Chooses a file."""
        return self._open

    @property
    def rows(self) -> tuple[QPushButton, ...]:
        """The recent books, as they stand on the page."""
        return tuple(self._rows)

    @property
    def task_text(self) -> str:
        """The running import in words, or ""."""
        return "" if self._task.isHidden() else self._task.text

    @property
    def stop_button(self) -> QPushButton:
        """Stops the import."""
        return self._task.stop

    def set_books(self, books: tuple[BookRow, ...]) -> None:
        """Shows the books read last, latest first."""
        for row in self._rows:
            self._recent.removeWidget(row)
            row.hide()
            row.deleteLater()
        self._rows = [_BookButton(book, self._theme) for book in books]
        for row in self._rows:
            row.clicked.connect(lambda _checked=False, key=row.book.book_id: self._choose(key))
            self._recent.addWidget(row)
        self._recent_words.setVisible(bool(books))

    def show_import(self, words: str, done: int = 0, total: int | None = None) -> None:
        """Shows a running import; "" takes it away.

        Args:
            words: what is read in, and how far it is.
            done: units finished.
            total: units in all, or None where unknown.
        """
        self._task.show_progress(words, done, total)
        self._open.setEnabled(not words)

    def set_theme(self, theme: Theme) -> None:
        """Draws the page in a theme's colours."""
        self._theme = theme
        self._logo.setPixmap(pixmap("ibid", theme.color("accent"), 64, 2.0))
        self._open.setIcon(icon("open", theme.color("accent_text")))
        self._handbook.setIcon(icon("book", theme.color("text")))
        for row in self._rows:
            row.set_theme(theme)

    def _choose(self, book_id: int) -> None:
        self.notice.clear()
        self.book_chosen.emit(book_id)


class _ImportLine(QWidget):
    """A running import and its Stop button."""

    stop_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words = ElidedLabel()
        self._bar = QProgressBar()
        self._bar.setTextVisible(False)
        self.stop = QPushButton(self.tr("Stop"))
        self.stop.setProperty("kind", "quiet")
        self.stop.clicked.connect(self.stop_asked)
        line = QHBoxLayout()
        line.addWidget(self._words, 1)
        line.addWidget(self.stop)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 8, 0, 0)
        layout.setSpacing(4)
        layout.addLayout(line)
        layout.addWidget(self._bar)
        self.hide()

    @property
    def text(self) -> str:
        return self._words.full_text

    def show_progress(self, words: str, done: int, total: int | None) -> None:
        self._words.set_full_text(words)
        self._bar.setRange(0, total or 0)
        self._bar.setValue(done)
        self.setVisible(bool(words))


class _BookButton(QPushButton):
    """A recent book: a drawn spine, title, authors."""

    def __init__(self, book: BookRow, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("bookRow")
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.book = book
        self._title = ElidedLabel(book.title)
        self._title.setObjectName("bookTitle")
        self._authors = ElidedLabel(" · ".join(part for part in (book.authors, book.kind) if part))
        self._authors.setProperty("kind", "small")
        self._spine = _Spine(book, theme)
        words = QVBoxLayout()
        words.setSpacing(1)
        words.addWidget(self._title)
        words.addWidget(self._authors)
        self._across = QHBoxLayout(self)
        self._across.setContentsMargins(10, 8, 12, 8)
        self._across.setSpacing(16)
        self._across.addWidget(self._spine)
        self._across.addLayout(words, 1)
        for part in (self._title, self._authors, self._spine):
            part.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAccessibleName(f"{book.title}, {self._authors.full_text}")
        self.setToolTip(book.title)

    def set_theme(self, theme: Theme) -> None:
        self._spine.set_theme(theme)

    def sizeHint(self) -> QSize:
        return self._across.sizeHint()

    def minimumSizeHint(self) -> QSize:
        return self._across.minimumSize()


class _Spine(QWidget):
    """A small closed book, its cloth chosen by the book's identity."""

    def __init__(self, book: BookRow, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._hue = _SPINE_HUES[sum(book.identity.encode()) % len(_SPINE_HUES)]
        self._letter = next((one.upper() for one in book.title if one.isalnum()), "")
        self.setFixedSize(36, 50)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draws cloth, hinge and the title's first letter."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        lightness = 92 if self._theme.is_dark else 104
        cloth = QColor.fromHsl(self._hue, 72, lightness)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(cloth)
        painter.drawRoundedRect(QRectF(0, 0, 36, 50), 4, 4)
        painter.setBrush(cloth.darker(125))
        painter.drawRoundedRect(QRectF(0, 0, 7, 50), 3, 3)
        painter.setPen(QColor.fromHsl(self._hue, 40, 232))
        font = self.font()
        font.setPointSizeF(font.pointSizeF() * 1.35)
        painter.setFont(font)
        painter.drawText(QRectF(7, 0, 29, 50), Qt.AlignmentFlag.AlignCenter, self._letter)
