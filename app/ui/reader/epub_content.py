"""What the EPUB view must be given: a stored book, read part by part."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from app.domain.book import Book, SpineDocument
    from app.domain.document import Resource


class EpubContent(Protocol):
    """A stored EPUB, as far as it has been imported. Called on the window's thread."""

    @property
    def book(self) -> Book:
        """The book; its state tells whether more is to come."""
        ...

    @property
    def documents(self) -> tuple[SpineDocument, ...]:
        """The documents stored so far, in spine order."""
        ...

    def part_ranges(self, file_index: int) -> tuple[tuple[int, int], ...]:
        """Start and end, in code points of the document, of each of its markup parts."""
        ...

    def part(self, file_index: int, part_index: int) -> bytes:
        """One markup part: a whole XHTML document, UTF-8."""
        ...

    def resource(self, name: str) -> Resource | None:
        """A picture, style sheet or font by its path inside the package; None where unknown."""
        ...
