"""The units of a book: passages carry a tag, segments are summarised and chosen.

Plain values; cutting is done in `app.passages` and `app.segments` of the books package.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.domain.book import Voice
    from app.domain.position import Span


@dataclass(frozen=True, slots=True)
class Passage:
    """One to three sentences of one block: the unit that carries a position tag.

    Attributes:
        span: where it stands, in bare canonical text.
        text: readable and normalised text: what index and models are given.
        voice: whose text it is.
        segment_index: the segment it belongs to.
    """

    span: Span
    text: str
    voice: Voice
    segment_index: int


@dataclass(frozen=True, slots=True)
class Segment:
    """A stretch of a book that follows its contents: the unit of summaries and of choice.

    Attributes:
        segment_index: 0-based in reading order; the id that a model is shown.
        contents_path: titles from the top of the contents down to this segment.
        spans: its ranges in reading order, at most one per document.
        length_chars: code points of readable text.
        size_bytes: UTF-8 bytes of readable text.
        tokens: estimated tokens of readable text.
        voice: the voice of most of its text.
    """

    segment_index: int
    contents_path: tuple[str, ...]
    spans: tuple[Span, ...]
    length_chars: int
    size_bytes: int
    tokens: int
    voice: Voice

    @property
    def title(self) -> str:
        """The last line of the contents path, or ""."""
        return self.contents_path[-1] if self.contents_path else ""


class SummaryKind(StrEnum):
    """Where the words of a summary come from."""

    QUOTED = "quoted"
    WRITTEN = "written"


@dataclass(frozen=True, slots=True)
class Summary:
    """A summary of one segment.

    Attributes:
        segment_index: which segment.
        kind: quoted (the book's own sentences) or written (by a model).
        text: with position tags in canonical form.
        model: the model's name for a written one, else "".
        prompt_version: version of the prompt for a written one, else 0.
        fingerprint: of the segment's text when it was made.
    """

    segment_index: int
    kind: SummaryKind
    text: str
    model: str = ""
    prompt_version: int = 0
    fingerprint: str = ""
