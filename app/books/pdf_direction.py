"""Right-to-left text of a page in logical order, the order in which it is read and searched.

PDF files keep Arabic and Hebrew in any order: as drawn, as read, or word by word. So the order is
made from where the characters stand: a row is read from left to right as it looks, then turned
around by the rules of the Unicode Bidirectional Algorithm applied backwards (UAX #9, W2 to W7 and
N1 in what they decide most often). Words that only a gap separates get a space. A glyph that stands
for several letters keeps them together. A row whose glyphs hold letters of both directions is left
as it is: it was made by a program that wrote it in logical order.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.books.pdf_runs import Box

_RIGHT_TO_LEFT = re.compile(
    "[\u05be\u05c0\u05c3\u05c6\u05d0-\u05f4\u0608\u060b\u060d\u061b-\u064a\u066d-\u066f\u0671-\u06d5"
    "\u06e5\u06e6\u06ee\u06ef\u06fa-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff"
    "\U0001e800-\U0001efff]"
)
_BASE_SHARE = 0.35  # of a block's letters that make it a right-to-left one: they carry Latin terms
_WORD_GAP = 0.08  # of the font size; in lshort-persian gaps are below 0.05 or above 0.11
_NO_WIDTH = 0.01  # points: a letter that shares the glyph of the one before
_LEFT, _RIGHT, _NUMBER, _NEUTRAL = range(4)
_KIND = {"L": _LEFT, "R": _RIGHT, "AL": _RIGHT, "EN": _NUMBER, "AN": _NUMBER}
_MIRRORED = str.maketrans("()[]{}<>«»", ")(][}{><»«")
_OPENING = frozenset("([{«")
_CLOSING = frozenset(")]}»")
_BRACKETS = _OPENING | _CLOSING

Character = tuple[str, "Box"]


@dataclass(frozen=True, slots=True)
class TurnedCharacter:
    """A character in logical order.

    Attributes:
        text: one code point.
        box: where it stands.
        is_turned: it is read from right to left.
    """

    text: str
    box: Box
    is_turned: bool = False


@dataclass(slots=True)
class _Cluster:
    """A letter with its marks, or the letters of one glyph."""

    characters: list[Character]
    kind: int
    middle: float

    @property
    def first(self) -> str:
        return self.characters[0][0]


def has_right_to_left(text: str) -> bool:
    """Whether a text holds a letter that is written from right to left."""
    return not text.isascii() and _RIGHT_TO_LEFT.search(text) is not None


def is_mainly_right_to_left(text: str) -> bool:
    """Whether a block of text runs from right to left, with left-to-right words in it or none."""
    found = len(_RIGHT_TO_LEFT.findall(text))
    letters = sum(character.isalpha() for character in text)
    return found > 0 and found >= _BASE_SHARE * letters


def logical_order(
    characters: Sequence[Character], size: float, *, is_right_to_left: bool
) -> list[TurnedCharacter]:
    """The characters of one row in logical order.

    Args:
        characters: with their boxes, in the file's order.
        size: of the font, in points.
        is_right_to_left: direction of the paragraph.

    Returns:
        The same characters, with spaces where words stood apart.
    """
    clusters = _clusters(characters)
    if clusters is None:
        return [TurnedCharacter(character, box) for character, box in characters]
    clusters.sort(key=lambda cluster: cluster.middle)
    spaced = _with_spaces(clusters, size)
    ordered = _from_right(spaced) if is_right_to_left else _from_left(spaced)
    return [
        TurnedCharacter(character, box, is_turned=is_turned)
        for cluster, is_turned in ordered
        for character, box in cluster.characters
    ]


def with_brackets(rows: list[list[TurnedCharacter]]) -> list[list[TurnedCharacter]]:
    """The rows of a block; brackets that the file keeps by their looks are turned.

    In logical order an opening bracket is the same character in every script; on the page it looks
    turned where the text runs from right to left, and some files keep that look.
    """
    brackets = [one.text for row in rows for one in row if one.is_turned and one.text in _BRACKETS]
    if not brackets or brackets[0] in _OPENING or brackets[-1] in _CLOSING:
        return rows
    return [
        [
            TurnedCharacter(one.text.translate(_MIRRORED), one.box) if one.is_turned else one
            for one in row
        ]
        for row in rows
    ]


def _clusters(characters: Sequence[Character]) -> list[_Cluster] | None:
    """The row's clusters in the file's order, or None where one holds both directions."""
    clusters: list[_Cluster] = []
    marks: list[Character] = []
    for character, box in characters:
        is_mark = unicodedata.combining(character) > 0
        if clusters and is_mark and _holds(clusters[-1], box):
            clusters[-1].characters.append((character, box))
        elif is_mark and box[2] > box[0]:
            marks.append((character, box))
        elif clusters and box[2] - box[0] < _NO_WIDTH:
            kind = _kind(character)
            cluster = clusters[-1]
            if kind < _NUMBER and cluster.kind < _NUMBER and kind != cluster.kind:
                return None
            cluster.characters.append((character, box))
            cluster.kind = min(kind, cluster.kind)
        else:
            middle = (box[0] + box[2]) / 2
            clusters.append(_Cluster([(character, box)], _kind(character), middle))
    for mark in marks:
        if not clusters:
            return None
        middle = (mark[1][0] + mark[1][2]) / 2
        nearest = min(clusters, key=lambda cluster: abs(cluster.middle - middle))
        nearest.characters.append(mark)
    return clusters


def _holds(cluster: _Cluster, box: Box) -> bool:
    left, _, right, _ = cluster.characters[0][1]
    return left - 0.5 <= (box[0] + box[2]) / 2 <= right + 0.5


def _kind(character: str) -> int:
    return _KIND.get(unicodedata.bidirectional(character), _NEUTRAL)


def _with_spaces(clusters: Sequence[_Cluster], size: float) -> list[_Cluster]:
    spaced: list[_Cluster] = []
    for cluster in clusters:
        if spaced and not spaced[-1].first.isspace() and not cluster.first.isspace():
            right = spaced[-1].characters[0][1][2]
            left, top, _, bottom = cluster.characters[0][1]
            if left - right > _WORD_GAP * size:
                space = (" ", (right, top, left, bottom))
                spaced.append(_Cluster([space], _NEUTRAL, (left + right) / 2))
        spaced.append(cluster)
    return spaced


def _from_right(row: Sequence[_Cluster]) -> list[tuple[_Cluster, bool]]:
    """A row of a right-to-left paragraph, and for each cluster whether it is read rightwards."""
    ordered: list[tuple[_Cluster, bool]] = []
    end = len(row)
    pieces: list[list[tuple[_Cluster, bool]]] = []
    at = 0
    while at < end:
        stop = _end_of_left_run(row, at) if row[at].kind in {_LEFT, _NUMBER} else at
        if stop > at:
            pieces.append([(cluster, False) for cluster in row[at:stop]])
            at = stop
        else:
            pieces.append([(row[at], True)])
            at += 1
    for piece in reversed(pieces):
        ordered += piece
    return ordered


def _end_of_left_run(row: Sequence[_Cluster], start: int) -> int:
    """Where words or a number written from left to right, which begin at `start`, end."""
    has_letters = row[start].kind == _LEFT
    end = start + 1
    while end < len(row):
        kind = row[end].kind
        if kind in {_LEFT, _NUMBER}:
            has_letters |= kind == _LEFT
            end += 1
            continue
        if kind == _RIGHT:
            break
        ahead = end
        while ahead < len(row) and row[ahead].kind == _NEUTRAL:
            ahead += 1
        if ahead == len(row) or row[ahead].kind == _RIGHT:
            break
        is_in_number = ahead - end == 1 and not row[end].first.isspace()
        if not has_letters and not (is_in_number and row[ahead].kind == _NUMBER):
            break
        end = ahead
    return _with_closing(row, start, end)


def _with_closing(row: Sequence[_Cluster], start: int, end: int) -> int:
    opened = sum(
        (cluster.first in _OPENING) - (cluster.first in _CLOSING) for cluster in row[start:end]
    )
    while opened > 0 and end < len(row) and row[end].first in _CLOSING:
        opened -= 1
        end += 1
    return end


def _from_left(row: Sequence[_Cluster]) -> list[tuple[_Cluster, bool]]:
    """A row of a left-to-right paragraph that holds words from right to left."""
    ordered: list[tuple[_Cluster, bool]] = []
    at = 0
    while at < len(row):
        if row[at].kind != _RIGHT:
            ordered.append((row[at], False))
            at += 1
            continue
        end = at + 1
        for ahead in range(at + 1, len(row)):
            if row[ahead].kind == _LEFT:
                break
            if row[ahead].kind == _RIGHT:
                end = ahead + 1
        ordered += _from_right(row[at:end])
        at = end
    return ordered
