"""From code points of a page to rectangles on it, as it is shown.

The page as shown is the page turned by its rotation; its crop box is already applied. A rectangle
covers neighbouring characters of one row, so that a line is one rectangle, and a line in two
directions has no rectangle over what was not asked for. A glyph with a tall box, as bullets and
mathematical signs have, does not stretch the rectangle of its line over the line below.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from app.books.pdf_runs import share_row, union
from app.domain.drawn_page import PageRect

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pymupdf

    from app.books.pdf_runs import Box
    from app.books.pdf_text import PageText

_GAP_EM = 0.8  # of a row's height: a word space in loosely set lines

_FLAT_PT = 0.05  # a box narrower than this has no width


def shown_box(box: Box, matrix: pymupdf.Matrix) -> Box:
    """A box of the page before rotation, on the page as shown.

    Args:
        box: in points.
        matrix: `Page.rotation_matrix`.
    """
    x0, y0, x1, y1 = box
    xs = (matrix.a * x0 + matrix.c * y0 + matrix.e, matrix.a * x1 + matrix.c * y1 + matrix.e)
    ys = (matrix.b * x0 + matrix.d * y0 + matrix.f, matrix.b * x1 + matrix.d * y1 + matrix.f)
    return min(xs), min(ys), max(xs), max(ys)


def character_boxes(page: PageText) -> list[Box]:
    """Where each character stands; those that one glyph stands for share its box.

    MuPDF gives the whole box to the first character of such a glyph and none to the others, which
    then could be neither marked nor found under a mark.

    Args:
        page: read with characters.
    """
    boxes = list(page.boxes or [])
    first = 0
    while first < len(boxes):
        behind = first + 1
        while behind < len(boxes) and _is_part_of(boxes[first], boxes[behind], page.text[behind]):
            behind += 1
        if behind - first > 1:
            x0, top, x1, bottom = boxes[first]
            step = (x1 - x0) / (behind - first)
            for place in range(behind - first):
                left = x0 + place * step
                boxes[first + place] = (left, top, left + step, bottom)
        first = behind
    return boxes


def _is_part_of(glyph: Box, box: Box, character: str) -> bool:
    """Whether a box without width stands at the edge of a glyph on the same line."""
    x0, top, x1, bottom = glyph
    is_flat = box[2] - box[0] < _FLAT_PT and x1 - x0 >= _FLAT_PT
    is_at_edge = min(abs(box[0] - x0), abs(box[0] - x1)) < _FLAT_PT
    is_beside = box[1] < bottom and box[3] > top
    return is_flat and is_at_edge and is_beside and character != "\n"


def line_rectangles(
    page: PageText, start: int, end: int, matrix: pymupdf.Matrix
) -> tuple[PageRect, ...]:
    """Where a range of a page's text stands.

    Args:
        page: read with characters.
        start: first code point.
        end: one past the last; clipped to the text.
        matrix: `Page.rotation_matrix`.
    """
    boxes = character_boxes(page)
    found: list[PageRect] = []
    for block in page.blocks:
        for line in block.lines:
            first, last = max(start, line.start), min(end, line.end)
            drawn = [box for box in boxes[first:last] if box[2] > box[0] and box[3] > box[1]]
            if first < last:
                found += [PageRect(*shown_box(box, matrix)) for box in _merged(drawn)]
    return tuple(found)


def _merged(boxes: list[Box]) -> Iterator[Box]:
    """Boxes of one line of text, put together where they stand side by side or on each other."""
    pending: list[Box] = []
    for box in sorted(boxes):
        if pending and not _touch(union(pending), box):
            yield _around(pending)
            pending = []
        pending.append(box)
    if pending:
        yield _around(pending)


def _around(boxes: list[Box]) -> Box:
    """A box around a row, as high as most of it where that holds the middle of every character."""
    widths: defaultdict[tuple[float, float], float] = defaultdict(float)
    for left, top, right, bottom in boxes:
        widths[top, bottom] += right - left
    top, bottom = max(widths, key=widths.__getitem__)
    x0, y0, x1, y1 = union(boxes)
    if all(top <= (box[1] + box[3]) / 2 <= bottom for box in boxes):
        return x0, top, x1, bottom
    return x0, y0, x1, y1


def _touch(box: Box, other: Box) -> bool:
    gap = _GAP_EM * (box[3] - box[1])
    is_beside = other[0] - box[2] <= gap and share_row(box, other)
    is_below = other[1] - box[3] <= gap and box[1] - other[3] <= gap
    overlap = min(box[2], other[2]) - max(box[0], other[0])
    return is_beside or (is_below and overlap >= 0.5 * min(box[2] - box[0], other[2] - other[0]))
