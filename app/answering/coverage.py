"""How many sentences of an answer carry a footnote: a count, not a judgement of support.

A sentence counts if it states something: headings, questions, code and lines that only lead in
("It lists three reasons:") do not, unless they carry a footnote. A footnote behind the full stop
belongs to the sentence before.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from app.books.words import sentences, words
from app.domain.conversation import Coverage

_FOOTNOTE = re.compile(r"\[\^[1-9]\d*\]")
_MARK = "\ue000"
_FENCED = re.compile(r"^ {0,3}(```+|~~~+).*?(?:^ {0,3}\1[`~]*\s*$|\Z)", re.MULTILINE | re.DOTALL)
_HEADING = re.compile(r"^\s{0,3}#{1,6}\s")
_LINE_MARKS = re.compile(r"^[\s>]*(?:[-*+]\s+|\d{1,3}[.)]\s+)?(?:\[[ xX]\]\s+)?")
_TABLE_RULE = re.compile(r"^[\s|:-]+$")
_BEHIND_STOP = re.compile(rf"([.!?…。！？]+[\"'”’»)」』）*_]*)((?:\s*{_MARK})+)")
_ASKS = re.compile(r"[?？؟][\"'”’»)」』）*_\s]*$")
_LEADS_IN = re.compile(r"[:：][*_\s]*$")
_LEAST_WORDS = 2


@dataclass(frozen=True, slots=True)
class StatedSentence:
    """A sentence of an answer that states something.

    Attributes:
        text: without footnotes and line marks.
        is_sourced: it carries a footnote.
    """

    text: str
    is_sourced: bool


def stated_sentences(markdown: str) -> list[StatedSentence]:
    """The sentences of an answer that state something, in order."""
    stated: list[StatedSentence] = []
    text = _FENCED.sub("", _FOOTNOTE.sub(_MARK, markdown))
    for line in text.splitlines():
        if _HEADING.match(line) or _TABLE_RULE.match(line):
            continue
        bare = _LINE_MARKS.sub("", line, count=1)
        moved = _BEHIND_STOP.sub(lambda found: found[2].replace(" ", "") + found[1], bare)
        for start, end in sentences(moved):
            sentence = moved[start:end]
            plain = sentence.replace(_MARK, "").strip()
            if not plain.strip("*_|") and _MARK in sentence and stated:
                stated[-1] = StatedSentence(stated[-1].text, is_sourced=True)
            elif _states(plain) or (_MARK in sentence and words(plain)):
                stated.append(StatedSentence(plain, is_sourced=_MARK in sentence))
    return stated


def coverage(markdown: str) -> Coverage:
    """How many sentences state something, and how many of them carry a footnote."""
    stated = stated_sentences(markdown)
    return Coverage(len(stated), sum(sentence.is_sourced for sentence in stated))


def _states(sentence: str) -> bool:
    if _ASKS.search(sentence) or _LEADS_IN.search(sentence):
        return False
    return len(words(sentence)) >= _LEAST_WORDS
