"""Values of an answer in a person's words: places, searches, coverage, how it ended, checks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from app.domain.book import Voice
from app.domain.conversation import AnswerState, QuoteVerdict
from app.domain.provider import BUILT_IN
from app.domain.scope import ScopeKind

if TYPE_CHECKING:
    from app.domain.conversation import Answer, Citation, Coverage, QuoteCheck
    from app.domain.evidence import SearchReport
    from app.domain.provider import ProviderInfo
    from app.domain.scope import Scope


def tr(text: str) -> str:
    """Translates a sentence of the chat."""
    return QCoreApplication.translate("chat", text)


def counted(one: str, many: str, count: int) -> str:
    """Translates a sentence with a count, `%n`; the source language has two forms of it."""
    shown = QCoreApplication.translate("chat", one if count == 1 else many, "", count)
    return shown.replace("%n", str(count))


def place_words(citation: Citation) -> str:
    """Where a citation stands: chapter path, printed page, whose voice it is if not the body's."""
    parts = []
    if citation.contents_path:
        parts.append(" › ".join(citation.contents_path))
    if citation.page_label:
        parts.append(tr("p. {label}").format(label=citation.page_label))
    if citation.voice is not Voice.BODY:
        parts.append(citation.voice.value)
    return " · ".join(parts)


def scope_words(scope: Scope) -> str:
    """A scope as a chooser and a question show it."""
    match scope.kind:
        case ScopeKind.BOOK:
            return tr("Whole book")
        case ScopeKind.READ:
            return tr("What I have read")
        case ScopeKind.SELECTION:
            return tr("The selection")
        case ScopeKind.CHAPTER | ScopeKind.PAGES:
            return scope.label


def searching_words(words: str) -> str:
    """While a search runs."""
    return tr("Searching the book for “{words}”…").format(words=words)


def report_words(report: SearchReport) -> str:
    """What one search found on each rung that ran, zeros included."""
    rungs = report.rungs
    counts = [
        tr(words).format(count=count)
        for words, count in (
            ("exact wording: {count}", rungs.phrase),
            ("all words together: {count}", rungs.all_words),
            ("some of the words: {count}", rungs.most_words),
            ("other forms: {count}", rungs.word_forms),
        )
        if count is not None
    ]
    asked = " ".join(report.words)
    where = "" if report.scope.kind is ScopeKind.BOOK else f" ({scope_words(report.scope)})"
    return f"“{asked}”{where} – {', '.join(counts)}"


def coverage_words(coverage: Coverage) -> str:
    """How much of an answer carries a footnote; "" where it states nothing."""
    if not coverage.sentences:
        return ""
    return tr("{sourced} of {sentences} sentences sourced · checked").format(
        sourced=coverage.sourced, sentences=coverage.sentences
    )


def state_words(state: AnswerState) -> str:
    """How an answer ended, where it did not simply end."""
    match state:
        case AnswerState.COMPLETE:
            return ""
        case AnswerState.STOPPED:
            return tr("Stopped. What was said so far is kept.")
        case AnswerState.CUT:
            return tr("The model reached its limit here; the answer is unfinished.")
        case AnswerState.REFUSED:
            return tr("The model declined to answer.")
        case AnswerState.EMPTY:
            return tr("The model said nothing.")


def quote_words(check: QuoteCheck) -> str:
    """What the check of a quoted wording found."""
    match check.verdict:
        case QuoteVerdict.VERBATIM:
            return tr("“{text}” stands in the book word for word.").format(text=check.text)
        case QuoteVerdict.ALTERED:
            return tr("“{text}” is altered; the book has “{wording}”.").format(
                text=check.text, wording=check.wording
            )
        case QuoteVerdict.ABSENT:
            return tr("“{text}” does not stand in this book.").format(text=check.text)


def detail_lines(answer: Answer) -> list[str]:
    """Everything about an answer that is kept folded: searches, checks, dropped tags, cost."""
    lines = [tr("Searched {what}").format(what=report_words(one)) for one in answer.searches]
    lines += [quote_words(check) for check in answer.quotes]
    if answer.dropped_tags:
        lines.append(
            counted(
                "%n citation of a place that was not read was left out.",
                "%n citations of places that were not read were left out.",
                answer.dropped_tags,
            )
        )
    if answer.evidence:
        lines.append(
            counted(
                "%n passage of the book was read.",
                "%n passages of the book were read.",
                len(answer.evidence),
            )
        )
    if answer.provider:
        who = answer.provider if answer.provider == BUILT_IN else answer.model or answer.provider
        lines.append(tr("Answered by {who}.").format(who=who))
    if answer.usage.requests:
        lines.append(
            tr("{requests} requests, {sent} tokens sent, {received} received.").format(
                requests=answer.usage.requests,
                sent=answer.usage.prompt_tokens,
                received=answer.usage.completion_tokens,
            )
        )
    return lines


def provider_words(provider: ProviderInfo) -> str:
    """A provider as the chooser shows it."""
    if provider.name == BUILT_IN:
        return tr("Built-in · quotes only")
    where = tr("local") if provider.is_on_this_computer else provider.host
    return f"{provider.model or provider.name} · {where}"


def provider_advice(provider: ProviderInfo) -> str:
    """What leaves the machine when this provider answers."""
    if provider.name == BUILT_IN:
        return tr("Answers with sentences of the book. Nothing leaves this computer.")
    if provider.is_on_this_computer:
        return tr("Runs on this computer. Nothing leaves it.")
    return tr("Your question and passages of the book are sent to {host}.").format(
        host=provider.host
    )
