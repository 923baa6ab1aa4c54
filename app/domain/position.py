"""Places in a book, and the one grammar of position tags.

A place is counted in Unicode code points of a document's canonical text, end exclusive. The tag
`[f5-10-42]` names document 5 (0-based spine or page index), code points 10 to 42. This module is
the only one that knows how a tag is written and read; it does not know whether a tag was issued
(that is `app.domain.evidence.Ledger`) nor what stands there.

`parse_tag` reads the canonical form and nothing else. `read_tags` reads what language models really
write: other brackets, dashes, digits and spaces, several tags in one bracket, code marks, links.
Typography is forgiven, numbers never are: a tag with two parts, four parts, leading zeros or stray
letters is malformed, and a hyphen never means a range.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_TAG = re.compile(r"\[f(0|[1-9]\d{0,6})-(0|[1-9]\d{0,9})-([1-9]\d{0,9})\]", re.ASCII)
_CANONICAL_NUMBER = re.compile(r"0|[1-9][0-9]{0,9}")

# Soft hyphens, zero-width and direction marks, variation selectors: nobody sees them.
_UNSEEN = "\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufe0e\ufe0f\ufeff"
_DASH = "[-\u2010-\u2015\u2043\u2212\ufe58\ufe63\uff0d]"
_LETTER = "[fF\uff26\uff46]"
_NUMBER = rf"(\d[\d{_UNSEEN}]*)"
_MOST_SPACES = 12  # a tag broken over indented lines still is one; a column of numbers is not
_GAP_CHARACTERS = rf"[\s\\{_UNSEEN}]"
_LOOSE_GAP = rf"{_GAP_CHARACTERS}{{0,{_MOST_SPACES}}}"
_OPENERS = r"\[【［〔〖〚⟦({（<"
_CLOSERS = r"\]】］〕〗〛⟧)}）>"

_OPENER = re.compile(rf"\\{{0,2}}[{_OPENERS}]\^?")
_CLOSER = re.compile(rf"\\{{0,2}}[{_CLOSERS}]")
_WRAP = re.compile(r"`{1,3}|\*{1,3}")
_GAP = re.compile(_LOOSE_GAP)
_SEPARATOR = re.compile(rf"[,;、，；&+|]|{_DASH}(?={_LOOSE_GAP}[{_OPENERS}fF\uff26\uff46])")
_ABBREVIATED = re.compile(rf"\d(?:[\d{_UNSEEN}]|{_DASH})*")
_JUNK = re.compile(rf"(?:[0-9A-Za-z_]|{_DASH}(?=\d))*")
_DASH_AND_GAP = re.compile(rf"{_DASH}{_LOOSE_GAP}\Z")
_ENDS_IN_DASH = re.compile(rf"{_DASH}\Z")
_LEFT_WRAP = (
    r"(?<![^\s(\[{<\"'“‘„«「—–])[`*](?!\s)"  # where one opens; else it may close a code span
)
_START = re.compile(
    rf"\\{{0,2}}[{_OPENERS}]|{_LEFT_WRAP}|\\{{1,2}}\Z|(?<![0-9A-Za-z_]){_LETTER}(?=\Z|[\d\s{_UNSEEN}\\])"
)
_STARTERS = re.compile(rf"\\{{0,2}}[{_OPENERS}]|{_LEFT_WRAP}|[\\fF\uff26\uff46]")
_JOIN = re.compile(r"[ \t\u00a0]{0,4}[,;、，；]?[ \t\u00a0]{0,4}")
_DESTINATION = re.compile(r"\([^\s()]{0,300}\)")
_DESTINATION_BEGUN = re.compile(r"\([^\s()]{0,300}\Z")
_FOREIGN_MARK = re.compile(r"\\{0,2}[\[【［]\^\s{0,4}\d{1,9}\s{0,4}\\{0,2}[\]】］]")
_FOREIGN_MARK_BEGUN = re.compile(r"\\{0,2}[\[【［]\^\s{0,4}(?:\d{1,9}\s{0,4}\\{0,2})?\Z")
_TAG_BEGUN = re.compile(rf"{_LETTER}(?:{_LOOSE_GAP}\d|\Z)")
_MOST_DEPTH = 3


_SEAM = _LOOSE_GAP + _DASH + _LOOSE_GAP
_WHOLE = re.compile(_LETTER + _LOOSE_GAP + _SEAM.join([_NUMBER] * 3))
_TWO_PARTS = re.compile(
    rf"{_LETTER}{_LOOSE_GAP}{_NUMBER}{_SEAM}{_NUMBER}(?:[0-9A-Za-z_{_UNSEEN}]|{_DASH})*"
)
_CUT_AT_THIRD = re.compile(rf"{_LETTER}{_LOOSE_GAP}{_NUMBER}{_SEAM}{_NUMBER}{_LOOSE_GAP}{_DASH}\Z")


def _begun(parts: list[str]) -> str:
    """A pattern for every beginning of the parts that reaches the end of the text."""
    pattern = ""
    for part in reversed(parts[1:]):
        pattern = f"(?:{part}{pattern})?"
    return parts[0] + pattern + r"\Z"


_BEGUN = re.compile(
    _begun([_LETTER, _LOOSE_GAP, *[_NUMBER, _LOOSE_GAP, _DASH, _LOOSE_GAP] * 2, _NUMBER])
)
_ENDS_IN_BEGUN = re.compile(rf"(?<![0-9A-Za-z_]){_BEGUN.pattern}")
_GOES_ON = re.compile(rf"(?P<gap>{_GAP_CHARACTERS}*)(?:\d|{_DASH}|(?P<open>\Z))")
_TAG_LIKE = re.compile(rf"(?<![0-9A-Za-z_]){_WHOLE.pattern}")
_DASHES = re.compile(_SEAM)
_ANY_DASH = re.compile(_DASH)


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A range of one document's canonical text.

    Attributes:
        file_index: 0-based spine index (EPUB) or page index (PDF).
        start: first code point.
        end: one past the last code point; greater than `start`.
    """

    file_index: int
    start: int
    end: int

    @property
    def tag(self) -> str:
        """The position tag, such as `[f5-10-42]`."""
        return f"[f{self.file_index}-{self.start}-{self.end}]"

    def contains(self, other: Span) -> bool:
        """Whether `other` lies within this span."""
        return (
            self.file_index == other.file_index
            and self.start <= other.start
            and other.end <= self.end
        )

    def overlaps(self, other: Span) -> bool:
        """Whether the two spans share at least one code point."""
        return (
            self.file_index == other.file_index
            and self.start < other.end
            and other.start < self.end
        )


