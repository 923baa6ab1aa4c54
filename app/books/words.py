"""Words and sentences of text in any script, by the rules of Unicode (UAX #29).

The one place outside storage that knows `apsw.unicode`. Two corrections to the plain rules, because
a sentence is what a footnote shows: an abbreviation or initial does not end it (`Mr. Darcy`), nor
does a quotation that the sentence goes on after (`“Why?” she asked.`), and a bracket that opens
belongs to what follows (`。「`).
"""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, Any

import apsw.unicode

if TYPE_CHECKING:
    from collections.abc import Iterator

_ABBREVIATION = re.compile(
    r"""(?:^|(?<=[\s(\[“”„‘’"'«—–-]))
    (?: Mr|Mrs|Ms|Dr|Drs|St|Ste|Prof|Rev|Hon|Gen|Col|Capt|Lt|Sgt|Maj|Messrs|Mme|Mmes|Mlle|MM
      | Nos?|Nr|Vol|Vols|Fig|Figs|Eq|Sec|Sect|Ch|Art|Op|Bd|Hr|Hrn|Fr|Sra?|Srta|Sig|Ed|Eds
      | vol|vols|fig|figs|no|nos|p|pp|ch|sec|vs|cf|viz|ca
      | (?P<initials>[^\W\d_](?:\.-?[^\W\d_])*)
    )\.\s*$""",
    re.VERBOSE,
)
_OPENING, _CLOSING = frozenset({"Ps", "Pi"}), frozenset({"Pe", "Pf"})
_category = unicodedata.category
_PRONOUNS = frozenset({"I", "Я"})  # one letter, but a word
_LONGEST_ABBREVIATION = 24  # code points looked at before the end, white space included


def sentences(text: str) -> list[tuple[int, int]]:
    """The sentences of a text.

    Args:
        text: any text; a line end ends a sentence too, as Unicode has it.

    Returns:
        Start and end of each in code points, without white space at the ends; all text but white
        space lies in exactly one.
    """
    found: list[tuple[int, int]] = []
    begin = -1
    for start, end in _pieces(text):
        if begin < 0:
            begin = start
        elif _goes_on(text, begin, found[-1][1], start):
            found.pop()
        else:
            begin = start
        found.append((begin, end))
    return found


def words(text: str) -> list[tuple[int, int]]:
    """Start and end of each word in code points; punctuation and symbols are no words."""
    # The package's own annotation of this iterator says `str`.
    found: Iterator[Any] = apsw.unicode.word_iter_with_offsets(text)
    return [(start, end) for start, end, _ in found]


def is_character_border(text: str, offset: int) -> bool:
    """Whether a person sees a character end and another begin at `offset`."""
    before = max(0, offset - 1)
    return offset >= len(text) or apsw.unicode.grapheme_next_break(text, before) <= offset


def goes_on(text: str, end: int, start: int) -> bool:
    """Whether the sentence that seems to end at `end` goes on with the text from `start`."""
    return _goes_on(text, max(0, end - _LONGEST_ABBREVIATION), end, start)


def _pieces(text: str) -> Iterator[tuple[int, int]]:
    """The sentences by the plain rules, trimmed, opening brackets moved to what they open."""
    next_break = apsw.unicode.sentence_next_break
    at, length = 0, len(text)
    while at < length:
        end = next_break(text, at)
        if end < length and not text[end - 1].isspace():
            while end - 1 > at and _category(text[end - 1]) in _OPENING:
                end -= 1
        start, stop = at, end
        while stop > start and text[stop - 1].isspace():
            stop -= 1
        while start < stop and text[start].isspace():
            start += 1
        if start < stop:
            yield start, stop
        at = end


def _goes_on(text: str, begin: int, end: int, start: int) -> bool:
    following = text[start]
    if following.islower():
        return True
    last = text[end - 1]
    if last == ".":
        found = _ABBREVIATION.search(text[max(begin, end - _LONGEST_ABBREVIATION) : end])
        if found is None or text.find("\n", end, start) >= 0:
            return False
        initials = found["initials"]
        if initials is None or (initials.isupper() and initials not in _PRONOUNS):
            return True  # U.S., but not p.m.
        return len(initials) == 1 and text[start + 1 : start + 2] == "."  # z. B.
    # Writing without spaces: 「…。」と言った goes on, 「…。」「…」 does not.
    return start == end and _category(last) in _CLOSING and _category(following) not in _OPENING
