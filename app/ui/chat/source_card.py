"""The source of a footnote: the cited text between its dimmed neighbours, and where it stands."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QGuiApplication, QKeyEvent, QTextDocument
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from app.ui.chat.markdown import is_right_to_left
from app.ui.chat.sentences import place_words
from app.ui.icons import icon

if TYPE_CHECKING:
    from app.domain.conversation import Citation
    from app.ui.theme import Theme

_NEIGHBOUR_CHARS = 160
"""About two lines of the card on each side."""


@dataclass(frozen=True, slots=True)
class SourceCardContent:
    """What a card shows.

    Attributes:
        citation: the footnote.
        before: readable text before it up to the very next character, dimmed.
        text: readable text of the span, as it stands in the book now.
        after: readable text from the very next character on, dimmed.
    """

    citation: Citation
    before: str
    text: str
    after: str

    @property
    def has_changed(self) -> bool:
        """Whether the book's text is no longer the one that was cited."""
        return self.text != self.citation.text


class SourceCard(QFrame):
    """A source under its sentence.

    Signals:
        show_in_book: the `Citation` to jump to.
        closed: the person closed the card.
    """

    show_in_book = Signal(object)
    closed = Signal()

    def __init__(
        self, content: SourceCardContent, theme: Theme, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("sourceCard")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._content = content
        self._place = QLabel()
        self._place.setWordWrap(True)
        self._place.setTextFormat(Qt.TextFormat.RichText)
        self._text = QLabel()
        self._text.setObjectName("sourceText")
        self._text.setWordWrap(True)
        self._text.setTextFormat(Qt.TextFormat.RichText)
        self._text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._warning = QLabel(self.tr("The book's text has changed since this was cited."))
        self._warning.setProperty("kind", "error")
        self._warning.setWordWrap(True)
        self._warning.setVisible(content.has_changed)
        self._copy = QPushButton(self.tr("Copy"))
        self._show = QPushButton(self.tr("Show in book"))
        for button in (self._copy, self._show):
            button.setProperty("kind", "quiet")
            button.setIconSize(QSize(16, 16))
            button.setCursor(Qt.CursorShape.PointingHandCursor)
        self._copy.clicked.connect(self._on_copy)
        self._show.clicked.connect(self._on_show)
        self._show.setToolTip(self.tr("Show in book (Enter)"))
        buttons = QHBoxLayout()
        buttons.setSpacing(2)
        buttons.addStretch(1)
        buttons.addWidget(self._copy)
        buttons.addWidget(self._show)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 12, 10, 8)
        layout.setSpacing(8)
        layout.addWidget(self._place)
        layout.addWidget(self._text)
        layout.addWidget(self._warning)
        layout.addLayout(buttons)
        self.setAccessibleName(
            self.tr("Source {number}: {place}. {text}").format(
                number=content.citation.number,
                place=place_words(content.citation),
                text=content.text,
            )
        )
        self.set_theme(theme)

    @property
    def content(self) -> SourceCardContent:
        """What it shows."""
        return self._content

    def set_theme(self, theme: Theme) -> None:
        """Draws the card in a theme's colours."""
        content = self._content
        muted, text = theme.color("muted"), theme.color("text")
        number = (
            f'<span style="color:{theme.color("accent")}; font-weight:600">'
            f"{content.citation.number}</span>"
        )
        place = escape(place_words(content.citation))
        self._place.setText(
            f'{number} <span style="color:{muted}">· {place}</span>' if place else f"{number}"
        )
        parts = []
        if content.before:
            before = _last_words(content.before)
            parts.append(f'<span style="color:{muted}">…{_lines(before)}</span>')
        parts.append(f'<span style="color:{text}; font-weight:500">{_lines(content.text)}</span>')
        if content.after:
            after = _first_words(content.after).rstrip()
            more = "" if after.endswith((".", "!", "?", "。", "”", "…")) else "…"
            parts.append(f'<span style="color:{muted}">{_lines(after)}{more}</span>')
        is_rtl = is_right_to_left(content.text)
        direction = "rtl" if is_rtl else "ltr"
        self._text.setText(
            f'<div dir="{direction}" style="line-height:135%">{"".join(parts)}</div>'
        )
        self._text.setAlignment(
            Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignAbsolute
            if is_rtl
            else Qt.AlignmentFlag.AlignLeft
        )
        self._copy.setIcon(icon("copy", theme.color("text"), size_px=16))
        self._show.setIcon(icon("show-in-book", theme.color("text"), size_px=16))

    @property
    def shown_text(self) -> str:
        """The source with its neighbours as a person reads it on the card."""
        document = QTextDocument()
        document.setHtml(self._text.text())
        return document.toPlainText()

    @property
    def shown_place(self) -> str:
        """The card's first line as a person reads it."""
        document = QTextDocument()
        document.setHtml(self._place.text())
        return document.toPlainText()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter shows the place in the book, Escape closes the card, Ctrl+C copies the source."""
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self._on_show()
        elif event.key() == Qt.Key.Key_Escape:
            self.closed.emit()
        elif event.key() == Qt.Key.Key_C and (
            event.modifiers() & Qt.KeyboardModifier.ControlModifier
        ):
            self._on_copy()
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Shows that the keyboard is here."""
        super().focusInEvent(event)
        self._mark_focus(is_here=True)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Takes the mark away."""
        super().focusOutEvent(event)
        self._mark_focus(is_here=False)

    def _mark_focus(self, *, is_here: bool) -> None:
        self.setProperty("hasFocus", is_here)
        self.style().unpolish(self)
        self.style().polish(self)

    def _on_show(self) -> None:
        self.show_in_book.emit(self._content.citation)

    def _on_copy(self) -> None:
        place = place_words(self._content.citation)
        QGuiApplication.clipboard().setText(
            f"{self._content.text}\n({place})" if place else self._content.text
        )
        self._copy.setText(self.tr("Copied"))


def _last_words(text: str) -> str:
    if len(text) <= _NEIGHBOUR_CHARS:
        return text
    cut = text[-_NEIGHBOUR_CHARS:]
    return cut.partition(" ")[2] or cut


def _first_words(text: str) -> str:
    if len(text) <= _NEIGHBOUR_CHARS:
        return text
    cut = text[:_NEIGHBOUR_CHARS]
    return cut.rpartition(" ")[0] or cut


def _lines(text: str) -> str:
    return escape(text).replace("\n", "<br>")
