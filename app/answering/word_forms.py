"""Word forms: which words of a book are other forms of a word that was asked for.

Snowball stems by language, lists of forms that no stemmer reaches (`went`, `children`),
and the one-letter prefixes of Hebrew, for which there is no stemmer. A language without rules, and
writing without spaces, has no other forms. This module knows no index.
"""

from __future__ import annotations

import re
import tomllib
from functools import cache
from typing import TYPE_CHECKING

import Stemmer

from app.paths import RESOURCES
from app.storage.search_words import fold

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_ALGORITHMS = {
    "ar": "arabic", "hy": "armenian", "eu": "basque", "ca": "catalan", "cs": "czech",
    "da": "danish",
    "nl": "dutch", "en": "english", "eo": "esperanto", "et": "estonian", "fi": "finnish",
    "fr": "french", "de": "german", "el": "greek", "hi": "hindi", "hu": "hungarian",
    "id": "indonesian", "ga": "irish", "it": "italian", "lt": "lithuanian", "ne": "nepali",
    "no": "norwegian", "nb": "norwegian", "nn": "norwegian", "fa": "persian", "pl": "polish",
    "pt": "portuguese", "ro": "romanian", "ru": "russian", "sr": "serbian", "st": "sesotho",
    "es": "spanish", "sv": "swedish", "ta": "tamil", "tr": "turkish", "yi": "yiddish",
}  # fmt: skip


_TO_ARABIC = str.maketrans("یک", "يك")
_HEBREW_PREFIX = re.compile("^[והבכלמש]{1,2}(?=[\u05d0-\u05ea]{3})")
_HEBREW_SUFFIX = re.compile("(?<=[\u05d0-\u05ea]{3})(?:ים|ות|ית|ה|ת|י)$")


@cache
def _irregular_forms() -> dict[str, str]:
    return tomllib.loads((RESOURCES / "words" / "irregular_forms.toml").read_text("utf-8"))


class WordForms:
    """Brings the forms of a word together under one stem, for one language."""

    def __init__(self, language: str) -> None:
        """Chooses the rules.

        Args:
            language: BCP 47; "" or a language without rules leaves every word as it is.
        """
        self._primary = re.split("[-_]", language.strip().lower(), maxsplit=1)[0]
        algorithm = _ALGORITHMS.get(self._primary)
        self._stemmer = Stemmer.Stemmer(algorithm) if algorithm else None
        self._irregular: dict[str, str] = {}
        if self._stemmer is not None:
            for group in _irregular_forms().get(self._primary, "").split(","):
                stems = self._stemmer.stemWords(fold(group).split())
                self._irregular |= dict.fromkeys(stems[1:], "".join(stems[:1]))

    def stems(self, words: Sequence[str]) -> list[str]:
        """The stem of each word; words are folded as the index folds them."""
        if self._primary in {"he", "iw"}:
            return [_HEBREW_SUFFIX.sub("", _HEBREW_PREFIX.sub("", word)) for word in words]
        if self._stemmer is None:
            return list(words)
        if self._primary == "ar":
            words = [word.translate(_TO_ARABIC) for word in words]
        stems: list[str] = self._stemmer.stemWords(words)
        if self._irregular:
            return [self._irregular.get(stem, stem) for stem in stems]
        return stems

    def grouped(self, vocabulary: Iterable[str]) -> dict[str, tuple[str, ...]]:
        """Every stem of a vocabulary with the words that share it."""
        words = list(vocabulary)
        groups: dict[str, list[str]] = {}
        for word, stem in zip(words, self.stems(words), strict=True):
            groups.setdefault(stem, []).append(word)
        return {stem: tuple(group) for stem, group in groups.items()}
