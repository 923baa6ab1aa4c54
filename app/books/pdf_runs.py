"""A page's text as MuPDF reads it: blocks of lines of runs, with or without single characters.

One fixed set of flags serves import and display. Import reads runs, which is four times as fast;
a page with right-to-left letters, and a span that is shown, needs single characters. Both come from
the same walk inside MuPDF, so that their text is the same. Coordinates here are points of the page
before rotation, crop box applied, from its top left corner.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Any

import pymupdf

Box = tuple[float, float, float, float]

FLAGS = (
    pymupdf.TEXT_PRESERVE_LIGATURES  # one code point for one glyph; expanded for index and models
    | pymupdf.TEXT_PRESERVE_WHITESPACE
    | pymupdf.TEXT_CLIP  # what a clipping path hides is not read
)
_FILLED_OR_STROKED = 16 | 32  # of char_flags; mupdf/fitz/structured-text.h
_CLIPS = 64
_UPRIGHT = 0.99  # cosine of 8 degrees: scans are a little askew
# Names of fonts that do not say in their flags that they are monospaced, as many of LaTeX's.
_TYPEWRITER = re.compile(
    r"mono|courier|consol|typewriter|menlo|lucidacons|(?:cm|lm|ec|sf|tx|pc)t[tcb]\d|zi4",
    re.IGNORECASE,
)


@dataclass(slots=True)
class Run:
    """Characters of one style on one line.

    Attributes:
        text: as MuPDF gives it.
        size: of the font, in points.
        font: its name.
        font_flags: bits of `pymupdf.TEXT_FONT_…`.
        is_painted: its glyphs are filled or stroked; False in render mode 3.
        is_window: its glyphs are a window on a pattern or picture; it has no colour of its own.
        color: red, green and blue, 0 to 255.
        alpha: 0 (transparent) to 255.
        parts: boxes of its pieces, in points.
        boxes: one for each character, or None where only runs were read.
    """

    text: str
    size: float
    font: str
    font_flags: int
    is_painted: bool
    is_window: bool
    color: tuple[int, int, int]
    alpha: int
    parts: list[Box]
    boxes: list[Box] | None

    @property
    def box(self) -> Box:
        """Where it stands, in points."""
        return self.parts[0] if len(self.parts) == 1 else union(self.parts)

    @property
    def is_bold(self) -> bool:
        """Whether its font is a bold one."""
        return self.font_flags & pymupdf.TEXT_FONT_BOLD != 0

    @property
    def is_monospaced(self) -> bool:
        """Whether its letters are all as wide as each other."""
        return self.font_flags & pymupdf.TEXT_FONT_MONOSPACED != 0 or _is_typewriter(self.font)


@dataclass(slots=True)
class Line:
    """Characters on one baseline, without a wide gap.

    Attributes:
        runs: in MuPDF's order.
        text: of its runs, as MuPDF gives it.
        box: in points.
        direction: of the baseline, a vector of length 1; (1, 0) where it runs to the right.
        is_vertical: characters stand below each other.
    """

    runs: list[Run]
    text: str
    box: Box
    direction: tuple[float, float]
    is_vertical: bool

    @property
    def is_upright(self) -> bool:
        """Whether its baseline runs to the right."""
        return not self.is_vertical and self.direction[0] > _UPRIGHT


@dataclass(slots=True)
class LineBlock:
    """Lines that MuPDF takes for one paragraph."""

    lines: list[Line]


def read_blocks(page: pymupdf.Page, *, with_characters: bool) -> list[LineBlock]:
    """Reads the text blocks of a page in MuPDF's order.

    Args:
        page: of an open PDF.
        with_characters: fill `Run.boxes`.

    Raises:
        RuntimeError: MuPDF cannot run the page (`mupdf.FzErrorBase` too).
    """
    text_page = page.get_textpage(flags=FLAGS)
    content = text_page.extractRAWDICT() if with_characters else text_page.extractDICT()
    return [
        LineBlock([_line(line) for line in block["lines"]])
        for block in content["blocks"]
        if block["type"] == 0 and block["lines"]
    ]


def _line(given: dict[str, Any]) -> Line:
    runs: list[Run] = []
    style: tuple[Any, ...] = ()
    for span in given["spans"]:
        flags = span["char_flags"] & (_FILLED_OR_STROKED | _CLIPS)
        this = (span["size"], span["font"], span["flags"], flags, span["color"], span["alpha"])
        if this == style:
            # MuPDF begins a new span for each space that it puts in.
            _extend(runs[-1], span)
        else:
            runs.append(_run(span, flags))
            style = this
    text = "".join([run.text for run in runs]) if len(runs) > 1 else runs[0].text if runs else ""
    return Line(runs, text, given["bbox"], given["dir"], given["wmode"] == 1)


def _run(given: dict[str, Any], flags: int) -> Run:
    color = given["color"]
    return Run(
        _text(given),
        given["size"],
        given["font"],
        given["flags"],
        flags & _FILLED_OR_STROKED != 0,
        flags & _CLIPS != 0,
        (color >> 16, color >> 8 & 255, color & 255),
        given["alpha"],
        [given["bbox"]],
        [one["bbox"] for one in given["chars"]] if "chars" in given else None,
    )


def _extend(run: Run, given: dict[str, Any]) -> None:
    run.text += _text(given)
    run.parts.append(given["bbox"])
    if run.boxes is not None:
        run.boxes += [one["bbox"] for one in given["chars"]]


def _text(given: dict[str, Any]) -> str:
    if "chars" in given:
        return "".join([one["c"] for one in given["chars"]])
    text: str = given["text"]
    return text


@cache
def _is_typewriter(font: str) -> bool:
    return _TYPEWRITER.search(font) is not None


def union(boxes: list[Box]) -> Box:
    """The smallest box around some boxes; at least one."""
    x0, y0, x1, y1 = zip(*boxes, strict=True)
    return min(x0), min(y0), max(x1), max(y1)


def share_row(box: Box, other: Box) -> bool:
    """Whether two lines stand side by side: they overlap by half of the lower one's height."""
    overlap = min(box[3], other[3]) - max(box[1], other[1])
    return overlap >= 0.5 * min(box[3] - box[1], other[3] - other[1]) > 0
