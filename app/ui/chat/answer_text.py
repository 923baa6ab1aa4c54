"""A stretch of an answer as real text: selectable, with footnote numbers as small round chips.

Loads nothing, opens nothing: it reports which footnote or link was chosen.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QMimeData, QPoint, QRectF, QSize, Qt, QUrl, Signal
from PySide6.QtGui import (
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QTextCursor,
    QTextDocument,
    QTextLine,
    QTextOption,
    QWheelEvent,
)
from PySide6.QtWidgets import QSizePolicy, QTextBrowser, QWidget

from app.ui.chat.markdown import CITE_SCHEME

if TYPE_CHECKING:
    from app.ui.theme import Theme

_MARGIN_PX = 3
_LEADING_PERCENT = 136
_INDENT_PX = 24
_CHIP_HEIGHT = 0.92
"""Height of a chip against the ascent of the text; Qt draws superscript at two thirds."""
_CHIP_RISE = 1.2
"""How far above the baseline a chip begins, against its height: centred on the raised number."""
_PLAIN = str.maketrans(
    {"\u2029": "\n", "\u2028": "\n", "\ufdd0": "\n", "\ufdd1": "\n", "\u00a0": " ", "\u2060": ""}
)
"""Qt's own marks of blocks, lines and tables, and the ones that hold a chip, as plain text."""


@dataclass(frozen=True, slots=True)
class _Chip:
    """A footnote in the laid out text: its index, its range in UTF-16 units, whether it is open."""

    index: int
    start: int
    end: int
    is_open: bool


def answer_style(theme: Theme) -> str:
    """The style sheet of answer HTML in a theme's colours."""
    color = theme.color
    return f"""
        p, li, td, th, h1, h2, h3, h4, h5, h6, blockquote {{ color: {color("text")}; }}
        h1, h2, h3 {{ font-size: large; font-weight: 600; }}
        h4, h5, h6 {{ font-size: medium; font-weight: 600; }}
        a.chip {{ color: {color("chip_text")}; text-decoration: none; vertical-align: super;
                  font-weight: 600; }}
        a.open {{ color: {color("accent_text")}; text-decoration: none; vertical-align: super;
                  font-weight: 600; }}
        a.web {{ color: {color("link")}; }}
        code, pre {{ font-family: monospace; background-color: {color("hover")}; }}
        td, th {{ padding: 3px 8px; }}
    """


