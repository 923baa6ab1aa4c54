"""Where in the book the cited places stand: a thin strip from its beginning to its end."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

if TYPE_CHECKING:
    from app.domain.conversation import Citation
    from app.ui.theme import Theme

_HEIGHT_PX = 26
_REACH_PX = 8
"""How near to a mark a click counts as on it."""
_INSET_PX = 6


@dataclass(frozen=True, slots=True)
class PlaceMark:
    """A cited place on the strip.

    Attributes:
        citation: the footnote.
        percent: how far into the book it stands, 0 to 100.
        title: its place in words.
    """

    citation: Citation
    percent: float
    title: str


class PlaceStrip(QWidget):
    """A strip with a mark for each cited place.

    Signals:
        mark_chosen: the `Citation` whose mark was clicked or entered.
    """

    mark_chosen = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._marks: tuple[PlaceMark, ...] = ()
        self._current = 0
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setMouseTracking(True)
        self.setAccessibleName(self.tr("Where in the book"))

    @property
    def marks(self) -> tuple[PlaceMark, ...]:
        """What is marked."""
        return self._marks

    def set_marks(self, marks: tuple[PlaceMark, ...]) -> None:
        """Shows these places."""
        self._marks = tuple(sorted(marks, key=lambda mark: mark.percent))
        self._current = 0
        self.update()

    def set_theme(self, theme: Theme) -> None:
        """Draws the strip in a theme's colours."""
        self._theme = theme
        self.update()

    def x_of(self, mark: PlaceMark) -> float:
        """Where a mark stands, in pixels from the left."""
        return _INSET_PX + (self.width() - 2 * _INSET_PX) * mark.percent / 100

    def sizeHint(self) -> QSize:  # noqa: PLR6301 - called by Qt
        """A thin strip."""
        return QSize(200, _HEIGHT_PX)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draws the line of the book and the marks on it."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        middle = self.height() / 2
        pen = QPen(self._theme.qcolor("line"), 3)
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        painter.setPen(pen)
        painter.drawLine(QPointF(_INSET_PX, middle), QPointF(self.width() - _INSET_PX, middle))
        painter.setPen(Qt.PenStyle.NoPen)
        for index, mark in enumerate(self._marks):
            is_current = self.hasFocus() and index == self._current
            painter.setBrush(self._theme.qcolor("accent"))
            width, height = (6, 20) if is_current else (4, 14)
            box = QRectF(self.x_of(mark) - width / 2, middle - height / 2, width, height)
            painter.drawRoundedRect(box, 2, 2)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Chooses the mark under the mouse."""
        mark = self._mark_at(event.position().x())
        if mark is not None and event.button() == Qt.MouseButton.LeftButton:
            self.mark_chosen.emit(mark.citation)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Shows by the pointer what can be clicked."""
        is_on_mark = self._mark_at(event.position().x()) is not None
        hand, arrow = Qt.CursorShape.PointingHandCursor, Qt.CursorShape.ArrowCursor
        self.setCursor(hand if is_on_mark else arrow)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Left and Right move between marks, Enter chooses one."""
        step = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(Qt.Key(event.key()))
        if step is not None and self._marks:
            self._current = (self._current + step) % len(self._marks)
            self.update()
        elif event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter} and self._marks:
            self.mark_chosen.emit(self._marks[self._current].citation)
        else:
            super().keyPressEvent(event)

    def event(self, event: QEvent) -> bool:
        """Names the mark under the mouse."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            mark = self._mark_at(event.pos().x())
            if mark is not None:
                QToolTip.showText(event.globalPos(), f"{mark.citation.number} · {mark.title}", self)
            else:
                QToolTip.hideText()
            return True
        return super().event(event)

    def _mark_at(self, x: float) -> PlaceMark | None:
        near = [mark for mark in self._marks if abs(self.x_of(mark) - x) <= _REACH_PX]
        return min(near, key=lambda mark: abs(self.x_of(mark) - x), default=None)
