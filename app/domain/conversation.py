"""Questions and answers as values, and the events of an answer while it is made.

Only confirmed citations exist here: a `Citation` is made from the ledger,
never from a model's text.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from app.domain.scope import WHOLE_BOOK, Scope

if TYPE_CHECKING:
    from app.domain.book import Voice
    from app.domain.evidence import SearchReport
    from app.domain.position import Span


class Lane(StrEnum):
    """What kind of answer this is, decided by facts."""

    GROUNDED = "grounded"
    NOT_FOUND = "not_found"
    NOT_ABOUT_BOOK = "not_about_book"


class AnswerState(StrEnum):
    """How an answer ended."""

    COMPLETE = "complete"
    STOPPED = "stopped"
    CUT = "cut"
    REFUSED = "refused"
    EMPTY = "empty"


@dataclass(frozen=True, slots=True)
class Question:
    """What a reader asked, and of which part of the book."""

    text: str
    scope: Scope = WHOLE_BOOK


@dataclass(frozen=True, slots=True)
class Citation:
    """A footnote.

    Attributes:
        number: 1-based; the same span cited twice has one number.
        span: the cited place.
        text: readable text of the span.
        contents_path: titles from the top of the contents down to it.
        voice: whose text it is.
        page_label: printed page, or "".
    """

    number: int
    span: Span
    text: str
    contents_path: tuple[str, ...]
    voice: Voice
    page_label: str


class QuoteVerdict(StrEnum):
    """Whether a quoted wording stands in the book."""

    VERBATIM = "verbatim"
    ALTERED = "altered"
    ABSENT = "absent"


@dataclass(frozen=True, slots=True)
class QuoteCheck:
    """The check of one quoted run of an answer.

    Attributes:
        text: as quoted.
        verdict: what the book says to it.
        span: where it (or the altered wording) stands, or None.
        wording: the book's own words for an altered one, else "".
    """

    text: str
    verdict: QuoteVerdict
    span: Span | None = None
    wording: str = ""


@dataclass(frozen=True, slots=True)
class Coverage:
    """How many sentences that state something carry a footnote."""

    sentences: int
    sourced: int


@dataclass(frozen=True, slots=True)
class TokenUsage:
    """What an answer cost: requests made, tokens as the server counted or we estimated them."""

    requests: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0


@dataclass(frozen=True, slots=True)
class Answer:
    """A finished or ended answer.

    Attributes:
        question: what was asked.
        lane: grounded, searched and not found, or not about the book.
        state: how it ended.
        markdown: text with footnotes as `[^n]`, n a number in `citations`.
        citations: confirmed footnotes, by number.
        searches: every search that ran, in order.
        evidence: every span issued to the model, in order of issue.
        quotes: checks of quoted wordings.
        coverage: sentences sourced.
        dropped_tags: position tags in the model's text that were not issued.
        unsourced: a model's own words, folded away, where it cited nothing; else "".
        nearest: nearest places of a not-found, never support; else empty.
        usage: requests and tokens.
        provider: which provider answered.
        model: which model answered.
    """

    question: Question
    lane: Lane
    state: AnswerState
    markdown: str
    citations: tuple[Citation, ...] = ()
    searches: tuple[SearchReport, ...] = ()
    evidence: tuple[Span, ...] = ()
    quotes: tuple[QuoteCheck, ...] = ()
    coverage: Coverage = field(default=Coverage(0, 0))
    dropped_tags: int = 0
    unsourced: str = ""
    nearest: tuple[Citation, ...] = ()
    usage: TokenUsage = field(default=TokenUsage())
    provider: str = ""
    model: str = ""


@dataclass(frozen=True, slots=True)
class Searching:
    """Event: a search began (`report` None) or ended."""

    words: str
    report: SearchReport | None = None


@dataclass(frozen=True, slots=True)
class AnswerText:
    """Event: confirmed text to append to the answer (Markdown, never holding a tag)."""

    text: str


@dataclass(frozen=True, slots=True)
class AnswerCitation:
    """Event: a footnote stands here; the first event with a number introduces it."""

    citation: Citation


AnswerEvent = Searching | AnswerText | AnswerCitation
