"""Where a place stands in a book's contents, and what lies between its entries. Knows no Qt."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING

from app.domain.position import Locator, Span
from app.domain.scope import Scope, ScopeKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.domain.book import ContentsEntry, SpineDocument


class Chapters:
    """The contents of a book as places.

    Args:
        contents: depth first.
        documents: in raw spine or page order.
    """

    def __init__(
        self, contents: Sequence[ContentsEntry], documents: Sequence[SpineDocument]
    ) -> None:
        self._documents = tuple(documents)
        self._contents = tuple(contents)
        # Entries that begin at the same place keep the order of the contents: the last is deepest.
        self._targets = sorted(
            (entry for entry in contents if entry.file_index is not None),
            key=lambda entry: (_place(entry), entry.entry_index),
        )
        self._starts = [_place(entry) for entry in self._targets]

    def at(self, place: Locator) -> ContentsEntry | None:
        """The entry that a place lies under, or None before the first."""
        index = bisect_right(self._starts, place)
        return self._targets[index - 1] if index else None

    def title_at(self, place: Locator) -> str:
        """The nearest title above a place, or ""."""
        entry = self.at(place)
        while entry is not None:
            if entry.title:
                return entry.title
            entry = None if entry.parent_index is None else self._contents[entry.parent_index]
        return ""

    def after(self, place: Locator) -> Locator | None:
        """Where the next entry begins, or None behind the last."""
        index = bisect_right(self._starts, place)
        return self._starts[index] if index < len(self._starts) else None

    def before(self, place: Locator) -> Locator | None:
        """Where this entry begins, or the one before where the place is its very beginning."""
        index = bisect_left(self._starts, place)
        return self._starts[index - 1] if index else None

    def scope_at(self, place: Locator) -> Scope:
        """The stretch of text of the entry that a place lies under, with what lies below it.

        Returns:
            A scope of the kind `CHAPTER`; an empty one before the first entry.
        """
        entry = self.at(place)
        if entry is None:
            return Scope(ScopeKind.CHAPTER, "", ())
        start = _place(entry)
        ends = [
            _place(other)
            for other in self._targets
            if other.depth <= entry.depth and _place(other) > start
        ]
        return Scope(
            ScopeKind.CHAPTER, self.title_at(place), self._spans(start, min(ends, default=None))
        )

    def _spans(self, start: Locator, end: Locator | None) -> tuple[Span, ...]:
        spans = []
        for document in self._documents[start.file_index :]:
            index = document.file_index
            if end is not None and index > end.file_index:
                break
            first = start.offset if index == start.file_index else 0
            last = document.length_chars
            if end is not None and index == end.file_index:
                last = min(last, end.offset)
            if last > first:
                spans.append(Span(index, first, last))
        return tuple(spans)


def _place(entry: ContentsEntry) -> Locator:
    return Locator(entry.file_index or 0, entry.start or 0)
