"""What answering needs of an open book and of its search; `app.assembly` hands both in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from app.domain.book import Book
    from app.domain.document import DocumentText
    from app.domain.evidence import SearchResult
    from app.domain.passage import Passage, Segment, Summary
    from app.domain.position import Span
    from app.domain.scope import Scope


class BookAccess(Protocol):
    """One book, ready to be asked."""

    @property
    def book(self) -> Book:
        """What the book is."""
        ...

    def segments(self) -> Sequence[Segment]:
        """All segments in reading order."""
        ...

    def summaries(self) -> Mapping[int, Summary]:
        """Summary by segment index."""
        ...

    def passages_of_segment(self, segment_index: int) -> Sequence[Passage]:
        """The passages of one segment in reading order."""
        ...

    def passages_in(self, span: Span) -> Sequence[Passage]:
        """The passages that share text with a span."""
        ...

    def document_text(self, file_index: int) -> DocumentText:
        """The canonical text of one document."""
        ...

    def contents_path(self, span: Span) -> tuple[str, ...]:
        """Titles from the top of the contents down to the span."""
        ...

    def page_label(self, span: Span) -> str:
        """The printed page of a place, or ""."""
        ...

    def printed_page(self, label: str) -> Sequence[Span]:
        """What is printed under a page label; empty for a page without text.

        Raises:
            PageLabelUnknown: no page carries it, or the edition has no page labels.
        """
        ...


class PassageFinder(Protocol):
    """The search of one book; `app.answering.search_ladder.SearchLadder` fits."""

    def search(self, words: str, scope: Scope, *, limit: int) -> SearchResult:
        """Searches a scope of the book; hits are passages, best first."""
        ...
