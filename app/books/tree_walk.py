r"""One walk through a stored tree: its canonical text, blocks, breaks, anchors and voices.

The text follows the rule of `canonical`. Blocks are the runs of text between two block borders,
without the white space at their ends. A break stands at every border between blocks and at every
`br`: `\t` between the cells of a row, else `\n`; one where several borders meet with only white
space between them. Lines of verse that are elements of their own are lines of one block.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from lxml import etree

from app.books.canonical import MARK, is_all_text, is_hidden, is_left_out_name, plain_text
from app.books.markup_names import BLOCK_NAMES, EPUB_TYPE, MATHML, SVG, XHTML, names, xhtml
from app.books.voices import voice_of_marks, voice_of_types
from app.domain.book import Voice
from app.domain.document import Block, BlockKind, Break

if TYPE_CHECKING:
    from lxml.etree import _Element

_INLINE, _BLOCK, _LEFT_OUT, _BREAK, _RULE, _FORMULA = range(6)
_HAS_ANCHOR = etree.XPath("boolean(descendant::*[@id])")
_A = xhtml("a")
_CELLS = frozenset({xhtml("td"), xhtml("th")})
_ROW_PARTS = frozenset(
    xhtml(name) for name in ("tr", "table", "tbody", "thead", "tfoot", "caption")
)
_KINDS = {
    xhtml("li"): BlockKind.LIST_ITEM,
    xhtml("dt"): BlockKind.LIST_ITEM,
    xhtml("dd"): BlockKind.LIST_ITEM,
    xhtml("td"): BlockKind.CELL,
    xhtml("th"): BlockKind.CELL,
    xhtml("pre"): BlockKind.CODE,
    xhtml("listing"): BlockKind.CODE,
    xhtml("xmp"): BlockKind.CODE,
    xhtml("plaintext"): BlockKind.CODE,
    xhtml("caption"): BlockKind.CAPTION,
    xhtml("figcaption"): BlockKind.CAPTION,
    **{xhtml(f"h{level}"): BlockKind.HEADING for level in range(1, 7)},
}
_PLAIN = frozenset({BlockKind.PARAGRAPH, BlockKind.OTHER})
_VERSE_WORDS = names(
    """poem poetry verse stanza strophe linegroup line-group lg z3998:poem z3998:verse
    z3998:song z3998:hymn z3998:lyrics"""
)
_LINE_GROUP_WORDS = names("linegroup line-group line_group lg stanza strophe")
_LINES = frozenset({xhtml("div"), xhtml("p")})
_NOT_VERSE = frozenset({BlockKind.HEADING, BlockKind.CODE, BlockKind.CAPTION})
_AROUND_HEADINGS = frozenset({xhtml("header"), xhtml("hgroup")})
_VERSE_LINE_CHARS = 75  # longer lines are prose that a `br` happens to cut
_STRENGTH_IN_CELL, _STRENGTH_CELL, _STRENGTH_BLOCK = 1, 2, 3
_STRENGTH_START = 9  # before the first text there is nothing to part


@dataclass(slots=True)
class TreeText:
    """What one walk through a stored tree finds.

    Attributes:
        text: bare canonical text.
        blocks: in order; `voice` is what the markup says, or BODY.
        breaks: in order, at most one at an offset.
        anchors: id, or name of an `a`, to the offset where its element begins.
        has_voice: for each block whether the markup says its voice.
        heading_ends: for a heading, by its place in `blocks`, the offset where the element ends
            that holds it and more: what the heading says is not about text behind it.
    """

    text: str = ""
    blocks: list[Block] = field(default_factory=list)
    breaks: list[Break] = field(default_factory=list)
    anchors: dict[str, int] = field(default_factory=dict)
    has_voice: list[bool] = field(default_factory=list)
    heading_ends: dict[int, int] = field(default_factory=dict)


def read_tree(body: _Element) -> TreeText:
    """Reads a cleaned `body`: its text, blocks, breaks and anchors; writes `data-o` into it.

    Args:
        body: an XHTML `body` as `clean_tree` leaves it.
    """
    return _Walk(body).run()


@dataclass(slots=True)
class _Frame:
    """A block element that the walk is inside of."""

    element: _Element
    start: int = 0
    kind: BlockKind = BlockKind.PARAGRAPH
    level: int = 0
    voice: Voice | None = None
    is_verse: bool = False
    is_line_group: bool = False
    is_line: bool = False  # of a line group
    is_in_cell: bool = False
    is_marked: bool = False


def _frame_inside(outer: _Frame, element: _Element, tag: str, offset: int) -> _Frame:
    frame = _Frame(element, offset, outer.kind, outer.level, outer.voice, outer.is_verse)
    frame.is_line = outer.is_line_group and tag in _LINES
    frame.is_in_cell = tag in _CELLS or (outer.is_in_cell and tag not in _ROW_PARTS)
    kind = _KINDS.get(tag)
    if kind is not None:
        frame.kind = kind
        frame.level = int(tag[-1]) if kind is BlockKind.HEADING else 0
        frame.is_verse = outer.is_verse and kind not in _NOT_VERSE
    if element.attrib:
        _take_attributes(frame, element)
    return frame


def _take_attributes(frame: _Frame, element: _Element) -> None:
    types, role = element.get(EPUB_TYPE, ""), element.get("role", "")
    classes, identifier = element.get("class", ""), element.get("id", "")
    if types or role:
        frame.voice = voice_of_types(types, role) or frame.voice
    if classes or identifier:
        frame.voice = voice_of_marks(classes, identifier) or frame.voice
    words = f"{types} {classes}".lower().split()
    if words and not _VERSE_WORDS.isdisjoint(words):
        frame.is_verse = True
        frame.is_line_group = not frame.is_line and not _LINE_GROUP_WORDS.isdisjoint(words)
    if role == "heading" and frame.kind in _PLAIN:
        frame.kind, frame.level = BlockKind.HEADING, _aria_level(element)


class _Walk:
    """One walk through a tree."""

    def __init__(self, body: _Element) -> None:
        self._body = body
        self._found = TreeText()
        self._pieces: list[str] = []
        self._offset = 0
        self._frames: list[_Frame] = []
        self._run_start = -1  # of the block being read, or -1
        self._run_end = 0
        self._run_frame: _Frame | None = None
        self._run_lines = 0
        self._break_strength = _STRENGTH_START
        self._headings: list[int] = []  # blocks whose element is not left so far
        self._kinds: dict[str, int] = {}

    def run(self) -> TreeText:
        """Walks from the start of `body` to its end."""
        body = self._body
        frame = _Frame(body)
        _take_attributes(frame, body)
        self._frames.append(frame)
        self._take(body.text)
        walk = etree.iterwalk(body, events=("start", "end"))
        next(walk)
        for event, element in walk:
            tag = element.tag
            kind = self._kinds.get(tag)
            if kind is None:
                kind = self._kinds[tag] = _kind_of(tag)
            if event == "start":
                if not self._enter(element, tag, kind):
                    walk.skip_subtree()
            elif element is not body:
                if kind == _BLOCK and self._frames[-1].element is element:
                    self._leave_block(tag)
                if element.tail:
                    self._take(element.tail)
        self._end_run()
        self._found.text = "".join(self._pieces)
        return self._found

    def _enter(self, element: _Element, tag: str, kind: int) -> bool:
        """Takes in the start of an element; False where there is nothing more to do inside."""
        if element.attrib:
            self._anchor(element, tag)
            if is_hidden(element):
                return False
        if kind == _LEFT_OUT:
            return False
        if kind == _BLOCK:
            self._enter_block(element, tag)
        elif kind == _BREAK:
            self._line_break()
        elif kind == _RULE:
            self._border("\n", _STRENGTH_BLOCK)
        elif kind == _FORMULA and is_all_text(element) and not _HAS_ANCHOR(element):
            self._take(plain_text(element))  # thousands of elements without one block
            return False
        if element.text:
            self._take(element.text)
        return True

    def _take(self, text: str | None) -> None:
        if not text:
            return
        self._pieces.append(text)
        start = self._offset
        self._offset = start + len(text)
        if text.isspace():
            return
        frame = self._frames[-1]
        if not frame.is_marked:
            frame.is_marked = True
            frame.element.set(MARK, str(frame.start))
        if self._run_start < 0:
            self._run_start = start + len(text) - len(text.lstrip())
            self._run_frame = frame
            self._run_lines = 1
        self._run_end = start + len(text.rstrip())
        self._break_strength = 0

    def _anchor(self, element: _Element, tag: str) -> None:
        identifier = element.get("id")
        if identifier:
            self._found.anchors.setdefault(identifier, self._offset)
        if tag == _A and (name := element.get("name")):
            self._found.anchors.setdefault(name, self._offset)

    def _enter_block(self, element: _Element, tag: str) -> None:
        outer = self._frames[-1]
        frame = _frame_inside(outer, element, tag, self._offset)
        self._cross(tag, is_line=frame.is_line, is_in_cell=frame.is_in_cell and outer.is_in_cell)
        self._frames.append(frame)

    def _leave_block(self, tag: str) -> None:
        frame = self._frames[-1]
        self._cross(tag, is_line=frame.is_line, is_in_cell=frame.is_in_cell)
        if tag not in _AROUND_HEADINGS:
            self._end_headings()
        self._frames.pop()

    def _cross(self, tag: str, *, is_line: bool, is_in_cell: bool) -> None:
        """Takes in the border of a block element."""
        if is_line:
            if not self._break_strength:
                self._line_break()
        elif tag in _CELLS:
            self._border("\t", _STRENGTH_CELL)
        else:
            self._border("\n", _STRENGTH_IN_CELL if is_in_cell else _STRENGTH_BLOCK)

    def _end_headings(self) -> None:
        """Ends headings inside the element that is left, where more than they stood in it."""
        blocks, start = self._found.blocks, self._frames[-1].start
        alone: list[int] = []
        while self._headings and blocks[self._headings[-1]].start >= start:
            heading = self._headings.pop()
            if self._run_end > blocks[heading].end:
                self._found.heading_ends[heading] = self._offset
            else:
                alone.append(heading)
        self._headings.extend(reversed(alone))

    def _border(self, text: str, strength: int) -> None:
        self._end_run()
        if strength <= self._break_strength:
            return
        breaks = self._found.breaks
        if self._break_strength:  # only white space since the last: the stronger border wins
            breaks[-1] = Break(breaks[-1].offset, 0, text)
        else:
            breaks.append(Break(self._offset, 0, text))
        self._break_strength = strength

    def _line_break(self) -> None:
        if self._break_strength:
            # A second `br` with nothing between: an empty line, the border of a block or stanza.
            self._border("\n", _STRENGTH_BLOCK)
            if self._found.breaks and self._break_strength < _STRENGTH_START:
                last = self._found.breaks[-1]
                self._found.breaks[-1] = Break(last.offset, 0, "\n\n")
            return
        if self._run_start >= 0:
            self._run_lines += 1
        self._found.breaks.append(Break(self._offset, 0, "\n"))
        self._break_strength = _STRENGTH_IN_CELL

    def _end_run(self) -> None:
        frame = self._run_frame
        if self._run_start < 0 or frame is None:
            return
        kind = frame.kind
        is_verse = frame.is_verse or (kind in _PLAIN and self._reads_as_verse())
        if is_verse and kind not in _NOT_VERSE:
            kind = BlockKind.VERSE
        level = frame.level if kind is BlockKind.HEADING else 0
        if level:
            self._headings.append(len(self._found.blocks))
        voice = Voice.BODY if frame.voice is None else frame.voice
        self._found.blocks.append(Block(self._run_start, self._run_end, kind, level, voice))
        self._found.has_voice.append(frame.voice is not None)
        self._run_start = -1
        self._run_frame = None

    def _reads_as_verse(self) -> bool:
        lines = self._run_lines
        return lines > 1 and self._run_end - self._run_start <= lines * _VERSE_LINE_CHARS


def _kind_of(tag: str) -> int:
    if is_left_out_name(tag):
        return _LEFT_OUT
    namespace, _, name = tag.rpartition("}")
    if namespace == f"{{{SVG}":
        return _BLOCK if name == "text" else _INLINE
    if namespace == f"{{{MATHML}" and name == "math":
        return _FORMULA
    if namespace != f"{{{XHTML}":
        return _INLINE
    void = {"br": _BREAK, "hr": _RULE}.get(name, _INLINE)
    return _BLOCK if name in BLOCK_NAMES and name != "hr" else void


def _aria_level(element: _Element) -> int:
    level = element.get("aria-level", "2")
    return min(6, max(1, int(level))) if level.isdecimal() else 2