class AnswerText(QTextBrowser):
    """A piece of an answer, as tall as its text.

    Signals:
        footnote_chosen: index of a `Mention`, by mouse or keyboard.
        link_chosen: the address of a link; it has not been opened.
    """

    footnote_chosen = Signal(int)
    link_chosen = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("answerText")
        self._theme = theme
        self._html = ""
        self._is_right_to_left = False
        self._chips: list[_Chip] = []
        self.setOpenLinks(False)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.viewport().setAutoFillBackground(False)
        self.document().setDocumentMargin(_MARGIN_PX)
        self.document().setUndoRedoEnabled(False)
        self.document().setIndentWidth(_INDENT_PX)
        self.anchorClicked.connect(self._on_anchor)

    def set_content(self, html: str, *, is_right_to_left: bool) -> None:
        """Shows HTML of ours; a selection stays, so that streaming does not undo it."""
        if (html, is_right_to_left) == (self._html, self._is_right_to_left):
            return
        self._html = html
        self._is_right_to_left = is_right_to_left
        self._render()

    def set_theme(self, theme: Theme) -> None:
        """Draws the same text in other colours."""
        self._theme = theme
        self._render()

    def plain_text(self) -> str:
        """The whole text as a person reads it, footnotes as `[1]`."""
        return self._plain(0, self.document().characterCount() - 1)

    def has_footnote(self, index: int) -> bool:
        """Whether a footnote stands in this piece."""
        return any(chip.index == index for chip in self._chips)

    def focus_footnote(self, index: int) -> None:
        """Puts the keyboard on a footnote, as Tab would."""
        for chip in self._chips:
            if chip.index == index:
                cursor = self.textCursor()
                cursor.setPosition(chip.start)
                cursor.setPosition(chip.end, QTextCursor.MoveMode.KeepAnchor)
                self.setTextCursor(cursor)
        self.setFocus(Qt.FocusReason.TabFocusReason)

    def footnote_point(self, index: int) -> QPoint | None:
        """The middle of a footnote's chip in viewport pixels, or None where it is not here."""
        for chip in self._chips:
            if chip.index == index:
                return self._chip_rect(chip).center().toPoint()
        return None

    def loadResource(self, _kind: int, _name: QUrl | str) -> None:  # noqa: N802, PLR6301 - called by Qt
        """Loads nothing, ever: neither from the network nor from the disk."""
        return

    def sizeHint(self) -> QSize:
        """As tall as the text at this width."""
        return QSize(200, self.height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Lays the text out anew at another width."""
        super().resizeEvent(event)
        self._fit_height()

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: PLR6301 - called by Qt
        """Leaves scrolling to the panel."""
        event.ignore()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Space and Return choose the footnote under the keyboard; scrolling keys go on."""
        chip = self._chip_at_cursor()
        if chip is not None and event.key() in {Qt.Key.Key_Space, Qt.Key.Key_Return}:
            self.footnote_chosen.emit(chip.index)
            return
        if event.key() in {Qt.Key.Key_PageUp, Qt.Key.Key_PageDown, Qt.Key.Key_Escape}:
            event.ignore()
            return
        super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draws the chips, then the text over them."""
        painter = QPainter(self.viewport())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        focused = self._chip_at_cursor() if self.hasFocus() else None
        for chip in self._chips:
            box = self._chip_rect(chip)
            painter.setBrush(self._theme.qcolor("accent" if chip.is_open else "chip"))
            ring = QPen(self._theme.qcolor("accent"), 1.6) if chip == focused else Qt.PenStyle.NoPen
            painter.setPen(ring)
            painter.drawRoundedRect(box, box.height() / 2.6, box.height() / 2.6)
        painter.end()
        super().paintEvent(event)

    def createMimeDataFromSelection(self) -> QMimeData:  # noqa: N802 - called by Qt
        """Copies plain text in which a footnote reads `[1]`."""
        cursor = self.textCursor()
        data = QMimeData()
        data.setText(self._plain(cursor.selectionStart(), cursor.selectionEnd()))
        return data

    def _plain(self, start: int, end: int) -> str:
        units = self.document().toRawText().encode("utf-16-le", "surrogatepass")
        parts: list[str] = []
        at = start
        for chip in self._chips:
            if start <= chip.start and chip.end <= end:
                number = units[2 * chip.start : 2 * chip.end].decode("utf-16-le").strip()
                before = units[2 * at : 2 * chip.start].decode("utf-16-le", "replace")
                parts += [before, f"[{number}]"]
                at = chip.end
        parts.append(units[2 * at : 2 * end].decode("utf-16-le", "replace"))
        return "".join(parts).translate(_PLAIN)

    def _render(self) -> None:
        cursor = self.textCursor()
        anchor, position = cursor.anchor(), cursor.position()
        document = self.document()
        document.setDefaultStyleSheet(answer_style(self._theme))
        option = document.defaultTextOption()
        rtl, ltr = Qt.LayoutDirection.RightToLeft, Qt.LayoutDirection.LeftToRight
        option.setTextDirection(rtl if self._is_right_to_left else ltr)
        document.setDefaultTextOption(option)
        direction = "rtl" if self._is_right_to_left else "ltr"
        self.setHtml(f'<body dir="{direction}">{self._html}</body>')
        self._space_blocks(document)
        self._chips = self._find_chips(document)
        if anchor != position and max(anchor, position) < document.characterCount():
            cursor = self.textCursor()
            cursor.setPosition(anchor)
            cursor.setPosition(position, QTextCursor.MoveMode.KeepAnchor)
            self.setTextCursor(cursor)
        self._fit_height()

    @staticmethod
    def _space_blocks(document: QTextDocument) -> None:
        """Gives lines the leading of a book, which style sheets cannot."""
        block = document.begin()
        while block.isValid():
            cursor = QTextCursor(block)
            shape = block.blockFormat()
            shape.setLineHeight(_LEADING_PERCENT, shape.LineHeightTypes.ProportionalHeight.value)
            if block == document.begin():
                shape.setTopMargin(0)
            if not block.next().isValid():
                shape.setBottomMargin(0)
            cursor.setBlockFormat(shape)
            block = block.next()

    @staticmethod
    def _find_chips(document: QTextDocument) -> list[_Chip]:
        chips = []
        block = document.begin()
        while block.isValid():
            fragments = block.begin()
            while not fragments.atEnd():
                fragment = fragments.fragment()
                url = QUrl(fragment.charFormat().anchorHref())
                if url.scheme() == CITE_SCHEME:
                    start = fragment.position()
                    end = start + fragment.length()
                    chips.append(_Chip(int(url.path()), start, end, url.query() == "open"))
                fragments += 1
            block = block.next()
        return chips

    def _chip_rect(self, chip: _Chip) -> QRectF:
        block = self.document().findBlock(chip.start)
        layout = block.layout()
        line = layout.lineForTextPosition(chip.start - block.position())
        if not line.isValid():
            return QRectF()
        origin = self.document().documentLayout().blockBoundingRect(block).topLeft()
        xs = sorted(_x_of(line, at - block.position()) for at in (chip.start, chip.end))
        height = self.fontMetrics().ascent() * _CHIP_HEIGHT
        top = line.y() + line.ascent() - height * _CHIP_RISE
        box = QRectF(origin.x() + xs[0], origin.y() + top, xs[1] - xs[0], height)
        return box.translated(-self.horizontalScrollBar().value(), 0)

    def _chip_at_cursor(self) -> _Chip | None:
        cursor = self.textCursor()
        chosen = (cursor.selectionStart(), cursor.selectionEnd())
        return next((chip for chip in self._chips if (chip.start, chip.end) == chosen), None)

    def _fit_height(self) -> None:
        self.document().setTextWidth(self.viewport().width())
        height = round(self.document().size().height()) + 3
        if height != self.height():
            self.setFixedHeight(height)

    def _on_anchor(self, url: QUrl) -> None:
        if url.scheme() == CITE_SCHEME:
            self.footnote_chosen.emit(int(url.path()))
        elif url.scheme() in {"http", "https", "mailto"}:
            self.link_chosen.emit(url.toString())


def _x_of(line: QTextLine, position: int) -> float:
    """Where a position of a block stands in its line; the stubs know only one of Qt's overloads."""
    found: object = line.cursorToX(position)
    return float(found[0]) if isinstance(found, tuple) else float(str(found))
