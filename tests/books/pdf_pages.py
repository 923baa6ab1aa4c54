"""Single PDF pages in memory, drawn by a few words."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pymupdf

from app.books.pdf_runs import Line, LineBlock, Run

if TYPE_CHECKING:
    from collections.abc import Callable


def page_with(
    draw: Callable[[pymupdf.Page], object], *, width: float = 400, height: float = 500
) -> pymupdf.Page:
    """A page of a saved and reopened file, so that it is read as any file is."""
    made = pymupdf.open()
    draw(made.new_page(width=width, height=height))
    return reopened(made)[0]


def reopened(made: pymupdf.Document) -> pymupdf.Document:
    """The same document as it is read from a file."""
    return pymupdf.open("pdf", made.tobytes())


def run(text: str, x: float, y: float, *, size: float = 10, font: str = "Serif") -> Run:
    """A run of letters half as wide as high, its top left corner at x, y."""
    boxes = [
        (x + 0.5 * size * index, y, x + 0.5 * size * (index + 1), y + size)
        for index in range(len(text))
    ]
    box = (x, y, x + 0.5 * size * len(text), y + size)
    return Run(text, size, font, 0, True, False, (0, 0, 0), 255, [box], boxes)


def line(text: str, x: float, y: float, *, size: float = 10, bold: bool = False) -> Line:
    """A line of one run."""
    one = run(text, x, y, size=size)
    one.font_flags = pymupdf.TEXT_FONT_BOLD if bold else 0
    return Line([one], text, one.box, (1.0, 0.0), False)


def block(*lines: Line) -> LineBlock:
    """A block."""
    return LineBlock(list(lines))


def texts(blocks: list[LineBlock]) -> list[list[str]]:
    """The text of lines, block by block."""
    return [[one.text for one in each.lines] for each in blocks]
