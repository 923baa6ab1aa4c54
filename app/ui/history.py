"""One history for every jump: link, contents, footnote, printed page. Knows no Qt and no book."""

from __future__ import annotations

from typing import Generic, TypeVar

Place = TypeVar("Place")
_LIMIT = 500
"""Places kept; older ones are forgotten."""


class JumpHistory(Generic[Place]):
    """Places that were left, in the order of leaving, as a browser keeps them.

    The place where a reader *is* is not kept here: it is handed in at each move, so that Back
    returns exactly to where the jump was made, and Forward to where Back was used.
    """

    def __init__(self) -> None:
        self._behind: list[Place] = []
        self._ahead: list[Place] = []

    @property
    def can_go_back(self) -> bool:
        """Whether `back` has a place."""
        return bool(self._behind)

    @property
    def can_go_forward(self) -> bool:
        """Whether `forward` has a place."""
        return bool(self._ahead)

    def leave(self, here: Place) -> None:
        """Remembers the place that a jump leaves; what was ahead is forgotten."""
        self._ahead.clear()
        if not self._behind or self._behind[-1] != here:
            self._behind.append(here)
            del self._behind[:-_LIMIT]

    def back(self, here: Place) -> Place:
        """The place to return to.

        Raises:
            IndexError: there is none.
        """
        place = self._behind.pop()
        self._ahead.append(here)
        return place

    def forward(self, here: Place) -> Place:
        """The place that `back` left.

        Raises:
            IndexError: there is none.
        """
        place = self._ahead.pop()
        self._behind.append(here)
        return place

    def clear(self) -> None:
        """Forgets everything: another book is open."""
        self._behind.clear()
        self._ahead.clear()