@dataclass(frozen=True, slots=True, order=True)
class Locator:
    """A point in a book: a document and an offset in code points."""

    file_index: int
    offset: int


@dataclass(frozen=True, slots=True)
class TagReading:
    """What stands at a place where a tag might begin.

    Attributes:
        end: one past what was read; where reading began, if there is no tag.
        spans: the tags, in order.
        malformed: things written like a tag that are none, and footnote marks of the writer's own.
    """

    end: int
    spans: tuple[Span, ...] = ()
    malformed: int = 0


def parse_tag(text: str) -> Span:
    """Reads a tag in its canonical form, and nothing else.

    Raises:
        ValueError: the text is not one canonical tag, or its end does not follow its start.
    """
    found = _TAG.fullmatch(text.strip())
    if found is None:
        raise ValueError(f"not a position tag: {text!r}")
    span = Span(*(int(number) for number in found.groups()))
    if span.end <= span.start:
        raise ValueError(f"an empty or backward position tag: {text!r}")
    return span


def find_tags(text: str) -> list[tuple[int, int, Span]]:
    """Every canonical tag of a text of our own: where it begins and ends in it, and its span."""
    found = []
    for match in _TAG.finditer(text):
        span = Span(*(int(number) for number in match.groups()))
        if span.end > span.start:
            found.append((match.start(), match.end(), span))
    return found


def find_tag_start(text: str, at: int) -> int:
    """Where from `at` on a tag might begin, or the length of the text."""
    found = _START.search(text, at)
    return found.start() if found else len(text)


