"""The answers of the command line as a person reads them in a terminal.

Footnotes stand as superscript numbers in the answer and below it with place and source text.
"""

from __future__ import annotations

import re
import textwrap
from typing import TYPE_CHECKING

from app.domain.conversation import AnswerState, Lane, QuoteVerdict

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.answering.quote_check import QuoteFinding
    from app.domain.conversation import Answer, Citation
    from app.domain.evidence import SearchReport
    from app.domain.position import Span

_FOOTNOTE = re.compile(r"\[\^(\d+)\]")
_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_WIDTH = 88
_STATES = {
    AnswerState.STOPPED: "This answer was stopped before its end.",
    AnswerState.CUT: "This answer broke off before its end.",
    AnswerState.REFUSED: "The model refused to answer.",
    AnswerState.EMPTY: "The model gave no answer.",
}
_VERDICTS = {
    QuoteVerdict.VERBATIM: "The book has this wording, word for word.",
    QuoteVerdict.ALTERED: "The book has a wording that is nearly this one.",
    QuoteVerdict.ABSENT: "This wording is not in what was searched.",
}


def answer_text(answer: Answer) -> str:
    """An answer with its footnotes, their places and source texts, and what was searched."""
    blocks = [_FOOTNOTE.sub(lambda found: found[1].translate(_RAISED), answer.markdown).strip()]
    if answer.state in _STATES:
        blocks.append(_STATES[answer.state])
    blocks.extend(_footnote(citation) for citation in answer.citations)
    if answer.nearest:
        blocks.append("Nearest places (not an answer):")
        blocks.extend(_footnote(citation) for citation in answer.nearest)
    if answer.unsourced:
        blocks.append("The model also said this, without a source in the book:")
        blocks.append(_indented(answer.unsourced))
    blocks.append("\n".join(search_line(report) for report in answer.searches))
    if answer.lane is Lane.GROUNDED:
        covered = answer.coverage
        blocks.append(f"{covered.sourced} of {covered.sentences} sentences sourced.")
    if answer.dropped_tags:
        blocks.append(f"{answer.dropped_tags} invented position tags were dropped.")
    return "\n\n".join(block for block in blocks if block)


def search_line(report: SearchReport) -> str:
    """One search in one line: where, what, and how many hits on each rung."""
    rungs = report.rungs
    counts = [
        ("exact wording", rungs.phrase),
        ("all words", rungs.all_words),
        ("most words", rungs.most_words),
        ("word forms", rungs.word_forms),
    ]
    found = ", ".join(f"{name} {count}" for name, count in counts if count is not None)
    where = report.scope.label or "the whole book"
    return f"Searched {where} for “{' '.join(report.words)}”: {found}."


def place_line(contents_path: tuple[str, ...], page_label: str, part: str) -> str:
    """Chapter path, printed page and voice in one line."""
    pieces = [" › ".join(title for title in contents_path if title)]
    if page_label:
        pieces.append(f"p. {page_label}")
    if part and part != "body":
        pieces.append(part)
    return " · ".join(piece for piece in pieces if piece)


def quote_text(finding: QuoteFinding, place: Callable[[Span], tuple[tuple[str, ...], str]]) -> str:
    """Whether a wording stands in the book, where, and how it differs."""
    blocks = [_VERDICTS[finding.verdict]]
    for match in finding.matches:
        contents_path, page_label = place(match.span)
        head = f"{match.span.tag}  {place_line(contents_path, page_label, '')}".rstrip()
        blocks.append(f"{head}\n{_indented(match.text)}")
    if finding.difference:
        blocks.append(f"The difference: {finding.difference}")
    blocks.append("\n".join(search_line(report) for report in finding.searches))
    return "\n\n".join(block for block in blocks if block)


def _footnote(citation: Citation) -> str:
    place = place_line(citation.contents_path, citation.page_label, citation.voice.value)
    head = f"[{citation.number}] {place}  {citation.span.tag}"
    return f"{head}\n{_indented(citation.text)}"


def _indented(text: str) -> str:
    return "\n".join(
        textwrap.fill(line, _WIDTH, initial_indent="    ", subsequent_indent="    ")
        for line in text.splitlines()
        if line.strip()
    )
