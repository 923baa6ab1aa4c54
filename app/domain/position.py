"""Places in a book, and the one grammar of position tags.

A place is counted in Unicode code points of a document's canonical text, end exclusive. The tag
`[f5-10-42]` names document 5 (0-based spine or page index), code points 10 to 42. This module is
the only one that knows how a tag is written and read; it does not know whether a tag was issued
(that is `app.domain.evidence.Ledger`) nor what stands there.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_TAG = re.compile(r"\[f(0|[1-9]\d{0,6})-(0|[1-9]\d{0,9})-([1-9]\d{0,9})\]")


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A range of one document's canonical text.

    Attributes:
        file_index: 0-based spine index (EPUB) or page index (PDF).
        start: first code point.
        end: one past the last code point; greater than `start`.
    """

    file_index: int
    start: int
    end: int

    @property
    def tag(self) -> str:
        """The position tag, such as `[f5-10-42]`."""
        return f"[f{self.file_index}-{self.start}-{self.end}]"

    def contains(self, other: Span) -> bool:
        """Whether `other` lies within this span."""
        return (
            self.file_index == other.file_index
            and self.start <= other.start
            and other.end <= self.end
        )

    def overlaps(self, other: Span) -> bool:
        """Whether the two spans share at least one code point."""
        return (
            self.file_index == other.file_index
            and self.start < other.end
            and other.start < self.end
        )


@dataclass(frozen=True, slots=True, order=True)
class Locator:
    """A point in a book: a document and an offset in code points."""

    file_index: int
    offset: int


def parse_tag(text: str) -> Span:
    """Reads a tag in its canonical form, and nothing else.

    Raises:
        ValueError: the text is not one canonical tag, or its end does not follow its start.
    """
    found = _TAG.fullmatch(text.strip())
    if found is None:
        raise ValueError(f"not a position tag: {text!r}")
    span = Span(*(int(number) for number in found.groups()))
    if span.end <= span.start:
        raise ValueError(f"an empty or backward position tag: {text!r}")
    return span
