"""The pages of a PDF as they are drawn: pictures, places of text, links.

MuPDF is neither safe to call from two threads nor sure to come back from a hostile file; this
module is used by one thread of the worker process.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Self

import pymupdf

from app.books.pdf_drawing import draw_page, page_links
from app.books.pdf_opening import FAULTS, open_document
from app.books.pdf_rectangles import character_boxes, line_rectangles, shown_box
from app.books.pdf_text import PageText, read_page_text
from app.domain.drawn_page import CharacterBox, PageRect
from app.domain.errors import PageUnreadable

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from types import TracebackType

    from app.domain.drawn_page import PageImage, PageLink

_PAGES_TO_SHRINK = 50  # MuPDF's store of fonts and pictures is emptied after so many


class PdfPages:
    """The pages of an open PDF.

    Args:
        path: the file; only read.
        password: for a file that asks for one.

    Raises:
        BookNotFound: there is no such file.
        BookUnreadable: it is damaged beyond repair, or may not be read.
        PasswordRequired: it opens with a password only, and this is not it.
        NothingToRead: it has no pages.

    Attributes:
        document: MuPDF's.
        page_count: how many.
    """

    def __init__(self, path: Path, *, password: str | None = None) -> None:
        self.document = open_document(path, password)
        self.page_count: int = self.document.page_count
        self._pages_used = 0

    def __enter__(self) -> Self:
        """Returns itself; leaving closes it."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        fault: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Closes the file."""
        self.close()

    def close(self) -> None:
        """Closes the file; nothing else may be asked afterwards."""
        self.document.close()

    @contextmanager
    def page(self, page_index: int) -> Iterator[pymupdf.Page]:
        """A page to work on.

        Raises:
            PageUnreadable: it cannot be found.
        """
        self._pages_used += 1
        if self._pages_used % _PAGES_TO_SHRINK == 0:
            pymupdf.TOOLS.store_shrink(100)
        if not 0 <= page_index < self.page_count:
            raise PageUnreadable(page_index, "there is no such page")
        try:
            page = self.document.load_page(page_index)
        except (*FAULTS, ValueError) as fault:
            raise PageUnreadable(page_index, "it cannot be found in the file") from fault
        yield page

    def render(self, page_index: int, scale: float, *, rotation: int = 0) -> PageImage:
        """Draws a page, with its notes and form fields.

        Args:
            page_index: which page.
            scale: pixels a point; lowered where the picture would be larger than 16 megapixels.
            rotation: further degrees clockwise, a multiple of 90.

        Raises:
            PageUnreadable: it cannot be drawn.
        """
        with self.page(page_index) as page:
            return draw_page(page, scale, rotation=rotation)

    def rectangles(self, page_index: int, start: int, end: int) -> tuple[PageRect, ...]:
        """Where a range of the canonical text stands, a rectangle or more for each line.

        Args:
            page_index: which page.
            start: first code point.
            end: one past the last; clipped to the page's text.

        Raises:
            PageUnreadable: the page cannot be read.
        """
        with self.page(page_index) as page:
            found = page_text(page, with_characters=True)
            return line_rectangles(found, start, end, page.rotation_matrix)

    def characters(self, page_index: int) -> tuple[CharacterBox, ...]:
        """Where each code point of the canonical text stands, in its order.

        Raises:
            PageUnreadable: the page cannot be read.
        """
        with self.page(page_index) as page:
            boxes = character_boxes(page_text(page, with_characters=True))
            matrix = page.rotation_matrix
            return tuple(
                CharacterBox(offset, PageRect(*shown_box(box, matrix)))
                for offset, box in enumerate(boxes)
            )

    def links(self, page_index: int) -> tuple[PageLink, ...]:
        """The links of a page; those that lead nowhere are left out.

        Raises:
            PageUnreadable: the page cannot be read.
        """
        with self.page(page_index) as page:
            return page_links(self.document, page)


def page_text(page: pymupdf.Page, *, with_characters: bool = False) -> PageText:
    """`read_page_text` with errors of our own.

    Raises:
        PageUnreadable: the page is damaged.
    """
    try:
        return read_page_text(page, with_characters=with_characters)
    except FAULTS as fault:
        raise PageUnreadable(page.number, "its content is damaged") from fault
