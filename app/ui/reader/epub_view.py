"""Shows an EPUB: the whole book in one flow, drawn by Qt WebEngine from the stored text.

The view asks `EpubContent` for parts as they come near; it never opens the book's file. Layout,
places and highlights are the work of the page's script (`resources/page`).
"""

from __future__ import annotations

import logging
import time
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, QTimer, QUrl
from PySide6.QtGui import QColor, QFontDatabase
from PySide6.QtWebEngineCore import QWebEngineSettings
from PySide6.QtWebEngineWidgets import QWebEngineView
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.domain.book import ImportState
from app.domain.errors import PageUnreadable, ReaderError
from app.domain.position import Locator, Span
from app.paths import RESOURCES
from app.ui.reader.book_page import BookPage, make_profile
from app.ui.reader.book_scheme import SHELL, BookSchemeHandler, package_name, part_address
from app.ui.reader.page_bridge import PageBridge
from app.ui.reader.reader_view import BookLink, ReaderView, ReadingTheme, Viewpoint, WebLink

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QCloseEvent
    from PySide6.QtWebEngineCore import QWebEnginePage

    from app.domain.book import SpineDocument
    from app.ui.reader.book_scheme import EpubContent

_log = logging.getLogger(__name__)

_ROLES = (
    "page", "page_text", "muted", "line", "accent", "link",
    "highlight", "highlight_text", "flash", "selection",
)  # fmt: skip
# Pixels along the flow for one character, before any part was measured: 18 px text, lines of
# 28.8 px and 612 px (measured on corpus books: Latin 0.40 to 0.55, Chinese and Japanese 1.1).
_PER_CHARACTER_PX = 0.45
_PER_IDEOGRAPH_PX = 1.1
# The first that is installed is what a page means by `serif`: designs for long reading, per script.
_SERIF_FAMILIES = {
    "ja": ("Hiragino Mincho ProN", "Noto Serif CJK JP", "Source Han Serif", "Yu Mincho"),
    "ko": ("AppleMyungjo", "Noto Serif CJK KR", "Source Han Serif K", "Batang"),
    "zh-tw": ("Songti TC", "Noto Serif CJK TC", "Source Han Serif TC", "PMingLiU"),
    "zh-hant": ("Songti TC", "Noto Serif CJK TC", "Source Han Serif TC", "PMingLiU"),
    "zh": ("Songti SC", "Noto Serif CJK SC", "Source Han Serif SC", "SimSun"),
    "he": ("Noto Serif Hebrew", "Times New Roman", "David"),
    "": (
        "Iowan Old Style", "Charter", "Palatino Linotype", "Palatino", "Source Serif 4",
        "Georgia", "Noto Serif", "Liberation Serif", "DejaVu Serif",
    ),
}  # fmt: skip
_SLICE_S = 0.02  # a pause that nobody notices; DESIGN section 8 allows 50 ms
_WEB_SCHEMES = frozenset({"http", "https", "mailto"})


