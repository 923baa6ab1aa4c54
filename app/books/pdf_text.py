r"""The canonical text of a PDF page, and where each piece of it stands.

The rule (part of `TEXT_RULE`), which is replayed to show a span on the page:

1. MuPDF's text of the page without rotation, with the flags of `pdf_runs`, blocks and lines in
   MuPDF's order. Form fields and notes that are drawn on the page count as drawn.
2. Runs that nobody can see go (`pdf_visibility`), and lines and blocks that hold nothing else.
3. Prose that jumps to and fro across a gutter is put into columns (`pdf_columns`); pieces of one
   paragraph become one block (`pdf_paragraphs`).
4. In a block with a right-to-left letter the lines that share a row become one, whose characters
   are put in logical order (`pdf_direction`).
5. In each line a tab, line end or the like becomes a space; a control character, a lone surrogate
   or a code point that is no character becomes U+FFFD; one for one. White space at its end goes. A
   line with nothing left goes.
6. Lines are joined by "\n", blocks by "\n\n".

Ligatures, hyphens at line ends and running heads stay. Offsets count Unicode code points.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.books.pdf_columns import in_reading_order
from app.books.pdf_direction import (
    TurnedCharacter,
    has_right_to_left,
    is_mainly_right_to_left,
    logical_order,
    with_brackets,
)
from app.books.pdf_paragraphs import joined_paragraphs
from app.books.pdf_runs import read_blocks, share_row, union
from app.books.pdf_visibility import visible_blocks

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import pymupdf

    from app.books.pdf_runs import Box, Line, LineBlock, Run

_UNUSUAL = re.compile("[\0-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")
_BLANK = re.compile("[\t\n\x0b\x0c\r\x85\u2028\u2029]")


@dataclass(slots=True)
class PlacedLine:
    """A line of canonical text and how it looks.

    Attributes:
        start: first code point.
        end: one past the last.
        box: in points of the page before rotation.
        runs: what it is made of; their text is not canonical.
    """

    start: int
    end: int
    box: Box
    runs: list[Run]


@dataclass(slots=True)
class PlacedBlock:
    """A block of canonical text.

    Attributes:
        lines: at least one.
        box: in points of the page before rotation.
    """

    lines: list[PlacedLine]
    box: Box

    @property
    def start(self) -> int:
        """First code point."""
        return self.lines[0].start

    @property
    def end(self) -> int:
        """One past the last code point."""
        return self.lines[-1].end


@dataclass(slots=True)
class PageText:
    """The canonical text of a page.

    Attributes:
        text: bare canonical text.
        blocks: in order; what lies between them are line ends.
        boxes: one for each code point, in points of the page before rotation; None where single
            characters were not asked for. A line end has a box without width behind its line.
    """

    text: str
    blocks: list[PlacedBlock]
    boxes: list[Box] | None


def read_page_text(page: pymupdf.Page, *, with_characters: bool = False) -> PageText:
    """Reads the canonical text of a page.

    Args:
        page: of an open PDF.
        with_characters: also say where each code point stands.

    Raises:
        RuntimeError: MuPDF cannot run the page (`mupdf.FzErrorBase` too).
    """
    blocks = read_blocks(page, with_characters=with_characters)
    if not with_characters and any(
        has_right_to_left(line.text) for block in blocks for line in block.lines
    ):
        # Their order is made from where they stand.
        blocks = read_blocks(page, with_characters=True)
    blocks = visible_blocks(page, blocks)
    width = page.rect.width if page.rotation % 180 == 0 else page.rect.height
    blocks = joined_paragraphs(in_reading_order(blocks, width))
    return _joined(blocks, with_characters=with_characters)


def _joined(blocks: Sequence[LineBlock], *, with_characters: bool) -> PageText:
    pieces: list[str] = []
    boxes: list[Box] = []
    placed: list[PlacedBlock] = []
    at = 0
    for block in blocks:
        lines: list[PlacedLine] = []
        for text, places, runs, box in _lines(block, with_characters=with_characters):
            border = "" if not pieces else "\n" if lines else "\n\n"
            pieces += border, text
            if with_characters and places is not None:
                if border:
                    _, top, right, bottom = boxes[-1]
                    boxes += [(right, top, right, bottom)] * len(border)
                boxes += places
            at += len(border)
            lines.append(PlacedLine(at, at + len(text), box, runs))
            at += len(text)
        if lines:
            placed.append(PlacedBlock(lines, union([line.box for line in lines])))
    return PageText("".join(pieces), placed, boxes if with_characters else None)


def _lines(
    block: LineBlock, *, with_characters: bool
) -> Iterator[tuple[str, list[Box] | None, list[Run], Box]]:
    """The lines of a block with clean text: text, boxes of its characters, runs, box."""
    if any(has_right_to_left(line.text) for line in block.lines):
        whole = " ".join(line.text for line in block.lines)
        yield from _turned_lines(block, is_right_to_left=is_mainly_right_to_left(whole))
        return
    for line in block.lines:
        text = clean(line.text)
        if not text:
            continue
        places: list[Box] | None = None
        if with_characters:
            places = [box for run in line.runs for box in run.boxes or ()][: len(text)]
        yield text, places, line.runs, line.box


def _turned_lines(
    block: LineBlock, *, is_right_to_left: bool
) -> Iterator[tuple[str, list[Box] | None, list[Run], Box]]:
    rows = list(_rows(block.lines))
    ordered = with_brackets([_turned(row, is_right_to_left=is_right_to_left) for row in rows])
    for row, characters in zip(rows, ordered, strict=True):
        text = clean("".join([one.text for one in characters]))
        if text:
            places = [one.box for one in characters[: len(text)]]
            runs = [run for line in row for run in line.runs]
            yield text, places, runs, union([line.box for line in row])


def _turned(row: Sequence[Line], *, is_right_to_left: bool) -> list[TurnedCharacter]:
    runs = [run for line in row for run in line.runs]
    characters = [one for run in runs for one in zip(run.text, run.boxes or (), strict=True)]
    if not row[0].is_upright:
        return [TurnedCharacter(character, box) for character, box in characters]
    size = max(run.size for run in runs)
    return logical_order(characters, size, is_right_to_left=is_right_to_left)


def _rows(lines: Sequence[Line]) -> Iterator[list[Line]]:
    """Neighbouring lines that share a row, in MuPDF's order."""
    row: list[Line] = []
    for line in lines:
        if row and not share_row(row[-1].box, line.box):
            yield row
            row = []
        row.append(line)
    if row:
        yield row


def clean(text: str) -> str:
    """Step 5 of the rule."""
    if _UNUSUAL.search(text):
        text = _UNUSUAL.sub("\ufffd", _BLANK.sub(" ", text))
    return text.rstrip()
