"""The search ladder: exact wording, all words near each other, most words, word forms.

Every rung is counted, zeros included, and labels what a hit carries; the order of the hits is
their own matter (`ranking`): exact wording first, then what the passage and the text around it say
to the words that the question is about. A search sees only passages within its scope, in hits, in
counts and in the statistics behind the order.

The ladder does not issue tags and does not choose what a model is given.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, NamedTuple

from app.answering.asked_words import BookWords
from app.answering.ranking import rank
from app.domain.evidence import Rung, RungCounts, SearchHit, SearchReport, SearchResult
from app.storage.search_words import holds_word, typed_words, wording

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from app.answering.asked_words import AskedWord, PassageSearch
    from app.domain.scope import Scope

WINDOW_WORDS = 40
"""How near "near each other" is, in words: two or three sentences (DESIGN section 4)."""


class _Place(NamedTuple):
    """Words near each other: positions of the first and the last of them, and how many differ."""

    first: int
    last: int
    words: int


class _Climb(NamedTuple):
    """What the first three rungs found.

    Attributes:
        phrases: places of the exact wording.
        complete: places with all words near each other.
        partial: places with as many as any other place carries.
        with_phrase: passages of the first.
        with_all: passages of the second.
    """

    phrases: int
    complete: list[_Place]
    partial: list[_Place]
    with_phrase: frozenset[int]
    with_all: frozenset[int]


class SearchLadder:
    """Searches one book."""

    def __init__(self, search: PassageSearch, language: str = "") -> None:
        """Keeps the index; reads nothing before the first search.

        Args:
            search: the index of the book.
            language: BCP 47 as the book gives it; "" lets the ladder guess.
        """
        self._search = search
        self._words = BookWords(search, language)

    @property
    def index(self) -> PassageSearch:
        """The index of the book."""
        return self._search

    @property
    def book_words(self) -> BookWords:
        """The words of the book, for whoever weighs sentences as the ladder does."""
        return self._words

    def search(self, words: str, scope: Scope, *, limit: int) -> SearchResult:
        """Searches a scope of the book.

        Args:
            words: words or a question, as a person typed them; never read as a query language.
            scope: where.
            limit: hits at most; the counts of the report are complete all the same.

        Returns:
            The report and the hits, best first: evidence before contents, index and licence, exact
            wording before all else.
        """
        asked = self._words.read(words, scope)
        mask, _ = self._words.mask(scope)
        climb = self._climb(asked, wording(words), mask)
        with_word = climb.with_phrase.union(*(word.exact_passages for word in asked))
        telling = climb.with_phrase.union(*(word.per_passage for word in asked if word.is_telling))
        hits = rank(asked, self._search.places, climb.with_phrase, mask, limit)
        passages = self._search.passages([number for number, _ in hits])
        report = SearchReport(
            scope=scope,
            words=typed_words(words),
            rungs=RungCounts(
                phrase=climb.phrases,
                all_words=len(climb.complete),
                most_words=len(climb.partial),
                word_forms=len(_with_forms(asked) - with_word),
            ),
            words_matched=_most_words(len(asked), climb),
            words_asked=len(asked),
        )
        return SearchResult(
            report,
            tuple(
                SearchHit(passage, _rung(number, climb, with_word), score, number in telling)
                for passage, (number, score) in zip(passages, hits, strict=True)
            ),
        )

    def _climb(self, asked: Sequence[AskedWord], folded: str, mask: bytearray | None) -> _Climb:
        """The first three rungs."""
        if len(asked) == 1 and not asked[0].is_common and folded.strip() == asked[0].word:
            # One word: every place of it is its wording, and nothing need be near it.
            complete = [_Place(at, at, 1) for at in asked[0].exact]
            passages = asked[0].exact_passages
            return _Climb(len(complete), complete, [], passages, passages)
        phrases = [
            place
            for place in self._search.wording_places(folded)
            if mask is None or all(mask[place[0] : place[1] + 1])
        ]
        complete, partial = self._near_places(asked)
        return _Climb(
            len(phrases),
            complete,
            partial,
            frozenset(number for first, last in phrases for number in range(first, last + 1)),
            frozenset(self._numbers(complete)),
        )

    def _near_places(self, asked: Sequence[AskedWord]) -> tuple[list[_Place], list[_Place]]:
        """Places with all words, and places with as many as any other place carries."""
        followed = [word for word in asked if not word.is_common]
        common = [word.word for word in asked if word.is_common]
        swept = _sweep([word.exact for word in followed])
        if not swept:
            return [], []
        complete: list[_Place] = []
        partial: list[_Place] = []
        for level in sorted({place.words for place in swept}, reverse=True):
            for first, last, words in swept:
                if words == level:
                    carried = words + self._common_words(first, last, common)
                    found = complete if carried == len(asked) else partial
                    found.append(_Place(first, last, carried))
            if partial:
                break
        highest = max((place.words for place in partial), default=0)
        return complete, [place for place in partial if place.words == highest]

    def _common_words(self, first: int, last: int, common: Sequence[str]) -> int:
        """How many of the words that were not followed stand in the passages of a place."""
        if not common:
            return 0
        places = self._search.places
        number, last_number = self._range(first, last)
        text = places.wording[places.first_chars[number] : places.first_chars[last_number + 1]]
        return sum(holds_word(text, word) for word in common)

    def _range(self, first: int, last: int) -> tuple[int, int]:
        """Numbers of the passages that hold two positions."""
        first_words = self._search.places.first_words
        number = bisect_right(first_words, first) - 1
        return number, bisect_right(first_words, last, number) - 1

    def _numbers(self, found: Iterable[_Place]) -> set[int]:
        numbers: set[int] = set()
        for place in found:
            first, last = self._range(place.first, place.last)
            numbers.update(range(first, last + 1))
        return numbers


def _sweep(positions: Sequence[Sequence[int]]) -> list[_Place]:
    """Windows of `WINDOW_WORDS` that carry different words, one pass over all positions.

    Args:
        positions: for each word where it stands, in order.

    Returns:
        For every number of different words that some window carries the smallest windows that do,
        in reading order, overlapping ones counted once; a window within one that carries more is
        left out.
    """
    events = sorted([(at, word) for word, places in enumerate(positions) for at in places])
    counts = [0] * len(positions)
    different = left = 0
    first, first_word = events[0] if events else (0, 0)
    found: list[_Place] = []
    for at, word in events:
        counts[word] += 1
        different += counts[word] == 1
        while at - first >= WINDOW_WORDS or counts[first_word] > 1:
            counts[first_word] -= 1
            different -= counts[first_word] == 0
            left += 1
            first, first_word = events[left]
        while found and found[-1].last >= first and found[-1].words < different:
            found.pop()
        if not found or found[-1].last < first:
            found.append(_Place(first, at, different))
    return found


def _most_words(asked_count: int, climb: _Climb) -> int:
    """The most words that any one place carries."""
    if climb.phrases or climb.complete:
        return asked_count
    return max((place.words for place in climb.partial), default=0)


def _with_forms(asked: Iterable[AskedWord]) -> set[int]:
    """Passages with any form of a word that weighs something."""
    return {number for word in asked if word.weight > 0 for number in word.per_passage}


def _rung(number: int, climb: _Climb, with_word: frozenset[int]) -> Rung:
    if number in climb.with_phrase:
        return Rung.PHRASE
    if number in climb.with_all:
        return Rung.ALL_WORDS
    return Rung.MOST_WORDS if number in with_word else Rung.WORD_FORMS
