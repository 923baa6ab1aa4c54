"""What the program itself says in an answer, in the language of the question.

A not-found, a greeting, a page that the edition does not have: these are facts of the program's own
and are never left to a model. The sentences are in `resources/words/own_sentences.toml`.
"""

from __future__ import annotations

import re
import tomllib
from functools import cache

from app.answering.question_words import asking_words, question_words
from app.paths import RESOURCES
from app.storage.search_words import query_words

FALLBACK = "en"
_NAMES = "names"

_SCRIPTS = (
    ("ja", "[\u3040-\u30ff]"),
    ("zh", "[\u3400-\u9fff]"),
    ("ko", "[\uac00-\ud7af\u1100-\u11ff]"),
    ("he", "[\u05d0-\u05ea]"),
    ("fa", "[پچژگ]"),
    ("ar", "[\u0621-\u064a]"),
    ("el", "[\u0370-\u03ff]"),
    ("ru", "[\u0400-\u04ff]"),
    ("th", "[\u0e00-\u0e7f]"),
    ("hi", "[\u0900-\u097f]"),
)
_LATIN = ("en", "de", "fr", "es", "it", "pt", "nl", "sv", "da", "pl", "tr", "la")


@cache
def _listed() -> dict[str, dict[str, str]]:
    return tomllib.loads((RESOURCES / "words" / "own_sentences.toml").read_text(encoding="utf-8"))


def languages() -> tuple[str, ...]:
    """The languages that the program can say its sentences in."""
    return tuple(name for name in _listed() if name != _NAMES)


def primary_language(language: str) -> str:
    """The primary subtag of a BCP 47 tag in lower case; "" for none."""
    return re.split("[-_]", language.strip().lower(), maxsplit=1)[0]


def language_name(language: str) -> str:
    """A language's own name for itself, or its tag where that is not known."""
    primary = primary_language(language)
    return _listed()[_NAMES].get(primary, primary)


def language_of(text: str) -> str:
    """The language of a question: by its script, else by its closed-class words; "" where unsure.

    Two closed-class words are needed, and more of them than of any other language.
    """
    for language, script in _SCRIPTS:
        if re.search(script, text):
            return language
    words = set(query_words(text))
    counts = sorted((len(words & (question_words(one) | asking_words(one))), one) for one in _LATIN)
    (second, _), (most, best) = counts[-2:]
    return best if most > 1 and most > second else ""


def sentence(key: str, language: str, **values: str) -> str:
    """One sentence of the program's own.

    Args:
        key: which, as listed in the file.
        language: BCP 47; English where the sentences are not given in it.
        values: what is filled in.
    """
    listed = _listed()
    said = listed.get(primary_language(language)) or listed[FALLBACK]
    return said[key].format(**values)
