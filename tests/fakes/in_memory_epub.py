"""A stored EPUB held in memory: what the EPUB view is given in its tests."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from app.books.open_book import open_book
from app.domain.book import (
    Book,
    BookFormat,
    BookMetadata,
    ImportState,
    SpineDocument,
    Voice,
)
from app.domain.document import MarkupPart, Resource

if TYPE_CHECKING:
    from collections.abc import Sequence

_PAGE = (
    '<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"'
    ' lang="en"><head><title>t</title>{head}</head><body{attributes}>{body}</body></html>'
)


def whole_page(body: str, head: str = "", attributes: str = "") -> bytes:
    """A part as import would store it, from the markup inside `body`."""
    return _PAGE.format(body=body, head=head, attributes=attributes).encode()


def paragraphs(texts: Sequence[str]) -> tuple[str, str]:
    """Markup of paragraphs with their `data-o`, and their canonical text."""
    text = ""
    markup = ""
    for paragraph in texts:
        markup += f'<p data-o="{len(text)}">{paragraph}</p>'
        text += paragraph
    return markup, text


@dataclass
class InMemoryEpub:
    """An `EpubContent`.

    Attributes:
        parts: markup parts of each document, in spine order.
        resources: pictures and styles by name.
        metadata: of the book.
        state: `IMPORTING` makes the view wait for resources that are not there.
        page_size_pt: of fixed pages.
        asked_for: names of the resources that the view wanted.
        names: of documents that are not OPS/text/c0.xhtml and so on.
    """

    parts: list[tuple[MarkupPart, ...]]
    resources: dict[str, Resource] = field(default_factory=dict)
    metadata: BookMetadata = field(default_factory=lambda: BookMetadata("A book", language="en"))
    state: ImportState = ImportState.READY
    page_size_pt: tuple[float, float] = (0.0, 0.0)
    asked_for: list[str] = field(default_factory=list)
    names: dict[int, str] = field(default_factory=dict)

    @classmethod
    def of_documents(cls, *documents: tuple[bytes, int]) -> InMemoryEpub:
        """A book of documents in one part each, given with their length in code points."""
        return cls([(MarkupPart(0, 0, length, markup),) for markup, length in documents])

    @classmethod
    def of_file(cls, path: Path) -> tuple[InMemoryEpub, list[str]]:
        """A real file, read at once, and the canonical text of each document."""
        with open_book(path) as file:
            documents = [file.document(index) for index in range(file.document_count)]
            resources = {name: file.resource(name) for name in file.resource_names()}
            book = cls(
                [document.parts for document in documents],
                resources,
                file.metadata,
                names={index: document.name for index, document in enumerate(documents)},
            )
        return book, [document.content.text for document in documents]

    @property
    def book(self) -> Book:
        return Book(
            book_id=1,
            content_hash="0" * 64,
            path=Path("book.epub"),
            book_format=BookFormat.EPUB,
            metadata=self.metadata,
            state=self.state,
            text_rule=1,
            document_count=len(self.parts),
            length_chars=sum(parts[-1].end for parts in self.parts if parts),
        )

    @property
    def documents(self) -> tuple[SpineDocument, ...]:
        width, height = self.page_size_pt
        return tuple(
            SpineDocument(
                file_index=index,
                name=self.names.get(index, f"OPS/text/c{index}.xhtml"),
                title="",
                voice=Voice.BODY,
                is_linear=True,
                length_chars=parts[-1].end if parts else 0,
                part_count=len(parts),
                width_pt=width,
                height_pt=height,
            )
            for index, parts in enumerate(self.parts)
        )

    def part_ranges(self, file_index: int) -> tuple[tuple[int, int], ...]:
        return tuple((part.start, part.end) for part in self.parts[file_index])

    def part(self, file_index: int, part_index: int) -> bytes:
        return self.parts[file_index][part_index].markup

    def resource(self, name: str) -> Resource | None:
        self.asked_for.append(name)
        return self.resources.get(name)
