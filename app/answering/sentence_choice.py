"""Chooses the sentences of issued passages that answer a question best, or none.

Works on words alone: what a sentence carries of the question, with what stands just before and
after it, as `ranking` does for passages. It also decides whether the passages speak of the matter
at all. It writes nothing and issues nothing.
"""

from __future__ import annotations

import heapq
import math
import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Protocol

from app.books.model_text import model_text
from app.books.words import sentences
from app.domain.document import BlockKind
from app.domain.position import Span
from app.domain.scope import WHOLE_BOOK
from app.storage.search_words import holds_word, index_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from app.answering.asked_words import AskedWord, BookWords, PassageSearch
    from app.domain.document import DocumentText
    from app.domain.evidence import IssuedPassage

MOST_SENTENCES = 3
NEXT_SENTENCE_SHARE = 0.8
"""A further sentence is quoted if its score reaches this share of the best one's. Measured on 317
questions (`score.py spans`): .75 cites more (overlap +.02, precision -.03), .90 less."""

MOST_ABSENT = 0.4
"""Refuse if more than this share of what is asked about, by weight, the passages do not carry."""

MOST_APART = 0.66
"""Refuse if, even where the most of it stands together (three passages), more than this share of
what is asked about is missing. Both measured by asking one book the questions of another."""

# Measured on the same 317 questions; around these values precision and overlap move by about .01.
_SATURATION = 0.8
_LENGTH_SHARE = 0.2
_AVERAGE_WORDS = 20
_FORWARD_WEIGHT, _FORWARD_WORDS = 0.4, 80.0
_BACKWARD_WEIGHT, _BACKWARD_WORDS = 0.1, 30.0
_NEIGHBOURS = 3
_CARRIED_WEIGHT = 0.4
_WEIGHT_POWER = 1.2
_QUESTION_SHARE = 0.5
"""What a sentence that itself asks is worth: a question in the book answers none."""

_LEAST_NEWS, _NO_NEWS_SHARE = 2, 0.5
"""A sentence with fewer words that the question does not have itself tells the reader nothing."""

_FEW_SUBJECTS = 2
_EARLY_WORDS, _EARLY_SHARE, _SAYING_SHARE = 3, 1.25, 1.6
_SHORT_WORDS, _SHORT_SHARE = 7, 0.7
"""For a question about one or two words ("Who is Beatrice?"), which many sentences carry alike: one
that begins with them speaks of them, one that goes on with a joining word of the question ("was",
"who") says what they are, one of a few words says little."""

_KIND_SHARES = {BlockKind.HEADING: 0.2, BlockKind.OTHER: 0.4, BlockKind.CODE: 0.6}
"""A heading, or the running head of a page, names a matter and says nothing of it."""
_PASSAGES_READ = 60

_LONG_CHARS = 220
_LEAST_PIECE_CHARS = 25
_BORDER = re.compile(
    r"(?:(?<=[^\W\d_]{4}[.!?;])|(?<=[\d)\]%\"”’][.!?;]))\s+|(?<=[。！？；])(?=[^\s」』）”])"
)
_LINE_END = re.compile("[\n\r\x0b\x0c\x85\u2028\u2029]")
_ASKS = re.compile(r"[?？؟][\s\"”’»」』)]*$")


class DocumentTexts(Protocol):
    """What the choice needs of a book beside its index."""

    def document_text(self, file_index: int) -> DocumentText:
        """The text of one document."""
        ...


@dataclass(frozen=True, slots=True)
class ChosenSentence:
    """A sentence, or a part of one, to be quoted.

    Attributes:
        span: within one issued passage.
        text: readable text of the span.
        score: comparable within one question only.
    """

    span: Span
    text: str
    score: float


@dataclass(frozen=True, slots=True)
class _Piece:
    """A sentence of a passage, with the position of its first word in the book."""

    span: Span
    first_word: int
    words: tuple[str, ...]


