"""What a question asks for: its words, their forms in this book, their places and their weight.

The search ladder ranks by these words and the built-in model chooses sentences by them. Nothing
here decides what is a hit.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_left
from collections import Counter
from dataclasses import dataclass, field
from itertools import takewhile
from typing import TYPE_CHECKING, Protocol

from app.answering.question_words import (
    asking_words,
    guess_language,
    languages_of_question,
    question_words,
    without_unspaced_question_words,
)
from app.answering.word_forms import WordForms
from app.storage.search_words import is_unspaced, query_words

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from app.domain.passage import Passage
    from app.domain.scope import Scope
    from app.storage.search_index import PassagePlaces

COMMON_SHARE = 0.02
"""Words in a larger share of the passages are not followed through the book: one of them stands
near everything, and following them costs more than all the others (DESIGN section 4)."""

COMMON_PASSAGES = 500
"""A word in no more passages than this is always followed: it costs under a millisecond."""

TELLING_PASSAGES = 25
"""A word in no more passages than this, or than `COMMON_SHARE` of them, says what a passage is
about even alone; `said` or the hero's name does not."""

KANA_WEIGHT = 0.3
"""What a pair of kana weighs beside pairs with Han or katakana: it is mostly grammar."""

KIN_CHARS = 5
"""Words of which the book has no form are looked for by as many first characters (`photographer`
beside `photography`); five did best of four to six (hit@3 +.003)."""

ASKING_WEIGHT = 0.5
"""What share of its weight a word about books and saying keeps (hit@3 +.001)."""

_Loaded = tuple[str, WordForms, dict[str, tuple[str, ...]], list[str]]

_INNER_WORD = re.compile(r"(?<=[^\W_][\s,;(-])[^\W\d_]\w+")
_HIRAGANA = re.compile("[\u3040-\u309f]{1,2}")


class PassageSearch(Protocol):
    """What the search needs of an index of one book; passages are named by their number in it."""

    @property
    def places(self) -> PassagePlaces:
        """Where the passages stand."""
        ...

    @property
    def vocabulary(self) -> Mapping[str, int]:
        """Every word of the book, and in how many passages it stands."""
        ...

    def positions(self, word: str) -> list[tuple[int, int]]:
        """Passage number and position in the book of every place of a folded word."""
        ...

    def wording_places(self, wording: str) -> list[tuple[int, int]]:
        """First and last passage number of every place of a folded wording."""
        ...

    def passages(self, numbers: Sequence[int]) -> list[Passage]:
        """The passages with these numbers."""
        ...


@dataclass(frozen=True, slots=True)
class AskedWord:
    """A word of a question, as one book has it.

    Attributes:
        word: folded.
        stem: what its forms share.
        forms: the book's words that share it, `word` among them if the book has it; for a single
            character of writing without spaces all pairs that begin with it.
        weight: what finding it is worth: inverse passage frequency of its forms, half of it for a
            word about books and saying, 0 for one that only asks or joins.
        passage_count: passages in scope with any of its forms (in the book, if `is_common`).
        exact: positions of the word itself, in order; empty if `is_common`.
        exact_passages: passages with the word itself; empty if `is_common`.
        any_form: positions of all its forms, in order; empty if `is_common`.
        kin: positions of words that begin like one of which the book has no form, in order: they
            help to order what other words found, and are no hits.
        per_passage: number of `any_form` in each passage that has one.
        is_common: its places were not read: it stands in too many passages, or only asks or joins.
        is_subject: part of what is asked about: it weighs something and is no word about books and
            saying. At least one word of a question is.
        is_telling: a subject that is neither grammar nor common in the book: a passage that carries
            it has to do with the question, even if it carries no other word of it.
        name_run: 0, or for words written with a capital where no sentence begins the number of the
            run of such words that it belongs to ("Harry Potter" is one).
    """

    word: str
    stem: str
    forms: tuple[str, ...]
    weight: float
    passage_count: int
    exact: tuple[int, ...] = ()
    exact_passages: frozenset[int] = frozenset()
    any_form: tuple[int, ...] = ()
    kin: tuple[int, ...] = ()
    per_passage: Mapping[int, int] = field(default_factory=dict)
    is_common: bool = False
    is_subject: bool = True
    is_telling: bool = True
    name_run: int = 0


