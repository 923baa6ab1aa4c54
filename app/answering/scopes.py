"""From the words for a part of a book to its spans: chapter, pages, what has been read, a tag.

A scope holds nothing but whole ranges of canonical text, so that the search can enforce it. What
the words name must be in this book; nothing is guessed.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from app.domain.errors import ScopeUnknown
from app.domain.position import Locator, Span, parse_tag
from app.domain.scope import WHOLE_BOOK, Scope, ScopeKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.domain.book import ContentsEntry, PageLabel, SpineDocument

_FIGURES = r"(?P<{name}>\d+|[ivxlc]+|[一二三四五六七八九十百]+)"
_MOST_DIGITS = 9  # longer runs count no chapters, and `int` refuses those of 4,301
_NUMBERED = re.compile(
    r"\W*(?:(?:chapter|chap\.?|kapitel|chapitre|capítulo|capitulo|capitolo|hoofdstuk|rozdział|глава|"
    r"κεφάλαιο|פרק|الفصل|فصل)\s*" + _FIGURES.format(name="named") + r"(?!\w)"
    r"|第\s*" + _FIGURES.format(name="counted") + r"\s*[章回節节]"
    r"|" + _FIGURES.format(name="bare") + r"\s*(?=$|[.:：,)\]—–、]))",
    re.IGNORECASE,
)
_ROMAN = re.compile(
    r"(?=[ivxlcm])m{0,3}(cm|cd|d?c{0,3})(xc|xl|l?x{0,3})(ix|iv|v?i{0,3})", re.IGNORECASE
)
_ROMAN_VALUES = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100, "d": 500, "m": 1000}
_HAN_DIGITS = {digit: value for value, digit in enumerate("〇一二三四五六七八九")}


def parse_scope(
    words: str,
    documents: Sequence[SpineDocument],
    contents: Sequence[ContentsEntry],
    labels: Sequence[PageLabel],
    reading_position: Locator | None,
) -> Scope:
    """The scope that `book`, `chapter:N`, `pages:A-B`, `read` or a tag names.

    Args:
        words: as on the command line; `chapter:` also takes a title.
        documents: of the book, in raw order.
        contents: its contents, depth first.
        labels: its printed pages; may be empty.
        reading_position: where the reader is, or None.

    Raises:
        ScopeUnknown: the words name no part of this book.
    """
    asked = words.strip()
    kind, _, rest = asked.partition(":")
    match kind.strip().casefold():
        case "book" | "":
            return WHOLE_BOOK
        case "read":
            return read_scope(documents, reading_position)
        case "chapter" if rest.strip():
            return _chapter(asked, rest.strip(), documents, contents)
        case "pages" | "page" if rest.strip():
            return _pages(asked, rest.strip(), documents, labels)
        case _:
            return _tag(asked, documents)


def read_scope(documents: Sequence[SpineDocument], reading_position: Locator | None) -> Scope:
    """What has been read: the reading order up to the position; nothing for a new book."""
    end = reading_position or Locator(0, 0)
    spans = [
        Span(document.file_index, 0, length)
        for document in documents
        if document.is_linear or document.file_index == end.file_index
        if (length := _length_before(document, end)) > 0
    ]
    return Scope(ScopeKind.READ, "what has been read", tuple(spans))


def chapter_scope(
    entry: ContentsEntry, documents: Sequence[SpineDocument], contents: Sequence[ContentsEntry]
) -> Scope:
    """The text under a contents entry, with all that is below it.

    Raises:
        ScopeUnknown: the entry leads nowhere.
    """
    start = _target(entry)
    if start is None:
        start = next(
            (found for child in _below(entry, contents) if (found := _target(child))), None
        )
    if start is None:
        raise ScopeUnknown(f"chapter:{entry.title}", "this line of the contents leads nowhere")
    end = Locator(len(documents), 0)
    after = entry.entry_index + 1 + len(_below(entry, contents))
    for later in contents[after:]:
        target = _target(later)
        if target is not None and target > start:
            end = target
            break
    return Scope(
        ScopeKind.CHAPTER, entry.title or f"chapter {entry.entry_index + 1}",
        _between(start, end, documents),
    )  # fmt: skip


def _chapter(
    asked: str, rest: str, documents: Sequence[SpineDocument], contents: Sequence[ContentsEntry]
) -> Scope:
    if not contents:
        raise ScopeUnknown(asked, "this book has no contents")
    if rest.isdecimal() and len(rest) <= _MOST_DIGITS:
        entry = _numbered(int(rest), contents)
    else:
        wanted = rest.casefold()
        entry = next((one for one in contents if one.title.strip().casefold() == wanted), None)
    if entry is None:
        raise ScopeUnknown(asked, "the contents of this book have no such chapter")
    return chapter_scope(entry, documents, contents)


def _numbered(number: int, contents: Sequence[ContentsEntry]) -> ContentsEntry | None:
    """The entry that bears a number; in contents without numbers, the one in that place."""
    numbered = [(entry, _number_of(entry.title)) for entry in contents]
    if any(found is not None for _, found in numbered):
        return next((entry for entry, found in numbered if found == number), None)
    depths = [entry.depth for entry in contents]
    usual = max(set(depths), key=lambda depth: (depths.count(depth), -depth))
    level = [entry for entry in contents if entry.depth == usual]
    return level[number - 1] if 0 < number <= len(level) else None


def _number_of(title: str) -> int | None:
    """The number that a title begins with, in Arabic, Roman or Han figures."""
    found = _NUMBERED.match(title)
    if found is None:
        return None
    figures = found["named"] or found["counted"] or found["bare"]
    if figures.isdecimal():
        return int(figures) if len(figures) <= _MOST_DIGITS else None
    if _ROMAN.fullmatch(figures):
        values = [_ROMAN_VALUES[letter] for letter in figures.casefold()]
        following = [*values[1:], 0]
        return sum(
            -value if value < after else value
            for value, after in zip(values, following, strict=True)
        )
    return _han_number(figures)


def _han_number(figures: str) -> int | None:
    total, digit = 0, 0
    for character in figures:
        if character in _HAN_DIGITS:
            digit = _HAN_DIGITS[character]
        elif character in "十百":
            total += (digit or 1) * (10 if character == "十" else 100)
            digit = 0
        else:
            return None
    return total + digit


def _pages(
    asked: str, rest: str, documents: Sequence[SpineDocument], labels: Sequence[PageLabel]
) -> Scope:
    if not labels:
        raise ScopeUnknown(asked, "this edition has no printed page numbers")
    first, last = _page_range(asked, rest, labels)
    ordered = sorted(labels, key=lambda label: (label.file_index, label.start))
    places = [label.label.strip().casefold() for label in ordered]
    begin = places.index(first.casefold())
    final = len(places) - 1 - places[::-1].index(last.casefold())
    if final < begin:
        raise ScopeUnknown(asked, "the last page comes before the first")
    start = Locator(ordered[begin].file_index, ordered[begin].start)
    end = (
        Locator(ordered[final + 1].file_index, ordered[final + 1].start)
        if final + 1 < len(ordered)
        else Locator(len(documents), 0)
    )
    label = f"page {first}" if first == last else f"pages {first}-{last}"
    return Scope(ScopeKind.PAGES, label, _between(start, end, documents))


def _page_range(asked: str, rest: str, labels: Sequence[PageLabel]) -> tuple[str, str]:
    """The two labels of a range; a label may itself hold a hyphen, such as A-3.

    Raises:
        ScopeUnknown: the labels are not in this edition.
    """
    known = {label.label.strip().casefold() for label in labels}
    if rest.casefold() in known:
        return rest, rest
    for dash in re.finditer("[-–]", rest):
        first, last = rest[: dash.start()].strip(), rest[dash.end() :].strip()
        if first.casefold() in known and last.casefold() in known:
            return first, last
    raise ScopeUnknown(asked, "this edition has no such printed pages")


def _tag(asked: str, documents: Sequence[SpineDocument]) -> Scope:
    try:
        span = parse_tag(asked)
    except ValueError as error:
        reason = "a scope is book, chapter:N, pages:A-B, read or a tag such as [f5-10-42]"
        raise ScopeUnknown(asked, reason) from error
    if span.file_index >= len(documents) or span.end > documents[span.file_index].length_chars:
        raise ScopeUnknown(asked, "the tag lies outside this book")
    return Scope(ScopeKind.SELECTION, "the selection", (span,))


def _target(entry: ContentsEntry) -> Locator | None:
    return None if entry.file_index is None else Locator(entry.file_index, entry.start or 0)


def _below(entry: ContentsEntry, contents: Sequence[ContentsEntry]) -> list[ContentsEntry]:
    below = []
    for later in contents[entry.entry_index + 1 :]:
        if later.depth <= entry.depth:
            break
        below.append(later)
    return below


def _length_before(document: SpineDocument, end: Locator) -> int:
    if document.file_index < end.file_index:
        return document.length_chars
    return min(end.offset, document.length_chars) if document.file_index == end.file_index else 0


def _between(start: Locator, end: Locator, documents: Sequence[SpineDocument]) -> tuple[Span, ...]:
    spans = []
    for document in documents[start.file_index :]:
        first = start.offset if document.file_index == start.file_index else 0
        last = _length_before(document, end)
        if last > first:
            spans.append(Span(document.file_index, first, last))
    return tuple(spans)