class SentenceChoice:
    """Chooses among the passages issued in one turn."""

    def __init__(self, texts: DocumentTexts, search: PassageSearch, book_words: BookWords) -> None:
        """Keeps what it reads from.

        Args:
            texts: the book's documents.
            search: the book's index.
            book_words: the words of the same book.
        """
        self._texts = texts
        self._search = search
        self._book_words = book_words

    def choose(self, question: str, issued: Sequence[IssuedPassage]) -> tuple[ChosenSentence, ...]:
        """The sentences that answer a question best.

        Args:
            question: as the reader typed it.
            issued: the passages to choose from; only those that are evidence are read, and what
                they do not carry counts as absent, wherever else in the book it stands.

        Returns:
            At most `MOST_SENTENCES`, best first; none if the passages do not speak of the matter.
        """
        asked = self._book_words.read(question, WHOLE_BOOK)
        numbers = self._numbers(one.span for one in issued if one.voice.is_evidence)
        if not self._speaks_of(asked, numbers):
            return ()
        weighed = list({word.stem: word for word in asked if word.weight > 0}.values())
        joining = frozenset(form for word in asked if word.weight == 0 for form in word.forms)
        is_about_one = sum(word.is_subject for word in weighed) <= _FEW_SUBJECTS
        found: dict[str, ChosenSentence] = {}
        for number in _promising(weighed, numbers):
            for piece in self._pieces(number):
                sentence = self._scored(piece, weighed, joining if is_about_one else None)
                same = found.get(" ".join(piece.words))
                if same is None or same.score < sentence.score:
                    found[" ".join(piece.words)] = sentence
        best = heapq.nlargest(MOST_SENTENCES, found.values(), key=lambda one: one.score)
        least = NEXT_SENTENCE_SHARE * best[0].score if best else 0.0
        chosen = [one for one in best if one.score >= least and one.score > 0]
        return tuple(one for one in chosen if _is_within(one.span, issued))

    def outline(self, issued: Sequence[IssuedPassage], count: int) -> tuple[ChosenSentence, ...]:
        """The most telling of the issued sentences from each part of the book, in reading order.

        Args:
            issued: passages of an overview.
            count: how many at most.
        """
        evidence = [one for one in issued if one.voice.is_evidence] or list(issued)
        ordered = sorted({one.span: one for one in evidence}.values(), key=lambda one: one.span)
        count = min(count, len(ordered))
        borders = [round(part * len(ordered) / count) for part in range(count + 1)] if count else []
        vocabulary, passages = self._search.vocabulary, len(self._search.places.spans)
        chosen: list[ChosenSentence] = []
        for first, behind in pairwise(borders):
            part = [
                ChosenSentence(one.span, one.text, _centrality(one.text, vocabulary, passages))
                for one in ordered[first:behind]
            ]
            chosen.append(max(part, key=lambda one: one.score))
        return tuple(chosen)

    def _numbers(self, spans: Iterable[Span]) -> list[int]:
        """The numbers of the passages that hold the beginnings of these spans."""
        known = self._search.places.spans
        numbers: set[int] = set()
        for span in spans:
            behind = Span(span.file_index, span.start + 1, span.start + 1)
            number = bisect_left(known, behind) - 1
            if number >= 0 and known[number].overlaps(span):
                numbers.add(number)
        return sorted(numbers)

    def _speaks_of(self, asked: Sequence[AskedWord], numbers: Sequence[int]) -> bool:
        """Whether the passages carry enough of what is asked about, and near each other."""
        subjects = [word for word in asked if word.is_subject]
        total = sum(word.weight for word in subjects)
        within = set(numbers)
        if not within or total <= 0:
            return False
        apart = self._names_apart(subjects, within)
        absent = [
            word
            for word in subjects
            if word.name_run in apart or not any(self._carries(word, one) for one in within)
        ]
        names = {word.word for word in subjects if word.name_run}
        if names and names <= {word.word for word in absent}:
            return False
        if sum(word.weight for word in absent) > MOST_ABSENT * total:
            return False
        return self._together(subjects, within) >= (1 - MOST_APART) * total

    def _names_apart(self, subjects: Sequence[AskedWord], within: set[int]) -> set[int]:
        """The runs of names whose words are all in the book but never together."""
        apart: set[int] = set()
        for run in {word.name_run for word in subjects if word.name_run}:
            names = [word for word in subjects if word.name_run == run and word.passage_count]
            total = sum(name.weight for name in names)
            if len(names) > 1 and self._together(names, within) < total:
                apart.add(run)
        return apart

    def _together(self, words: Sequence[AskedWord], within: set[int]) -> float:
        """The most weight of these words that three neighbouring passages carry."""
        return max(
            (
                sum(word.weight for word in words if self._stands_near(word, number, within))
                for number in _promising(words, within)
            ),
            default=0.0,
        )

    def _stands_near(self, word: AskedWord, number: int, within: set[int]) -> bool:
        """Whether a word stands in a passage or a neighbour of it, as far as they were issued."""
        around = (near for near in (number, number - 1, number + 1) if near in within)
        return any(self._carries(word, near) for near in around)

    def _carries(self, word: AskedWord, number: int) -> bool:
        if not word.is_common:
            return number in word.per_passage
        places = self._search.places
        text = places.wording[places.first_chars[number] : places.first_chars[number + 1]]
        return any(holds_word(text, form) for form in word.forms)

    def _pieces(self, number: int) -> Iterator[_Piece]:
        """The sentences of a passage; long ones where they could have ended."""
        span = self._search.places.spans[number]
        first_word = self._search.places.first_words[number]
        document = self._texts.document_text(span.file_index)
        for start, end in _split(document.text, span):
            words, _ = index_words(model_text(document.readable(start, end)))
            if words:
                yield _Piece(Span(span.file_index, start, end), first_word, tuple(words))
                first_word += len(words)

    def _scored(
        self, piece: _Piece, weighed: Sequence[AskedWord], joining: frozenset[str] | None
    ) -> ChosenSentence:
        document = self._texts.document_text(piece.span.file_index)
        text = document.readable_span(piece.span)
        carried = set(piece.words)
        score = 0.0
        for word in weighed:
            own = sum(piece.words.count(form) for form in word.forms if form in carried)
            length = 1 - _LENGTH_SHARE + _LENGTH_SHARE * len(piece.words) / _AVERAGE_WORDS
            count = own / length + _around(word, piece.first_word, len(piece.words))
            weight = word.weight**_WEIGHT_POWER
            score += weight * count * (_SATURATION + 1) / (count + _SATURATION)
            if own:
                score += _CARRIED_WEIGHT * weight
        if _ASKS.search(text):
            score *= _QUESTION_SHARE
        asked_forms = {form for word in weighed for form in word.forms}
        if len(carried - asked_forms) < _LEAST_NEWS:
            score *= _NO_NEWS_SHARE
        if joining is not None:
            score *= _about_one(piece.words, asked_forms, joining)
        score *= _KIND_SHARES.get(_kind(document, piece.span.start), 1.0)
        return ChosenSentence(piece.span, text, score)


