"""Finds text on a measured page: what is under the pointer, a word, what rectangles cover."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from PySide6.QtCore import QTextBoundaryFinder

from app.domain.drawn_page import PageRect

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.domain.document import DocumentText
    from app.domain.drawn_page import CharacterBox, PageLink

_ROW_WEIGHT = 16  # a row away is farther than a word away
_GAP_ROWS = 0.8  # a space in loosely set text, in heights of its row


@dataclass(frozen=True, slots=True)
class MeasuredPage:
    """What stands where on a page.

    Attributes:
        content: the page's text.
        boxes: one for each code point of it.
        links: in the page's order.
    """

    content: DocumentText
    boxes: tuple[CharacterBox, ...]
    links: tuple[PageLink, ...]

    def link_at(self, x: float, y: float) -> PageLink | None:
        """The link at a point of the page, in points."""
        return next((link for link in self.links if link.rect.contains(x, y)), None)

    def character_at(self, x: float, y: float) -> int | None:
        """The drawn character at a point, or None."""
        return next(
            (box.offset for box in self.boxes if _is_drawn(box.rect) and box.rect.contains(x, y)),
            None,
        )

    def border_at(self, x: float, y: float) -> int | None:
        """The border between characters that is nearest to a point; None where there are none."""
        drawn = [box for box in self.boxes if _is_drawn(box.rect)]
        if not drawn:
            return None
        nearest = min(drawn, key=lambda box: _distance(box.rect, x, y))
        is_after = x > (nearest.rect.x0 + nearest.rect.x1) / 2
        if unicodedata.bidirectional(self.content.text[nearest.offset]) in {"R", "AL"}:
            is_after = not is_after
        return nearest.offset + 1 if is_after else nearest.offset

    def word_at(self, offset: int) -> tuple[int, int]:
        """First code point and one past the last of the word that holds a character."""
        text = self.content.text
        at = _units(text[:offset])
        finder = QTextBoundaryFinder(QTextBoundaryFinder.BoundaryType.Word, text)
        finder.setPosition(at)
        start = at if finder.isAtBoundary() else finder.toPreviousBoundary()
        finder.setPosition(at)
        end = finder.toNextBoundary()
        encoded = text.encode("utf-16-le", "surrogatepass")
        before = encoded[: 2 * start].decode("utf-16-le", "surrogatepass")
        word = encoded[2 * start : 2 * end].decode("utf-16-le", "surrogatepass")
        return len(before), len(before) + len(word)

    def first_below(self, y: float) -> int:
        """The first character, in the order of the text, that stands wholly below a height."""
        found = (box.offset for box in self.boxes if _is_drawn(box.rect) and box.rect.y0 >= y)
        return next(found, 0)

    def rectangles(self, start: int, end: int) -> tuple[PageRect, ...]:
        """What a range of the text covers: neighbours on one row share a rectangle."""
        found: list[PageRect] = []
        for box in self.boxes[start:end]:
            if not _is_drawn(box.rect):
                continue
            if found and _go_together(found[-1], box.rect):
                found[-1] = _union(found[-1], box.rect)
            else:
                found.append(box.rect)
        return tuple(found)

    def text_within(self, rects: Sequence[PageRect]) -> str:
        """The text whose characters have their centres in the rectangles, in its own order.

        Characters that are not drawn, such as line ends, belong to what stands around them.
        """
        inside = [
            box.offset for box in self.boxes if _is_drawn(box.rect) and _is_within(box.rect, rects)
        ]
        text = self.content.text
        parts = [text[offset] for offset in inside[:1]]
        for before, offset in pairwise(inside):
            between = self.boxes[before + 1 : offset]
            if not any(_is_drawn(box.rect) for box in between):
                parts.append(text[before + 1 : offset])
            parts.append(text[offset])
        return "".join(parts)


def _is_drawn(rect: PageRect) -> bool:
    return rect.x1 > rect.x0 and rect.y1 > rect.y0


def _is_within(rect: PageRect, rects: Sequence[PageRect]) -> bool:
    x, y = (rect.x0 + rect.x1) / 2, (rect.y0 + rect.y1) / 2
    return any(one.contains(x, y) for one in rects)


def _distance(rect: PageRect, x: float, y: float) -> float:
    across = max(rect.x0 - x, 0.0, x - rect.x1)
    along = max(rect.y0 - y, 0.0, y - rect.y1)
    return across * across + _ROW_WEIGHT * along * along


def _go_together(row: PageRect, rect: PageRect) -> bool:
    shared = min(row.y1, rect.y1) - max(row.y0, rect.y0)
    gap = max(rect.x0 - row.x1, row.x0 - rect.x1)
    return shared > 0.5 * (rect.y1 - rect.y0) and gap <= _GAP_ROWS * (row.y1 - row.y0)


def _union(one: PageRect, other: PageRect) -> PageRect:
    return PageRect(
        min(one.x0, other.x0),
        min(one.y0, other.y0),
        max(one.x1, other.x1),
        max(one.y1, other.y1),
    )


def _units(text: str) -> int:
    """UTF-16 code units, which Qt counts in."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2
