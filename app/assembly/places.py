"""From a place in a book to what a person calls it: chapter path, printed page, percent.

Everything is resolved from the book's own contents and page labels, never guessed: a book without
page labels has no printed pages.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING

from app.domain.position import Locator, Span

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.domain.book import ContentsEntry, PageLabel, SpineDocument


class Places:
    """The names of the places of one book.

    Args:
        documents: in raw spine or page order.
        contents: in the order of the tree.
        labels: printed pages; may be empty.
    """

    def __init__(
        self,
        documents: Sequence[SpineDocument],
        contents: Sequence[ContentsEntry],
        labels: Sequence[PageLabel],
    ) -> None:
        self._documents = tuple(documents)
        self._contents = tuple(contents)
        targets = [
            (entry.file_index, entry.start or 0, entry.entry_index)
            for entry in contents
            if entry.file_index is not None
        ]
        self._targets = sorted(targets)
        self._labels = sorted(labels, key=lambda label: (label.file_index, label.start))
        self._label_starts = [(label.file_index, label.start) for label in self._labels]
        self._lengths_before = [0]
        for document in documents:
            length = document.length_chars if document.is_linear else 0
            self._lengths_before.append(self._lengths_before[-1] + length)

    def entry_at(self, place: Locator) -> ContentsEntry | None:
        """The contents entry that a place lies under: the last one that begins at or before it."""
        index = bisect_right(self._targets, (place.file_index, place.offset, len(self._contents)))
        return self._contents[self._targets[index - 1][2]] if index else None

    def contents_path(self, span: Span) -> tuple[str, ...]:
        """Titles from the top of the contents down to the span; empty before the first entry."""
        entry = self.entry_at(Locator(span.file_index, span.start))
        titles: list[str] = []
        while entry is not None:
            if entry.title:
                titles.append(entry.title)
            entry = None if entry.parent_index is None else self._contents[entry.parent_index]
        return tuple(reversed(titles))

    def page_label(self, place: Locator) -> str:
        """The printed page that a place stands on, or "" where the edition gives none."""
        index = bisect_right(self._label_starts, (place.file_index, place.offset))
        return self._labels[index - 1].label if index else ""

    def place_of_label(self, label: str) -> Locator | None:
        """Where the first page that carries a label begins; None where none does."""
        wanted = label.strip().casefold()
        return next(
            (
                Locator(found.file_index, found.start)
                for found in self._labels
                if found.label.strip().casefold() == wanted
            ),
            None,
        )

    def spans_of_label(self, label: str) -> tuple[Span, ...]:
        """Every stretch of text printed under a label, one span a document; case is ignored.

        Returns:
            Empty where no page carries the label, or nothing stands on it. A label that
            stands twice gives both pages.
        """
        wanted = label.strip().casefold()
        spans: list[Span] = []
        for index, found in enumerate(self._labels):
            if found.label.strip().casefold() != wanted:
                continue
            after = self._labels[index + 1] if index + 1 < len(self._labels) else None
            end = Locator(after.file_index, after.start) if after else self._end()
            spans.extend(self._between(Locator(found.file_index, found.start), end))
        return tuple(spans)

    def percent(self, place: Locator) -> float:
        """How far into the reading order a place is, 0 to 100."""
        total = self._lengths_before[-1]
        if not total or place.file_index >= len(self._documents):
            return 0.0
        document = self._documents[place.file_index]
        inside = min(place.offset, document.length_chars) if document.is_linear else 0
        return 100 * (self._lengths_before[place.file_index] + inside) / total

    def _end(self) -> Locator:
        last = self._documents[-1]
        return Locator(last.file_index, last.length_chars)

    def _between(self, start: Locator, end: Locator) -> list[Span]:
        spans = []
        for file_index in range(start.file_index, end.file_index + 1):
            first = start.offset if file_index == start.file_index else 0
            length = self._documents[file_index].length_chars
            last = min(end.offset, length) if file_index == end.file_index else length
            if last > first:
                spans.append(Span(file_index, first, last))
        return spans