def _promising(words: Sequence[AskedWord], numbers: Iterable[int]) -> list[int]:
    """The passages worth reading, best first by the words they carry themselves."""
    own = dict.fromkeys(numbers, 0.0)
    for word in words:
        if not word.is_common:
            for number in word.per_passage.keys() & own.keys():
                own[number] += word.weight

    def with_neighbours(number: int) -> float:
        return own[number] + 0.4 * own.get(number - 1, 0.0) + 0.1 * own.get(number + 1, 0.0)

    return heapq.nlargest(
        _PASSAGES_READ, own, key=lambda number: (with_neighbours(number), -number)
    )


def _about_one(words: Sequence[str], subject: set[str], joining: frozenset[str]) -> float:
    """What a sentence is worth for a question about one matter, by how it speaks of it."""
    begin = words[:_EARLY_WORDS]
    if any(one in subject and other in joining for one, other in pairwise(words[: len(begin) + 1])):
        return _SAYING_SHARE
    share = _SHORT_SHARE if len(words) < _SHORT_WORDS else 1.0
    return share * (_EARLY_SHARE if any(word in subject for word in begin) else 1.0)


def _is_within(span: Span, issued: Sequence[IssuedPassage]) -> bool:
    """Whether one issued passage holds the span; nothing else can be cited."""
    return any(passage.span.contains(span) for passage in issued)


def _around(word: AskedWord, first_word: int, count: int) -> float:
    """What occurrences before and after a sentence add, by their distance."""
    behind_word = first_word + count
    positions = word.any_form
    first, behind = bisect_left(positions, first_word), bisect_left(positions, behind_word)
    total = 0.0
    for position in positions[max(0, first - _NEIGHBOURS) : first]:
        total += _FORWARD_WEIGHT * math.exp((position - first_word) / _FORWARD_WORDS)
    for position in positions[behind : behind + _NEIGHBOURS]:
        total += _BACKWARD_WEIGHT * math.exp((behind_word - position) / _BACKWARD_WORDS)
    return total


def _split(text: str, span: Span) -> Iterator[tuple[int, int]]:
    """Start and end of each piece of a passage, without white space at the ends."""
    # A line end of a page is no end of a sentence.
    flowing = _LINE_END.sub(" ", text[span.start : span.end])
    for first, behind in sentences(flowing):
        start, end = span.start + first, span.start + behind
        if end - start > _LONG_CHARS:
            for border in _BORDER.finditer(text, start, end):
                if min(border.start() - start, end - border.end()) >= _LEAST_PIECE_CHARS:
                    yield start, border.start()
                    start = border.end()
        yield start, end


def _kind(document: DocumentText, offset: int) -> BlockKind:
    index = bisect_right(document.blocks, offset, key=lambda block: block.start) - 1
    return document.blocks[index].kind if index >= 0 else BlockKind.OTHER


def _centrality(text: str, vocabulary: Mapping[str, int], passage_count: int) -> float:
    """How much of what the book keeps coming back to a text carries, for its length."""
    words, _ = index_words(text)
    weight = 0.0
    for word in set(words):
        passages = vocabulary.get(word, 0)
        if passages:
            weight += math.log1p(passages) * math.log(max(1.0, passage_count / passages))
    return weight / math.sqrt(len(words) + 10)
