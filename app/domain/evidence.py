"""What a model was given in this turn, and what was searched: the basis of every footnote.

`Ledger` knows which positions were issued; a tag that it did not issue is nothing. It does not
search and does not read books.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.domain.book import Voice
    from app.domain.passage import Passage
    from app.domain.position import Span
    from app.domain.scope import Scope


@dataclass(frozen=True, slots=True)
class IssuedPassage:
    """A passage handed to the model in this turn, with all that a citation of it will say.

    Attributes:
        span: where it stands.
        text: readable text of the span.
        contents_path: titles from the top of the contents down to it.
        voice: whose text it is.
        page_label: printed page, or "" where the edition has none.
    """

    span: Span
    text: str
    contents_path: tuple[str, ...]
    voice: Voice
    page_label: str


@dataclass(frozen=True, slots=True)
class RungCounts:
    """Hits on each rung of the search ladder; None where a rung was not run.

    Attributes:
        phrase: the exact wording.
        all_words: all words near each other.
        most_words: as many words as any place carries.
        word_forms: other forms of the words.
    """

    phrase: int | None = None
    all_words: int | None = None
    most_words: int | None = None
    word_forms: int | None = None


@dataclass(frozen=True, slots=True)
class SearchReport:
    """What one search looked for and found; a search that found nothing is a result.

    Attributes:
        scope: where.
        words: the words searched for, as a person typed them.
        rungs: hits per rung, zeros included.
        words_matched: most words that any one place carries.
        words_asked: words searched for.
    """

    scope: Scope
    words: tuple[str, ...]
    rungs: RungCounts
    words_matched: int
    words_asked: int

    @property
    def found_nothing(self) -> bool:
        """Whether no rung that ran has a hit."""
        counts = (
            self.rungs.phrase,
            self.rungs.all_words,
            self.rungs.most_words,
            self.rungs.word_forms,
        )
        return not any(counts)


class Rung(StrEnum):
    """What a hit carries: a label, never the order of the hits."""

    PHRASE = "phrase"
    ALL_WORDS = "all_words"
    MOST_WORDS = "most_words"
    WORD_FORMS = "word_forms"


@dataclass(frozen=True, slots=True)
class SearchHit:
    """A passage that a search found.

    Attributes:
        passage: the passage; never changed by the search.
        rung: the highest rung it stands on.
        score: larger is better, comparable within one search only.
        is_telling: it carries the exact wording, or a word of the question that is neither grammar
            nor common in the book; without one it only shares words that stand everywhere.
    """

    passage: Passage
    rung: Rung
    score: float
    is_telling: bool = True


@dataclass(frozen=True, slots=True)
class SearchResult:
    """A report and its hits, best first."""

    report: SearchReport
    hits: tuple[SearchHit, ...]


@dataclass(slots=True)
class Ledger:
    """The positions issued in one turn.

    A new turn begins with a new ledger: a tag from another turn is not confirmed.
    """

    _issued: dict[Span, IssuedPassage] = field(default_factory=dict)

    def issue(self, passage: IssuedPassage) -> str:
        """Enters a passage and returns its tag; issuing it again changes nothing."""
        self._issued.setdefault(passage.span, passage)
        return passage.span.tag

    def issue_within(self, span: Span, text: str) -> IssuedPassage:
        """Enters a part of a passage that was issued, such as one sentence of it.

        Raises:
            ValueError: no issued passage contains `span`.
        """
        for passage in self._issued.values():
            if passage.span.contains(span):
                part = IssuedPassage(
                    span, text, passage.contents_path, passage.voice, passage.page_label
                )
                return self._issued.setdefault(span, part)
        raise ValueError(f"{span.tag} lies in no issued passage")

    def confirm(self, span: Span) -> IssuedPassage | None:
        """The passage that was issued with exactly this span, or None."""
        return self._issued.get(span)

    def issued(self) -> tuple[IssuedPassage, ...]:
        """All that was issued, in the order of issue."""
        return tuple(self._issued.values())
