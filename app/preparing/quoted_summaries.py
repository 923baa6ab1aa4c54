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
from itertools import groupby, pairwise
from typing import TYPE_CHECKING

from app.books.model_text import model_text
from app.domain.passage import Summary, SummaryKind
from app.domain.position import Span
from app.storage.search_words import is_unspaced

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from app.books.passages import CutPassage
    from app.domain.document import DocumentText
    from app.domain.passage import Passage

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


def quoted_summaries(
    cuts: Sequence[CutPassage], passages: Sequence[Passage], texts: Mapping[int, DocumentText]
) -> list[Summary]:
    """Quotes each segment's most central sentences.

    Args:
        cuts: all passages of a book as they were cut, in reading order.
        passages: the same passages with their segments.
        texts: documents by file index.

    Returns:
        One summary a segment, in the order of segments; its tags name whole sentences, each within
        one passage. A segment of a single short heading is quoted whole.
    """
    pairs = zip(cuts, passages, strict=True)
    segments = [
        (index, _sentences((cut for cut, _ in group), texts))
        for index, group in groupby(pairs, lambda pair: pair[1].segment_index)
    ]
    spread: Counter[str] = Counter()
    for _, sentences in segments:
        for sentence in sentences:
            spread.update(sentence.words)
    total = sum(len(sentences) for _, sentences in segments)
    # Squared, since a word counts in the sentence and in the centroid of its segment.
    weights = {word: math.log((total + 1) / count) ** 2 for word, count in spread.items()}
    return [
        Summary(index, SummaryKind.QUOTED, *_summary(sentences, weights, texts))
        for index, sentences in segments
    ]


def _sentences(cuts: Iterator[CutPassage], texts: Mapping[int, DocumentText]) -> list[_Sentence]:
    return [
        _Sentence(
            Span(cut.span.file_index, start, end),
            _words(texts[cut.span.file_index].text[start:end]),
            cut.is_heading,
        )
        for cut in cuts
        for start, end in cut.sentences
    ]


def _words(text: str) -> set[str]:
    """Folded words; in writing without spaces every two neighbours."""
    words = set(_WORD.findall(text.casefold()))
    if text.isascii():
        return words
    unspaced = {word for word in words if len(word) > 1 and is_unspaced(word)}
    for word in unspaced:
        words.update(map("".join, pairwise(word)))
    return words - unspaced


def _summary(
    sentences: Sequence[_Sentence], weights: Mapping[str, float], texts: Mapping[int, DocumentText]
) -> tuple[str, str, int, str]:
    """Text, model, prompt version and fingerprint of a segment's summary."""
    _score(sentences, weights)
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
    chosen.sort(key=lambda one: one.span)
    written = [
        f"{text} {sentence.span.tag}"
        for sentence in chosen
        # Text that looks like a tag must not stand beside real ones.
        if not _TAG_LIKE.search(text := _readable(texts, sentence.span))
    ]
    return " ".join(written), "", 0, _fingerprint(sentences, texts)


def _score(sentences: Sequence[_Sentence], weights: Mapping[str, float]) -> None:
    counts: Counter[str] = Counter()
    for sentence in sentences:
        counts.update(sentence.words)
    for position, sentence in enumerate(sentences):
        words = sentence.words
        if sentence.is_heading or not words:
            continue
        shared = norm = 0.0
        for word in words:
            weight = weights[word]
            shared += counts[word] * weight
            norm += weight
        sentence.score = shared / math.sqrt(norm) if norm else 0.0
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


def _readable(texts: Mapping[int, DocumentText], span: Span) -> str:
    return model_text(texts[span.file_index].readable_span(span)).replace("\n", " ")


def _fingerprint(sentences: Sequence[_Sentence], texts: Mapping[int, DocumentText]) -> str:
    """SHA-256 of the segment's canonical sentences, hexadecimal, first 16 characters."""
    digest = hashlib.sha256()
    for sentence in sentences:
        span = sentence.span
        text = texts[span.file_index].text[span.start : span.end]
        digest.update(text.encode("utf-8", "surrogatepass") + b"\n")
    return digest.hexdigest()[:16]
