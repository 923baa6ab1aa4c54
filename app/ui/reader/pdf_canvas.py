"""The scrolling column of a PDF's pages: paints what is near and reports what the pointer does.

It knows no books and no places but pages and points; `pdf_view` gives them their meaning.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import (
    QCoreApplication,
    QPoint,
    QPointF,
    QRectF,
    Qt,
    QTimer,
    QVariantAnimation,
    Signal,
)
from PySide6.QtGui import QColor, QPainter, QPainterPath
from PySide6.QtWidgets import QAbstractScrollArea, QFrame

from app.ui.notices import describe
from app.ui.reader.pdf_ink import PdfInk
from app.ui.reader.pdf_layout import MARGIN_PX, PdfLayout
from app.ui.reader.pdf_pages import PageWish, bearable_scale

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QKeyEvent, QMouseEvent, QPaintEvent, QResizeEvent, QWheelEvent
    from PySide6.QtWidgets import QWidget

    from app.domain.drawn_page import PageRect
    from app.domain.errors import ReaderError
    from app.ui.reader.pdf_pages import NearPages
    from app.ui.reader.reader_view import ReadingTheme

_LINE_PX = 40  # an arrow key; a notch of the wheel is three
_KEPT_SHARE = 0.08  # of the view that stays in sight when a screen is turned
_AHEAD_VIEWS = 1.5  # views before and behind that are drawn beforehand
_MARK_MARGIN_PX = 1.0
_MARK_RADIUS_PX = 2.5
_FLASH_MS = 900
_SHADOW_PX = 3
_REPORT_MS = 60  # a place is reported this long after scrolling; no page is missed by the eye
_ZOOM_STEP = 1.1
_DRAG_SCROLL_PX = 24

Marks = tuple[tuple[int, tuple["PageRect", ...]], ...]


class PdfCanvas(QAbstractScrollArea):
    """Paints pages and marks on them.

    Args:
        pages: where pictures come from.
        theme: colours of what lies around the pages, and of the marks.
        parent: the view.

    Signals:
        moved: the pages on the screen changed place.
        pressed: mouse down on a page: (page index, point in points, is double click).
        dragged: mouse moved with the button down: (page index, point in points).
        released: mouse up: (page index, point in points).
        pointed: mouse moved without a button: (page index, point in points).
        zoom_asked: factor and point of the view that is to stay (Ctrl and wheel).
        copy_asked: Ctrl+C.
    """

    moved = Signal()
    pressed = Signal(int, QPointF, bool)
    dragged = Signal(int, QPointF)
    released = Signal(int, QPointF)
    pointed = Signal(int, QPointF)
    zoom_asked = Signal(float, QPointF)
    copy_asked = Signal()

    def __init__(self, pages: NearPages, theme: ReadingTheme, parent: QWidget) -> None:
        super().__init__(parent)
        self._pages = pages
        self._theme = theme
        self._sizes: tuple[tuple[float, float], ...] = ()
        self._zoom = 1.0
        self._layout = PdfLayout((), 1, 1)
        self._cited: Marks = ()
        self._marked: Marks = ()
        self._selected: Marks = ()
        self._flash = QVariantAnimation(self)
        self._flash.setStartValue(1.0)
        self._flash.setEndValue(0.0)
        self._flash.setDuration(_FLASH_MS)
        self._flash.valueChanged.connect(self.viewport().update)
        self._report = QTimer(self, interval=_REPORT_MS, singleShot=True)
        self._report.timeout.connect(self.moved)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.viewport().setMouseTracking(True)
        self.viewport().setAutoFillBackground(False)
        self.horizontalScrollBar().setSingleStep(_LINE_PX)
        self.verticalScrollBar().setSingleStep(_LINE_PX)
        pages.drawn.connect(self._on_drawn)

    # ---- pages ---------------------------------------------------------------------------------

    @property
    def page_layout(self) -> PdfLayout:
        """Where the pages stand."""
        return self._layout

    @property
    def zoom(self) -> float:
        """1 fits the pages into the view."""
        return self._zoom

    @property
    def origin(self) -> QPointF:
        """The point of the column that is in the top left corner of the view."""
        return QPointF(self.horizontalScrollBar().value(), self.verticalScrollBar().value())

    def set_pages(self, sizes_pt: Sequence[tuple[float, float]]) -> None:
        """Lays out other pages; what is at the top of the view stays there."""
        self._sizes = tuple(sizes_pt)
        self._lay_out(QPointF(0, 0))

    def set_zoom(self, zoom: float, fixed: QPointF | None = None) -> None:
        """Draws larger or smaller.

        Args:
            zoom: 1 fits the pages into the view.
            fixed: the point of the view whose text stays where it is; else the top middle.
        """
        if zoom != self._zoom:
            self._zoom = zoom
            self._lay_out(fixed or QPointF(self.viewport().width() / 2, 0))

    def set_theme(self, theme: ReadingTheme) -> None:
        """Other colours around the pages and of the marks."""
        self._theme = theme
        self.viewport().update()

    def scroll_to(self, y: float, x: float | None = None) -> None:
        """Brings a height of the column to the top of the view."""
        self.verticalScrollBar().setValue(round(y))
        if x is not None:
            self.horizontalScrollBar().setValue(round(x))
        self._want()

    def turn(self, direction: int) -> None:
        """Moves one screen on (1) or back (-1)."""
        step = self.viewport().height() * (1 - _KEPT_SHARE)
        self.scroll_to(self.origin.y() + direction * step)

    def _lay_out(self, fixed: QPointF) -> None:
        old, at = self._layout, self.origin + fixed
        self._layout = PdfLayout(self._sizes, self.viewport().width(), self._zoom)
        view, column = self.viewport().size(), self._layout
        vertical, horizontal = self.verticalScrollBar(), self.horizontalScrollBar()
        vertical.setRange(0, max(0, round(column.height_px) - view.height()))
        vertical.setPageStep(view.height())
        horizontal.setRange(0, max(0, round(column.width_px) - view.width()))
        horizontal.setPageStep(view.width())
        if old.page_count and column.page_count:
            page = min(old.page_at(at.y()), column.page_count - 1)
            point = old.on_page(page, at) * column.scale(page) + column.rect(page).topLeft()
            # The gaps between pages do not grow with them.
            above = min(0.0, at.y() - old.rect(page).y())
            top = column.rect(page).y() + above if above else point.y()
            self.scroll_to(top - fixed.y(), point.x() - fixed.x())
        self._want()
        self.viewport().update()
        self._report.start()

    def _want(self) -> None:
        view, layout = self.viewport(), self._layout
        top, height = self.origin.y(), view.height()
        visible = layout.pages_between(top, top + height)
        reach = height * _AHEAD_VIEWS
        near = layout.pages_between(max(0.0, top - reach), top + height + reach)
        middle = top + height / 2
        self._pages.want(
            sorted(
                (self._wish(page, is_visible=page in visible) for page in near),
                key=lambda wish: (
                    not wish.is_visible,
                    abs(layout.rect(wish.page_index).center().y() - middle),
                ),
            )
        )

    def _wish(self, page_index: int, *, is_visible: bool) -> PageWish:
        scale = self._layout.scale(page_index) * self.devicePixelRatioF()
        return PageWish(page_index, bearable_scale(scale, *self._sizes[page_index]), is_visible)

    def _on_drawn(self, page_index: int) -> None:
        if page_index < self._layout.page_count:
            rect = self._layout.rect(page_index).translated(-self.origin)
            self.viewport().update(rect.toAlignedRect())

    # ---- marks ---------------------------------------------------------------------------------

    def set_cited(self, marks: Marks, *, flash: bool = False) -> None:
        """Draws the cited text."""
        self._cited = marks
        self._flash.stop()
        if flash:
            self._flash.start()
        self.viewport().update()

    @property
    def cited(self) -> Marks:
        """What is drawn as cited: rectangles by page."""
        return self._cited

    @property
    def is_flashing(self) -> bool:
        """Whether the cited text still fades from its flash."""
        return self._flash.state() == QVariantAnimation.State.Running

    def set_marked(self, marks: Marks) -> None:
        """Draws other marked texts."""
        self._marked = marks
        self.viewport().update()

    @property
    def marked(self) -> Marks:
        """What is drawn as marked: rectangles by page."""
        return self._marked

    def set_selected(self, marks: Marks) -> None:
        """Draws the selection."""
        self._selected = marks
        self.viewport().update()

    # ---- painting ------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paints the pages that the view shows."""
        painter = QPainter(self.viewport())
        painter.fillRect(event.rect(), QColor(self._theme.color("panel")))
        painter.setRenderHints(
            QPainter.RenderHint.Antialiasing | QPainter.RenderHint.SmoothPixmapTransform
        )
        top = self.origin.y() + event.rect().top()
        for page in self._layout.pages_between(top, top + event.rect().height()):
            self._paint_page(painter, page)
        painter.end()

    def _paint_page(self, painter: QPainter, page_index: int) -> None:
        rect = self._on_device_pixels(self._layout.rect(page_index).translated(-self.origin))
        self._paint_edge(painter, rect)
        image = self._pages.picture(page_index)
        if image is None:
            painter.fillRect(rect, QColor(self._theme.color("page")))
        else:
            painter.drawImage(rect, image, QRectF(image.rect()))
        error = self._pages.error(page_index)
        if image is None and error is not None:
            self._paint_sentence(painter, rect, page_index, error)
        cited = QColor(self._theme.color("highlight"))
        if self.is_flashing:
            cited = _between(
                cited, QColor(self._theme.color("flash")), float(self._flash.currentValue())
            )
        self._paint_marks(painter, page_index, self._marked, QColor(self._theme.color("highlight")))
        self._paint_marks(painter, page_index, self._cited, cited)
        selection = QColor(self._theme.color("selection"))
        self._paint_marks(painter, page_index, self._selected, selection)

    def _paint_marks(self, painter: QPainter, page_index: int, marks: Marks, color: QColor) -> None:
        path = QPainterPath()
        # One path, so that where two rectangles meet nothing is laid over twice.
        path.setFillRule(Qt.FillRule.WindingFill)
        margin = _MARK_MARGIN_PX
        for page, rects in marks:
            for rect in rects if page == page_index else ():
                shown = self._layout.in_column(page, rect).translated(-self.origin)
                shown.adjust(-margin, -margin, margin, margin)
                path.addRoundedRect(shown, _MARK_RADIUS_PX, _MARK_RADIUS_PX)
        if path.isEmpty():
            return
        painter.save()
        ink = PdfInk.of_theme(self._theme)
        painter.setCompositionMode(ink.marking_mode)
        painter.fillPath(path, ink.mark(color))
        painter.restore()

    def _paint_edge(self, painter: QPainter, rect: QRectF) -> None:
        shadow = QColor(self._theme.color("shadow"))
        for spread in range(_SHADOW_PX, 0, -1):
            shadow.setAlphaF(0.5 / spread)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(shadow)
            painter.drawRoundedRect(
                rect.adjusted(-spread, -spread + 1, spread, spread + 1), spread, spread
            )
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QColor(self._theme.color("line")))
        painter.drawRect(rect.adjusted(-0.5, -0.5, 0.5, 0.5))

    def _paint_sentence(
        self, painter: QPainter, rect: QRectF, page_index: int, error: ReaderError
    ) -> None:
        sentence = QCoreApplication.translate("PdfCanvas", "Page {page} cannot be shown.")
        painter.setPen(QColor(self._theme.color("muted")))
        painter.drawText(
            rect.adjusted(MARGIN_PX, MARGIN_PX, -MARGIN_PX, -MARGIN_PX),
            int(Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap),
            f"{sentence.format(page=page_index + 1)}\n{describe(error).advice}",
        )

    def _on_device_pixels(self, rect: QRectF) -> QRectF:
        """A page is drawn from whole device pixels on: shifted by half of one, text would blur."""
        ratio = self.devicePixelRatioF()
        left, top = round(rect.x() * ratio), round(rect.y() * ratio)
        width, height = round(rect.width() * ratio), round(rect.height() * ratio)
        return QRectF(left / ratio, top / ratio, width / ratio, height / ratio)

    # ---- what the person does ------------------------------------------------------------------

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fits the pages into the new width."""
        super().resizeEvent(event)
        self._lay_out(QPointF(0, 0))

    def scrollContentsBy(self, dx: int, dy: int) -> None:  # noqa: N802 - Qt's name
        """Follows the scroll bars."""
        if self.devicePixelRatioF().is_integer():
            self.viewport().scroll(dx, dy)
        else:  # pages lie on whole device pixels, and what was painted would be moved off them
            self.viewport().update()
        self._want()
        self._report.start()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Scrolls; with Ctrl makes the page larger or smaller under the pointer."""
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            notches = event.angleDelta().y() / 120
            if notches:
                self.zoom_asked.emit(_ZOOM_STEP**notches, event.position())
            event.accept()
            return
        super().wheelEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Moves by the keyboard."""
        key, keys = event.key(), Qt.Key
        is_shifted = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if key == keys.Key_C and event.modifiers() == Qt.KeyboardModifier.ControlModifier:
            self.copy_asked.emit()
            return
        if event.modifiers() & ~(
            Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.KeypadModifier
        ):
            super().keyPressEvent(event)
        elif key == keys.Key_Space:
            self.turn(-1 if is_shifted else 1)
        elif key == keys.Key_PageDown:
            self.turn(1)
        elif key == keys.Key_PageUp:
            self.turn(-1)
        elif key == keys.Key_Home:
            self.scroll_to(0)
        elif key == keys.Key_End:
            self.scroll_to(self._layout.height_px)
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Begins a selection or a click."""
        if event.button() == Qt.MouseButton.LeftButton and self._layout.page_count:
            self.pressed.emit(*self._under(event.position()), False)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Selects a word."""
        if event.button() == Qt.MouseButton.LeftButton and self._layout.page_count:
            self.pressed.emit(*self._under(event.position()), True)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Selects on, or shows what is under the pointer."""
        if not self._layout.page_count:
            return
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._scroll_towards(event.position().toPoint())
            self.dragged.emit(*self._under(event.position()))
        else:
            self.pointed.emit(*self._under(event.position()))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Ends a selection or a click."""
        if event.button() == Qt.MouseButton.LeftButton and self._layout.page_count:
            self.released.emit(*self._under(event.position()))

    def _under(self, position: QPointF) -> tuple[int, QPointF]:
        at = self.origin + position
        page = self._layout.page_at(at.y())
        return page, self._layout.on_page(page, at)

    def _scroll_towards(self, position: QPoint) -> None:
        if position.y() < 0:
            self.scroll_to(self.origin.y() - _DRAG_SCROLL_PX)
        elif position.y() > self.viewport().height():
            self.scroll_to(self.origin.y() + _DRAG_SCROLL_PX)


def _between(one: QColor, other: QColor, share: float) -> QColor:
    """A colour on the way from one to another; 0 is the first."""
    rest = 1 - share
    return QColor(
        round(one.red() * rest + other.red() * share),
        round(one.green() * rest + other.green() * share),
        round(one.blue() * rest + other.blue() * share),
    )
