"""Cuts a document into passages: one to three sentences of one block, the unit that carries a tag.

A block is never crossed and all its text lies in exactly one passage. Prose is cut at sentences;
verse, code and text with line breaks at lines; a sentence too long for a footnote at clauses, else
at words, else between two characters.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.books.model_text import model_text
from app.books.words import goes_on, is_character_border, sentences
from app.domain.document import BlockKind
from app.domain.position import Span

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from app.domain.book import Voice
    from app.domain.document import Block, DocumentText

PASSAGE_CHARS = 300
"""What sentences are joined up to; DESIGN section 2. Code points of canonical text."""

MOST_SENTENCES = 3
MOST_CHARS = 600
"""A sentence longer than this is cut. Code points of canonical text."""

_SMALL_REST_CHARS = 60  # a last sentence this short joins the passage before it
_PIECE_CHARS = 450  # about the length of the pieces of an overlong sentence
_LINE_ENDS = re.compile("[\n\r\x0b\x0c\x85\u2028\u2029]")
_BORDERS = (
    re.compile(r"[;:；：;—–](?=\s|[^\W\d])\s*|[.!?。！？]\s+"),
    re.compile(r"[,，、،]\s*(?!\d)|\s(?=[(\[（])"),
    re.compile(r"\s+"),
)

_Range = tuple[int, int]


@dataclass(frozen=True, slots=True)
class CutPassage:
    """A passage as it is cut, before it is known which segment it belongs to.

    Attributes:
        span: where it stands; neither its first nor its last character is white space.
        text: readable and normalised text, never empty.
        voice: whose text it is.
        sentences: start and end of its sentences, or lines of verse and code, in code points of the
            document.
        begins_block: nothing of its block stands before it.
        is_heading: its block is a heading.
    """

    span: Span
    text: str
    voice: Voice
    sentences: tuple[_Range, ...]
    begins_block: bool
    is_heading: bool = False


def cut_passages(content: DocumentText) -> list[CutPassage]:
    """Cuts a document.

    Returns:
        The passages in reading order. They do not overlap, and what lies outside them is white
        space or cannot be seen.
    """
    found: list[CutPassage] = []
    lines = [item.offset for item in content.breaks if "\n" in item.text]
    for block in content.blocks:
        begins_block = True
        for units in _grouped(_units(content, block, lines), block.kind):
            span = Span(content.file_index, units[0][0], units[-1][1])
            text = model_text(content.readable(span.start, span.end))
            if text:
                is_heading = block.kind is BlockKind.HEADING
                found.append(
                    CutPassage(span, text, block.voice, tuple(units), begins_block, is_heading)
                )
                begins_block = False
    return found


def _units(content: DocumentText, block: Block, lines: Sequence[int]) -> list[_Range]:
    """The sentences or lines of a block, none longer than `MOST_CHARS`."""
    text = content.text[block.start : block.end]
    borders = [
        offset - block.start
        for offset in lines[bisect_left(lines, block.start + 1) : bisect_left(lines, block.end)]
    ]
    if block.kind is BlockKind.CODE:
        borders = sorted({*borders, *(found.end() for found in _LINE_ENDS.finditer(text))})
        units = list(_trimmed_lines(text, borders))
    elif block.kind is BlockKind.VERSE and borders:
        units = list(_trimmed_lines(text, borders))
    else:
        units = _sentences(_LINE_ENDS.sub(" ", text), borders)
    return [
        (block.start + start, block.start + end)
        for unit in units
        for start, end in _short_enough(text, unit)
    ]


def _sentences(text: str, borders: Sequence[int]) -> list[_Range]:
    """Sentences; a line break ends one unless the text plainly goes on after it."""
    if not borders:
        return sentences(text)
    found: list[_Range] = []
    for first, last in _trimmed_lines(text, borders):
        cut = [(first + start, first + end) for start, end in sentences(text[first:last])]
        if found and cut and goes_on(text, found[-1][1], first):
            cut[0] = (found.pop()[0], cut[0][1])
        found += cut
    return found


def _trimmed_lines(text: str, borders: Sequence[int]) -> Iterator[_Range]:
    """The lines between borders, without white space at their ends; empty ones are left out."""
    starts = (0, *borders)
    for start, end in zip(starts, (*borders, len(text)), strict=True):
        line = text[start:end]
        stripped = line.strip()
        if stripped:
            begin = start + len(line) - len(line.lstrip())
            yield begin, begin + len(stripped)


def _grouped(units: Sequence[_Range], kind: BlockKind) -> Iterator[list[_Range]]:
    """Neighbouring units joined to passages."""
    most = len(units) if kind in {BlockKind.VERSE, BlockKind.CODE} else MOST_SENTENCES
    group: list[_Range] = []
    for index, unit in enumerate(units):
        if group:
            is_small_rest = index == len(units) - 1 and unit[1] - unit[0] <= _SMALL_REST_CHARS
            limit = PASSAGE_CHARS + (_SMALL_REST_CHARS if is_small_rest else 0)
            if len(group) == most or unit[1] - group[0][0] > limit:
                yield group
                group = []
        group.append(unit)
    if group:
        yield group


def _short_enough(text: str, unit: _Range) -> Iterator[_Range]:
    """A unit, cut where it is too long."""
    start, end = unit
    while end - start > MOST_CHARS:
        length = end - start
        aim = start + length // -(-length // _PIECE_CHARS)
        cut = _border_near(text, start, aim)
        stop = cut
        while text[stop - 1].isspace():
            stop -= 1
        yield start, stop
        start = cut
        while text[start].isspace():
            start += 1
    yield start, end


def _border_near(text: str, start: int, aim: int) -> int:
    """Where to cut: the strongest border around `aim`, never past `MOST_CHARS` from `start`."""
    first = start + (aim - start) // 2
    last = min(start + MOST_CHARS, aim + (aim - start) // 2)
    for border in _BORDERS:
        places = [found.end() for found in border.finditer(text, first, last)]
        if places:
            return min(places, key=lambda place: abs(place - aim))
    cut = aim
    while cut < last and not is_character_border(text, cut):
        cut += 1
    return cut
