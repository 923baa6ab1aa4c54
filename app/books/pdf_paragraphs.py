"""Puts paragraphs together that MuPDF cut in pieces, and cuts headings off them.

MuPDF ends a block where the step to the next line is large beside the letters and where a line is
indented. That is right for most text and wrong for four kinds: an entry with a hanging indent,
whose first line stands alone; a sentence that plainly goes on at the next line; a page with wide
leading, where every line is a block; and a heading close to its text. Only these are changed.
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise
from statistics import median
from typing import TYPE_CHECKING

from app.books.pdf_direction import is_mainly_right_to_left
from app.books.pdf_runs import LineBlock, share_row, union

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from app.books.pdf_runs import Box, Line

_SENTENCE_END = re.compile(r"[.!?:;。！？：；…»”’\"')\]]\s*$")
_NEW_SIZE = 0.12  # of the smaller size; beyond it MuPDF's block holds two kinds of text
_OPEN_SHARE = 0.8  # of the width that a line which goes on fills
_ALIGNED_EM = 0.5
_HANGING_EM = 5.0
_USUAL_LEADING = 1.3  # step from line to line in font sizes, where a block does not show it
_LEAST_LINES = 6
_SINGLE_SHARE = 0.6  # of the lines of a page stand in a block of their own
_STEP_SLACK = 1.12  # of the usual step
_MARGIN_EM = 1.0  # how far from the margin a line may start and still not be indented
_PROSE_SHARE = 0.4  # of lines reach the margin; in verse and lists the longest does
_LEAST_AT_MARGIN = 3  # lines that begin at one place make it a margin
_FULL_SHARE = 0.85  # of the column's width that a line which goes on fills


def joined_paragraphs(blocks: list[LineBlock]) -> list[LineBlock]:
    """The same lines in the same order, in other blocks where MuPDF's are wrong."""
    joined: list[LineBlock] = []
    parts = [part for block in blocks for part in _without_headings(block)]
    for block in _joined_lines(parts):
        if joined and _goes_on(joined[-1].lines, block.lines):
            joined[-1] = LineBlock([*joined[-1].lines, *block.lines])
        else:
            joined.append(block)
    return joined


def _without_headings(block: LineBlock) -> Iterator[LineBlock]:
    """A block cut where larger letters, or bold lines that end early, change to others."""
    lines = block.lines
    right = max(line.box[2] for line in lines)
    start = 0
    for index, (line, after) in enumerate(pairwise(lines), 1):
        if share_row(line.box, after.box):
            continue
        size, next_size = _size(line), _size(after)
        has_new_size = abs(size - next_size) > _NEW_SIZE * min(size, next_size)
        is_early = line.box[2] < right - (1 - _OPEN_SHARE) * (right - line.box[0])
        has_new_weight = _is_bold(line) != _is_bold(after) and (
            is_early or _SENTENCE_END.search(line.text) is not None
        )
        if has_new_size or has_new_weight:
            yield LineBlock(lines[start:index])
            start = index
    yield block if start == 0 else LineBlock(lines[start:])


def _goes_on(before: Sequence[Line], after: Sequence[Line]) -> bool:
    """Whether a sentence that one block leaves open goes on in the next one."""
    last, first = before[-1], after[0]
    if _SENTENCE_END.search(last.text) or not _look_alike(last, first):
        return False
    if _has_rows(before) or _has_rows(after):
        return False  # cells of a table
    size = _size(last)
    if not 0 < first.box[1] - last.box[1] <= _STEP_SLACK * _inner_step(before, after, size):
        return False
    left, _, right, _ = union([line.box for line in (*before, *after)])
    is_full = last.box[2] >= right - (1 - _OPEN_SHARE) * (right - left)
    indent = (first.box[0] - last.box[0]) / size
    if len(before) > 1 or abs(indent) <= _ALIGNED_EM:
        return is_full and abs(indent) <= _ALIGNED_EM
    if indent < 0:  # after an indented first line
        return is_full and indent > -_HANGING_EM
    # A hanging indent, unless it is the indent of a new paragraph.
    is_hanging = all(abs(line.box[0] - first.box[0]) < 1 for line in after)
    is_new = len(after) == 1 and not first.text.lstrip()[:1].islower()
    return is_full and is_hanging and not is_new and indent < _HANGING_EM


def _look_alike(last: Line, first: Line) -> bool:
    size = _size(last)
    return (
        last.is_upright
        and first.is_upright
        and abs(_size(first) - size) <= 0.1 * size
        and _is_bold(last) == _is_bold(first)
    )


def _inner_step(before: Sequence[Line], after: Sequence[Line], size: float) -> float:
    steps = [b.box[1] - a.box[1] for lines in (before, after) for a, b in pairwise(lines)]
    return median(steps) if steps else _USUAL_LEADING * size


def _has_rows(lines: Sequence[Line]) -> bool:
    return any(share_row(a.box, b.box) for a, b in pairwise(lines))


def _joined_lines(blocks: list[LineBlock]) -> list[LineBlock]:
    """Lines put together on a page on which nearly every block is a single one.

    A line joins the block before it if it follows at the page's usual step, in the same size, from
    the margin, after a line that reaches the other.
    """
    count = sum(len(block.lines) for block in blocks)
    single = sum(len(block.lines) == 1 for block in blocks)
    if count < _LEAST_LINES or single < _SINGLE_SHARE * count:
        return blocks
    lines = [union([line.box for line in block.lines]) for block in blocks]
    size = Counter(round(_size(block.lines[-1]), 1) for block in blocks).most_common(1)[0][0]
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
        if not _look_alike(last, first) or share_row(last.box, first.box):
            return False
        if abs(_size(last) - self._size) > 0.1 * self._size:
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
        full = margin - (1 - _FULL_SHARE) * (margin - start)
        is_prose = sum(end >= full for end in ends) >= _PROSE_SHARE * len(ends)
        return is_prose and row[1] >= full

    def _turned(self, box: Box) -> tuple[float, float]:
        return (-box[2], -box[0]) if self._is_right_to_left else (box[0], box[2])


def _size(line: Line) -> float:
    """The size of most of a line's letters, in points."""
    if len(line.runs) == 1:
        return line.runs[0].size
    return max(line.runs, key=lambda run: len(run.text)).size


def _is_bold(line: Line) -> bool:
    return all(run.is_bold for run in line.runs if run.text.strip())
