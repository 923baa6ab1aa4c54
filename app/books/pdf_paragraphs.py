"""Puts the lines of widely spaced paragraphs together, which MuPDF takes for a block each.

MuPDF ends a block where the step to the next line is large beside the letters: right for most
books, wrong for a page with wide leading (lshort-persian.pdf, typescripts). Only a page on which
nearly every block is a single line is touched: there a line joins the block before it if it follows
at the page's usual step, in the same size, from the margin, after a line that reaches the other.
"""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from statistics import median
from typing import TYPE_CHECKING

from app.books.pdf_direction import is_mainly_right_to_left
from app.books.pdf_runs import LineBlock, share_row, union

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.books.pdf_runs import Box, Line

_LEAST_LINES = 6
_SINGLE_SHARE = 0.6  # of the lines of a page stand in a block of their own
_STEP_SLACK = 1.12  # of the usual step
_MARGIN_EM = 1.0  # how far from the margin a line may start and still not be indented
_LEAST_AT_MARGIN = 3  # lines that begin at one place make it a margin
_FULL_SHARE = 0.85  # of the column's width that a line which goes on fills


def joined_paragraphs(blocks: list[LineBlock]) -> list[LineBlock]:
    """The same lines in the same order, in fewer blocks where MuPDF cut at every line."""
    count = sum(len(block.lines) for block in blocks)
    single = sum(len(block.lines) == 1 for block in blocks)
    if count < _LEAST_LINES or single < _SINGLE_SHARE * count:
        return blocks
    lines = [union([line.box for line in block.lines]) for block in blocks]
    size = Counter(_size(block.lines[-1]) for block in blocks).most_common(1)[0][0]
    steps = [
        after[1] - box[1] for box, after in pairwise(lines) if 0 < after[1] - box[1] < 3 * size
    ]
    if not steps:
        return blocks
    column = _Column(blocks, size, median(steps))
    joined = [blocks[0]]
    for block in blocks[1:]:
        if column.goes_on(joined[-1].lines, block.lines):
            joined[-1] = LineBlock([*joined[-1].lines, *block.lines])
        else:
            joined.append(block)
    return joined


class _Column:
    """The running text of a page, its size of letters and its step from line to line, in points."""

    def __init__(self, blocks: Sequence[LineBlock], size: float, step: float) -> None:
        lines = [
            line
            for block in blocks
            for line in block.lines
            if line.is_upright and abs(_size(line) - size) < 0.1 * size
        ]
        self._size = size
        self._step = step
        self._is_right_to_left = is_mainly_right_to_left(" ".join(line.text for line in lines))
        # Start and end of each line, counted in the direction of reading.
        self._edges = [self._turned(line.box) for line in lines]

    def goes_on(self, before: Sequence[Line], after: Sequence[Line]) -> bool:
        """Whether the lines of the next block belong to the paragraph of those before."""
        last, first = before[-1], after[0]
        if not (last.is_upright and first.is_upright):
            return False
        if max(abs(_size(last) - self._size), abs(_size(first) - self._size)) > 0.1 * self._size:
            return False
        if _is_bold(last) != _is_bold(first) or share_row(last.box, first.box):
            return False
        step = first.box[1] - last.box[1]
        if not 0 < step <= _STEP_SLACK * self._step:
            return False
        row = union([line.box for line in before if share_row(line.box, last.box)])
        return self._is_full(self._turned(row), self._turned(first.box)[0])

    def _is_full(self, row: tuple[float, float], start: float) -> bool:
        """Whether a line from `start` has a margin's company and the row before reaches the end."""
        ends = sorted(
            end for left, end in self._edges if abs(left - start) < _MARGIN_EM * self._size
        )
        if len(ends) < _LEAST_AT_MARGIN or start > row[0] + _MARGIN_EM * self._size:
            return False
        margin = ends[-1 - len(ends) // 10]  # a line that juts out is not the margin
        return row[1] >= margin - (1 - _FULL_SHARE) * (margin - start)

    def _turned(self, box: Box) -> tuple[float, float]:
        return (-box[2], -box[0]) if self._is_right_to_left else (box[0], box[2])


def _size(line: Line) -> float:
    return round(max(run.size for run in line.runs), 1)


def _is_bold(line: Line) -> bool:
    return all(run.is_bold for run in line.runs if run.text.strip())
