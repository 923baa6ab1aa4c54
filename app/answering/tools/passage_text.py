"""Passages as a model is given them: under the headings of the book, each behind its tag."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.domain.book import Voice
from app.domain.position import neutralise_tags

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.answering.tools.tool import Evidence
    from app.domain.evidence import SearchReport
    from app.domain.passage import Passage

_GAP = "(…)"


def passages_text(passages: Sequence[Passage], evidence: Evidence) -> str:
    """Issues passages and writes them in the given order; a gap between two is shown."""
    lines: list[str] = []
    heading = ""
    before: Passage | None = None
    for passage in passages:
        new_heading = heading_text(evidence.book.contents_path(passage.span), passage.voice)
        if new_heading != heading:
            lines += ["", new_heading]
        elif before is not None and not _follows(passage, before, evidence):
            lines.append(_GAP)
        heading, before = new_heading, passage
        lines.append(evidence.issue(passage))
    return "\n".join(lines).strip()


def heading_text(contents_path: Sequence[str], voice: Voice) -> str:
    """The heading over passages: the contents path, and whose words they are if not the body's."""
    path = neutralise_tags(" › ".join(title for title in contents_path if title)) or "(no heading)"
    return f"## {path}" if voice is Voice.BODY else f"## {path} ({voice.value})"


def report_text(report: SearchReport) -> str:
    """What a search did, with its counts, zeros included, in plain words."""
    rungs = report.rungs
    most = f"at most {report.words_matched} of {report.words_asked}"
    counts = [
        ("exact wording", rungs.phrase),
        ("all the words near each other", rungs.all_words),
        (f"some of the words near each other ({most})", rungs.most_words),
        ("only other forms of the words", rungs.word_forms),
    ]
    found = "; ".join(f"{name}: {count}" for name, count in counts if count is not None)
    where = report.scope.label or "the whole book"
    return f"Searched {where} for: {' '.join(report.words)}. Places with {found}."


def _follows(passage: Passage, before: Passage, evidence: Evidence) -> bool:
    """Whether nothing but white space stands between two passages."""
    if passage.span.file_index != before.span.file_index:
        return False
    text = evidence.book.document_text(passage.span.file_index).text
    return not text[before.span.end : passage.span.start].strip()
