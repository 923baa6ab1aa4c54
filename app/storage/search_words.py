"""How text becomes searchable words: the one folding that index and queries share.

Two spellings that a reader would call the same become one: case, width, ligatures, accents, Hebrew
points, Arabic vowel marks and the letter variants of Arabic and Persian. Vowel signs of Indic and
Thai writing stay (apsw's `strip` tokenizer drops them: कर्म becomes करम), and so do the voicing
marks of kana. Apostrophes, underscores and full stops between letters separate words, so that
`homme` is found in `l'homme` and `Pierre` in `Pierre's`.

Writing without spaces (Han, kana, Thai, Lao, Khmer, Burmese) has no words that a rule could find:
there a word is each pair of neighbours. A change of the rule needs a migration that indexes every
book anew. This module knows no SQL and no stems.
"""

from __future__ import annotations

import re
import unicodedata
from itertools import pairwise
from typing import TYPE_CHECKING

import apsw.unicode

if TYPE_CHECKING:
    from collections.abc import Iterator

MOST_WORD_CHARS = 64
"""Longer runs are no words (base64, rules drawn with letters); they are cut. Code points."""

_UNSPACED = (
    "\u0e00-\u0eff"  # Thai, Lao
    "\u1000-\u109f\u1780-\u17ff"  # Burmese, Khmer
    "\u3005-\u3007\u3031-\u3035\u303b\u3040-\u30ff\u31f0-\u31ff"  # kana and their marks
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"  # Han
)
_UNSPACED_RUN = re.compile(f"[{_UNSPACED}]+")
_PIECES = re.compile(f"([{_UNSPACED}]+)")

_OPTIONAL_MARKS = (
    (0x0300, 0x036F),  # combining diacritical marks (Latin, Greek, Cyrillic)
    (0x0483, 0x0487),  # Cyrillic
    (0x0591, 0x05BD),  # Hebrew accents and points
    (0x05BF, 0x05BF),
    (0x05C1, 0x05C2),
    (0x05C4, 0x05C5),
    (0x05C7, 0x05C7),
    (0x0610, 0x061A),  # Arabic
    (0x0640, 0x0640),  # tatweel
    (0x064B, 0x065F),
    (0x0670, 0x0670),
    (0x06D6, 0x06ED),
    (0x1AB0, 0x1AFF),
    (0x1DC0, 0x1DFF),
    (0x20D0, 0x20FF),
    (0xFE20, 0xFE2F),
)
_FOLDS: dict[int, str | None] = {
    code: None for first, last in _OPTIONAL_MARKS for code in range(first, last + 1)
}
_FOLDS |= {
    ord(letter): folded
    for letter, folded in {
        # Letters that Unicode does not decompose but readers type without their stroke.
        "ø": "o", "ł": "l", "đ": "d", "ð": "d", "ħ": "h", "ı": "i", "æ": "ae", "œ": "oe",
        # One letter, typed with an Arabic or a Persian keyboard.
        "ك": "ک", "ي": "ی", "ى": "ی", "ة": "ه",
    }.items()
}  # fmt: skip
_FOLDS |= dict.fromkeys(map(ord, "\u00ad\u200d\u2060\ufeff"), None)
_SEPARATORS = str.maketrans(dict.fromkeys("'’‘ʼ＇`´_:·‿⁀", " "))
# Each begins with the character to be replaced: that is what the search can leap to.
_HEBREW_JOINER = re.compile("[\"'’”״׳](?<=[\u05d0-\u05ea].)(?=[\u05d0-\u05ea])")
_ARABIC_JOINER = re.compile("\u200c(?<=[\u0600-\u06ff].)")
_STOP_BETWEEN_LETTERS = re.compile(r"\.(?<=[^\W\d].)(?=[^\W\d])")
_COMMA_IN_NUMBER = re.compile(r",(?<=\d.)(?=\d{3}(?!\d))")

# Folded text of Latin letters and plain punctuation only: there this expression finds the words of
# UAX #29, five times as fast (a test compares the two).
_LATIN_TEXT = re.compile("[\x00-\x7f\u00a0-\u024f\u2010-\u2015\u201a-\u2023]*")
_LATIN_WORD = re.compile(r"[^\W_]+(?:(?<=[0-9])[.,;](?=[0-9])[^\W_]+)*")


