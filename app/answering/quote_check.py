"""Whether a quoted wording stands in the book: word for word, altered, or not at all.

Absence is proved on the folded wording of the whole book, never guessed; "altered" is a place that
reads nearly the same, and is shown with the book's own words. A check says what stands in the book,
never that a statement is true.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import TYPE_CHECKING

from rapidfuzz import fuzz

from app.books.words import words
from app.domain.conversation import QuoteCheck, QuoteVerdict
from app.domain.evidence import Rung
from app.domain.position import Span, neutralise_tags

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from app.answering.book_access import BookAccess, PassageFinder
    from app.domain.evidence import SearchReport
    from app.domain.scope import Scope

LEAST_WORDS = 5
LEAST_ALIKE = 80.0
"""Similarity of letters, 0 to 100, from which a place counts as the altered wording: one word in
five may differ."""

_MOST_HITS = 40
_MOST_MATCHES = 20
_MOST_QUOTES = 30
_AROUND_CHARS = 400
_LEAST_WINDOWS, _ALIGNED_CHARS = 4, 20_000
"""Windows aligned at least, and characters of the wording times windows beyond that: a wording of
5,000 characters takes 0.6 s a window, and its own place is among the first hits."""
_BESIDE_CHARS = 24  # an alignment is no longer than the wording; the book's own may be
_FOOTNOTE = re.compile(r"\[\^[1-9]\d*\]")
_MARKUP = re.compile(r"\\(?=[\\`*_\[\]<>])|[*_`]+(?=\S)|(?<=\S)[*_`]+")
_PAIRS = (
    ("“", "”"), ("„", "“"), ("„", "”"), ("«", "»"), ("»", "«"), ("「", "」"), ("『", "』"),
    ("‹", "›"), ("›", "‹"), ('"', '"'), ("”", "”"),
)  # fmt: skip
_MOST_QUOTE_CHARS = 2_000
_QUOTED = [
    re.compile(
        ("(?<!\\w)" if first == last else "")
        + f"{re.escape(first)}([^{re.escape(first + last)}\n]{{1,{_MOST_QUOTE_CHARS}}})"
        + re.escape(last)
    )
    for first, last in _PAIRS
]
_BLOCK_QUOTE = re.compile(r"^ {0,3}> ?(.*)$")
_ELLIPSIS = re.compile(r"\s*(?:\[\s*(?:…|\.{3})\s*\]|\(\s*(?:…|\.{3})\s*\)|…|\.{3,4})\s*")


@dataclass(frozen=True, slots=True)
class QuoteMatch:
    """A place that has a wording, or nearly: its span and the book's own words."""

    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class QuoteFinding:
    """What the book says to a wording.

    Attributes:
        text: the wording, as given.
        verdict: word for word, altered, or absent.
        matches: the places, best first; empty if absent.
        difference: for an altered one, the book's words with what differs: `[-given-]{+book+}`.
        searches: what was searched.
    """

    text: str
    verdict: QuoteVerdict
    matches: tuple[QuoteMatch, ...] = ()
    difference: str = ""
    searches: tuple[SearchReport, ...] = ()


def find_wording(
    wording: str, book: BookAccess, search: PassageFinder, scope: Scope
) -> QuoteFinding:
    """Looks a wording up in a scope of the book.

    Args:
        wording: as someone quotes it; an ellipsis in it stands for anything.
        book: the book.
        search: its search.
        scope: where.

    Returns:
        Word for word if every part of it stands there, altered if a place reads nearly the same.
    """
    pieces = [piece for piece in _ELLIPSIS.split(wording) if _letters(piece)[0]]
    findings = [_find_piece(piece, book, search, scope) for piece in pieces]
    if not findings:
        return QuoteFinding(wording, QuoteVerdict.ABSENT)
    searches = tuple(report for one in findings for report in one.searches)
    verdicts = {one.verdict for one in findings}
    for verdict in (QuoteVerdict.ABSENT, QuoteVerdict.ALTERED, QuoteVerdict.VERBATIM):
        if verdict in verdicts:
            break
    matches = () if verdict is QuoteVerdict.ABSENT else tuple(
        match for one in findings for match in one.matches
    )  # fmt: skip
    difference = " … ".join(one.difference or one.text for one in findings)
    return QuoteFinding(
        wording,
        verdict,
        matches,
        difference if verdict is QuoteVerdict.ALTERED else "",
        searches,
    )


