"""A stored tree in pieces of at most about 150 KB, so that a one-file book opens as fast as any.

A long document is cut at block ends, preferably before a heading. Every piece is a whole XHTML
document: the head, and clones of the elements that were cut through, with all their attributes, so
that styles still apply; a clone gets the piece's own `data-o`, and a list goes on counting.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lxml import etree

from app.books.canonical import MARK, tree_text
from app.books.markup_names import BLOCK_NAMES, names, xhtml
from app.books.tree_edits import new_element
from app.domain.document import MarkupPart

if TYPE_CHECKING:
    from lxml.etree import _Element

PART_BYTES = 150_000  # DESIGN section 5: 1.9 MB in 15 parts, the first shown in 0.13 s
_HEADING_SHARE = 0.4  # of a full part; a heading after it is a better place to cut than the end
_CUTTABLE = frozenset(
    xhtml(name)
    for name in names(
        """body div section article main header footer nav aside blockquote center ol ul menu dl
        table tbody fieldset hgroup search"""
    )
)
_HEADINGS = frozenset(xhtml(f"h{level}") for level in range(1, 7)) | {xhtml("hgroup")}
_BLOCKS = frozenset(xhtml(name) for name in BLOCK_NAMES)
_OL = xhtml("ol")
_LI = xhtml("li")
_BR = xhtml("br")
_DOCTYPE = b"<!DOCTYPE html>\n"


@dataclass(slots=True)
class _Atom:
    """What is not cut further: an element with the text after it."""

    element: _Element
    ancestors: tuple[_Element, ...]  # from `body` down to the parent
    size_bytes: int
    is_joined: bool  # in one line or block with the atom before it

    @property
    def is_heading(self) -> bool:
        return _starts_with_heading(self.element)


def serialised(root: _Element) -> bytes:
    """A tree as the reading view is served it: XHTML, UTF-8."""
    return _DOCTYPE + etree.tostring(root, encoding="utf-8")


def cut_into_parts(
    root: _Element, length_chars: int, *, part_bytes: int = PART_BYTES
) -> tuple[MarkupPart, ...]:
    """Serialises a tree, in one piece or in several.

    Args:
        root: a cleaned tree that `read_tree` has marked. Used up: its elements move into parts.
        length_chars: code points of its canonical text.
        part_bytes: aimed at, not passed where there is a place to cut.

    Returns:
        At least one part; together their text is the document's text.
    """
    whole = serialised(root)
    body = root.find(xhtml("body"))
    if body is None or len(body) == 0 or len(whole) <= part_bytes:
        return (MarkupPart(0, 0, length_chars, whole),)
    head_bytes = len(whole) - len(etree.tostring(body, encoding="utf-8"))
    room = max(part_bytes - head_bytes, part_bytes // 4)
    lots = _lots(_atoms(body, room), room)
    following = [lot[0].ancestors for lot in lots[1:]] + [()]
    writer = _PartWriter(root, body)
    return tuple(writer.write(lot, behind) for lot, behind in zip(lots, following, strict=True))


def _atoms(body: _Element, room: int) -> list[_Atom]:
    """What the parts are packed from, in document order."""
    atoms: list[_Atom] = []
    stack: list[tuple[_Element, tuple[_Element, ...]]] = [(body, ())]
    while stack:
        element, ancestors = stack.pop()
        size = len(etree.tostring(element, encoding="utf-8", with_tail=False))
        if element is body or (size > room and _can_be_cut(element)):
            stack.extend((child, (*ancestors, element)) for child in reversed(element))
            continue
        tail = len((element.tail or "").encode("utf-8", "replace"))
        atoms.append(_Atom(element, ancestors, size + tail, _is_joined(element)))
    return atoms


def _is_joined(element: _Element) -> bool:
    """Whether cutting before `element` would cut a line or a block of text in two."""
    if element.tag in _BLOCKS:
        return False
    previous = element.getprevious()
    if previous is None:
        parent = element.getparent()
        return parent is not None and bool((parent.text or "").strip())
    if (previous.tail or "").strip():
        return True
    if previous.tag == _BR:  # an empty line parts blocks, a single `br` only lines
        earlier = previous.getprevious()
        return earlier is None or earlier.tag != _BR or bool((earlier.tail or "").strip())
    return previous.tag not in _BLOCKS


def _can_be_cut(element: _Element) -> bool:
    """Whether `element` only holds further elements, at least two, of which one is a block."""
    if element.tag not in _CUTTABLE or len(element) == 0:
        return False
    if element.text and element.text.strip():
        return False
    has_block = False
    for child in element:
        if child.tail and child.tail.strip():
            return False
        has_block = has_block or child.tag in _BLOCKS
    return has_block


def _starts_with_heading(element: _Element) -> bool:
    """Whether a heading is the first thing in `element`."""
    at: _Element | None = element
    for _ in range(4):  # section > header > hgroup > h2
        if at is None:
            return False
        if at.tag in _HEADINGS:
            return True
        if at.text and at.text.strip():
            return False
        at = at[0] if len(at) else None
    return False


def _lots(atoms: list[_Atom], room: int) -> list[list[_Atom]]:
    lots: list[list[_Atom]] = []
    current: list[_Atom] = []
    size = 0
    for atom in atoms:
        if current and size + atom.size_bytes > room and not atom.is_joined:
            cut = _best_cut(current, room)
            lots.append(current[:cut])
            current = current[cut:]
            size = sum(kept.size_bytes for kept in current)
        current.append(atom)
        size += atom.size_bytes
    if current:
        lots.append(current)
    return lots


def _best_cut(atoms: list[_Atom], room: int) -> int:
    """Index of the last heading late enough in the part, else its end."""
    size = sum(atom.size_bytes for atom in atoms)
    for index in range(len(atoms) - 1, 0, -1):
        size -= atoms[index].size_bytes
        if size < room * _HEADING_SHARE:
            break
        is_place = atoms[index].is_heading and not atoms[index].is_joined
        if is_place and not atoms[index - 1].is_heading:
            return index
    return len(atoms)


class _PartWriter:
    """Builds the parts one after another, taking elements out of the tree."""

    def __init__(self, root: _Element, body: _Element) -> None:
        self._root = root
        self._body = body
        self._head = root.find(xhtml("head"))
        self._begun: set[_Element] = set()
        self._first: dict[_Element, int] = {}  # number of a list's first item
        self._items: dict[_Element, int] = {}  # items of a list that earlier parts hold
        self._part_index = 0
        self._start = 0

    def write(self, lot: list[_Atom], following: tuple[_Element, ...]) -> MarkupPart:
        """Builds the next part from its atoms.

        Args:
            lot: atoms of this part, in document order.
            following: ancestors of the first atom of the next part.
        """
        root = new_element(self._root.tag, self._root.nsmap)
        root.attrib.update(self._root.attrib)
        root.text = "\n"
        if self._head is not None:
            root.append(copy.deepcopy(self._head))
        body = self._clone(self._body)
        root.append(body)
        clones: list[tuple[_Element, _Element]] = [(self._body, body)]  # originals and clones
        for atom in lot:
            shared = 0
            while (
                shared < min(len(clones), len(atom.ancestors))
                and clones[shared][0] is atom.ancestors[shared]
            ):
                shared += 1
            self._close(clones, shared, ())
            for original in atom.ancestors[shared:]:
                clone = self._clone(original)
                clones[-1][1].append(clone)
                clones.append((original, clone))
            self._count(atom)
            clones[-1][1].append(atom.element)
        self._close(clones, 1, following)
        text = tree_text(body)
        part = MarkupPart(self._part_index, self._start, self._start + len(text), serialised(root))
        self._part_index += 1
        self._start = part.end
        return part

    def _clone(self, original: _Element) -> _Element:
        clone = new_element(original.tag, original.nsmap)
        clone.attrib.update(original.attrib)
        if original not in self._begun:
            self._begun.add(original)
            clone.text = original.text
            if original.tag == _OL:
                self._first[original] = _first_number(original)
            return clone
        if original.tag == _OL:
            self._number(original, clone)
        if original is self._body or original.get(MARK) is not None:
            clone.set(MARK, str(self._start))
        return clone

    def _count(self, atom: _Atom) -> None:
        element, parent = atom.element, atom.ancestors[-1]
        if parent.tag != _OL or element.tag != _LI:
            return
        value = element.get("value", "")
        if value.lstrip("-").isdecimal():
            first = self._first[parent]
            step = -1 if parent.get("reversed") is not None else 1
            self._items[parent] = (int(value) - first) * step
        self._items[parent] = self._items.get(parent, 0) + 1

    def _number(self, original: _Element, clone: _Element) -> None:
        step = -1 if original.get("reversed") is not None else 1
        clone.set("start", str(self._first[original] + step * self._items.get(original, 0)))

    @staticmethod
    def _close(
        clones: list[tuple[_Element, _Element]], depth: int, following: tuple[_Element, ...]
    ) -> None:
        """Leaves clones deeper than `depth`; the text after an element follows its last clone."""
        while len(clones) > depth:
            original, clone = clones.pop()
            if original not in following:
                clone.tail = original.tail


def _first_number(ordered: _Element) -> int:
    start = ordered.get("start", "")
    if start.lstrip("-").isdecimal():
        return int(start)
    if ordered.get("reversed") is None:
        return 1
    return sum(child.tag == _LI for child in ordered)
