"""Where each page of a PDF stands in one long column, by arithmetic alone: no widget, no picture.

Coordinates are logical pixels from the top left corner of the whole column.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.domain.drawn_page import PageRect

MARGIN_PX = 24.0
"""Free space around the column and between its pages."""
_WIDEST_PX = 880.0  # at scale 1: a line of a book page then is as long as the EPUB view sets it
_NARROWEST_PX = 120.0


class PdfLayout:
    """One page under the other, each as wide as the column.

    Args:
        sizes_pt: width and height of each page in points.
        view_width_px: of the window onto the column.
        zoom: 1 fits the column into the view.
    """

    def __init__(
        self, sizes_pt: Sequence[tuple[float, float]], view_width_px: float, zoom: float
    ) -> None:
        fitting = min(max(view_width_px - 2 * MARGIN_PX, _NARROWEST_PX), _WIDEST_PX)
        self._column = fitting * zoom
        self.width_px = max(view_width_px, self._column + 2 * MARGIN_PX)
        self._sizes = sizes_pt
        self._tops: list[float] = []
        top = MARGIN_PX
        for width, height in sizes_pt:
            self._tops.append(top)
            top += height * self._column / width + MARGIN_PX
        self.height_px = top

    @property
    def page_count(self) -> int:
        """How many pages there are."""
        return len(self._sizes)

    def scale(self, page_index: int) -> float:
        """Logical pixels a point."""
        return self._column / self._sizes[page_index][0]

    def rect(self, page_index: int) -> QRectF:
        """Where a page stands."""
        height = self._sizes[page_index][1] * self.scale(page_index)
        left = (self.width_px - self._column) / 2
        return QRectF(left, self._tops[page_index], self._column, height)

    def page_at(self, y: float) -> int:
        """The page at a height; the gap under a page belongs to it, the top margin to the first."""
        return max(0, bisect_right(self._tops, y) - 1)

    def pages_between(self, top: float, bottom: float) -> range:
        """The pages of which something stands between two heights."""
        if not self._sizes:
            return range(0)
        return range(self.page_at(top), self.page_at(bottom) + 1)

    def on_page(self, page_index: int, point: QPointF) -> QPointF:
        """A point of the column as points of a page."""
        return (point - self.rect(page_index).topLeft()) / self.scale(page_index)

    def in_column(self, page_index: int, rect: PageRect) -> QRectF:
        """A rectangle of a page, in points, in the column."""
        scale, page = self.scale(page_index), self.rect(page_index)
        return QRectF(
            page.x() + rect.x0 * scale,
            page.y() + rect.y0 * scale,
            (rect.x1 - rect.x0) * scale,
            (rect.y1 - rect.y0) * scale,
        )
