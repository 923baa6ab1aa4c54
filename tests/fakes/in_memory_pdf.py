"""A PDF read at once and drawn in this process: what the PDF view is given in its tests."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from app.books.open_book import open_book
from app.books.pdf_pages import PdfPages
from app.domain.book import Book, BookFormat, ImportState, SpineDocument
from app.domain.errors import WorkerDied

if TYPE_CHECKING:
    from pathlib import Path

    from app.domain.document import DocumentText
    from app.domain.drawn_page import CharacterBox, PageImage, PageLink, PageRect


class DrawnInProcess:
    """The calls of a `PageWorker`, without a process.

    Attributes:
        drawn: pages in the order in which they were drawn.
        dying: how often drawing a page kills the worker before it works.
    """

    def __init__(self, file: PdfPages) -> None:
        self._file = file
        self.drawn: list[int] = []
        self.dying: dict[int, int] = {}

    @property
    def page_count(self) -> int:
        return self._file.page_count

    def render(self, page_index: int, scale: float, *, rotation: int = 0) -> PageImage:
        self.drawn.append(page_index)
        if self.dying.get(page_index, 0):
            self.dying[page_index] -= 1
            raise WorkerDied("render")
        return self._file.render(page_index, scale, rotation=rotation)

    def rectangles(self, page_index: int, start: int, end: int) -> tuple[PageRect, ...]:
        return self._file.rectangles(page_index, start, end)

    def characters(self, page_index: int) -> tuple[CharacterBox, ...]:
        return self._file.characters(page_index)

    def links(self, page_index: int) -> tuple[PageLink, ...]:
        return self._file.links(page_index)


class InMemoryPdf:
    """A `PdfContent`.

    Attributes:
        pages: draws it.
        documents: pages stored so far; all at first.
    """

    def __init__(self, path: Path) -> None:
        with open_book(path) as file:
            read = [file.document(index) for index in range(file.document_count)]
            metadata = file.metadata
        self._texts = [document.content for document in read]
        self._drawn = PdfPages(path)
        self.pages = DrawnInProcess(self._drawn)
        self.documents = tuple(
            SpineDocument(
                file_index=index,
                name=document.name,
                title="",
                voice=document.voice,
                is_linear=True,
                length_chars=len(document.content.text),
                width_pt=document.width_pt,
                height_pt=document.height_pt,
            )
            for index, document in enumerate(read)
        )
        self.book = Book(
            book_id=1,
            content_hash="0" * 64,
            path=path,
            book_format=BookFormat.PDF,
            metadata=metadata,
            state=ImportState.READY,
            text_rule=1,
            document_count=len(read),
            length_chars=sum(len(text.text) for text in self._texts),
        )

    def document_text(self, file_index: int) -> DocumentText:
        return self._texts[file_index]

    def with_pages(self, count: int) -> None:
        """Only so many pages are stored; import goes on."""
        self.documents = self.documents[:count]
        self.book = dataclasses.replace(
            self.book, state=ImportState.IMPORTING, document_count=count
        )

    def close(self) -> None:
        self._drawn.close()
