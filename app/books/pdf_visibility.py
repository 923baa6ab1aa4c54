"""Leaves out text that nobody can see, so that it is neither shown, indexed, cited nor sent.

Text off the page or clipped away never arrives here. What does: text that is not painted (render
mode 3), transparent, of the colour of what lies behind it, or covered. Unpainted text stays where a
picture covers the page: there it is the text layer of a scan. Whether painted text can be seen is
decided on the drawn page, and only for text that may be hidden: pale text, and text that lies on or
under a filled shape or a picture.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

import pymupdf

from app.books.pdf_runs import Line, LineBlock, union

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from app.books.pdf_runs import Box, Run

# Operators that fill a shape or draw a picture (ISO 32000-1, tables 60, 77, 87 and 92), between
# white space or delimiters. A word of the text that looks like one only costs a needless check.
_PAINTS = re.compile(rb"(?<![^\s\])>}])(?:f\*?|F|B\*?|b\*?|sh|Do|EI)(?![^\s(\[<{/%])")
_SCALE = 2.0  # pixels a point: thin strokes of small letters keep a fifth of their contrast
_CONTRAST = 24  # of 255; pale grey print (#ccc) has 51, #f5f5f5 on white 10
_NEAR_COLOR = 128  # of 255: how close thin letters come to their own colour
_PALE = 200  # of 255: every channel above it
_FAINT_ALPHA = 128
_OPAQUE = 255
_SMALL_PT = 3.0  # rules and borders hide nothing
_COVERED_SHARE = 0.5  # of a run's box
_SCAN_SHARE = 0.6  # of the page's area that the pictures of a scan cover at least
_SCAN_RATIO = 4  # unpainted characters for each painted one: stamps and page numbers on a scan


def visible_blocks(page: pymupdf.Page, blocks: list[LineBlock]) -> list[LineBlock]:
    """The blocks without what a reader cannot see.

    Args:
        page: where they stand.
        blocks: as read from it; their runs are kept or dropped whole.

    Raises:
        RuntimeError: MuPDF cannot run the page (`mupdf.FzErrorBase` too).
    """
    runs = [run for block in blocks for line in block.lines for run in line.runs]
    unpainted = {
        id(run) for run in runs if not run.is_window and (run.alpha == 0 or not run.is_painted)
    }
    suspects = [run for run in runs if id(run) not in unpainted and _is_pale(run)]
    if unpainted or suspects or _may_hide(page):
        shapes = _Shapes(page)
        if unpainted and shapes.is_scan(runs, unpainted):
            unpainted.clear()
        pale = {id(run) for run in suspects}
        suspects += [
            run
            for run in runs
            if id(run) not in pale
            and run.is_painted
            and run.alpha > 0
            and any(map(str.isalnum, run.text))  # a lone dash is too thin to tell
            and shapes.meet(run.box)
        ]
    hidden = unpainted | _unseen(page, [run for run in suspects if run.text.strip()])
    return list(_without(blocks, hidden)) if hidden else blocks


def _is_pale(run: Run) -> bool:
    return run.is_window or run.alpha < _FAINT_ALPHA or min(run.color) > _PALE


def _may_hide(page: pymupdf.Page) -> bool:
    return _PAINTS.search(page.read_contents()) is not None or page.first_annot is not None


class _Shapes:
    """What a page fills: shapes and pictures, as boxes, in the order in which they are drawn."""

    def __init__(self, page: pymupdf.Page) -> None:
        log = page.get_bboxlog()
        self._page_area = abs(page.rect)
        bounds = pymupdf.Rect(page.rect) * page.derotation_matrix
        self._pictures = [
            pymupdf.Rect(box) & bounds
            for kind, box in log
            if kind in {"fill-image", "fill-imgmask"}
        ]
        self._filled = [
            box
            for kind, box in log
            if kind.startswith("fill")
            and kind != "fill-text"
            and box[2] - box[0] > _SMALL_PT
            and box[3] - box[1] > _SMALL_PT
        ]

    def meet(self, box: Box) -> bool:
        """Whether a shape lies on or under most of a box."""
        x0, y0, x1, y1 = box
        least = (x1 - x0) * (y1 - y0) * _COVERED_SHARE
        return any(
            (min(x1, right) - max(x0, left)) * (min(y1, bottom) - max(y0, top)) >= least
            for left, top, right, bottom in self._filled
            if left < x1 and right > x0 and top < y1 and bottom > y0
        )

    def is_scan(self, runs: Sequence[Run], unpainted: set[int]) -> bool:
        """Whether the unpainted runs are the text layer of a picture of the page."""
        covered = sum(abs(picture) for picture in self._pictures if not picture.is_empty)
        if covered < _SCAN_SHARE * self._page_area:
            return False
        sizes = [0, 0]
        for run in runs:
            sizes[id(run) in unpainted] += len(run.text.strip())
        return sizes[True] >= _SCAN_RATIO * sizes[False]


def _unseen(page: pymupdf.Page, suspects: Sequence[Run]) -> set[int]:
    """Which of the runs leave no trace in their colour on the drawn page."""
    if not suspects:
        return set()
    whole = pymupdf.Rect(union([run.box for run in suspects])) * page.rotation_matrix
    picture = page.get_pixmap(
        matrix=pymupdf.Matrix(_SCALE, _SCALE), clip=whole, colorspace=pymupdf.csRGB, alpha=False
    )
    zones = _Zones(picture, page.rotation_matrix * pymupdf.Matrix(_SCALE, _SCALE))
    return {
        id(run)
        for run in suspects
        if not _shows(zones.pixels(run.box), run.color if run.alpha == _OPAQUE else None)
    }


class _Zones:
    """The pixels of single lines of a drawn page."""

    def __init__(self, picture: pymupdf.Pixmap, matrix: pymupdf.Matrix) -> None:
        self._samples = bytes(picture.samples_mv)
        self._stride = picture.stride
        self._left, self._top = picture.x, picture.y
        self._width, self._height = picture.width, picture.height
        self._matrix = matrix

    def pixels(self, box: Box) -> bytes:
        """Red, green and blue of the middle of a line: its neighbours do not reach there."""
        a, b, c, d, e, f = (getattr(self._matrix, name) for name in "abcdef")
        x0, y0, x1, y1 = box
        y0, y1 = y0 + 0.3 * (y1 - y0), y0 + 0.75 * (y1 - y0)
        xs = (a * x0 + c * y0 + e - self._left, a * x1 + c * y1 + e - self._left)
        ys = (b * x0 + d * y0 + f - self._top, b * x1 + d * y1 + f - self._top)
        left, right = max(0, int(min(xs))), min(self._width, int(max(xs)) + 1)
        top, bottom = max(0, int(min(ys))), min(self._height, int(max(ys)) + 1)
        return b"".join(
            self._samples[row * self._stride + 3 * left : row * self._stride + 3 * right]
            for row in range(top, bottom)
        )


def _shows(zone: bytes, color: tuple[int, int, int] | None) -> bool:
    """Whether pixels (red, green, blue each) show something in about this colour, or in any."""
    has_contrast = False
    for channel in range(3):
        levels = zone[channel::3]
        if not levels:
            return False
        if color and not levels.translate(None, _all_but(color[channel], _NEAR_COLOR)):
            return False
        has_contrast = has_contrast or bool(levels.translate(None, _around(levels[0], _CONTRAST)))
    return has_contrast


@cache
def _around(value: int, distance: int) -> bytes:
    return bytes(range(max(0, value - distance), min(255, value + distance) + 1))


@cache
def _all_but(value: int, distance: int) -> bytes:
    return bytes(set(range(256)).difference(_around(value, distance)))


def _without(blocks: Sequence[LineBlock], hidden: set[int]) -> Iterator[LineBlock]:
    for block in blocks:
        lines = []
        for line in block.lines:
            runs = [run for run in line.runs if id(run) not in hidden]
            if len(runs) == len(line.runs):
                lines.append(line)
            elif any(run.text.strip() for run in runs):
                lines.append(
                    Line(
                        runs,
                        "".join([run.text for run in runs]),
                        union([run.box for run in runs]),
                        line.direction,
                        line.is_vertical,
                    )
                )
        if lines:
            yield LineBlock(lines)
