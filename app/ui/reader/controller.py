"""Shows the open book: places, jumps with one history, the contents, links, the reading position.

The only part of the reader that reaches the core. Which view shows which format is decided here.
"""

from __future__ import annotations

import logging
import posixpath
from typing import TYPE_CHECKING, Any, Protocol
from urllib.parse import quote

from PySide6.QtCore import QObject, QTimer, Signal

from app.domain.errors import PageLabelUnknown, ReaderError, StoreError
from app.domain.position import Locator, Span
from app.ui.history import JumpHistory
from app.ui.notices import describe
from app.ui.reader.chapters import Chapters
from app.ui.reader.reader_view import BookLink, ReaderSelection, ReaderView, Viewpoint, WebLink

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QWidget

    from app.domain.book import Book, BookFormat, ContentsEntry, PageLabel, SpineDocument
    from app.domain.document import Resource
    from app.domain.scope import Scope
    from app.ui.jobs import JobRunner
    from app.ui.reader.contents_panel import ContentsPanel
    from app.ui.reader.place_bar import PlaceBar
    from app.ui.reader.reader_pane import ReaderPane
    from app.ui.theme import Theme

_log = logging.getLogger(__name__)
_SAVE_AFTER_MS = 1000
"""A position is on disk within two seconds of being reached (DESIGN section 6)."""
_SCALES = (0.7, 0.8, 0.9, 1.0, 1.1, 1.25, 1.4, 1.6, 1.8, 2.1, 2.5, 3.0)


class ReadBook(Protocol):
    """A book that can be read; `app.assembly.OpenBook` is one."""

    @property
    def book(self) -> Book:
        """Which book, and whether more of it is to come."""
        ...

    @property
    def documents(self) -> tuple[SpineDocument, ...]:
        """All documents stored so far, in raw spine or page order."""
        ...

    @property
    def contents(self) -> tuple[ContentsEntry, ...]:
        """The table of contents, depth first."""
        ...

    @property
    def page_labels(self) -> tuple[PageLabel, ...]:
        """Printed pages; may be empty."""
        ...

    @property
    def pages(self) -> Any:  # noqa: ANN401 - the PDF view declares what it needs of it
        """The worker that draws the pages of a PDF."""
        ...

    def part_ranges(self, file_index: int) -> tuple[tuple[int, int], ...]:
        """Start and end of each markup part of a document, in code points."""
        ...

    def part(self, file_index: int, part_index: int) -> bytes:
        """One markup part: a whole XHTML document in UTF-8."""
        ...

    def resource(self, name: str) -> Resource | None:
        """A picture, style or font by its path in the package."""
        ...

    def refresh(self) -> None:
        """Forgets what was read of a book whose import has gone on since."""
        ...

    def resolve_link(self, file_index: int, href: str) -> Locator | None:
        """The place that a link of a document points to."""
        ...

    def page_label(self, place: Locator) -> str:
        """The printed page of a place, or ""."""
        ...

    def progress_percent(self, place: Locator) -> float:
        """How far into the book a place is, 0 to 100."""
        ...

    def place_of_page(self, label: str) -> Locator:
        """Where a printed page begins."""
        ...

    def save_position(self, place: Locator) -> None:
        """Keeps where the reader is."""
        ...


class BookView(Protocol):
    """What a view of one format offers beside `ReaderView`."""

    def show_book(self, content: Any, start: Locator | Viewpoint) -> None:  # noqa: ANN401
        """Shows a book from a place on."""
        ...

    def documents_added(self) -> None:
        """Takes in what was stored since."""
        ...

    def close_book(self) -> None:
        """Shows nothing."""
        ...


