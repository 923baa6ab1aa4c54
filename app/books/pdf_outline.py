"""The table of contents of a PDF: its outline, or one made of its headings.

An outline that names no page, or a page that is not there, keeps its titles as headings without a
target. Headings make a table of contents only where they plainly are a set: a few sizes larger than
running text, or numbered.
"""

from __future__ import annotations

import math
import re
import unicodedata
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from app.books.contents import ContentsLine, contents_of
from app.domain.position import Locator

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    import pymupdf

    from app.domain.book import ContentsEntry

_MOST_LINES = 20_000  # of an outline; the longest in the corpus has 1,426
_BOLD_LEVEL = 4  # from this level on a heading is no larger than running text
_MOST_DEPTH = 40
_LEAST_HEADINGS = 3
_BORDER_CHARS = 2  # between two blocks of a page
_MOST_PER_PAGE = 3.0  # more headings a page than this are emphasis
_NUMBERED = re.compile(r"(?:\d{1,2}(?:\.\d{1,2}){0,3}\.?|[IVX]{1,5}\.|[A-H]\.?)\s+[^\W\d_]")


@dataclass(frozen=True, slots=True)
class OutlineLine:
    """A line of the outline.

    Attributes:
        depth: 0 at the top.
        title: cleaned, may be "".
        page_index: the page it leads to, or None.
        y: where on that page as shown, in points from its top, or None for its top.
    """

    depth: int
    title: str
    page_index: int | None
    y: float | None


@dataclass(frozen=True, slots=True)
class PageHeading:
    """A heading as the pages show it.

    Attributes:
        page_index: which page.
        start: first code point.
        end: one past the last.
        level: 1 to 6.
        text: as one line.
    """

    page_index: int
    start: int
    end: int
    level: int
    text: str


def read_outline(document: pymupdf.Document, page_count: int) -> tuple[OutlineLine, ...]:
    """The outline, depth first; empty where there is none.

    Args:
        document: an open PDF.
        page_count: its pages; a line that leads elsewhere has no target.

    Raises:
        RuntimeError: MuPDF cannot read it (`mupdf.FzErrorBase` too).
    """
    first = document.outline
    if first is None or first.this.m_internal is None:
        return ()
    return tuple(_walk(first, page_count))


def _walk(first: pymupdf.Outline, page_count: int) -> Iterator[OutlineLine]:
    waiting: list[tuple[pymupdf.Outline | None, int]] = [(first, 0)]
    count = 0
    while waiting:
        line, depth = waiting.pop()
        while line is not None and count < _MOST_LINES:
            count += 1
            page_index: int | None = line.page
            if page_index is not None and not 0 <= page_index < page_count:
                page_index = None
            y = line.y if page_index is not None and math.isfinite(line.y) else None
            yield OutlineLine(depth, clean_title(line.title or ""), page_index, y)
            below = line.down if depth < _MOST_DEPTH else None
            if below is not None:
                waiting.append((line.next, depth))
                line, depth = below, depth + 1
            else:
                line = line.next


def clean_title(title: str) -> str:
    """A title as one line of letters that can be shown and stored."""
    if title.startswith("<FEFF") and title.endswith(">"):
        with suppress(ValueError):
            title = bytes.fromhex(title[5:-1]).decode("utf-16-be", "replace")
    title = title.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    kept = (
        character
        for character in title
        if character.isspace() or unicodedata.category(character) not in {"Cc", "Co", "Cn"}
    )
    return " ".join("".join(kept).split())


def outline_contents(
    lines: Sequence[OutlineLine], place: Callable[[OutlineLine], Locator | None]
) -> tuple[ContentsEntry, ...]:
    """The contents that an outline gives.

    Args:
        lines: the outline.
        place: the place that a line leads to, or None.
    """
    return contents_of(ContentsLine(line.depth, line.title, place(line)) for line in lines)


def made_contents(headings: Sequence[PageHeading], page_count: int) -> tuple[ContentsEntry, ...]:
    """Contents made of headings, or none where they are too few or too many to be any.

    Args:
        headings: of all pages read so far, in order.
        page_count: pages of the book.
    """
    chosen = _chosen(_joined(headings), page_count)
    levels = sorted({heading.level for heading in chosen})
    return contents_of(
        (
            ContentsLine(
                levels.index(heading.level),
                heading.text,
                Locator(heading.page_index, heading.start),
            )
            for heading in chosen
        ),
        is_made=True,
    )


def _joined(headings: Sequence[PageHeading]) -> list[PageHeading]:
    """Headings of one rank that follow each other at once are one, unless they are numbered."""
    joined: list[PageHeading] = []
    for heading in headings:
        before = joined[-1] if joined else None
        if (
            before is not None
            and before.page_index == heading.page_index
            and before.level == heading.level
            and heading.start - before.end <= _BORDER_CHARS
            and not _NUMBERED.match(heading.text)
        ):
            text = f"{before.text} {heading.text}"
            joined[-1] = replace(before, end=heading.end, text=text)
        else:
            joined.append(heading)
    return joined


def _chosen(headings: Sequence[PageHeading], page_count: int) -> list[PageHeading]:
    real = [heading for heading in headings if any(map(str.isalpha, heading.text))]
    most = max(_LEAST_HEADINGS, _MOST_PER_PAGE * page_count)
    larger = [heading for heading in real if heading.level < _BOLD_LEVEL]
    numbered = [
        heading for heading in real if heading.level < _BOLD_LEVEL or _NUMBERED.match(heading.text)
    ]
    for chosen in (real, numbered, larger, [one for one in larger if one.level == 1]):
        if len(chosen) <= most:
            return chosen if len(chosen) >= _LEAST_HEADINGS else []
    return []
