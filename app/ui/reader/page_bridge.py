"""Every message between the window and the page, each way.

The page speaks through a web channel, as slots `on_…` of `PageBridge`, which become signals with
one value. The window speaks by running one function of `ibid.reader` in our world; arguments
travel as JSON. Offsets are canonical code points on both sides.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWebChannel import QWebChannel

from app.domain.position import Locator, Span
from app.ui.reader.book_page import OUR_WORLD
from app.ui.reader.reader_view import ReaderSelection, Viewpoint

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.ui.reader.book_page import BookPage


class PageBridge(QObject):
    """The two ends of the wire.

    Signals:
        page_ready: the shell can take orders.
        page_shown: the first part of the book has been painted.
        arrived: the last jump has landed and been painted.
        place_seen: `Viewpoint` of the first visible place.
        selected: a `ReaderSelection`, or None.
        link_clicked: (file index, address, whether it refers to a note).
    """

    page_ready = Signal()
    page_shown = Signal()
    arrived = Signal()
    place_seen = Signal(object)
    selected = Signal(object)
    link_clicked = Signal(object)

    def __init__(self, page: BookPage) -> None:
        super().__init__(page)
        self._page = page
        channel = QWebChannel(self)
        channel.registerObject("bridge", self)
        page.setWebChannel(channel, OUR_WORLD)

    def order(self, function: str, *arguments: Any) -> None:  # noqa: ANN401 - JSON values
        """Runs `ibid.reader.<function>` with these arguments."""
        self._page.runJavaScript(_call(function, arguments), OUR_WORLD)

    def ask(self, function: str, receive: Callable[[str], None], *arguments: Any) -> None:  # noqa: ANN401
        """Runs a function of the page and hands what it returns to `receive`, as text."""
        self._page.runJavaScript(
            _call(function, arguments),
            OUR_WORLD,
            lambda value: receive(value if isinstance(value, str) else ""),
        )

    @Slot()
    def on_ready(self) -> None:
        """The page's script has started."""
        self.page_ready.emit()

    @Slot()
    def on_shown(self) -> None:
        """The page has painted the first part."""
        self.page_shown.emit()

    @Slot()
    def on_arrived(self) -> None:
        """The page has painted the place of the last jump."""
        self.arrived.emit()

    @Slot(int, int, float)
    def on_place(self, file_index: int, offset: int, inset_px: float) -> None:
        """The first visible place has changed."""
        self.place_seen.emit(Viewpoint(Locator(file_index, offset), inset_px))

    @Slot(int, int, int, str)
    def on_selection(self, file_index: int, start: int, end: int, text: str) -> None:
        """Something, or (with an empty span) nothing, is selected."""
        is_something = file_index >= 0 and end > start
        self.selected.emit(
            ReaderSelection(Span(file_index, start, end), text) if is_something else None
        )

    @Slot(int, str, bool)
    def on_link(self, file_index: int, address: str, is_note: bool) -> None:  # noqa: FBT001 - a message
        """A link was clicked; the page has done nothing about it."""
        self.link_clicked.emit((file_index, address, is_note))


def _call(function: str, arguments: tuple[Any, ...]) -> str:
    return f"window.ibid?.reader?.{function}({', '.join(json.dumps(item) for item in arguments)})"
