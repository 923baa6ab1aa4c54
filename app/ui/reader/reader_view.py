"""What the reader offers for any kind of book, so that nothing else asks whether it is EPUB or PDF.

`ReaderView` goes to places, shows highlights and reports what the reader sees, selects and clicks.
It holds no history and resolves no link: that is the controller's work.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from app.domain.position import Locator

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.domain.position import Span


class ReadingTheme(Protocol):
    """The colours of a theme; `app.ui.theme.Theme` is one."""

    @property
    def name(self) -> str:
        """light, sepia or dark."""
        ...

    @property
    def is_dark(self) -> bool:
        """Whether text is lighter than its page."""
        ...

    def color(self, role: str) -> str:
        """The colour of a role as `#rrggbb`."""
        ...


@dataclass(frozen=True, slots=True)
class ReaderSelection:
    """What the reader has selected, in canonical code points, and its bare text."""

    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class Viewpoint:
    """A place and where on the screen it stands: enough to come back to the very same line.

    Attributes:
        locator: the first character that is wholly visible.
        inset_px: distance of its line from the leading edge of the view, in page pixels.
    """

    locator: Locator
    inset_px: float


@dataclass(frozen=True, slots=True)
class BookLink:
    """A link into the book.

    Attributes:
        name: path of the target inside the package.
        fragment: element id, or "".
        file_index: the document that holds the link.
        is_note_reference: the book says that it leads to a note.
    """

    name: str
    fragment: str
    file_index: int
    is_note_reference: bool


@dataclass(frozen=True, slots=True)
class WebLink:
    """A link that leaves the book; nothing has been opened."""

    url: str


class ReaderView(QWidget):
    """Shows a book; EPUB and PDF each have their own.

    Signals:
        shown: the first page of the book can be read.
        place_changed: `Locator` of the first visible place.
        selection_changed: a `ReaderSelection`, or None when nothing is selected any more.
        link_activated: a `BookLink` or a `WebLink`.
        arrived: the `Span`, `Locator` or `Viewpoint` of the last `go_to`, now on the screen.
        failed: the error, when the book cannot be shown.
    """

    shown = Signal()
    place_changed = Signal(Locator)
    selection_changed = Signal(object)
    link_activated = Signal(object)
    arrived = Signal(object)
    failed = Signal(object)

    def go_to(self, place: Span | Locator | Viewpoint, *, highlight: bool = False) -> None:
        """Scrolls to a place.

        Args:
            place: a span is brought into the middle third of the view, a locator to its leading
                edge, a viewpoint to exactly where it was.
            highlight: draws the span as the cited one and flashes it once.

        Raises:
            NotImplementedError: here; a view must do it.
        """
        raise NotImplementedError

    def set_highlights(self, spans: tuple[Span, ...]) -> None:
        """Draws exactly these spans as marked, beside the cited one.

        Raises:
            NotImplementedError: here; a view must do it.
        """
        raise NotImplementedError

    def clear_highlight(self) -> None:
        """Takes away the cited span's highlight.

        Raises:
            NotImplementedError: here; a view must do it.
        """
        raise NotImplementedError

    def clear_selection(self) -> None:
        """Unselects what is selected.

        Raises:
            NotImplementedError: here; a view must do it.
        """
        raise NotImplementedError

    def set_theme(self, theme: ReadingTheme) -> None:
        """Draws the pages in a theme's colours.

        Raises:
            NotImplementedError: here; a view must do it.
        """
        raise NotImplementedError

    def set_text_scale(self, scale: float) -> None:
        """Draws text larger or smaller; 1 is the usual size.

        Raises:
            NotImplementedError: here; a view must do it.
        """
        raise NotImplementedError

    def visible_place(self) -> Locator | None:
        """The first visible place, or None before a book is shown."""
        viewpoint = self.viewpoint()
        return viewpoint.locator if viewpoint is not None else None

    def viewpoint(self) -> Viewpoint | None:
        """The first visible place and its line on the screen, or None before a book is shown.

        Raises:
            NotImplementedError: here; a view must do it.
        """
        raise NotImplementedError

    def page_forward(self) -> None:
        """Moves one screen on, keeping a line or two in sight.

        Raises:
            NotImplementedError: here; a view must do it.
        """
        raise NotImplementedError

    def page_back(self) -> None:
        """Moves one screen back, keeping a line or two in sight.

        Raises:
            NotImplementedError: here; a view must do it.
        """
        raise NotImplementedError

    def text_under_highlight(self, receive: Callable[[str], None]) -> None:
        """Reads back the text that the cited highlight really covers on the live page.

        Args:
            receive: called later, on the window's thread, with bare canonical text.

        Raises:
            NotImplementedError: here; a view must do it.
        """
        raise NotImplementedError
