"""The tool `get_full_book_segment_summaries`: all of the book in brief, in reading order.

Every segment within the scope is there, if only with its title. What does not fit is cut at whole
tagged units, evenly over the book, and said. A tag in a summary is entered in the ledger if it lies
in its segment; anything else that looks like one is taken out.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from app.answering.context_budget import estimated_tokens
from app.answering.prompts import prompt
from app.answering.segment_choice import TAG_TOKENS
from app.domain.book import Voice
from app.domain.evidence import IssuedPassage
from app.domain.passage import SummaryKind
from app.domain.position import Span, find_tags, neutralise_tags
from app.llm.chat_model import ToolDefinition

if TYPE_CHECKING:
    from collections.abc import Generator, Mapping, Sequence

    from app.answering.tools.tool import Evidence
    from app.domain.conversation import Searching
    from app.domain.passage import Passage, Segment, Summary
    from app.domain.scope import Scope

NAME = "get_full_book_segment_summaries"
_TEXT_TOKENS = 300
_GOLDEN = 0.6180339887
"""Multiples of it, without their whole part, spread evenly over 0 to 1 however many are taken."""

_PASSAGES_IN_PLACE = 2
"""Passages that stand for a segment whose summary says more than the scope may."""


@dataclass(frozen=True, slots=True)
class _Unit:
    """A piece of a summary up to and including its tags."""

    text: str
    spans: tuple[Span, ...]

    @property
    def tokens(self) -> int:
        return estimated_tokens(self.text) + TAG_TOKENS // 2 * len(self.spans)


_Section = tuple["Segment", list[_Unit]]


class FullBookSummaries:
    """Hands over the summaries of all segments."""

    @property
    def definition(self) -> ToolDefinition:
        """Name and description; it takes no argument."""
        return ToolDefinition(
            NAME,
            prompt("tool_full_book_summaries"),
            {"type": "object", "properties": {}, "additionalProperties": False},
        )

    def run(  # noqa: PLR6301 - a `Tool`
        self,
        arguments: Mapping[str, Any],  # noqa: ARG002 - models send some all the same
        evidence: Evidence,
        budget_tokens: int,
    ) -> Generator[Searching, None, str]:
        """Hands over the summaries; see `Tool.run`.

        Yields:
            Nothing: no search runs.

        Returns:
            Headings and summaries with their tags, in reading order.
        """
        yield from ()
        scope = evidence.question.scope
        summaries = evidence.book.summaries()
        segments = [
            (segment, _units(segment, summaries.get(segment.segment_index), evidence))
            for segment in evidence.book.segments()
            if _is_admitted(segment, scope)
        ]
        evidence.is_searched = True
        if not segments:
            return "The part of the book that is asked about holds no text."
        section_count = len(segments)
        segments = _thinned(segments, budget_tokens - _TEXT_TOKENS)
        headings = _headings([segment for segment, _ in segments])
        kept = _kept(headings, [units for _, units in segments], budget_tokens - _TEXT_TOKENS)
        written = sum(
            summary.kind is SummaryKind.WRITTEN
            for segment, _ in segments
            if (summary := summaries.get(segment.segment_index))
        )
        lines = [_introduction(section_count, written, evidence)]
        for (segment, units), count, heading in zip(segments, kept, headings, strict=True):
            lines += [f"\n{heading}"] if heading else []
            lines += [_issued(unit, segment, evidence) for unit in units[:count]]
        cut = sum(count < len(units) for (_, units), count in zip(segments, kept, strict=True))
        if len(segments) < section_count:
            lines += ["", f"Left out to fit: {section_count - len(segments)} sections in between."]
        if cut:
            lines += ["", f"Shortened to fit: the summaries of {cut} of {len(segments)} sections."]
        return "\n".join(lines)


def _headings(segments: Sequence[Segment]) -> list[str]:
    """The heading before each segment: the levels of its contents path that are new; "" if none."""
    headings: list[str] = []
    before: tuple[str, ...] | None = None
    for segment in segments:
        path = tuple(title for title in segment.contents_path if title)
        if path == before:
            headings.append("")
            continue
        shared = 0
        for ours, theirs in zip(path, before or (), strict=False):
            if ours != theirs:
                break
            shared += 1
        first = min(shared, max(0, len(path) - 1))
        lines = [
            f"{'#' * min(6, level + 2)} {neutralise_tags(path[level])}"
            for level in range(first, len(path))
        ] or ["## (no heading)"]
        if segment.voice is not Voice.BODY:
            lines[-1] += f" ({segment.voice.value})"
        headings.append("\n".join(lines))
        before = path
    return headings


def _thinned(segments: list[_Section], budget_tokens: int) -> list[_Section]:
    """Every section, or every second, third… where the headings alone would take half the room."""
    headings = _headings([segment for segment, _ in segments])
    tokens = sum(map(estimated_tokens, headings))
    return segments[:: max(1, -(-2 * tokens // max(1, budget_tokens)))]


def _introduction(count: int, written: int, evidence: Evidence) -> str:
    where = evidence.question.scope.label or "the whole book"
    kind = (
        "All are sentences quoted from the book."
        if not written
        else "All were written by a model from the book."
        if written == count
        else f"{written} were written by a model, {count - written} are quoted from the book."
    )
    return f"Summaries of {where}: {count} sections in reading order. {kind}"


def _is_admitted(segment: Segment, scope: Scope) -> bool:
    """Whether at least a part of a segment lies within the scope."""
    return scope.spans is None or any(
        part.overlaps(span) for part in scope.spans for span in segment.spans
    )


def _units(segment: Segment, summary: Summary | None, evidence: Evidence) -> list[_Unit]:
    """The pieces of a summary that the scope allows; passages where a written one says too much."""
    scope = evidence.question.scope
    is_whole = all(scope.admits(span) for span in segment.spans)
    if summary is None or (not is_whole and summary.kind is SummaryKind.WRITTEN):
        passages = [
            passage
            for passage in evidence.book.passages_of_segment(segment.segment_index)
            if scope.admits(passage.span)
        ]
        return [_passage_unit(passage) for passage in passages[:_PASSAGES_IN_PLACE]]
    units = _cut_units(summary.text, segment)
    if is_whole:
        return units
    return [unit for unit in units if unit.spans and all(map(scope.admits, unit.spans))]


def _passage_unit(passage: Passage) -> _Unit:
    text = f"{neutralise_tags(passage.text)} {passage.span.tag}"
    return _Unit(text, (passage.span,))


def _cut_units(text: str, segment: Segment) -> list[_Unit]:
    """A summary cut behind its tags; tags from elsewhere are taken out."""
    units: list[_Unit] = []
    words, spans, at = "", list[Span](), 0
    for start, end, span in find_tags(text):
        between = text[at:start]
        if between.strip() and spans:
            units.append(_Unit(words.strip(), tuple(spans)))
            words, spans = "", []
        words += neutralise_tags(between)
        if any(part.contains(span) for part in segment.spans):
            words += span.tag
            spans.append(span)
        at = end
    rest = neutralise_tags(text[at:])
    if rest.strip(" \t\n.") and spans:
        units.append(_Unit(words.strip(), tuple(spans)))
        words, spans = "", []
    words += rest
    if words.strip():
        units.append(_Unit(words.strip(), tuple(spans)))
    return units


def _kept(
    headings: Sequence[str], units: Sequence[Sequence[_Unit]], budget_tokens: int
) -> list[int]:
    """How many pieces of each summary fit: one each in turn, so that no part is favoured.

    Where a round does not fit whole, those who still get a piece are spread over the book.
    """
    left = budget_tokens - sum(estimated_tokens(heading) + 1 for heading in headings)
    kept = [0] * len(units)
    waiting = [at for at, pieces in enumerate(units) if pieces]
    while waiting:
        costs = {at: units[at][kept[at]].tokens + 1 for at in waiting}
        fits = sum(costs.values()) <= left
        for at in waiting if fits else sorted(waiting, key=lambda at: at * _GOLDEN % 1):
            if costs[at] <= left:
                left -= costs[at]
                kept[at] += 1
        if not fits:
            break
        waiting = [at for at in waiting if kept[at] < len(units[at])]
    return kept


def _issued(unit: _Unit, segment: Segment, evidence: Evidence) -> str:
    for span in unit.spans:
        passages = evidence.book.passages_in(span)
        evidence.ledger.issue(
            IssuedPassage(
                span=span,
                text=evidence.book.document_text(span.file_index).readable_span(span),
                contents_path=evidence.book.contents_path(span),
                voice=passages[0].voice if passages else segment.voice,
                page_label=evidence.book.page_label(span),
            )
        )
    return unit.text
