r"""The canonical text of an EPUB document: the one text that is shown, indexed, sent and cited.

The rule (version `TEXT_RULE`), which the page's script `resources/page/positions.js` follows too:

- The text is the bare concatenation of all text nodes (CDATA included) below the first `body`, in
  document order. Nothing is trimmed, joined or added.
- Left out, with everything inside: elements whose local name, in any namespace, is `script`,
  `style`, `template`, `rt`, `rp`, `annotation`, `annotation-xml`, `audio` or `video`; `title`,
  `desc` and `metadata` in the SVG namespace; an element with the attribute `hidden`, whatever its
  value; an element whose `style` attribute holds the declaration `display: none` (`NOT_SHOWN`).
  Style sheets and classes do not count.
- Offsets count Unicode code points.
- The rule reads the *stored* tree, after `parse_markup` and `clean_tree`: comments and processing
  instructions are gone, references are resolved, white space in formulas is collapsed.
- A block element (`BLOCK_NAMES`, and `text` in SVG) that holds text of its own, not only inside
  further blocks, carries `data-o`: the number of code points before its first text node.

`read_tree` applies the rule and, in the same walk, finds blocks, breaks, anchors and voices.
Blocks are the runs of text between two block borders, without the white space at their ends.
A break stands at every border between blocks and at every `br`: `\t` between the cells of a row,
else `\n`; one where several borders meet with only white space between them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, cast

from lxml import etree

from app.books.markup_names import BLOCK_NAMES, EPUB_TYPE, MATHML, SVG, XHTML, names, xhtml
from app.books.voices import voice_of_marks, voice_of_types
from app.domain.book import Voice
from app.domain.document import Block, BlockKind, Break

if TYPE_CHECKING:
    from lxml.etree import _Element

TEXT_RULE = 1  # raised whenever the same file would give another text or other offsets

LEFT_OUT_NAMES = frozenset(
    {"script", "style", "template", "rt", "rp", "annotation", "annotation-xml", "audio", "video"}
)
LEFT_OUT_IN_SVG = frozenset({"title", "desc", "metadata"})
NOT_SHOWN = re.compile(
    r"(?:^|;)\s*display\s*:\s*none\s*(?:!\s*important\s*)?(?:;|$)", re.IGNORECASE
)
MARK = "data-o"

_INLINE, _BLOCK, _LEFT_OUT, _BREAK, _RULE, _FORMULA = range(6)
# `clean_tree` writes these names in lower case: they are found without a look at every name.
_LEFT_OUT_TAGS = (
    *(f"{{*}}{name}" for name in sorted(LEFT_OUT_NAMES)),
    *(f"{{{SVG}}}{name}" for name in sorted(LEFT_OUT_IN_SVG)),
)
_MAY_BE_HIDDEN = etree.XPath("descendant::*[@hidden or @style]")
_HAS_ANCHOR = etree.XPath("boolean(descendant::*[@id])")
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
_VERSE_LINE_CHARS = 75  # longer lines are prose that a `br` happens to cut
_STRENGTH_IN_CELL, _STRENGTH_CELL, _STRENGTH_BLOCK = 1, 2, 3
_STRENGTH_START = 9  # before the first text there is nothing to part


@dataclass(slots=True)
class TreeText:
    """What one walk through a stored tree finds.

    Attributes:
        text: bare canonical text.
        blocks: in order; `voice` is that of the block itself, or of `default_voice`.
        breaks: in order, at most one at an offset.
        anchors: id, or name of an `a`, to the offset where its element begins.
        has_voice: for each block whether the book itself gave its voice.
    """

    text: str = ""
    blocks: list[Block] = field(default_factory=list)
    breaks: list[Break] = field(default_factory=list)
    anchors: dict[str, int] = field(default_factory=dict)
    has_voice: list[bool] = field(default_factory=list)


def tree_text(body: _Element) -> str:
    """The canonical text of a stored `body`, by the rule alone: the check on `read_tree`."""
    if _is_all_text(body):
        return _plain_text(body)
    pieces = [body.text or ""]
    walk = etree.iterwalk(body, events=("start", "end"))
    next(walk)
    for event, element in walk:
        if event == "end":
            if element.tail and element is not body:
                pieces.append(element.tail)
        elif _kind_of(element.tag) == _LEFT_OUT or _is_hidden(element):
            walk.skip_subtree()
        elif element.text:
            pieces.append(element.text)
    return "".join(pieces)


def read_tree(body: _Element) -> TreeText:
    """Reads a cleaned `body`: its text, blocks, breaks and anchors; writes `data-o` into it.

    Args:
        body: an XHTML `body` as `clean_tree` leaves it.
    """
    return _Walk(body).run()


def _is_all_text(element: _Element) -> bool:
    """Whether the rule leaves out nothing inside `element`; a quick look, in C."""
    if next(element.iter(*_LEFT_OUT_TAGS), None) is not None:
        return False
    return not any(_is_hidden(marked) for marked in cast("list[_Element]", _MAY_BE_HIDDEN(element)))


def _plain_text(element: _Element) -> str:
    return etree.tostring(element, method="text", encoding="unicode", with_tail=False)


def _is_hidden(element: _Element) -> bool:
    if element.get("hidden") is not None:
        return True
    style = element.get("style")
    return style is not None and NOT_SHOWN.search(style) is not None


class _Frame:
    """A block element that the walk is inside of."""

    __slots__ = (
        "element",
        "is_in_cell",
        "is_marked",
        "is_verse",
        "kind",
        "level",
        "start",
        "voice",
    )

    def __init__(
        self,
        element: _Element,
        start: int,
        kind: BlockKind,
        level: int,
        voice: Voice | None,
        *,
        is_verse: bool,
        is_in_cell: bool,
    ) -> None:
        self.element = element
        self.start = start
        self.kind = kind
        self.level = level
        self.voice = voice
        self.is_verse = is_verse
        self.is_in_cell = is_in_cell
        self.is_marked = False


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
        self._kinds: dict[str, int] = {}

    def run(self) -> TreeText:
        """Walks from the start of `body` to its end."""
        body = self._body
        self._enter_block(body, body.tag)
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
            if _is_hidden(element):
                return False
        if kind == _LEFT_OUT:
            return False
        if kind == _BLOCK:
            self._enter_block(element, tag)
        elif kind == _BREAK:
            self._line_break()
        elif kind == _RULE:
            self._border("\n", _STRENGTH_BLOCK)
        elif kind == _FORMULA and _is_all_text(element) and not _HAS_ANCHOR(element):
            self._take(_plain_text(element))  # thousands of elements without one block
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
        if self._run_start < 0:
            frame = self._frames[-1]
            self._run_start = start + len(text) - len(text.lstrip())
            self._run_frame = frame
            self._run_lines = 1
            if not frame.is_marked:
                frame.is_marked = True
                frame.element.set(MARK, str(frame.start))
        self._run_end = start + len(text.rstrip())
        self._break_strength = 0

    def _anchor(self, element: _Element, tag: str) -> None:
        identifier = element.get("id")
        if identifier:
            self._found.anchors.setdefault(identifier, self._offset)
        if tag == _A and (name := element.get("name")):
            self._found.anchors.setdefault(name, self._offset)

    def _enter_block(self, element: _Element, tag: str) -> None:
        outer = self._frames[-1] if self._frames else None
        if tag in _CELLS:
            self._border("\t", _STRENGTH_CELL)
        else:
            is_in_cell = outer is not None and outer.is_in_cell and tag not in _ROW_PARTS
            self._border("\n", _STRENGTH_IN_CELL if is_in_cell else _STRENGTH_BLOCK)
        kind = _KINDS.get(tag)
        level = int(tag[-1]) if kind is BlockKind.HEADING else 0
        voice = None if outer is None else outer.voice
        is_verse = outer is not None and outer.is_verse
        if kind is None:
            kind = BlockKind.PARAGRAPH if outer is None else outer.kind
            level = 0 if outer is None else outer.level
        elif kind in {BlockKind.HEADING, BlockKind.CAPTION}:
            is_verse = False
        if element.attrib:
            types = element.get(EPUB_TYPE, "")
            role = element.get("role", "")
            classes = element.get("class", "")
            if types or role:
                voice = voice_of_types(types, role) or voice
            if classes or element.get("id"):
                voice = voice_of_marks(classes, element.get("id", "")) or voice
            if not is_verse and (types or classes):
                is_verse = not _VERSE_WORDS.isdisjoint(f"{types} {classes}".lower().split())
            if role == "heading" and kind in _PLAIN:
                kind, level = BlockKind.HEADING, _aria_level(element)
        is_in_cell = tag in _CELLS or (
            outer is not None and outer.is_in_cell and tag not in _ROW_PARTS
        )
        self._frames.append(
            _Frame(
                element,
                self._offset,
                kind,
                level,
                voice,
                is_verse=is_verse,
                is_in_cell=is_in_cell,
            )
        )

    def _leave_block(self, tag: str) -> None:
        frame = self._frames.pop()
        if tag in _CELLS:
            self._border("\t", _STRENGTH_CELL)
        else:
            self._border("\n", _STRENGTH_IN_CELL if frame.is_in_cell else _STRENGTH_BLOCK)

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
        if kind not in {BlockKind.HEADING, BlockKind.CODE, BlockKind.CAPTION} and (
            frame.is_verse or (kind in _PLAIN and self._reads_as_verse())
        ):
            kind = BlockKind.VERSE
        level = frame.level if kind is BlockKind.HEADING else 0
        voice = Voice.BODY if frame.voice is None else frame.voice
        self._found.blocks.append(Block(self._run_start, self._run_end, kind, level, voice))
        self._found.has_voice.append(frame.voice is not None)
        self._run_start = -1
        self._run_frame = None

    def _reads_as_verse(self) -> bool:
        lines = self._run_lines
        return lines > 1 and self._run_end - self._run_start <= lines * _VERSE_LINE_CHARS


_A = xhtml("a")


def _kind_of(tag: str) -> int:
    namespace, _, name = tag.rpartition("}")
    lowered = name.lower()
    if lowered in LEFT_OUT_NAMES:
        return _LEFT_OUT
    if namespace == f"{{{SVG}":
        if lowered in LEFT_OUT_IN_SVG:
            return _LEFT_OUT
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
