"""Words that ask or join, by language: they weigh nothing when places are ranked.

"What happened to the princess?" asks about the princess; in a story `happened` and `what` are rare
enough that their frequency alone would make them weigh as much as she does. A book of a few pages
has no statistics that could tell, so the closed classes (question words, auxiliaries, pronouns,
prepositions, conjunctions, articles) are listed. No word is dropped from a search by this: the
words are searched for and counted like all others, they only do not decide the order.

The lists are in `resources/words/question_words.toml`, written for this program from the grammars
of the languages; what they are worth is measured by `tests/benchmarks/search_ladder.py`.
"""

from __future__ import annotations

import re
import tomllib
from functools import cache
from typing import TYPE_CHECKING

from app.paths import RESOURCES
from app.storage.search_words import fold, query_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


@cache
def _listed(name: str) -> dict[str, dict[str, str]]:
    return tomllib.loads((RESOURCES / "words" / name).read_text("utf-8"))


def _primary(language: str) -> str:
    """The primary subtag of a BCP 47 tag, with Norwegian read as Danish is for closed classes."""
    primary = re.split("[-_]", language.strip().lower(), maxsplit=1)[0]
    return {"no": "da", "nb": "da", "nn": "da", "iw": "he", "cmn": "zh"}.get(primary, primary)


@cache
def question_words(language: str) -> frozenset[str]:
    """The folded closed-class words of a language written with spaces; empty where not listed.

    Args:
        language: BCP 47.
    """
    listed = _listed("question_words.toml")["spaced"]
    return frozenset(query_words(listed.get(_primary(language), "")))


@cache
def asking_words(language: str) -> frozenset[str]:
    """The folded words about books and saying ("mentioned", "author"); empty where not listed.

    Args:
        language: BCP 47, written with spaces.
    """
    return frozenset(query_words(_asking(language)))


def _asking(language: str) -> str:
    listed = _listed("asking_words.toml").get(_primary(language), "")
    return listed if isinstance(listed, str) else ""


@cache
def _unspaced_pattern(language: str, *, with_asking: bool) -> re.Pattern[str] | None:
    closed = _listed("question_words.toml")["unspaced"].get(_primary(language))
    if closed is None:
        return None
    strings = fold(f"{closed} {_asking(language) if with_asking else ''}").split()
    return re.compile("|".join(sorted(map(re.escape, strings), key=len, reverse=True)))


def without_unspaced_question_words(
    text: str, languages: Iterable[str], *, with_asking: bool = False
) -> str:
    """Folded text with the closed-class strings of writing without spaces cut out by spaces.

    The pairs of neighbours that such a string forms with the words beside it are no words either:
    `リストとは何` asks about `リスト`, not about `トと`.

    Args:
        text: a question.
        languages: whose strings.
        with_asking: cut out the words about books and saying too.
    """
    folded = fold(text)
    for language in languages:
        pattern = _unspaced_pattern(language, with_asking=with_asking)
        if pattern is not None:
            folded = pattern.sub(" ", folded)
    return folded


def languages_of_question(text: str, book_language: str) -> tuple[str, ...]:
    """Whose closed classes apply to a question: the book's language and the question's own.

    Args:
        text: the question.
        book_language: BCP 47 or "".

    Returns:
        Primary subtags. The question's language is the one that lists most of its words, if at
        least two; Japanese where it has kana, else Chinese where it has Han characters.
    """
    languages = [_primary(book_language)] if book_language else []
    folded = fold(text)
    if re.search("[\u3040-\u30ff]", folded):
        languages.append("ja")
    elif re.search("[\u3400-\u9fff]", folded):
        languages.append("zh")
    elif re.search("[\u0e00-\u0e7f]", folded):
        languages.append("th")
    words = set(query_words(text))
    best = max(
        _listed("question_words.toml")["spaced"],
        key=lambda language: len(words & question_words(language)),
    )
    if len(words & question_words(best)) > 1:
        languages.append(best)
    return tuple(dict.fromkeys(languages))


def guess_language(vocabulary: Mapping[str, int]) -> str:
    """The language of a book that does not name it, by its most frequent words; "" where unsure.

    Args:
        vocabulary: each word and the number of passages it stands in.
    """

    def weight(language: str) -> int:
        return sum(vocabulary.get(word, 0) for word in question_words(language))

    best = max(_listed("question_words.toml")["spaced"], key=weight)
    return best if weight(best) > 0 else ""
