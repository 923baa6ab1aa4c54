"""What part of a book a search or a question is about.

A scope is enforced in the data: every search takes its spans. It is made by `app.answering.scopes`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.domain.position import Span


class ScopeKind(StrEnum):
    """How a scope was chosen."""

    BOOK = "book"
    CHAPTER = "chapter"
    PAGES = "pages"
    SELECTION = "selection"
    READ = "read"


@dataclass(frozen=True, slots=True)
class Scope:
    """A part of a book.

    Attributes:
        kind: how it was chosen.
        label: for a person: "Chapter 3", "pages 12-20"; "" for the whole book.
        spans: in reading order, or None for the whole book. An empty tuple is an empty scope.
    """

    kind: ScopeKind = ScopeKind.BOOK
    label: str = ""
    spans: tuple[Span, ...] | None = None

    def admits(self, span: Span) -> bool:
        """Whether the whole of `span` lies within the scope."""
        return self.spans is None or any(part.contains(span) for part in self.spans)


WHOLE_BOOK = Scope()