class ReaderController(QObject):
    """Joins view, contents panel and place bar to the open book.

    Args:
        pane: where the view stands, and notices above it.
        contents: the contents panel.
        place_bar: the line under the page.
        jobs: where positions are saved.
        make_view: makes the view of a format; each is made once and used again.
        theme: the theme at the start.
        parent: the window.

    Signals:
        chapter_changed: title of the chapter that is read, or "".
        selection_changed: the selected `Span`, or None.
        history_changed: Back or Forward became possible or impossible.
        text_scale_changed: the new scale; 1 is the usual size.
    """

    chapter_changed = Signal(str)
    selection_changed = Signal(object)
    history_changed = Signal()
    text_scale_changed = Signal(float)

    def __init__(
        self,
        pane: ReaderPane,
        contents: ContentsPanel,
        place_bar: PlaceBar,
        *,
        jobs: JobRunner,
        make_view: Callable[[BookFormat, Theme, QWidget], ReaderView],
        theme: Theme,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._pane = pane
        self._contents = contents
        self._place_bar = place_bar
        self._jobs = jobs
        self._make_view = make_view
        self._theme = theme
        self._views: dict[BookFormat, ReaderView] = {}
        self._view: ReaderView | None = None
        self._book: ReadBook | None = None
        self._chapters = Chapters((), ())
        self._history: JumpHistory[Viewpoint] = JumpHistory()
        self._place: Locator | None = None
        self._chapter_title = ""
        self._scale = 1.0
        self._save = QTimer(self)
        self._save.setSingleShot(True)
        self._save.setInterval(_SAVE_AFTER_MS)
        self._save.timeout.connect(self._save_position)
        contents.entry_chosen.connect(self.jump_to)

    @property
    def view(self) -> ReaderView | None:
        """The view of the open book."""
        return self._view

    @property
    def can_go_back(self) -> bool:
        """Whether `back` leads anywhere."""
        return self._history.can_go_back

    @property
    def can_go_forward(self) -> bool:
        """Whether `forward` leads anywhere."""
        return self._history.can_go_forward

    # The book

    def open_book(self, book: ReadBook, start: Locator | None) -> None:
        """Shows a book where the reader left it, or at its beginning."""
        self.close_book()
        self._book = book
        view = self._view_of(book.book.book_format)
        self._view = view
        self._pane.show_view(view)
        self._show_contents()
        place = start or Locator(0, 0)
        self._show_place(place)
        self._book_view(view).show_book(book, place)
        view.setFocus()

    def refresh(self) -> None:
        """Takes in what the import has stored since the book was opened."""
        if self._book is None or self._view is None:
            return
        self._book.refresh()
        self._show_contents()
        self._book_view(self._view).documents_added()
        if self._place is not None:
            self._show_place(self._place)

    def close_book(self) -> None:
        """Keeps the position and shows nothing."""
        if self._book is None or self._view is None:
            return
        self._save.stop()
        self._save_at_once()
        self._book_view(self._view).close_book()
        self._book = None
        self._view = None
        self._place = None
        self._chapters = Chapters((), ())
        self._history.clear()
        self._contents.set_contents(())
        self._place_bar.clear()
        self._pane.clear()
        self.history_changed.emit()

    # Moving

    def jump_to(self, place: Span | Locator, *, highlight: bool = False) -> None:
        """Goes to a place and remembers the one it leaves."""
        if self._view is None:
            return
        self._leave()
        self._view.go_to(place, highlight=highlight)

    def show_cited(self, span: Span) -> None:
        """Goes to a cited span, highlights it and flashes it once."""
        self.jump_to(span, highlight=True)

    def back(self) -> None:
        """Returns exactly to where the last jump was made."""
        here = self._here()
        if self._view is not None and here is not None and self._history.can_go_back:
            self._view.go_to(self._history.back(here))
            self.history_changed.emit()

    def forward(self) -> None:
        """Undoes `back`."""
        here = self._here()
        if self._view is not None and here is not None and self._history.can_go_forward:
            self._view.go_to(self._history.forward(here))
            self.history_changed.emit()

    def next_chapter(self) -> None:
        """Goes to where the next entry of the contents begins."""
        place = self._chapters.after(self._place) if self._place is not None else None
        if place is not None:
            self.jump_to(place)

    def previous_chapter(self) -> None:
        """Goes to where this entry of the contents begins, or the one before."""
        place = self._chapters.before(self._place) if self._place is not None else None
        if place is not None:
            self.jump_to(place)

    def go_to_page(self, label: str) -> None:
        """Goes to a printed page by its label, or says that there is none."""
        if self._book is None:
            return
        try:
            place = self._book.place_of_page(label)
        except PageLabelUnknown as error:
            self._pane.show_notice(describe(error))
            return
        self.jump_to(place)

    def clear_highlight(self) -> None:
        """Takes away the highlight of the cited span."""
        if self._view is not None:
            self._view.clear_highlight()

    def chapter_scope(self) -> Scope:
        """The chapter that is read, as a part of the book to ask about."""
        return self._chapters.scope_at(self._place or Locator(0, 0))

    # How it looks

    def set_theme(self, theme: Theme) -> None:
        """Draws page and contents in a theme's colours."""
        self._theme = theme
        self._contents.set_theme(theme)
        for view in self._views.values():
            view.set_theme(theme)

    def set_text_scale(self, scale: float) -> None:
        """Sets the size of the text; 1 is the usual one."""
        self._scale = min(max(scale, _SCALES[0]), _SCALES[-1])
        for view in self._views.values():
            view.set_text_scale(self._scale)
        self.text_scale_changed.emit(self._scale)

    def larger_text(self) -> None:
        """One step larger."""
        larger = [scale for scale in _SCALES if scale > self._scale + 0.01]
        self.set_text_scale(larger[0] if larger else self._scale)

    def smaller_text(self) -> None:
        """One step smaller."""
        smaller = [scale for scale in _SCALES if scale < self._scale - 0.01]
        self.set_text_scale(smaller[-1] if smaller else self._scale)

    def normal_text(self) -> None:
        """The usual size."""
        self.set_text_scale(1.0)

    # The view

    @staticmethod
    def _book_view(view: Any) -> BookView:  # noqa: ANN401 - a view is a widget and a `BookView`
        shown: BookView = view
        return shown

    def _view_of(self, book_format: BookFormat) -> ReaderView:
        if book_format not in self._views:
            view = self._make_view(book_format, self._theme, self._pane)
            view.set_text_scale(self._scale)
            view.place_changed.connect(self._on_place_changed)
            view.selection_changed.connect(self._on_selection_changed)
            view.link_activated.connect(self._on_link)
            view.failed.connect(self._on_failed)
            self._views[book_format] = view
        return self._views[book_format]

    def _show_contents(self) -> None:
        if self._book is not None:
            self._chapters = Chapters(self._book.contents, self._book.documents)
            self._contents.set_contents(self._book.contents)

    def _show_place(self, place: Locator) -> None:
        if self._book is None:
            return
        self._place = place
        self._contents.set_current(self._chapters.at(place))
        self._place_bar.set_place(self._book.page_label(place), self._book.progress_percent(place))
        title = self._chapters.title_at(place)
        if title != self._chapter_title:
            self._chapter_title = title
            self.chapter_changed.emit(title)

    def _here(self) -> Viewpoint | None:
        """Where the reader is; before the first page is drawn, the place the book opens at."""
        if self._view is None:
            return None
        here = self._view.viewpoint()
        if here is None and self._place is not None:
            return Viewpoint(self._place, 0.0)
        return here

    def _leave(self) -> None:
        here = self._here()
        if here is not None:
            self._history.leave(here)
            self.history_changed.emit()

    def _on_place_changed(self, place: Locator) -> None:
        self._show_place(place)
        if not self._save.isActive():
            self._save.start()

    def _save_position(self) -> None:
        book, place = self._book, self._place
        if book is not None and place is not None:
            job = self._jobs.call(lambda: book.save_position(place))
            job.failed.connect(self._on_failed)

    def _save_at_once(self) -> None:
        """Keeps the position before the book goes: work in a lane would be stopped at the end."""
        if self._book is not None and self._place is not None:
            try:
                self._book.save_position(self._place)
            except StoreError:
                _log.warning("the reading position could not be kept")

    def _on_selection_changed(self, selection: ReaderSelection | None) -> None:
        self.selection_changed.emit(selection.span if selection is not None else None)

    def _on_link(self, link: BookLink | WebLink) -> None:
        if isinstance(link, WebLink):
            self._pane.offer_link(link.url)
            return
        if self._book is None:
            return
        # The core resolves links as a document writes them: relative to itself.
        folder = posixpath.dirname(self._book.documents[link.file_index].name)
        href = quote(posixpath.relpath(link.name, folder or "."))
        if link.fragment:
            href = f"{href}#{quote(link.fragment)}"
        place = self._book.resolve_link(link.file_index, href)
        if place is not None:
            self.jump_to(place)

    def _on_failed(self, error: ReaderError) -> None:
        self._pane.show_notice(describe(error))
