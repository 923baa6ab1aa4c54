"""Shows a PDF: the pages as they are drawn, with places, marks and selection in their text.

Pages are drawn and measured by the worker process; nothing here waits for it.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, Qt, QUrl
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.domain.position import Locator, Span
from app.ui.reader.pdf_canvas import PdfCanvas
from app.ui.reader.pdf_ink import PdfInk
from app.ui.reader.pdf_layout import MARGIN_PX
from app.ui.reader.pdf_pages import NearPages
from app.ui.reader.reader_view import (
    BookLink,
    ReaderSelection,
    ReaderView,
    ReadingTheme,
    Viewpoint,
    WebLink,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QCloseEvent

    from app.domain.drawn_page import PageLink, PageRect
    from app.ui.jobs import JobRunner
    from app.ui.reader.pdf_pages import PageDrawer, PdfContent

_DEFAULT_SIZE_PT = (595.0, 842.0)  # A4, for a page whose size is not known yet
_LEADING_PX = 8.0  # between the edge of the view and the line that a locator leads to
_PROBE_CHARS = 80  # a place may stand at white space, which has no box
_WEB_SCHEMES = frozenset({"http", "https", "mailto"})
_CLICK_PX = 4
_ZOOMS = (0.4, 4.0)


class PdfView(ReaderView):
    """The PDF half of the reader.

    A `Viewpoint` of this view says in `inset_px` how far the top of its page stands below the top
    of the view, in points of the page, so that it holds at any size of the window.

    Args:
        theme: colours at the start.
        jobs: where the worker is waited for.
        parent: the pane.
    """

    def __init__(self, theme: ReadingTheme, jobs: JobRunner, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._content: PdfContent | None = None
        self._target: Span | Locator | Viewpoint | None = None
        self._request = 0
        self._cited: Span | None = None
        self._marked: dict[Span, tuple[PageRect, ...]] = {}
        self._place: Locator | None = None
        self._is_shown = False
        self._anchor: tuple[int, int, int] | None = None
        self._pressed_at: tuple[int, QPointF] | None = None
        self._selection: ReaderSelection | None = None
        self._landing: PageLink | None = None
        self._pages = NearPages(jobs, PdfInk.of_theme(theme), self)
        self._canvas = PdfCanvas(self._pages, theme, self)
        self.setFocusProxy(self._canvas)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._canvas)
        self._pages.drawn.connect(self._on_drawn)
        self._pages.measured.connect(self._on_measured)
        self._pages.failed.connect(self.failed)
        self._canvas.moved.connect(self._report_place)
        self._canvas.pressed.connect(self._on_pressed)
        self._canvas.dragged.connect(self._on_dragged)
        self._canvas.released.connect(self._on_released)
        self._canvas.pointed.connect(self._on_pointed)
        self._canvas.zoom_asked.connect(self._on_zoom_asked)
        self._canvas.copy_asked.connect(self.copy_selection)

    # ---- the book ------------------------------------------------------------------------------

    def show_book(self, content: PdfContent, start: Locator | Viewpoint) -> None:
        """Shows a book from a place on; `shown` follows when it can be read."""
        self.close_book()
        self._content = content
        self._pages.open(content)
        self._canvas.set_pages(self._page_sizes())
        self._canvas.scroll_to(0)
        self._travel(start, is_jump=False)

    def documents_added(self) -> None:
        """Takes in the pages that were stored since; the place stays where it is."""
        if self._content is None:
            return
        self._canvas.set_pages(self._page_sizes())
        self._pages.forget_empty_texts()
        if self._target is not None:
            self._travel(self._target)

    def close_book(self) -> None:
        """Shows nothing; the content is no longer asked for anything."""
        self._pages.close()
        self._request += 1
        self._content = None
        self._target = None
        self._cited = None
        self._marked = {}
        self._place = None
        self._is_shown = False
        self._anchor = self._pressed_at = self._selection = None
        self._canvas.set_cited(())
        self._canvas.set_marked(())
        self._canvas.set_selected(())
        self._canvas.set_pages(())

    def _page_sizes(self) -> list[tuple[float, float]]:
        assert self._content is not None
        known = {
            page.file_index: (page.width_pt, page.height_pt)
            for page in self._content.documents
            if page.width_pt > 0 and page.height_pt > 0
        }
        count = max(self._content.book.document_count, max(known, default=-1) + 1)
        usual = next(iter(known.values()), _DEFAULT_SIZE_PT)
        return [known.get(page, usual) for page in range(count)]

    # ---- ReaderView ----------------------------------------------------------------------------

    def go_to(self, place: Span | Locator | Viewpoint, *, highlight: bool = False) -> None:
        """Scrolls to a place; `arrived` follows when it is on the screen."""
        if highlight and isinstance(place, Span):
            self._cited = place
            self._canvas.set_cited(())
        self._target = place
        self._travel(place)

    def set_highlights(self, spans: tuple[Span, ...]) -> None:
        """Draws exactly these spans as marked, beside the cited one."""
        self._marked = {span: self._marked.get(span, ()) for span in spans}
        self._show_marked()
        for span in [span for span, rects in self._marked.items() if not rects]:
            self._ask_rectangles(span, partial(self._mark, span))

    def clear_highlight(self) -> None:
        """Takes away the cited span's highlight."""
        self._cited = None
        self._canvas.set_cited(())

    def clear_selection(self) -> None:
        """Unselects what is selected."""
        self._anchor = None
        self._select(None)

    def set_theme(self, theme: ReadingTheme) -> None:
        """Draws the pages in a theme's colours."""
        self._canvas.set_theme(theme)
        self._pages.set_ink(PdfInk.of_theme(theme))

    def set_text_scale(self, scale: float) -> None:
        """Draws the pages larger or smaller; 1 fits them into the view."""
        self._canvas.set_zoom(scale)

    def viewpoint(self) -> Viewpoint | None:
        """The first visible place, and how its page stands in the view."""
        layout = self._canvas.page_layout
        if self._content is None or not layout.page_count:
            return None
        page = self._page_in_view()
        inset = (layout.rect(page).y() - self._canvas.origin.y()) / layout.scale(page)
        return Viewpoint(Locator(page, self._first_offset(page)), inset)

    def page_forward(self) -> None:
        """Moves one screen on."""
        self._canvas.turn(1)

    def page_back(self) -> None:
        """Moves one screen back."""
        self._canvas.turn(-1)

    def text_under_highlight(self, receive: Callable[[str], None]) -> None:
        """Reads back what the cited highlight covers on the live page."""
        if not self._canvas.cited:
            receive("")
            return
        ((page, rects),) = self._canvas.cited
        self._pages.ask_text(
            page,
            lambda measured: receive(measured.text_within(rects) if measured is not None else ""),
        )

    # ---- going ---------------------------------------------------------------------------------

    def _travel(self, place: Span | Locator | Viewpoint, *, is_jump: bool = True) -> None:
        """Goes near at once, and to the very line when the worker has said where it is."""
        self._request += 1
        request, layout = self._request, self._canvas.page_layout
        page = _page_of(place)
        if page >= layout.page_count:
            self._target = place
            return
        if isinstance(place, Viewpoint):
            self._canvas.scroll_to(layout.rect(page).y() - place.inset_px * layout.scale(page))
            self._arrive(place, is_jump=is_jump)
            return
        offset = place.start if isinstance(place, Span) else place.offset
        if not offset and isinstance(place, Locator):
            landing = self._landing
            y = landing.y if landing is not None and landing.page_index == page else None
            below = -MARGIN_PX if y is None else y * layout.scale(page) - _LEADING_PX
            self._canvas.scroll_to(layout.rect(page).y() + below)
            self._arrive(place, is_jump=is_jump)
            return
        if not self._is_in_middle(page):
            self._canvas.scroll_to(self._guess(page, offset))
        span = place if isinstance(place, Span) else Span(page, offset, offset + _PROBE_CHARS)

        def receive(rects: tuple[PageRect, ...]) -> None:
            if place == self._cited:
                self._canvas.set_cited(((page, rects),) if rects else (), flash=True)
            if request == self._request:
                if rects:
                    self._bring(place, rects)
                self._arrive(place, is_jump=is_jump)

        self._ask_rectangles(span, receive)

    def _arrive(self, place: Span | Locator | Viewpoint, *, is_jump: bool) -> None:
        self._target = None
        if is_jump:
            self.arrived.emit(place)

    def _is_in_middle(self, page: int) -> bool:
        """Whether the page covers the middle of the view, so that a guess would only jerk."""
        y = self._canvas.origin.y() + self._canvas.viewport().height() / 2
        return self._canvas.page_layout.page_at(y) == page

    def _guess(self, page: int, offset: int) -> float:
        assert self._content is not None
        lengths = (one.length_chars for one in self._content.documents if one.file_index == page)
        share = min(1.0, offset / max(next(lengths, 1), 1))
        rect = self._canvas.page_layout.rect(page)
        return rect.y() + share * rect.height() - self._canvas.viewport().height() / 2

    def _bring(self, place: Span | Locator | Viewpoint, rects: tuple[PageRect, ...]) -> None:
        page, layout = _page_of(place), self._canvas.page_layout
        if isinstance(place, Locator):
            self._canvas.scroll_to(layout.in_column(page, rects[0]).y() - _LEADING_PX)
            return
        shown = [layout.in_column(page, rect) for rect in rects]
        top, bottom = min(rect.top() for rect in shown), max(rect.bottom() for rect in shown)
        left, right = min(rect.left() for rect in shown), max(rect.right() for rect in shown)
        view = self._canvas.viewport().size()
        # What is taller than the middle third begins with it, where a third is enough to read on.
        free = max(0.0, view.height() / 3 - (bottom - top))
        x = self._canvas.origin.x()
        is_aside = left < x or right > x + view.width()
        self._canvas.scroll_to(
            top - view.height() / 3 - free / 2,
            max(0.0, min(left - MARGIN_PX, (left + right - view.width()) / 2))
            if is_aside
            else None,
        )

    def _ask_rectangles(self, span: Span, receive: Callable[[tuple[PageRect, ...]], None]) -> None:
        def question(drawer: PageDrawer) -> tuple[PageRect, ...]:
            return drawer.rectangles(span.file_index, span.start, span.end)

        self._pages.ask(question, lambda rects: receive(rects or ()))

    def _mark(self, span: Span, rects: tuple[PageRect, ...]) -> None:
        if span in self._marked:
            self._marked[span] = rects
            self._show_marked()

    def _show_marked(self) -> None:
        self._canvas.set_marked(
            tuple((span.file_index, rects) for span, rects in self._marked.items())
        )

    # ---- where the reader is -------------------------------------------------------------------

    def _page_in_view(self) -> int:
        """The page at the top third of the view."""
        third = self._canvas.origin.y() + self._canvas.viewport().height() / 3
        return self._canvas.page_layout.page_at(third)

    def _first_offset(self, page: int) -> int:
        measured, layout = self._pages.text(page), self._canvas.page_layout
        y = layout.on_page(page, self._canvas.origin).y()
        return measured.first_below(y) if measured is not None and y > 0 else 0

    def _report_place(self) -> None:
        if self._content is None or not self._canvas.page_layout.page_count:
            return
        page = self._page_in_view()
        place = Locator(page, self._first_offset(page))
        if place != self._place:
            self._place = place
            self.place_changed.emit(place)

    def _on_drawn(self, page_index: int) -> None:
        if not self._is_shown and page_index == self._page_in_view():
            self._is_shown = True
            self.shown.emit()

    def _on_measured(self, page_index: int) -> None:
        if page_index == self._page_in_view():
            self._report_place()

    # ---- the pointer ---------------------------------------------------------------------------

    def _on_pressed(self, page: int, point: QPointF, is_double: bool) -> None:  # noqa: FBT001 - a signal's value
        self._pressed_at = None if is_double else (page, point)
        self.clear_selection()
        measured = self._pages.text(page)
        if measured is None:
            return
        if is_double:
            offset = measured.character_at(point.x(), point.y())
            if offset is not None:
                start, end = measured.word_at(offset)
                self._anchor = (page, start, end)
                self._select_range(page, start, end)
            return
        border = measured.border_at(point.x(), point.y())
        self._anchor = (page, border, border) if border is not None else None

    def _on_dragged(self, page: int, point: QPointF) -> None:
        if self._anchor is None:
            return
        anchor_page, start, end = self._anchor
        measured = self._pages.text(anchor_page)
        if measured is None:
            return
        # A selection stays on its page: beyond it, everything up to the page's end is selected.
        border: int | None
        if page == anchor_page:
            border = measured.border_at(point.x(), point.y())
        else:
            border = len(measured.boxes) if page > anchor_page else 0
        if border is not None:
            self._select_range(anchor_page, min(start, border), max(end, border))

    def _on_released(self, page: int, point: QPointF) -> None:
        pressed, self._pressed_at = self._pressed_at, None
        measured = self._pages.text(page)
        if pressed is None or measured is None or pressed[0] != page:
            return
        way = (point - pressed[1]).manhattanLength() * self._canvas.page_layout.scale(page)
        link = measured.link_at(point.x(), point.y())
        if link is not None and way <= _CLICK_PX:
            self.clear_selection()
            self._follow(link, page)

    def _on_pointed(self, page: int, point: QPointF) -> None:
        measured = self._pages.text(page)
        shape = Qt.CursorShape.ArrowCursor
        if measured is not None:
            if measured.link_at(point.x(), point.y()) is not None:
                shape = Qt.CursorShape.PointingHandCursor
            elif measured.character_at(point.x(), point.y()) is not None:
                shape = Qt.CursorShape.IBeamCursor
        self._canvas.viewport().setCursor(shape)

    def _follow(self, link: PageLink, page: int) -> None:
        if link.page_index is None:
            if QUrl(link.uri).scheme() in _WEB_SCHEMES:
                self.link_activated.emit(WebLink(link.uri))
            return
        assert self._content is not None
        names = (one.name for one in self._content.documents if one.file_index == link.page_index)
        name = next(names, None)
        if name is not None:
            # A link of a PDF leads to a height of a page, which a `BookLink` cannot say: it is kept
            # for the jump that an answer to this signal makes at once.
            self._landing = link
            self.link_activated.emit(BookLink(name, "", page, is_note_reference=False))
            self._landing = None

    def _select_range(self, page: int, start: int, end: int) -> None:
        measured = self._pages.text(page)
        if measured is None or end <= start:
            self._select(None)
            return
        self._select(ReaderSelection(Span(page, start, end), measured.content.text[start:end]))

    def _select(self, selection: ReaderSelection | None) -> None:
        if selection == self._selection:
            return
        self._selection = selection
        measured = self._pages.text(selection.span.file_index) if selection is not None else None
        if selection is None or measured is None:
            self._canvas.set_selected(())
        else:
            span = selection.span
            rects = measured.rectangles(span.start, span.end)
            self._canvas.set_selected(((span.file_index, rects),))
        self.selection_changed.emit(selection)

    def copy_selection(self) -> None:
        """Puts the selected text, as a person reads it, on the clipboard."""
        if self._selection is None:
            return
        measured = self._pages.text(self._selection.span.file_index)
        if measured is not None:
            readable = measured.content.readable_span(self._selection.span)
            QGuiApplication.clipboard().setText(readable)

    def _on_zoom_asked(self, factor: float, fixed: QPointF) -> None:
        zoom = min(max(self._canvas.zoom * factor, _ZOOMS[0]), _ZOOMS[1])
        self._canvas.set_zoom(zoom, fixed)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Lets the pages go."""
        self.close_book()
        super().closeEvent(event)


def _page_of(place: Span | Locator | Viewpoint) -> int:
    return place.locator.file_index if isinstance(place, Viewpoint) else place.file_index