class BookWords:
    """The words of one book, ready to be asked for. Loads the vocabulary once, when first asked."""

    def __init__(self, search: PassageSearch, language: str) -> None:
        """Keeps the index; reads nothing.

        Args:
            search: the index of the book.
            language: BCP 47 as the book gives it, or "".
        """
        self._search = search
        self._given_language = language
        self._loaded: _Loaded | None = None
        self._scope: tuple[Scope | None, bytearray | None, int] = (None, None, 0)

    def _load(self) -> _Loaded:
        if self._loaded is None:
            vocabulary = self._search.vocabulary
            language = self._given_language or guess_language(vocabulary)
            forms = WordForms(language)
            self._loaded = (language, forms, forms.grouped(vocabulary), sorted(vocabulary))
        return self._loaded

    @property
    def language(self) -> str:
        """BCP 47, as given or guessed from the most frequent words; "" where unsure."""
        return self._load()[0]

    def stems(self, words: Sequence[str]) -> list[str]:
        """The stem of each folded word."""
        return self._load()[1].stems(words)

    def mask(self, scope: Scope) -> tuple[bytearray | None, int]:
        """Which passages lie within a scope.

        Returns:
            One byte a passage, 1 within, or None for the whole book; and how many lie within.
        """
        known, mask, count = self._scope
        if known is not None and known == scope:
            return mask, count
        spans = self._search.places.spans
        if scope.spans is None:
            mask, count = None, len(spans)
        else:
            mask = bytearray(scope.admits(span) for span in spans)
            count = sum(mask)
        self._scope = (scope, mask, count)
        return mask, count

    def read(self, question: str, scope: Scope) -> tuple[AskedWord, ...]:
        """The different words of a question, in its order, with their places within the scope."""
        language, forms, groups, _ = self._load()
        words = _words(question, language)
        roles = _roles(question, words, language)
        plans = [
            self._plan(word, stem, groups)
            for word, stem in zip(words, forms.stems(words), strict=True)
        ]
        limit = self._followed_limit(plans, roles)
        return tuple(
            self._common(plan, roles[plan.word])
            if plan.passage_count > (limit if roles[plan.word].factor else 0)
            else self._followed(plan, roles[plan.word], scope)
            for plan in plans
        )

    def _plan(self, word: str, stem: str, groups: Mapping[str, tuple[str, ...]]) -> _Plan:
        vocabulary = self._search.vocabulary
        if _is_character(word):
            family = tuple(pair for pair in vocabulary if pair.startswith(word))
        else:
            family = groups.get(stem, ())
        return _Plan(word, stem, family, sum(vocabulary.get(form, 0) for form in family))

    def _followed_limit(self, plans: Sequence[_Plan], roles: Mapping[str, _Role]) -> float:
        """Passages up to which a word is followed; at least one word of the book always is."""
        limit = max(COMMON_PASSAGES, COMMON_SHARE * len(self._search.places.spans))
        present = [plan for plan in plans if plan.passage_count]
        if any(plan.passage_count <= limit and roles[plan.word].factor > 0 for plan in present):
            return limit
        if not present:
            return limit
        rarest = min(present, key=lambda plan: (-roles[plan.word].factor, plan.passage_count))
        return max(limit, rarest.passage_count)

    def _telling_limit(self) -> float:
        """Passages of the book up to which a word tells what a passage is about."""
        return max(TELLING_PASSAGES, COMMON_SHARE * len(self._search.places.spans))

    def _common(self, plan: _Plan, role: _Role) -> AskedWord:
        weight = role.factor * _idf(len(self._search.places.spans), plan.passage_count)
        return AskedWord(
            plan.word,
            plan.stem,
            plan.forms,
            weight,
            plan.passage_count,
            is_common=True,
            is_subject=role.is_subject,
            is_telling=False,
            name_run=role.name_run,
        )

    def _followed(self, plan: _Plan, role: _Role, scope: Scope) -> AskedWord:
        mask, passage_count = self.mask(scope)
        exact: list[int] = []
        exact_passages: frozenset[int] = frozenset()
        any_form: list[int] = []
        per_passage: Counter[int] = Counter()
        # Of a single character the index gives all pairs that begin with it at once.
        for form in (plan.word,) if _is_character(plan.word) else plan.forms:
            found = self._search.positions(form)
            if mask is not None:
                found = [place for place in found if mask[place[0]]]
            places = [position for _, position in found]
            any_form += places
            numbers = [number for number, _ in found]
            if form == plan.word:
                exact, exact_passages = sorted(places), frozenset(numbers)
            per_passage.update(numbers)
        any_form.sort()
        return AskedWord(
            plan.word,
            plan.stem,
            plan.forms,
            role.factor * _idf(passage_count, len(per_passage)),
            len(per_passage),
            tuple(exact),
            exact_passages,
            tuple(any_form),
            () if plan.forms or not role.is_subject else self._kin(plan.word, mask),
            per_passage,
            is_subject=role.is_subject,
            is_telling=role.is_telling and plan.passage_count <= self._telling_limit(),
            name_run=role.name_run,
        )

    def _kin(self, word: str, mask: bytearray | None) -> tuple[int, ...]:
        """Positions of the words that share the first `KIN_CHARS` characters with a word."""
        if len(word) <= KIN_CHARS or is_unspaced(word):
            return ()
        begin = word[:KIN_CHARS]
        ordered = self._load()[3]
        first = bisect_left(ordered, begin)
        found: list[int] = []
        for other in takewhile(lambda one: one.startswith(begin), ordered[first : first + 50]):
            found += [
                position
                for number, position in self._search.positions(other)
                if mask is None or mask[number]
            ]
        return tuple(sorted(found))