def read_tags(text: str, at: int, *, is_final: bool) -> TagReading | None:
    """Reads the tag or tags that begin at `at`, as models write them.

    Tags that follow one another, with or without a comma, are read together. Time and look-ahead
    are bounded by a few hundred characters, whatever the text.

    Args:
        text: what has come so far.
        at: a place that `find_tag_start` gave.
        is_final: nothing follows `text`; a tag that it cuts off is malformed.

    Returns:
        The reading, or None where more text must come before it is known.
    """
    first = _read_group(text, at, is_final=is_final)
    if first is None or first.end == at:
        return first
    spans, malformed, end = list(first.spans), first.malformed, first.end
    while True:
        joined = _JOIN.match(text, end)
        following = joined.end() if joined else end
        if following >= len(text):
            return TagReading(end, tuple(spans), malformed) if is_final else None
        if not _STARTERS.match(text, following):
            break
        group = _read_group(text, following, is_final=is_final)
        if group is None:
            return None
        if group.end == following:
            break
        spans += group.spans
        malformed += group.malformed
        end = group.end
    return TagReading(end, tuple(spans), malformed)


def reads_as_tag(text: str) -> bool:
    """Whether a person would read a position tag in a text; what has passed the gate has none."""
    return _TAG_LIKE.search(text) is not None


def tag_dashes(text: str) -> list[int]:
    """Where the dashes of all that reads as a position tag stand; without them nothing does."""
    return [
        tag.start() + dash.start()
        for tag in _TAG_LIKE.finditer(text)
        for dash in _ANY_DASH.finditer(tag[0])
    ]


def where_it_joins(before: str, after: str) -> int | None:
    """Where a text that something was cut out of goes on as a tag across the cut.

    Args:
        before: what stands before the cut.
        after: what follows it, as far as it has come.

    Returns:
        An offset in `after`, or None where no tag goes on; the length of `after` where that is
        not known yet.
    """
    found = _GOES_ON.match(after)
    if found is None or not _ENDS_IN_BEGUN.search(before + found["gap"]):
        return None
    return len(after) if found["open"] is not None else found.end("gap")


def neutralise_tags(text: str) -> str:
    """Text of a book, with what looks like a position tag rewritten so that it is none.

    The dashes become slashes: `[f5-10-42]` becomes `[f5/10/42]`.
    """
    return _TAG_LIKE.sub(lambda found: _DASHES.sub("/", found[0]), text)


def _read_group(text: str, at: int, *, is_final: bool) -> TagReading | None:
    """A bracket (or code mark, or emphasis) with nothing in it but tags, or one bare tag."""
    if not _OPENER.match(text, at) and text[at] not in "`*\\":
        bare = _read_item(text, at, is_bare=True, is_final=is_final)
        if bare is None:
            return None
        end, span = bare
        if end == at:
            return TagReading(at)
        return TagReading(end, (span,) if span else (), 0 if span else 1)
    if foreign := _FOREIGN_MARK.match(text, at):
        return TagReading(foreign.end(), (), 1)
    if not is_final and _FOREIGN_MARK_BEGUN.match(text, at):
        return None
    group = _Group(text, at, is_final=is_final)
    return group.read()


