"""What the blocks of a PDF page are, and how its lines are read on.

A file says how text looks, not what it is: a heading is short and larger or bolder than running
text, code has letters of one width, a caption begins as captions do. None of this changes the
canonical text.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

from app.books.pdf_runs import share_row
from app.domain.document import Block, BlockKind, Break

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from app.books.pdf_text import PageText, PlacedBlock, PlacedLine

_MOST = 0.8  # of a book's text: manuals full of code are no typescripts
_HEADING_CHARS = 200
_HEADING_LINES = 4
_LEVEL_RATIOS = (1.75, 1.35, 1.12)  # size beside running text for levels 1, 2, 3; bold is level 4
_BOLD_LEVEL = 4
_BOLD_ROWS = 2
_BOLD_CHARS = 100  # a longer bold line is emphasis
_MARGIN_SHARE = 0.12  # of the page's height, above and below: where running heads and folios stand
_HEAD_CHARS = 90
_HEAD_GAP = 1.2  # in sizes of running text; 1.4 and more in the corpus, below a heading 0.9 at most
_CELL_GAP_EM = 1.6  # between pieces of a row; the gap after a section's number is 1 em
_CAPTION = re.compile(
    r"(?:fig(?:ure|\.)?|table|tab\.|listing|algorithm|plate|chart|exhibit|abb(?:ildung|\.)|tabelle|tableau"
    r"|figura|tabla|tabella|рис(?:унок|\.)|табл(?:ица|\.)|شکل|جدول|איור|טבלה|图|表|圖|図)"
    r"\s*[\dIVX۰-۹٠-٩]",
    re.IGNORECASE,
)
_BULLET = re.compile(
    r"[•‣◦▪▫●○■□–*·∙➢✓-]\s|(?:\(?(?:\d{1,3}|[a-z]|[ivx]{1,4})[.)])\s+\S", re.IGNORECASE
)
_SENTENCE_END = re.compile(r"[.,;:!?。、，；：]$")
_HYPHENS = "-\u2010"
_SOFT_HYPHEN = "\u00ad"
_DASHES = "\u2013\u2014"
_CJK = re.compile(
    "[\u2e80-\u2fdf\u3000-\u30ff\u3100-\u312f\u31a0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
    "\ufe30-\ufe4f\uff00-\uffef\U00020000-\U0003ffff]"
)


@dataclass(frozen=True, slots=True)
class BodyStyle:
    """How running text looks.

    Attributes:
        size: in points; 0 where nothing is known.
        is_bold: most of it is bold.
        is_monospaced: most of it has letters of one width.
    """

    size: float = 0.0
    is_bold: bool = False
    is_monospaced: bool = False


def body_style(pages: Iterable[PageText]) -> BodyStyle:
    """The look of most of the text of some pages."""
    looks: Counter[tuple[float, bool, bool]] = Counter()
    for page in pages:
        for block in page.blocks:
            for line in block.lines:
                for run in line.runs:
                    size = round(run.size * 2) / 2
                    looks[size, run.is_bold, run.is_monospaced] += len(run.text)
    if not looks:
        return BodyStyle()
    sizes: Counter[float] = Counter()
    for (size, _, _), count in looks.items():
        sizes[size] += count
    size = sizes.most_common(1)[0][0]
    whole = looks.total()
    bold = sum(count for (_, is_bold, _), count in looks.items() if is_bold)
    mono = sum(count for (_, _, is_mono), count in looks.items() if is_mono)
    return BodyStyle(size, bold > _MOST * whole, mono > _MOST * whole)


@dataclass(frozen=True, slots=True)
class _Look:
    """How a block looks: its main size, and what all its letters have."""

    size: float
    is_bold: bool
    is_monospaced: bool


def page_blocks(page: PageText, body: BodyStyle, page_height: float) -> tuple[Block, ...]:
    """The blocks of a page with their kinds; voices are not decided here.

    Args:
        page: its text.
        body: how running text looks in this book.
        page_height: in points, before rotation.
    """
    found = []
    for block in page.blocks:
        text = page.text[block.start : block.end]
        kind, level = _kind(block, text, body)
        if _is_running_head(block, page, body, page_height):
            kind, level = BlockKind.OTHER, 0
        lead = 0 if kind is BlockKind.CODE else len(text) - len(text.lstrip())
        found.append(Block(block.start + lead, block.end, kind, level))
    if all(block.kind is BlockKind.OTHER for block in found):
        # A page with nothing but a line at its edge: that is its text.
        return tuple(replace(block, kind=BlockKind.PARAGRAPH) for block in found)
    return tuple(found)


def _kind(block: PlacedBlock, text: str, body: BodyStyle) -> tuple[BlockKind, int]:
    look = _look(block)
    if look.is_monospaced and not body.is_monospaced and look.size < _LEVEL_RATIOS[-1] * body.size:
        return BlockKind.CODE, 0
    stripped = text.strip()
    if _CAPTION.match(stripped):
        return BlockKind.CAPTION, 0
    if level := _heading_level(block, stripped, look, body):
        return BlockKind.HEADING, level
    if _BULLET.match(stripped):
        return BlockKind.LIST_ITEM, 0
    return BlockKind.PARAGRAPH, 0


def _look(block: PlacedBlock) -> _Look:
    sizes: dict[float, int] = {}
    is_bold = is_monospaced = True
    for line in block.lines:
        for run in line.runs:
            if not run.text.isspace():
                sizes[run.size] = sizes.get(run.size, 0) + len(run.text)
                is_bold = is_bold and run.is_bold
                is_monospaced = is_monospaced and run.is_monospaced
    size = max(sizes, key=lambda one: sizes[one], default=0.0)
    return _Look(size, is_bold, is_monospaced)


def _heading_level(block: PlacedBlock, text: str, look: _Look, body: BodyStyle) -> int:
    """1 to 4, or 0 for a block that is no heading."""
    if len(text) > _HEADING_CHARS or len(block.lines) > 2 * _HEADING_LINES or not body.size:
        return 0
    is_bolder = look.is_bold and not body.is_bold and look.size >= 0.95 * body.size
    is_larger = look.size >= _LEVEL_RATIOS[-1] * body.size
    if not is_bolder and not is_larger:
        return 0
    if sum(map(str.isalnum, text)) < max(1, len(text) // 3):
        return 0
    for level, ratio in enumerate(_LEVEL_RATIOS, 1):
        if look.size >= ratio * body.size:
            return level
    rows = 1 + sum(not share_row(a.box, b.box) for a, b in pairwise(block.lines))
    if rows <= _BOLD_ROWS and len(text) <= _BOLD_CHARS and not _SENTENCE_END.search(text):
        return _BOLD_LEVEL
    return 0


def _is_running_head(
    block: PlacedBlock, page: PageText, body: BodyStyle, page_height: float
) -> bool:
    """Whether a block is a row at the edge of the page, set apart, no larger than running text."""
    _, top, _, bottom = block.box
    margin = _MARGIN_SHARE * page_height
    is_above = bottom <= margin
    if not is_above and top < page_height - margin:
        return False
    if block.end - block.start > _HEAD_CHARS:
        return False
    if not all(share_row(a.box, b.box) for a, b in pairwise(block.lines)):
        return False
    if _look(block).size > _LEVEL_RATIOS[-1] * body.size:
        return False
    others = [one.box for one in page.blocks if one is not block]
    if is_above:
        gap = min((box[1] - bottom for box in others if box[3] > bottom), default=page_height)
    else:
        gap = min((top - box[3] for box in others if box[1] < top), default=page_height)
    return gap > _HEAD_GAP * body.size or not any(
        map(str.isalpha, page.text[block.start : block.end])
    )


def page_breaks(page: PageText, blocks: Sequence[Block]) -> tuple[Break, ...]:
    """How each line end of a page is read, in order.

    Args:
        page: its text.
        blocks: its blocks, one for each of `page.blocks`.
    """
    found: list[Break] = []
    for placed, block in zip(page.blocks, blocks, strict=True):
        if found or placed.start:
            found.append(Break(placed.start - 2, 2, "\n"))
        found += _breaks_in(page.text, placed, block)
    return tuple(found)


def _breaks_in(text: str, placed: PlacedBlock, block: Block) -> Iterator[Break]:
    lines = placed.lines
    is_table = block.kind is not BlockKind.CODE and _is_table(lines)
    for line, after in pairwise(lines):
        if share_row(line.box, after.box):
            yield Break(line.end, 1, "\t" if _has_cell_gap(line, after) else " ")
        elif is_table or block.kind is BlockKind.CODE:
            yield Break(line.end, 1, "\n")
        else:
            yield _line_break(text, line, after)


def _has_cell_gap(line: PlacedLine, after: PlacedLine) -> bool:
    size = max(run.size for run in line.runs)
    return max(after.box[0] - line.box[2], line.box[0] - after.box[2]) > _CELL_GAP_EM * size


def _is_table(lines: Sequence[PlacedLine]) -> bool:
    """Whether at least two rows, and half of all, have cells."""
    rows, with_cells, has_cells = 1, 0, False
    for line, after in pairwise(lines):
        if share_row(line.box, after.box):
            has_cells = has_cells or _has_cell_gap(line, after)
        else:
            rows += 1
            with_cells += has_cells
            has_cells = False
    with_cells += has_cells
    return with_cells > 1 and 2 * with_cells >= rows


def _line_break(text: str, line: PlacedLine, after: PlacedLine) -> Break:
    last, first = text[line.end - 1], text[after.start : after.start + 1]
    if last == _SOFT_HYPHEN:
        return Break(line.end - 1, 2, "")
    before = text[line.end - 2 : line.end - 1]
    if last in _HYPHENS and before.isalnum():
        word = text[line.start : line.end - 1].rsplit(None, 1)[-1]
        is_compound = any(hyphen in word for hyphen in _HYPHENS)
        if first.islower() and before.isalpha() and not is_compound:
            return Break(line.end - 1, 2, "")
        return Break(line.end, 1, "")
    if last in _DASHES and not before.isspace():
        return Break(line.end, 1, "")
    return Break(line.end, 1, "" if _CJK.match(last) and _CJK.match(first) else " ")
