"""Which block of a page a line of the outline leads to.

An outline names a height on a page, often a little above or below the heading, sometimes none. The
heading with the line's own words is the place; where no block has them, the first block below the
height.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from app.books.pdf_rectangles import shown_box
from app.domain.document import BlockKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pymupdf

    from app.books.pdf_outline import OutlineLine
    from app.books.pdf_runs import Box
    from app.books.pdf_text import PageText
    from app.domain.document import Block

_TITLE_CHARS = 240  # a block longer than this is no title
_OTHER_LETTERS = 20  # beside the title's own: "Chapter 12", a subtitle's first words
_ABOVE_PT = 12.0  # how far from the height the lower edge of the words may stand
_BELOW_PT = 102.0  # a chapter's title under white space
_SLACK_PT = 3.0
_NO_LETTERS = re.compile(r"[\W_]+")


@dataclass(frozen=True, slots=True)
class _Place:
    start: int
    box: Box
    letters: str
    kind: BlockKind


class PagePlaces:
    """The blocks of one page as places for the outline.

    Args:
        page: its text.
        blocks: its blocks, one for each of `page.blocks`.
        matrix: `Page.rotation_matrix`.
    """

    def __init__(self, page: PageText, blocks: Sequence[Block], matrix: pymupdf.Matrix) -> None:
        self._blocks = tuple(blocks)
        self._places = [
            _Place(
                block.start,
                shown_box(placed.box, matrix),
                _letters(page.text[block.start : block.end])
                if block.end - block.start <= _TITLE_CHARS
                else "",
                block.kind,
            )
            for placed, block in zip(page.blocks, blocks, strict=True)
        ]

    def start_of(self, line: OutlineLine) -> int:
        """First code point of the block that a line of the outline leads to."""
        place = self._titled(line) or self._below(line)
        return 0 if place is None else place.start

    def with_headings(self, lines: Sequence[OutlineLine]) -> tuple[Block, ...]:
        """The blocks; those with the words of a line that leads to them are headings."""
        levels = {
            place.start: min(line.depth + 1, 6)
            for line in reversed(lines)
            if (place := self._titled(line)) is not None
        }
        return tuple(
            replace(block, kind=BlockKind.HEADING, level=levels[block.start])
            if block.start in levels
            else block
            for block in self._blocks
        )

    def _titled(self, line: OutlineLine) -> _Place | None:
        """The shortest block with the line's words, near its height or plainly a title."""
        letters = _letters(line.title)
        if not letters:
            return None
        same = [
            place
            for place in self._places
            if letters in place.letters
            and place.kind is not BlockKind.OTHER
            and len(place.letters) <= 3 * len(letters) + _OTHER_LETTERS
        ]
        near = [
            place
            for place in same
            if line.y is None or -_ABOVE_PT <= place.box[3] - line.y <= _BELOW_PT
        ] or [
            place for place in same if place.kind is BlockKind.HEADING or place.letters == letters
        ]
        return min(near, key=lambda place: len(place.letters), default=None)

    def _below(self, line: OutlineLine) -> _Place | None:
        if line.y is None:
            return self._places[0] if self._places else None
        below = [place for place in self._places if place.box[3] > line.y + _SLACK_PT]
        text = [place for place in below if place.kind is not BlockKind.OTHER] or below
        if not text:
            return self._places[-1] if self._places else None
        top = min(max(place.box[1], line.y) for place in text)
        return next(place for place in text if max(place.box[1], line.y) <= top + _SLACK_PT)


def _letters(text: str) -> str:
    """Letters and digits alone, so that spaces, dots and ligature glyphs do not count."""
    plain = text.replace("\ufb01", "fi").replace("\ufb02", "fl").replace("\ufb00", "ff")
    plain = plain.replace("\ufb03", "ffi").replace("\ufb04", "ffl")
    return _NO_LETTERS.sub("", plain).casefold()
