"""Summaries without a model: the most central sentences of each segment, verbatim, with their tags.

A sentence is central when it shares the words that mark its segment: words frequent there and rare
in the book (cosine with the segment's TF-IDF centroid, as in Radev et al., "Centroid-based
summarization of multiple documents", 2004). Works in any script; nothing is said that the book does
not say. Written summaries take their place when a model is connected.
"""

from __future__ import annotations

import hashlib
import heapq
import math
import re
from collections import Counter
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import TYPE_CHECKING

from app.books.model_text import model_text
from app.domain.passage import Summary, SummaryKind
from app.domain.position import Span
from app.storage.search_words import has_unspaced, is_unspaced

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from app.books.passages import CutPassage
    from app.domain.document import DocumentText

MOST_SENTENCES = 4
MOST_CHARS = 600
"""Of the sentences together, without tags."""

_LEAST_WORDS = 5  # fewer words make no statement, and a cosine favours them
_EASY_CHARS = 250  # longer sentences take the room of others
_CANDIDATES = 12  # the best by score; after them come sentences that say little
_FIRST_BONUS, _LAST_BONUS = 1.25, 1.1  # openings and ends tell what a section is about
_MOST_SHARED = 0.5  # of a sentence's words with one that was chosen: more would repeat it
_WORD = re.compile(
    r"[^\s!-/:-@\[-`{-~\u00a0-\u00a9\u00ab-\u00b4\u00b6-\u00b9\u00bb-\u00bf\u0589\u05be\u060c"
    r"\u061b\u061f\u06d4\u0964\u0965\u2000-\u206f\u3000-\u3004\u3008-\u3020\u30fb\uff01-\uff0f"
    r"\uff1a-\uff20\ufffd]+"
)
_TAG_LIKE = re.compile(r"[\[【［]\s*f\s*\d", re.IGNORECASE)


@dataclass(slots=True)
class _Sentence:
    """A sentence of a segment, or a line of verse or code."""

    span: Span
    words: set[str]
    is_heading: bool
    score: float = 0.0

    @property
    def length(self) -> int:
        return self.span.end - self.span.start


class QuotedSummaries:
    """Quotes the most central sentences of each segment of one book.

    First every passage is added, since what is rare is known only then. In small steps, because a
    large book takes seconds.

    Args:
        texts: documents by file index.
    """

    def __init__(self, texts: Mapping[int, DocumentText]) -> None:
        self._texts = texts
        self._sentences: dict[int, list[_Sentence]] = {}
        self._weights: dict[str, float] = {}

    def add(self, cut: CutPassage, segment_index: int) -> None:
        """Adds a passage; those of one segment come in reading order."""
        text = self._texts[cut.span.file_index].text
        sentences = self._sentences.setdefault(segment_index, [])
        for start, end in cut.sentences:
            words = _words(text[start:end])
            sentences.append(
                _Sentence(Span(cut.span.file_index, start, end), words, cut.is_heading)
            )

    def summary(self, segment_index: int) -> Summary:
        """The summary of a segment, once all passages of the book were added.

        Returns:
            Sentences in reading order, each with its tag and within one passage. A segment of
            nothing but a heading is quoted whole.
        """
        if not self._weights:
            self._weights = _weights(list(chain.from_iterable(self._sentences.values())))
        sentences = self._sentences[segment_index]
        _score(sentences, self._weights)
        written = [
            f"{text} {sentence.span.tag}"
            for sentence in _chosen(sentences)
            # Text that looks like a tag must not stand beside real ones.
            if not _TAG_LIKE.search(text := self._readable(sentence.span))
        ]
        return Summary(
            segment_index,
            SummaryKind.QUOTED,
            " ".join(written),
            fingerprint=self._fingerprint(sentences),
        )

    def _readable(self, span: Span) -> str:
        readable = self._texts[span.file_index].readable_span(span)
        return model_text(readable).replace("\n", " ")

    def _fingerprint(self, sentences: Sequence[_Sentence]) -> str:
        """SHA-256 of the segment's canonical sentences, hexadecimal, first 16 characters."""
        digest = hashlib.sha256()
        for sentence in sentences:
            span = sentence.span
            text = self._texts[span.file_index].text[span.start : span.end]
            digest.update(text.encode("utf-8", "surrogatepass") + b"\n")
        return digest.hexdigest()[:16]


def _words(text: str) -> set[str]:
    """Folded words; in writing without spaces every two neighbours."""
    words = set(_WORD.findall(text.casefold()))
    if text.isascii() or not has_unspaced(text):
        return words
    unspaced = {word for word in words if len(word) > 1 and is_unspaced(word)}
    for word in unspaced:
        words.update(map("".join, pairwise(word)))
    return words - unspaced


def _chosen(sentences: Sequence[_Sentence]) -> list[_Sentence]:
    """The sentences to quote, in reading order."""
    chosen: list[_Sentence] = []
    room = MOST_CHARS
    for sentence in heapq.nlargest(_CANDIDATES, sentences, key=lambda one: one.score):
        if len(chosen) == MOST_SENTENCES:
            break
        is_small = sentence.score <= 0 or len(sentence.words) < _LEAST_WORDS
        if chosen and (is_small or sentence.length > room or _repeats(sentence, chosen)):
            continue
        chosen.append(sentence)
        room -= sentence.length
    return sorted(chosen, key=lambda one: one.span)


def _weights(sentences: Sequence[_Sentence]) -> dict[str, float]:
    """How much each word tells, by how few sentences of the book have it.

    Squared, since a word counts in its sentence and in the centroid of its segment.
    """
    most = len(sentences) + 1
    spread = Counter(chain.from_iterable(sentence.words for sentence in sentences))
    return {word: math.log(most / count) ** 2 for word, count in spread.items()}


def _score(sentences: Sequence[_Sentence], weights: Mapping[str, float]) -> None:
    counts = Counter(chain.from_iterable(sentence.words for sentence in sentences))
    centroid = {word: count * weights[word] for word, count in counts.items()}
    for position, sentence in enumerate(sentences):
        words = sentence.words
        if sentence.is_heading or not words:
            continue
        norm = math.sqrt(sum(map(weights.__getitem__, words)))
        sentence.score = sum(map(centroid.__getitem__, words)) / norm if norm else 0.0
        sentence.score *= min(1.0, len(words) / _LEAST_WORDS) ** 2
        sentence.score *= min(1.0, _EASY_CHARS / sentence.length)
        if position <= 1:
            sentence.score *= _FIRST_BONUS
        elif position == len(sentences) - 1:
            sentence.score *= _LAST_BONUS


def _repeats(sentence: _Sentence, chosen: Sequence[_Sentence]) -> bool:
    return any(
        len(sentence.words & other.words) > _MOST_SHARED * len(sentence.words) for other in chosen
    )