def check_quotes(
    markdown: str, book: BookAccess, search: PassageFinder, scope: Scope
) -> tuple[QuoteCheck, ...]:
    """Checks every quoted run of five words or more of an answer."""
    checks = []
    for quote in list(dict.fromkeys(quoted_runs(markdown)))[:_MOST_QUOTES]:
        found = find_wording(quote, book, search, scope)
        match = found.matches[0] if found.matches else None
        is_altered = found.verdict is QuoteVerdict.ALTERED and match is not None
        checks.append(
            QuoteCheck(
                text=neutralise_tags(quote),  # markup is gone that may have parted one
                verdict=found.verdict,
                span=match.span if match else None,
                wording=match.text if match and is_altered else "",
            )
        )
    return tuple(checks)


def quoted_runs(markdown: str) -> Iterator[str]:
    """The quoted runs of an answer that are long enough to check, plain text, in order."""
    text = _MARKUP.sub("", _FOOTNOTE.sub("", markdown))
    found: list[tuple[int, int, str]] = []
    for pattern in _QUOTED:
        found += [(match.start(), match.end(), match[1]) for match in pattern.finditer(text)]
    end = 0
    for start, stop, run in sorted(found, key=lambda one: (one[0], -one[1])):
        if start >= end and _is_long_enough(run):
            yield run.strip()
            end = stop
    block: list[str] = []
    for line in [*text.splitlines(), ""]:
        quoted = _BLOCK_QUOTE.match(line)
        if quoted:
            block.append(quoted[1].strip())
        elif block:
            run = " ".join(block).strip(" \"'“”„«»「」")
            block = []
            if _is_long_enough(run):
                yield run


def _is_long_enough(run: str) -> bool:
    return len(words(run)) >= LEAST_WORDS


def _find_piece(piece: str, book: BookAccess, search: PassageFinder, scope: Scope) -> QuoteFinding:
    result = search.search(piece, scope, limit=_MOST_HITS)
    reports = (result.report,)
    spans = [hit.passage.span for hit in result.hits if hit.rung is Rung.PHRASE]
    exact = [match for span in spans if (match := _exact_match(piece, span, book))]
    matches = tuple(dict.fromkeys(exact or [_match(span, book) for span in spans]))
    if matches:
        return QuoteFinding(piece, QuoteVerdict.VERBATIM, matches[:_MOST_MATCHES], "", reports)
    alike = _most_alike(piece, [hit.passage.span for hit in result.hits], book)
    if alike is None:
        return QuoteFinding(piece, QuoteVerdict.ABSENT, searches=reports)
    start, window = _window(alike, piece, book)
    first, last = _fitted(piece, window, alike.start - start, alike.end - start)
    match = _match(Span(alike.file_index, start + first, start + last), book)
    difference = _difference(piece, match.text)
    if not difference:  # letter for letter the same, only the words are cut differently
        return QuoteFinding(piece, QuoteVerdict.VERBATIM, (match,), searches=reports)
    return QuoteFinding(piece, QuoteVerdict.ALTERED, (match,), difference, reports)


def _match(span: Span, book: BookAccess) -> QuoteMatch:
    return QuoteMatch(span, book.document_text(span.file_index).readable_span(span))


def _letters(text: str) -> tuple[str, list[int]]:
    """The letters and digits of a text, folded, and where each comes from."""
    letters: list[str] = []
    origins: list[int] = []
    for at, character in enumerate(text):
        if character.isascii():
            plain = character.lower() if character.isalnum() else ""
        else:
            plain = "".join(
                one for one in unicodedata.normalize("NFKD", character).casefold() if one.isalnum()
            )
        letters.append(plain)
        origins += [at] * len(plain)
    return "".join(letters), origins


