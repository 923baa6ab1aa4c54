"""How far long work has come; the window makes the sentence."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Progress:
    """Work done so far.

    Attributes:
        done: units finished.
        total: units in all, or None where unknown.
        unit: what is counted: "documents", "pages", "pictures", "sections".
    """

    done: int
    total: int | None
    unit: str


@dataclass(frozen=True, slots=True)
class BookKnown:
    """A book that is being imported can be read from now on.

    Attributes:
        book_id: its key in the library.
    """

    book_id: int


ImportEvent = BookKnown | Progress