class _Group:
    """Reads one bracketed group by walking its marks and items; see `_read_group`."""

    def __init__(self, text: str, at: int, *, is_final: bool) -> None:
        self._text = text
        self._start = self._at = at
        self._is_final = is_final
        self._open: list[str] = []
        self._spans: list[Span] = []
        self._malformed = 0

    def read(self) -> TagReading | None:
        text = self._text
        while True:
            if self._open:
                gap = _GAP.match(text, self._at)
                self._at = gap.end() if gap else self._at
            if self._at >= len(text):
                return self._cut_off()
            step = self._mark() if self._at_mark() else self._content()
            if step is None:
                return self._cut_off()
            if not step:
                return TagReading(self._start)
            if not self._open:
                return self._closed()

    def _at_mark(self) -> bool:
        return bool(
            self._text[self._at] in "`*\\"
            or _OPENER.match(self._text, self._at)
            or _CLOSER.match(self._text, self._at)
        )

    def _mark(self) -> bool | None:
        """Takes an opening or closing mark; False where it does not fit, None where it is cut."""
        text, at = self._text, self._at
        if wrap := _WRAP.match(text, at):
            return self._wrap(wrap)
        if opener := _OPENER.match(text, at):
            self._at = opener.end()
            return self._push(opener[0])
        if closer := _CLOSER.match(text, at):
            self._at = closer.end()
            return bool(self._open) and self._open.pop()[0] not in "`*"
        return None if at + 2 >= len(text) and not self._is_final else False

    def _wrap(self, wrap: re.Match[str]) -> bool | None:
        if wrap.end() == len(self._text) and not self._is_final:
            return None
        self._at = wrap.end()
        if self._open and self._open[-1] == wrap[0]:
            self._open.pop()
            return True
        if self._at < len(self._text) and self._text[self._at].isspace():
            return False
        return self._push(wrap[0])

    def _push(self, mark: str) -> bool:
        self._open.append(mark)
        return len(self._open) <= _MOST_DEPTH

    def _content(self) -> bool | None:
        """Takes a tag or what separates two; False where anything else stands."""
        text, at = self._text, self._at
        has_item = bool(self._spans or self._malformed)
        if has_item and (separator := _SEPARATOR.match(text, at)):
            self._at = separator.end()
            return True
        item: tuple[int, Span | None] | None
        if has_item and (shortened := _ABBREVIATED.match(text, at)):
            item = shortened.end(), None
        else:
            item = _read_item(text, at, is_bare=False, is_final=self._is_final)
        if item is None or item[0] == len(text):
            return None
        end, span = item
        if end == at:
            is_open = has_item and not self._is_final and _DASH_AND_GAP.match(text, at)
            return None if is_open else False
        self._at = end
        if span:
            self._spans.append(span)
        else:
            self._malformed += 1
        return True

    def _cut_off(self) -> TagReading | None:
        if not self._is_final:
            return None
        has_tag = self._spans or self._malformed or _TAG_BEGUN.match(self._text, self._at)
        has_bracket = any(mark[0] not in "`*" for mark in self._open)
        if not has_bracket or not has_tag:
            return TagReading(self._start)
        return TagReading(len(self._text), tuple(self._spans), self._malformed + 1)

    def _closed(self) -> TagReading | None:
        text, end = self._text, self._at
        if not (self._spans or self._malformed):
            return TagReading(self._start)
        if destination := _DESTINATION.match(text, end):
            if not _WHOLE.match(text, end + 1):
                end = destination.end()
        elif not self._is_final and _DESTINATION_BEGUN.match(text, end):
            return None
        return TagReading(end, tuple(self._spans), self._malformed)


def _read_item(
    text: str, at: int, *, is_bare: bool, is_final: bool
) -> tuple[int, Span | None] | None:
    """One tag without its brackets.

    Returns:
        Its end and its span, None for a malformed one; `at` where there is none; None where more
        text must come, or where the end of the text cuts it off inside a bracket.
    """
    whole = _WHOLE.match(text, at)
    if whole is None:
        if not (is_bare and is_final) and _BEGUN.match(text, at):
            return None
        near = _CUT_AT_THIRD.match(text, at) if is_bare else _TWO_PARTS.match(text, at)
        if near is None:
            return at, None
        return None if near.end() == len(text) and not is_final else (near.end(), None)
    junk = _JUNK.match(text, whole.end())
    end = junk.end() if junk else whole.end()
    if not is_final and (end == len(text) or _ENDS_IN_DASH.match(text, end)):
        return None
    return end, (_span(whole.groups()) if end == whole.end() else None)


def _span(numbers: tuple[str, ...]) -> Span | None:
    """The span of three numbers as written, or None where they are none of ours."""
    read: list[int] = []
    for number in numbers:
        digits = "".join(character for character in number if character.isdecimal())
        plain = "".join(str(int(digit)) for digit in digits[:11])
        if not _CANONICAL_NUMBER.fullmatch(plain):
            return None
        read.append(int(plain))
    span = Span(*read)
    return span if span.end > span.start else None