def _window(span: Span, piece: str, book: BookAccess) -> tuple[int, str]:
    """The text around a passage that could hold a wording of this length, and its offset."""
    text = book.document_text(span.file_index).text
    around = len(piece) + _AROUND_CHARS
    start = max(0, span.start - around)
    return start, text[start : span.end + around]


def _exact_match(piece: str, span: Span, book: BookAccess) -> QuoteMatch | None:
    """The place of a wording nearest to where a passage that holds it begins."""
    start, window = _window(span, piece, book)
    wanted, _ = _letters(piece)
    letters, origins = _letters(window)
    places = [found.start() for found in re.finditer(re.escape(wanted), letters)]
    last = len(wanted) - 1
    if not wanted or not places:
        return None
    touching = [
        Span(span.file_index, start + origins[at], start + _end(window, origins[at + last]))
        for at in places
    ]
    best = min(touching, key=lambda one: (not one.overlaps(span), one.start))
    return _match(best, book) if best.overlaps(span) else None


def _end(text: str, at: int) -> int:
    """One past the letter at `at`, with the marks that combine with it."""
    end = at + 1
    while end < len(text) and unicodedata.combining(text[end]):
        end += 1
    return end


def _most_alike(piece: str, spans: Iterable[Span], book: BookAccess) -> Span | None:
    """The place near one of these passages that is most like a wording, if one is like it."""
    best: tuple[float, Span | None] = (0.0, None)
    tried: list[Span] = []
    most = max(_LEAST_WINDOWS, _ALIGNED_CHARS // max(1, len(piece)))
    for span in spans:
        # What could lie about this passage lay within the window of one so near to it.
        if any(
            one.file_index == span.file_index and abs(one.start - span.start) < _AROUND_CHARS // 2
            for one in tried
        ):
            continue
        if len(tried) == most:
            break
        tried.append(span)
        found = _alike(piece, span, book, max(best[0], LEAST_ALIKE))
        if found[0] > best[0]:
            best = found
    return best[1]


def _alike(piece: str, span: Span, book: BookAccess, least: float) -> tuple[float, Span | None]:
    """How alike the best aligned place near a passage is, if at least so much, and that place."""
    start, window = _window(span, piece, book)
    wanted, _ = _letters(piece)
    letters, origins = _letters(window)
    if len(letters) < len(wanted) or not wanted:
        return 0.0, None
    aligned = fuzz.partial_ratio_alignment(wanted, letters, score_cutoff=least)
    if aligned is None or aligned.dest_end <= aligned.dest_start:
        return 0.0, None
    first, last = origins[aligned.dest_start], origins[aligned.dest_end - 1] + 1
    return aligned.score, Span(span.file_index, start + first, start + last)


def _fitted(piece: str, window: str, first: int, last: int) -> tuple[int, int]:
    """The range of whole words about an aligned one that is most like the wording."""
    wanted = _letters(piece)[0]
    places = words(window)
    starts = [start for start, _ in places if abs(start - first) <= _BESIDE_CHARS]
    ends = [end for _, end in places if abs(end - last) <= _BESIDE_CHARS]
    ranges = [(start, end) for start in starts for end in ends if start < end]
    return max(
        ranges,
        key=lambda one: fuzz.ratio(wanted, _letters(window[one[0] : one[1]])[0]),
        default=(first, last),
    )


def _difference(given: str, in_book: str) -> str:
    """The book's words with what differs marked; "" where only case and punctuation differ."""
    ours, theirs = given.split(), in_book.split()
    matcher = SequenceMatcher(
        None,
        [_letters(word)[0] for word in ours],
        [_letters(word)[0] for word in theirs],
        autojunk=False,
    )
    if _letters(given)[0] == _letters(in_book)[0]:
        return ""
    said: list[str] = []
    for kind, first, last, start, end in matcher.get_opcodes():
        if kind == "equal":
            said += theirs[start:end]
            continue
        if first < last:
            said.append(f"[-{' '.join(ours[first:last])}-]")
        if start < end:
            said.append(f"{{+{' '.join(theirs[start:end])}+}}")
    return " ".join(said)