@dataclass(frozen=True, slots=True)
class _Plan:
    """A word of a question before its places are read."""

    word: str
    stem: str
    forms: tuple[str, ...]
    passage_count: int


@dataclass(frozen=True, slots=True)
class _Role:
    """What a word does in a question: the share of its weight it keeps, and what it is."""

    factor: float
    is_subject: bool
    is_telling: bool
    name_run: int


def _idf(passage_count: int, with_word: int) -> float:
    """Inverse passage frequency, never negative (the form used by Lucene's BM25)."""
    return math.log(1 + (passage_count - with_word + 0.5) / (with_word + 0.5))


def _is_character(word: str) -> bool:
    """Whether a word is one character of writing without spaces."""
    return len(word) == 1 and is_unspaced(word)


def _words(question: str, book_language: str) -> tuple[str, ...]:
    """The words of a question; of `猫はどこ` also `猫`, which no pair of it stands for."""
    words = query_words(question)
    if not any(map(is_unspaced, words)):
        return words
    languages = languages_of_question(question, book_language)
    contents = query_words(without_unspaced_question_words(question, languages))
    alone = (word for word in contents if _is_character(word) and not _HIRAGANA.fullmatch(word))
    return tuple(dict.fromkeys((*words, *alone)))


def _roles(question: str, words: Sequence[str], book_language: str) -> dict[str, _Role]:
    """What each word does in a question.

    A question of nothing but closed-class words ("Who is he?", "to be or not to be") gives them
    all their full weight; one of nothing but those and words about saying asks about the latter.
    """
    languages = languages_of_question(question, book_language)
    closed = frozenset().union(*map(question_words, languages))
    asking = frozenset().union(*map(asking_words, languages))
    contents = set(query_words(without_unspaced_question_words(question, languages)))
    subjects = set(
        query_words(without_unspaced_question_words(question, languages, with_asking=True))
    )
    factors: dict[str, float] = {}
    about: dict[str, bool] = {}
    for word in words:
        if is_unspaced(word):
            weight = KANA_WEIGHT if _HIRAGANA.fullmatch(word) else 1.0
            factors[word] = weight if word in contents else 0.0
            about[word] = word in subjects
        else:
            factors[word] = 0.0 if word in closed else 1.0
            about[word] = word not in asking
    grammar = {word for word in words if not factors[word] or _HIRAGANA.fullmatch(word)}
    if not any(factors.values()):
        factors = dict.fromkeys(words, 1.0)
    if not any(about[word] and factors[word] for word in words):
        about = dict.fromkeys(words, True)
    runs = _name_runs(question)
    return {
        word: _Role(
            factors[word] * (1.0 if about[word] else ASKING_WEIGHT),
            about[word] and factors[word] > 0,
            about[word] and word not in grammar,
            runs.get(word, 0),
        )
        for word in words
    }


def _name_runs(question: str) -> dict[str, int]:
    """The number of its run for each word that a capital makes look like a name."""
    runs: dict[str, int] = {}
    run, end_before = 0, -1
    for found in _INNER_WORD.finditer(question):
        if found[0][0].isupper():
            run += not (end_before >= 0 and question[end_before : found.start()].isspace())
            end_before = found.end()
            for word in query_words(found[0]):
                runs.setdefault(word, run)
    return runs
