"""Gets the pictures and measures of PDF pages, nearest first, one call to the worker at a time.

The canvas says which pages it wants; what it wants no longer is never asked for. Pictures are kept
within a limit of bytes. A page that cannot be drawn costs that page only.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from PySide6.QtCore import QObject, Signal

from app.domain.document import DocumentText
from app.domain.errors import PageUnreadable, ReaderError, WorkerDied, WorkerTimedOut
from app.jobs import LaneName
from app.ui.reader.pdf_text import MeasuredPage

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtGui import QImage

    from app.domain.book import Book, SpineDocument
    from app.domain.drawn_page import CharacterBox, PageImage, PageLink, PageRect
    from app.ui.jobs import Job, JobRunner
    from app.ui.reader.pdf_ink import PdfInk

PICTURES_BYTES = 200_000_000
"""Some thirty pages of a large window at two device pixels a logical one."""
_MOST_PIXELS = 12_000_000  # of one picture, so that several are always kept
_MEASURED_PAGES = 48  # about 1 MB each at 5,000 characters
_MOST_TRIES = 2


class PageDrawer(Protocol):
    """Draws and measures pages; `app.worker.client.PageWorker` is one."""

    def render(self, page_index: int, scale: float) -> PageImage:
        """Draws a page at a scale in pixels a point."""
        ...

    def rectangles(self, page_index: int, start: int, end: int) -> tuple[PageRect, ...]:
        """What a span of canonical text covers, in points of the page as drawn."""
        ...

    def characters(self, page_index: int) -> tuple[CharacterBox, ...]:
        """Where each code point of the canonical text stands."""
        ...

    def links(self, page_index: int) -> tuple[PageLink, ...]:
        """The links of a page."""
        ...


class PdfContent(Protocol):
    """What the view needs of an open PDF; `app.assembly.OpenBook` is one."""

    @property
    def book(self) -> Book:
        """Which book."""
        ...

    @property
    def documents(self) -> tuple[SpineDocument, ...]:
        """The pages stored so far, with their sizes."""
        ...

    @property
    def pages(self) -> PageDrawer:
        """Draws and measures the pages."""
        ...

    def document_text(self, file_index: int) -> DocumentText:
        """The canonical text of a stored page."""
        ...


@dataclass(frozen=True, slots=True)
class PageWish:
    """A page that should be on the screen at once or soon.

    Attributes:
        page_index: which.
        scale: device pixels a point.
        is_visible: it is on the screen; its text is measured too.
    """

    page_index: int
    scale: float
    is_visible: bool


@dataclass(slots=True)
class _Picture:
    image: QImage
    scale: float
    ink: PdfInk


@dataclass(slots=True)
class _Fault:
    error: ReaderError
    tries: int = 1
    may_retry: bool = False


class NearPages(QObject):
    """The pictures and measures of one book's pages.

    Args:
        jobs: where the worker is waited for.
        ink: the colours of the pictures.
        parent: the canvas.

    Signals:
        drawn: index of a page that has a new picture, or an error in its place.
        measured: index of a page whose text is known now.
        failed: the error, when the book's file cannot be opened.
    """

    drawn = Signal(int)
    measured = Signal(int)
    failed = Signal(object)

    def __init__(self, jobs: JobRunner, ink: PdfInk, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._ink = ink
        self._content: PdfContent | None = None
        self._drawer: PageDrawer | None = None
        self._generation = 0
        self._is_busy = False
        self._has_failed = False
        self._wishes: tuple[PageWish, ...] = ()
        self._pictures: dict[int, _Picture] = {}
        self._texts: dict[int, MeasuredPage] = {}
        self._faults: dict[int, _Fault] = {}
        self._unmeasurable: set[int] = set()
        self._questions: list[tuple[Callable[[PageDrawer], Any], Callable[[Any], None]]] = []

    def open(self, content: PdfContent) -> None:
        """Takes up a book; nothing of the last one is kept."""
        self.close()
        self._content = content
        self._drawer = content.pages

    def close(self) -> None:
        """Lets the book go; what is under way is dropped when it comes."""
        self._generation += 1
        self._content = None
        self._drawer = None
        self._is_busy = False
        self._has_failed = False
        self._wishes = ()
        self._questions.clear()
        self._unmeasurable.clear()
        for kept in (self._pictures, self._texts, self._faults):
            kept.clear()

    def set_ink(self, ink: PdfInk) -> None:
        """Other colours; the old pictures stay until new ones are there."""
        self._ink = ink
        self._work()

    def want(self, wishes: Sequence[PageWish]) -> None:
        """Says which pages are needed, the most urgent first; earlier wishes are forgotten."""
        before = {wish.page_index for wish in self._wishes if wish.is_visible}
        self._wishes = tuple(wishes)
        for wish in wishes:
            fault = self._faults.get(wish.page_index)
            if fault is not None and wish.is_visible and wish.page_index not in before:
                is_passing = isinstance(fault.error, WorkerDied | WorkerTimedOut)
                fault.may_retry = is_passing and fault.tries < _MOST_TRIES
        self._work()

    def ask(self, question: Callable[[PageDrawer], Any], receive: Callable[[Any], None]) -> None:
        """Asks the worker something before anything else.

        Args:
            question: runs on a lane's thread.
            receive: gets the answer on the window's thread, or None where there is none.
        """
        self._questions.append((question, receive))
        self._work()

    def ask_text(self, page_index: int, receive: Callable[[MeasuredPage | None], None]) -> None:
        """Measures a page, or gives what is known of it, always after this call returned."""
        content, kept = self._content, self._texts.get(page_index)
        if content is not None:
            question = _measuring(content, page_index)
            self.ask(question if kept is None else lambda _: kept, receive)

    def picture(self, page_index: int) -> QImage | None:
        """The picture of a page, perhaps of an earlier scale or theme."""
        found = self._pictures.get(page_index)
        return found.image if found is not None else None

    def text(self, page_index: int) -> MeasuredPage | None:
        """What stands where on a page, if it is known."""
        return self._texts.get(page_index)

    def error(self, page_index: int) -> ReaderError | None:
        """Why a page cannot be drawn, or None."""
        found = self._faults.get(page_index)
        return found.error if found is not None else None

    @property
    def held_bytes(self) -> int:
        """Size of all kept pictures."""
        return sum(picture.image.sizeInBytes() for picture in self._pictures.values())

    # One call at a time

    def _work(self) -> None:
        drawer, content = self._drawer, self._content
        if self._is_busy or drawer is None or content is None:
            return
        if self._questions:
            question, receive = self._questions.pop(0)
            self._start(lambda: question(drawer), receive, lambda _: receive(None))
            return
        for wish in self._wishes:
            if self._lacks_picture(wish):
                self._draw(drawer, wish)
                return
            if wish.is_visible and self._lacks_text(wish.page_index):
                self._measure(drawer, content, wish.page_index)
                return

    def _start(
        self,
        task: Callable[[], Any],
        receive: Callable[[Any], None],
        refuse: Callable[[ReaderError], None],
        page_index: int = 0,
    ) -> None:
        generation = self._generation
        self._is_busy = True

        def deliver(receiver: Callable[[Any], None], value: object) -> None:
            if generation == self._generation:
                self._is_busy = False
                receiver(value)

        def go_on() -> None:
            if generation == self._generation:
                self._is_busy = False
                self._work()

        job: Job = self._jobs.call(task, lane=LaneName.NETWORK)
        job.finished.connect(lambda result: deliver(receive, result))
        job.failed.connect(lambda error: deliver(refuse, error))
        job.broken.connect(
            lambda: deliver(refuse, PageUnreadable(page_index, "drawing it went wrong"))
        )
        job.ended.connect(go_on)

    def _lacks_picture(self, wish: PageWish) -> bool:
        fault = self._faults.get(wish.page_index)
        if fault is not None and not fault.may_retry:
            return False
        kept = self._pictures.get(wish.page_index)
        return kept is None or kept.scale != wish.scale or kept.ink != self._ink

    def _draw(self, drawer: PageDrawer, wish: PageWish) -> None:
        page, scale, ink = wish.page_index, wish.scale, self._ink

        def receive(image: QImage) -> None:
            self._faults.pop(page, None)
            self._pictures.pop(page, None)
            self._pictures[page] = _Picture(image, scale, ink)
            self._make_room()
            self.drawn.emit(page)

        def refuse(error: ReaderError) -> None:
            before = self._faults.get(page)
            self._faults[page] = _Fault(error, before.tries + 1 if before is not None else 1)
            is_of_page = isinstance(error, PageUnreadable | WorkerDied | WorkerTimedOut)
            if not is_of_page and not self._has_failed:
                self._has_failed = True
                self.failed.emit(error)
            self.drawn.emit(page)

        self._start(lambda: ink.picture(drawer.render(page, scale)), receive, refuse, page)

    def _lacks_text(self, page_index: int) -> bool:
        return not (
            page_index in self._texts
            or page_index in self._unmeasurable
            or page_index in self._faults
        )

    def _measure(self, drawer: PageDrawer, content: PdfContent, page_index: int) -> None:
        measure = _measuring(content, page_index)

        def receive(measured: MeasuredPage) -> None:
            self._texts[page_index] = measured
            while len(self._texts) > _MEASURED_PAGES:
                del self._texts[next(iter(self._texts))]
            self.measured.emit(page_index)

        def refuse(_: ReaderError) -> None:
            self._unmeasurable.add(page_index)

        self._start(lambda: measure(drawer), receive, refuse)

    def forget_empty_texts(self) -> None:
        """Measures the pages again that were not stored when they were measured."""
        for page_index in [page for page, text in self._texts.items() if not text.boxes]:
            del self._texts[page_index]
        self._unmeasurable.clear()
        self._work()

    def _make_room(self) -> None:
        needed = {wish.page_index for wish in self._wishes}
        size = self.held_bytes
        for page_index in [page for page in self._pictures if page not in needed]:
            if size <= PICTURES_BYTES:
                return
            size -= self._pictures.pop(page_index).image.sizeInBytes()


def bearable_scale(scale: float, width_pt: float, height_pt: float) -> float:
    """A scale lowered where the picture of a page would be too large to keep several."""
    pixels = max(width_pt * height_pt, 1.0) * scale * scale
    return scale * min(1.0, math.sqrt(_MOST_PIXELS / pixels))


def _measuring(content: PdfContent, page_index: int) -> Callable[[PageDrawer], MeasuredPage]:
    """The work of measuring a page, for a lane's thread."""
    is_stored = any(one.file_index == page_index for one in content.documents)
    nothing = DocumentText(page_index, "", (), ())

    def measure(drawer: PageDrawer) -> MeasuredPage:
        links = drawer.links(page_index)
        if not is_stored:
            return MeasuredPage(nothing, (), links)
        text, boxes = content.document_text(page_index), drawer.characters(page_index)
        if len(boxes) != len(text.text):
            # Not the text that was stored: places in it would mislead.
            return MeasuredPage(nothing, (), links)
        return MeasuredPage(text, boxes, links)

    return measure