class EpubView(ReaderView):
    """The EPUB half of the reader."""

    def __init__(self, theme: ReadingTheme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._content: EpubContent | None = None
        self._viewpoint: Viewpoint | None = None
        self._start: Span | Locator | Viewpoint = Locator(0, 0)
        self._target: Span | Locator | Viewpoint | None = None
        self._cited: Span | None = None
        self._marked: tuple[Span, ...] = ()
        self._scale = 1.0
        self._is_ready = False
        self._has_died = False
        self._is_given_up = False
        self._unsent: dict[int, SpineDocument] = {}
        self._sent: set[int] = set()
        self._feed = QTimer(self, interval=0)
        self._feed.timeout.connect(self._feed_documents)
        self._handler = BookSchemeHandler()
        self._profile = make_profile(self._handler)
        self._web = QWebEngineView(self)
        self._page = BookPage(self._profile, self)
        # Children die in the order in which they came: the page before its profile.
        self._profile.setParent(self)
        self._bridge = PageBridge(self._page)
        self._web.setPage(self._page)
        self._web.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)
        self._web.setAcceptDrops(False)
        self.setFocusProxy(self._web)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._web)
        self._connect()
        self._page.setBackgroundColor(QColor(theme.color("page")))
        self._page.load(SHELL)

    def _connect(self) -> None:
        self._bridge.page_ready.connect(self._on_page_ready)
        self._bridge.page_shown.connect(self._on_page_shown)
        self._bridge.arrived.connect(self._on_arrived)
        self._bridge.place_seen.connect(self._on_place_seen)
        self._bridge.selected.connect(self.selection_changed)
        self._bridge.link_clicked.connect(self._on_link_clicked)
        self._handler.part_failed.connect(self._on_part_failed)
        self._page.renderProcessTerminated.connect(self._on_process_ended)

    # ---- the book ------------------------------------------------------------------------------

    def show_book(self, content: EpubContent, start: Locator | Viewpoint) -> None:
        """Shows a book from a place on; `shown` follows when it can be read."""
        self._content = content
        self._start = start
        self._viewpoint = None
        self._target = None
        self._cited = None
        self._marked = ()
        self._has_died = False
        self._handler.serve(content)
        if self._is_given_up:
            self._load_soon()
        else:
            self._send_book()

    def close_book(self) -> None:
        """Shows nothing; the content is no longer asked for anything."""
        self._content = None
        self._viewpoint = None
        self._handler.serve(None)
        self._unsent.clear()
        self._order("showBook", _nothing())

    def documents_added(self) -> None:
        """Takes in the documents that were stored since; the place stays where it is."""
        if not self._is_ready or self._content is None:
            return
        self._queue_documents(self.visible_place() or _locator(self._start))
        self._feed.start()
        if self._target is not None and self._can_reach(self._target):
            self._send_target(self._target)

    def _send_book(self) -> None:
        if not self._is_ready or self._content is None:
            return
        metadata = self._content.book.metadata
        self._choose_serif(metadata.language)
        is_ideographic = metadata.language.lower().startswith(("zh", "ja", "ko"))
        self._sent.clear()
        self._queue_documents(_locator(self._start))
        self._order(
            "showBook",
            {
                "documents": self._next_documents(),
                "isRightToLeft": metadata.is_right_to_left,
                "perCharacter": _PER_IDEOGRAPH_PX if is_ideographic else _PER_CHARACTER_PX,
                "start": _target(self._start),
            },
        )
        self._order("setMarked", [_target(span) for span in self._marked])
        if self._target is not None and self._can_reach(self._target):
            self._send_target(self._target)

    def _choose_serif(self, language: str) -> None:
        tag = language.lower()
        key = next((key for key in _SERIF_FAMILIES if tag.startswith(key)), "")
        installed = set(QFontDatabase.families())
        family = next((name for name in _SERIF_FAMILIES[key] if name in installed), None)
        if family is not None:
            settings = self._page.settings()
            settings.setFontFamily(QWebEngineSettings.FontFamily.SerifFont, family)
            settings.setFontFamily(QWebEngineSettings.FontFamily.StandardFont, family)

    # Two thousand documents would hold the window up: the page is told of those around the place
    # first, and of the others in slices between which the window answers.

    def _queue_documents(self, place: Locator) -> None:
        if self._content is None:
            return
        self._unsent = {
            document.file_index: document
            for document in sorted(
                self._content.documents,
                key=lambda document: abs(document.file_index - place.file_index),
            )
            if document.part_count and document.file_index not in self._sent
        }

    def _next_documents(self) -> list[dict[str, Any]]:
        """As many of the documents that wait as a slice has time for, at least one."""
        began = time.monotonic()
        described: list[dict[str, Any]] = []
        while self._unsent and (not described or time.monotonic() - began < _SLICE_S):
            described.append(self._described(next(iter(self._unsent))))
        return described

    def _described(self, file_index: int) -> dict[str, Any]:
        content, document = self._content, self._unsent.pop(file_index)
        assert content is not None
        self._sent.add(file_index)
        generation = self._handler.generation
        is_fixed = content.book.metadata.is_fixed_layout
        return {
            "file": file_index,
            "isFixed": is_fixed,
            "page": _page_size(document) if is_fixed else None,
            "parts": [
                [start, end, part_address(generation, document.name, file_index, part)]
                for part, (start, end) in enumerate(content.part_ranges(file_index))
            ],
        }

    def _feed_documents(self) -> None:
        try:
            described = self._next_documents()
        except ReaderError as error:
            self._unsent.clear()
            self._feed.stop()
            self.failed.emit(error)
            return
        if described:
            self._order("addDocuments", described)
        if not self._unsent:
            self._feed.stop()

    def _can_reach(self, place: Span | Locator | Viewpoint) -> bool:
        """Whether the document of a place is there; what is not stored yet is waited for."""
        content, file_index = self._content, _locator(place).file_index
        if content is None:
            return False
        if file_index in self._unsent:
            self._order("addDocuments", [self._described(file_index)])
        return file_index in self._sent or content.book.state is not ImportState.IMPORTING

    def _send_target(self, place: Span | Locator | Viewpoint) -> None:
        self._order("goTo", _target(place, highlight=place == self._cited))

    # ---- ReaderView ----------------------------------------------------------------------------

    def go_to(self, place: Span | Locator | Viewpoint, *, highlight: bool = False) -> None:
        """Scrolls to a place; `arrived` follows when it is on the screen."""
        self._target = place
        if highlight and isinstance(place, Span):
            self._cited = place
        if self._is_ready and self._can_reach(place):
            self._order("goTo", _target(place, highlight=highlight))

    def set_highlights(self, spans: tuple[Span, ...]) -> None:
        """Draws exactly these spans as marked, beside the cited one."""
        self._marked = spans
        self._order("setMarked", [_target(span) for span in spans])

    def clear_highlight(self) -> None:
        """Takes away the cited span's highlight."""
        self._cited = None
        self._order("clearCited")

    def clear_selection(self) -> None:
        """Unselects what is selected."""
        self._order("clearSelection")

    def set_theme(self, theme: ReadingTheme) -> None:
        """Draws the pages in a theme's colours."""
        self._theme = theme
        self._page.setBackgroundColor(QColor(theme.color("page")))
        self._order("configure", self._settings())

    def set_text_scale(self, scale: float) -> None:
        """Draws everything on the page larger or smaller, text in absolute sizes included."""
        self._scale = scale
        self._page.setZoomFactor(scale)

    def viewpoint(self) -> Viewpoint | None:
        """The first visible place and its line on the screen."""
        return self._viewpoint

    def page_forward(self) -> None:
        """Moves one screen on."""
        self._order("page", 1)

    def page_back(self) -> None:
        """Moves one screen back."""
        self._order("page", -1)

    def text_under_highlight(self, receive: Callable[[str], None]) -> None:
        """Reads back what the cited highlight covers on the live page."""
        self._bridge.ask("textUnderHighlight", receive)

    # ---- the page ------------------------------------------------------------------------------

    def _order(self, function: str, *arguments: Any) -> None:  # noqa: ANN401 - JSON values
        """Gives an order; before the page is ready, `_on_page_ready` sends the whole state."""
        if self._is_ready:
            self._bridge.order(function, *arguments)

    def _settings(self) -> dict[str, Any]:
        page = RESOURCES / "page"
        marks = (page / "marks.css").read_text("utf-8")
        style = (page / "text.css").read_text("utf-8") + marks
        if self._theme.is_dark:
            style += (page / "dark.css").read_text("utf-8")
        return {
            "style": style,
            "pageStyle": marks,
            "isDark": self._theme.is_dark,
            "colors": {role: self._theme.color(role) for role in _ROLES},
        }

    def _on_page_ready(self) -> None:
        self._is_ready = True
        self._page.setZoomFactor(self._scale)
        self._order("configure", self._settings())
        self._send_book()

    def _on_page_shown(self) -> None:
        self._feed.start()
        self.shown.emit()

    def _on_place_seen(self, viewpoint: Viewpoint) -> None:
        if self._content is None:
            return
        is_other = self._viewpoint is None or self._viewpoint.locator != viewpoint.locator
        self._viewpoint = viewpoint
        if is_other:
            self.place_changed.emit(viewpoint.locator)

    def _on_arrived(self) -> None:
        if self._target is not None:
            target, self._target = self._target, None
            self.arrived.emit(target)

    def _on_link_clicked(self, clicked: tuple[int, str, bool]) -> None:
        file_index, address, is_note = clicked
        url = QUrl(address)
        name = package_name(url)
        if name is not None:
            fragment = url.fragment(QUrl.ComponentFormattingOption.FullyDecoded)
            self.link_activated.emit(BookLink(name, fragment, file_index, is_note))
        elif url.scheme() in _WEB_SCHEMES:
            self.link_activated.emit(
                WebLink(url.toString(QUrl.ComponentFormattingOption.FullyEncoded))
            )
        else:
            _log.info("a link of the scheme %r leads nowhere", url.scheme())

    def _on_part_failed(self, failed: tuple[int, int, ReaderError]) -> None:
        file_index, part_index, error = failed
        self._feed.start()
        self._order("partFailed", file_index, part_index)
        self.failed.emit(error)

    def _on_process_ended(
        self, status: QWebEnginePage.RenderProcessTerminationStatus, code: int
    ) -> None:
        """Loads the page again where it was, once; a second death at the same place is told."""
        _log.warning("the page's process ended: %s, code %d", status, code)
        self._is_ready = False
        if self._has_died:
            self._is_given_up = True
            file_index = self._viewpoint.locator.file_index if self._viewpoint else 0
            self.failed.emit(PageUnreadable(file_index, "drawing it failed twice"))
            return
        self._has_died = True
        if self._viewpoint is not None:
            self._start = self._viewpoint
        self._target = self._target or self._cited
        self._load_soon()

    def _load_soon(self) -> None:
        """Not from within Qt's own report of the death: the load would be lost with the process."""
        self._is_given_up = False
        QTimer.singleShot(0, self, lambda: self._page.load(SHELL))

    def closeEvent(self, event: QCloseEvent) -> None:
        """Lets the page go while the event loop still runs."""
        self._handler.serve(None)
        super().closeEvent(event)


def _target(place: Span | Locator | Viewpoint, *, highlight: bool = False) -> dict[str, Any]:
    """A place as the page's script knows it."""
    match place:
        case Span():
            return {
                "file": place.file_index,
                "start": place.start,
                "end": place.end,
                "highlight": highlight,
            }
        case Locator():
            return {"file": place.file_index, "start": place.offset}
        case Viewpoint():
            locator = place.locator
            return {"file": locator.file_index, "start": locator.offset, "inset": place.inset_px}


def _locator(place: Span | Locator | Viewpoint) -> Locator:
    match place:
        case Span():
            return Locator(place.file_index, place.start)
        case Locator():
            return place
        case Viewpoint():
            return place.locator


def _page_size(document: SpineDocument) -> dict[str, float] | None:
    """Size of a fixed page in CSS pixels, a point each (EPUB Fixed Layout gives pixels only)."""
    if document.width_pt <= 0 or document.height_pt <= 0:
        return None
    return {"width": document.width_pt, "height": document.height_pt}


def _nothing() -> dict[str, Any]:
    start = {"file": 0, "start": 0}
    return {"documents": [], "isRightToLeft": False, "perCharacter": 1, "start": start}