def fold(text: str) -> str:
    """Text with the differences removed that a search should not see; its length may change."""
    if not text.isascii():
        text = _HEBREW_JOINER.sub("", text)
        text = _ARABIC_JOINER.sub(" ", text).replace("\u200c", "")
        text = unicodedata.normalize("NFKD", text).casefold().translate(_FOLDS)
        text = unicodedata.normalize("NFC", text)
    else:
        text = text.lower()
    text = text.translate(_SEPARATORS)
    if "." in text:
        text = _STOP_BETWEEN_LETTERS.sub(" ", text)
    if "," in text:
        text = _COMMA_IN_NUMBER.sub("", text)
    return text


def _spaced_words(folded: str) -> list[str]:
    """The words of folded text that has no writing without spaces."""
    if _LATIN_TEXT.fullmatch(folded):
        return [word[:MOST_WORD_CHARS] for word in _LATIN_WORD.findall(folded)]
    return [word[:MOST_WORD_CHARS] for word in apsw.unicode.word_iter(folded)]


def _units(folded: str) -> Iterator[str]:
    """Words as Unicode defines them, and whole runs of writing without spaces."""
    if folded.isascii() or not _UNSPACED_RUN.search(folded):
        yield from _spaced_words(folded)
        return
    for number, piece in enumerate(_PIECES.split(folded)):
        if number % 2:
            yield piece
        else:
            for word in apsw.unicode.word_iter(piece):
                yield word[:MOST_WORD_CHARS]


def has_unspaced(text: str) -> bool:
    """Whether there is writing without spaces in a text."""
    return _UNSPACED_RUN.search(text) is not None


def is_unspaced(word: str) -> bool:
    """Whether a folded word comes from writing without spaces."""
    return _UNSPACED_RUN.match(word) is not None


def index_words(text: str) -> tuple[list[str], str]:
    """The words of a passage as they are indexed, and its folded wording.

    Args:
        text: readable text.

    Returns:
        The words in order: a run of n characters without spaces gives its n-1 pairs and its last
        character, so that every character begins one word. And the wording: every spaced word
        behind one space, runs without spaces as they are; punctuation gone. Wordings of
        neighbouring passages can be joined as they are.
    """
    folded = fold(text)
    if folded.isascii() or not _UNSPACED_RUN.search(folded):
        words = _spaced_words(folded)
        return words, "".join([f" {word}" for word in words])
    words = []
    wording: list[str] = []
    for unit in _units(folded):
        if is_unspaced(unit):
            words.extend(map("".join, pairwise(unit)))
            words.append(unit[-1])
            wording.append(unit)
        else:
            words.append(unit)
            wording.append(f" {unit}")
    return words, "".join(wording)


def query_words(text: str) -> tuple[str, ...]:
    """The different words to look for, in the order of the text.

    A run of several characters without spaces asks for its pairs only: its last character alone
    would ask for more than was typed.
    """
    words: dict[str, None] = {}
    for unit in _units(fold(text)):
        if is_unspaced(unit) and len(unit) > 1:
            words |= dict.fromkeys(map("".join, pairwise(unit)))
        else:
            words[unit] = None
    return tuple(words)


def wording(text: str) -> str:
    """The folded wording of `text`, to be found as a substring of passages' wordings."""
    return index_words(text)[1]


def holds_word(folded_wording: str, word: str) -> bool:
    """Whether a folded word or pair stands in a folded wording."""
    if f" {word} " in folded_wording:
        return True
    if word not in folded_wording:
        return False
    return holds_wording(folded_wording, f" {word}") or is_unspaced(word)


def holds_wording(folded_wording: str, part: str) -> bool:
    """Whether a folded wording contains another, from word to word."""
    at = folded_wording.find(part)
    while at >= 0:
        if ends_word(folded_wording, at + len(part)):
            return True
        at = folded_wording.find(part, at + 1)
    return False


def ends_word(text: str, end: int) -> bool:
    """Whether what ends at `end` of a folded wording ends with a whole word."""
    return (
        end >= len(text)
        or text[end] in " \n"
        or is_unspaced(text[end])
        or is_unspaced(text[end - 1])
    )


def typed_words(text: str) -> tuple[str, ...]:
    """The words of a query as they were typed, each once; runs without spaces whole."""
    words: dict[str, str] = {}
    for number, piece in enumerate(_PIECES.split(text.translate(_SEPARATORS))):
        for word in (piece,) if number % 2 else apsw.unicode.word_iter(piece):
            words.setdefault(fold(word), word)
    return tuple(words.values())
