"""Puts columns that a file writes line by line across the page into the order of reading.

MuPDF gives text in the order of the file, which is the order of reading in nearly all: every page
of the two-column papers it was tried on. Its order is changed only where prose plainly jumps to and
fro across one gutter: then each stretch between lines that cross the gutter is read column by
column. Tables are left alone: their cells are short, and are read across.
"""

from __future__ import annotations

from itertools import pairwise
from statistics import median
from typing import TYPE_CHECKING

from app.books.pdf_runs import LineBlock

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from app.books.pdf_runs import Line

_LEAST_JUMPS = 4  # to and fro; a page in order has one for each column and stretch
_LEAST_CHARS = 20  # of a line of prose; half of them must be as long
_LEAST_WIDTH = 0.22  # of the page's width: a line of prose in three columns
_GAP_PT = 4.0


def in_reading_order(blocks: list[LineBlock], page_width: float) -> list[LineBlock]:
    """The same lines, in new blocks where their order had to be changed."""
    lines = [line for block in blocks for line in block.lines]
    gutter = _gutter(lines, page_width)
    if gutter is None or _jumps(lines, gutter) < _LEAST_JUMPS:
        return blocks
    return list(_by_columns(lines, gutter))


def _gutter(lines: Sequence[Line], page_width: float) -> float | None:
    """The middle of the gap between two columns of prose, or None where there are none."""
    prose = [
        line
        for line in lines
        if line.is_upright
        and _LEAST_WIDTH * page_width <= line.box[2] - line.box[0] <= 0.55 * page_width
        and sum(len(run.text) for run in line.runs) >= _LEAST_CHARS
    ]
    if len(prose) < 2 * _LEAST_JUMPS or 2 * len(prose) < len(lines):
        return None
    middle = page_width / 2
    rights = [line.box[2] for line in prose if (line.box[0] + line.box[2]) / 2 < middle]
    lefts = [line.box[0] for line in prose if (line.box[0] + line.box[2]) / 2 >= middle]
    if len(rights) < _LEAST_JUMPS or len(lefts) < _LEAST_JUMPS:
        return None
    right, left = max(rights), min(lefts)
    if left - right < _GAP_PT or abs((left + right) / 2 - median([right, left])) > 1:
        return None
    return (left + right) / 2


def _jumps(lines: Sequence[Line], gutter: float) -> int:
    """How often the file goes from the right column back to a line of the left one below it."""
    count = 0
    for line, after in pairwise(lines):
        is_back = line.box[0] > gutter and after.box[2] < gutter
        count += is_back and after.box[1] > line.box[1] - 1
    return count


def _by_columns(lines: Sequence[Line], gutter: float) -> Iterator[LineBlock]:
    """Stretches from top to bottom; in each the left column, then the right one."""
    left: list[Line] = []
    right: list[Line] = []
    for line in sorted(lines, key=lambda one: (one.box[1], one.box[0])):
        if line.box[2] < gutter:
            left.append(line)
        elif line.box[0] > gutter:
            right.append(line)
        else:
            yield from _paragraphs(left)
            yield from _paragraphs(right)
            left, right = [], []
            yield LineBlock([line])
    yield from _paragraphs(left)
    yield from _paragraphs(right)


def _paragraphs(lines: Sequence[Line]) -> Iterator[LineBlock]:
    """One column cut where the gap between lines is plainly wider, or a line is indented."""
    if not lines:
        return
    steps = [b.box[1] - a.box[1] for a, b in pairwise(lines)]
    usual = median(steps) if steps else 0.0
    edge = min(line.box[0] for line in lines)
    block = [lines[0]]
    for line, step in zip(lines[1:], steps, strict=True):
        height = line.box[3] - line.box[1]
        is_indented = line.box[0] - edge > 0.8 * height and block[-1].box[0] - edge < 1
        if step > 1.35 * usual or is_indented:
            yield LineBlock(block)
            block = []
        block.append(line)
    yield LineBlock(block)
