"""What every format offers to import: documents, contents, printed pages and resources.

A `BookFile` is open in one process and used by one thread. It parses when asked and keeps little:
the first document can be stored and read while the others wait.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, Self

if TYPE_CHECKING:
    from types import TracebackType

    from app.domain.book import BookFormat, BookMetadata, ContentsEntry, PageLabel
    from app.domain.document import CanonicalDocument, Resource


class BookFile(Protocol):
    """An open book file."""

    @property
    def book_format(self) -> BookFormat:
        """EPUB or PDF."""
        ...

    @property
    def metadata(self) -> BookMetadata:
        """What the file says of itself."""
        ...

    @property
    def document_count(self) -> int:
        """Number of spine entries or pages; `document` takes 0 to one less."""
        ...

    @property
    def warnings(self) -> tuple[str, ...]:
        """Plain sentences on what the book lacks; more may come as documents are read."""
        ...

    @property
    def cover_name(self) -> str | None:
        """The resource that shows the cover, or None."""
        ...

    def document(self, file_index: int) -> CanonicalDocument:
        """Parses one spine entry or page; a damaged one is empty and says so in its warnings."""
        ...

    def contents(self) -> tuple[ContentsEntry, ...]:
        """The table of contents; places inside documents not read so far stand at their start."""
        ...

    def page_labels(self) -> tuple[PageLabel, ...]:
        """Printed pages in the book's order; empty where this edition has none."""
        ...

    def resource_names(self) -> tuple[str, ...]:
        """Pictures, styles, fonts, sounds and films of the book."""
        ...

    def resource(self, name: str) -> Resource:
        """One of `resource_names`, ready to be shown.

        Raises:
            BookUnreadable: there is none of this name, or it is damaged.
        """
        ...

    def close(self) -> None:
        """Closes the file; nothing else may be asked afterwards."""
        ...

    def __enter__(self) -> Self:
        """The book itself."""
        ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        fault: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Closes the file."""
        ...
