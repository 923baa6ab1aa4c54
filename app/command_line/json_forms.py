"""The JSON of the command line: public, measured from outside, changed only with a note.

Every `text` is readable text; every offset is a code point of the bare canonical text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from app.answering.quote_check import QuoteFinding
    from app.command_line.self_check import Check
    from app.domain.book import Book
    from app.domain.conversation import Answer, Citation, QuoteCheck
    from app.domain.evidence import SearchHit, SearchReport
    from app.domain.passage import Segment, Summary
    from app.domain.position import Span

Json = dict[str, Any]
Place = tuple[tuple[str, ...], str]


def search_form(report: SearchReport) -> Json:
    """One search: scope, words and counts; a rung that was not run is null."""
    rungs = report.rungs
    return {
        "scope": report.scope.label or report.scope.kind.value,
        "words": " ".join(report.words),
        "rungs": {
            "phrase": rungs.phrase,
            "all_words": rungs.all_words,
            "most_words": rungs.most_words,
            "word_forms": rungs.word_forms,
        },
        "words_matched": report.words_matched,
        "words_asked": report.words_asked,
    }


def citation_form(citation: Citation) -> Json:
    """One footnote."""
    return {
        "number": citation.number,
        "tag": citation.span.tag,
        "file_index": citation.span.file_index,
        "start": citation.span.start,
        "end": citation.span.end,
        "text": citation.text,
        "contents_path": list(citation.contents_path),
        "part": citation.voice.value,
        "page_label": citation.page_label or None,
    }


def quote_form(check: QuoteCheck) -> Json:
    """The check of one quoted run of an answer."""
    return {
        "text": check.text,
        "verdict": check.verdict.value,
        "tag": check.span.tag if check.span else None,
    }


def answer_form(answer: Answer) -> Json:
    """`ask --json`."""
    return {
        "question": answer.question.text,
        "lane": answer.lane.value,
        "state": answer.state.value,
        "answer": answer.markdown,
        "citations": [citation_form(citation) for citation in answer.citations],
        "searches": [search_form(report) for report in answer.searches],
        "evidence": [span.tag for span in answer.evidence],
        "quotes": [quote_form(check) for check in answer.quotes],
        "coverage": {
            "sentences": answer.coverage.sentences,
            "sourced": answer.coverage.sourced,
        },
        "nearest": [citation_form(citation) for citation in answer.nearest],
        "unsourced": answer.unsourced,
        "dropped_tags": answer.dropped_tags,
        "usage": {
            "requests": answer.usage.requests,
            "prompt_tokens": answer.usage.prompt_tokens,
            "completion_tokens": answer.usage.completion_tokens,
        },
        "provider": answer.provider,
        "model": answer.model,
    }


def find_form(
    question: str,
    searches: Sequence[SearchReport],
    hits: Sequence[SearchHit],
    texts: Callable[[Span], str],
    place: Callable[[Span], Place],
) -> Json:
    """`find --json`: reports, then hits best first."""
    rows = []
    for hit in hits:
        span = hit.passage.span
        contents_path, page_label = place(span)
        rows.append(
            {
                "tag": span.tag,
                "file_index": span.file_index,
                "start": span.start,
                "end": span.end,
                "text": texts(span),
                "rung": hit.rung.value,
                "contents_path": list(contents_path),
                "page_label": page_label or None,
            }
        )
    return {
        "question": question,
        "searches": [search_form(report) for report in searches],
        "hits": rows,
    }


def segment_form(segment: Segment, summary: Summary | None) -> Json:
    """One line of `segments --json`."""
    return {
        "id": segment.segment_index,
        "contents_path": list(segment.contents_path),
        "spans": [span.tag for span in segment.spans],
        "length_chars": segment.length_chars,
        "size_bytes": segment.size_bytes,
        "tokens": segment.tokens,
        "part": segment.voice.value,
        "summary": summary.text if summary else "",
        "summary_kind": summary.kind.value if summary else None,
    }


def book_form(book: Book, counts: dict[str, int]) -> Json:
    """`import --json`."""
    return {
        "book_id": book.book_id,
        "title": book.metadata.title,
        "authors": list(book.metadata.authors),
        "language": book.metadata.language,
        "format": book.book_format.value,
        "content_hash": book.content_hash,
        "documents": book.document_count,
        "length_chars": book.length_chars,
        **counts,
        "warnings": list(book.warnings),
    }


def check_form(check: Check) -> Json:
    """One line of `self-check --json`."""
    return {"name": check.name, "ok": check.is_ok, "finding": check.finding}


def quote_answer_form(finding: QuoteFinding, place: Callable[[Span], Place]) -> Json:
    """`quote --json`: the verdict, where the wording stands, and how it differs."""
    matches = []
    for match in finding.matches:
        contents_path, page_label = place(match.span)
        matches.append(
            {
                "tag": match.span.tag,
                "text": match.text,
                "contents_path": list(contents_path),
                "page_label": page_label or None,
            }
        )
    return {
        "text": finding.text,
        "verdict": finding.verdict.value,
        "matches": matches,
        "difference": finding.difference,
        "searches": [search_form(report) for report in finding.searches],
    }
