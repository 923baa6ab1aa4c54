"""A page as it is drawn: its picture, where its characters stand, and its links.

Coordinates are points (1/72 inch) of the page as shown, rotation and crop box applied: the origin
is the top left corner, x grows to the right and y downwards. A picture of scale 1 has one pixel a
point.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PageImage:
    """A picture of a page.

    Attributes:
        width_px: pixels in a row.
        height_px: rows.
        stride_bytes: bytes from one row to the next, at least three a pixel.
        data: red, green and blue, one byte each, row by row from the top.
    """

    width_px: int
    height_px: int
    stride_bytes: int
    data: bytes


@dataclass(frozen=True, slots=True)
class PageRect:
    """A rectangle on a page, in points."""

    x0: float
    y0: float
    x1: float
    y1: float

    def contains(self, x: float, y: float) -> bool:
        """Whether a point lies in it."""
        return self.x0 <= x <= self.x1 and self.y0 <= y <= self.y1


@dataclass(frozen=True, slots=True)
class CharacterBox:
    """Where one code point of the canonical text stands.

    Attributes:
        offset: which code point.
        rect: its box; without width for a character that is not drawn, such as a line end.
    """

    offset: int
    rect: PageRect


@dataclass(frozen=True, slots=True)
class PageLink:
    """A link on a page: to a place in the book or out of it.

    Attributes:
        rect: what to click.
        page_index: the page it leads to, or None.
        x: where on that page, in points from its left, or None for its top.
        y: where on that page, in points from its top, or None for its top.
        uri: an address outside the book, or "".
    """

    rect: PageRect
    page_index: int | None = None
    x: float | None = None
    y: float | None = None
    uri: str = ""
