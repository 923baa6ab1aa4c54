"""Lets a model's text through, and a position tag only as a citation that the ledger confirms.

Text is held back from an opening bracket until it is a tag or plainly not one; a tag becomes a
`Citation` or nothing. What leaves here holds no position tag and no footnote mark of the model's
own, whatever the stream and however it is cut into chunks. The gate knows no Markdown; the one
thing that needs some, keeping footnotes out of code and links, is done behind it by
`citation_placing`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from app.answering.citation_placing import CitationPlacer
from app.domain.conversation import Citation
from app.domain.position import find_tag_start, read_tags, where_it_joins

if TYPE_CHECKING:
    from app.domain.evidence import IssuedPassage, Ledger
    from app.domain.position import Span

MOST_HELD_CHARS = 600
"""What a bracket may grow to before it is decided as it stands: some thirty tags in one."""

_BLANKS = " \t\u00a0"
_CLOSING = frozenset(".,;:!?…)]}。，、；：！？）】」』”’»\n\r")
_FOOTNOTE_MARK = re.compile(r"\[\^(?=\d)")
_SEAM_CHARS = 80
_REST_OF_NUMBER = re.compile(r"[\w\-\u2010-\u2015\u2212]*")
_OMISSION = "…"
_WORD_JOINER = "\u2060"
_ENDS_SENTENCE = frozenset('.!?…”’"»)。！？」』）')


class Footnotes:
    """Numbers the citations of one answer: the same span is one footnote."""

    def __init__(self) -> None:
        self._by_span: dict[Span, Citation] = {}

    def cite(self, passage: IssuedPassage) -> Citation:
        """The footnote of an issued passage, with the next number if it is new."""
        known = self._by_span.get(passage.span)
        if known is None:
            known = Citation(
                number=len(self._by_span) + 1,
                span=passage.span,
                text=passage.text,
                contents_path=passage.contents_path,
                voice=passage.voice,
                page_label=passage.page_label,
            )
            self._by_span[passage.span] = known
        return known

    def all(self) -> tuple[Citation, ...]:
        """The footnotes by number."""
        return tuple(self._by_span.values())


class StreamGate:
    """Filters one stream of a model's text.

    Args:
        ledger: what was issued in this turn.
        footnotes: the numbering of the answer.

    Attributes:
        dropped_tags: position tags and footnote marks that were not issued.
    """

    def __init__(self, ledger: Ledger, footnotes: Footnotes) -> None:
        self._ledger = ledger
        self._footnotes = footnotes
        self._placer = CitationPlacer()
        self._held = ""  # from a place where a tag might begin, with the character before it
        self._before = ""  # the last character taken in, for word borders
        self._blanks = ""  # blanks that wait for what follows
        self._shown = ""  # the last characters given out
        self._is_after_drop = False
        self._has_cut = False  # something was taken out since the last text
        self._is_discarding = False
        self._last: Citation | None = None
        self.dropped_tags = 0

    def feed(self, chunk: str) -> list[str | Citation]:
        """Takes the next chunk of the stream.

        Returns:
            Text and citations that may be shown now, in order.
        """
        return self._pass_on(chunk, is_final=False)

    def finish(self) -> list[str | Citation]:
        """Ends the stream: what was held back is decided, an unfinished tag is dropped."""
        pieces = self._pass_on("", is_final=True)
        if not self._is_after_drop:
            pieces += self._placer.place(self._blanks)
        self._blanks = ""
        return pieces + self._placer.finish()

    def _pass_on(self, chunk: str, *, is_final: bool) -> list[str | Citation]:
        out: list[str | Citation] = []
        if self._is_discarding:
            rest = _REST_OF_NUMBER.match(chunk)
            cut = rest.end() if rest else 0
            self._is_discarding = cut == len(chunk) and not is_final
            chunk = chunk[cut:]
        text = self._before + self._held + chunk
        at = len(self._before)
        self._held = ""
        while at < len(text):
            start = find_tag_start(text, at)
            out += self._text(text[at:start])
            at = start
            if at == len(text):
                break
            is_forced = len(text) - at > MOST_HELD_CHARS
            reading = read_tags(text, at, is_final=is_final)
            if reading is None and is_forced:
                reading = read_tags(text, at, is_final=True)
                self._is_discarding = reading is not None and reading.end == len(text)
            if reading is None:
                self._held = text[at:]
                break
            if reading.end == at:
                out += self._text(text[at])
                at += 1
            else:
                out += self._tags(reading.spans, reading.malformed)
                at = reading.end
        taken = len(text) - len(self._held)
        self._before = text[taken - 1 : taken]
        return out

    def _tags(self, spans: tuple[Span, ...], malformed: int) -> list[str | Citation]:
        out: list[str | Citation] = []
        dropped = malformed
        self._has_cut = True
        for span in spans:
            passage = self._ledger.confirm(span)
            if passage is None:
                dropped += 1
                continue
            citation = self._footnotes.cite(passage)
            if citation == self._last:
                continue
            out += self._citation(citation)
        self.dropped_tags += dropped
        if dropped and not out:
            self._is_after_drop = True
        return out

    def _citation(self, citation: Citation) -> list[str | Citation]:
        """Gives out a footnote, drawn to the word or sentence before it."""
        blanks, self._blanks = self._blanks, ""
        if self._last is not None or self._follows_sentence():
            blanks = ""
        if not blanks and self._shown.endswith("\\"):
            blanks = _WORD_JOINER  # or the backslash would escape the footnote
        self._last = citation
        self._is_after_drop = False
        return self._placer.place(blanks) + self._placer.place(citation)

    def _follows_sentence(self) -> bool:
        end = ("  " + self._shown)[-2:]
        before, last = end[0], end[1]
        return last.isalpha() or (last in _ENDS_SENTENCE and not before.isdigit())

    def _text(self, text: str) -> list[str | Citation]:
        if not text:
            return []
        out: list[str | Citation] = []
        if self._is_after_drop:
            text = self._closed_up(text)
            if not text:
                return []
        body = text.rstrip(_BLANKS)
        if body:
            shown = self._guarded(body)
            out = self._placer.place(shown)
            self._blanks = ""
            self._last = None
        self._blanks += text[len(body) :]
        return out

    def _closed_up(self, text: str) -> str:
        """Closes the gap that dropped tags left: one blank at most, none before a full stop."""
        rest = text.lstrip(_BLANKS)
        begins_line = not self._shown or self._shown.endswith("\n")
        if not self._blanks and len(rest) < len(text) and not begins_line:
            self._blanks = text[0]
        if not rest:
            return ""
        if rest[0] in _CLOSING:
            self._blanks = ""
        self._is_after_drop = False
        return rest

    def _guarded(self, text: str) -> str:
        """Text that forms no tag with what was shown before it, and no footnote mark."""
        blanks, body = self._blanks, text
        if self._has_cut:
            at = where_it_joins(self._shown + blanks, body)
            self._has_cut = at == len(body)
            if at is not None and at < len(body):
                body = f"{body[:at]}{_OMISSION}{body[at:]}"
        seam = self._shown[-2:]
        marked = _FOOTNOTE_MARK.sub(rf"\g<0>{_WORD_JOINER}", seam + blanks + body)
        guarded = marked[len(seam) :]
        self._shown = (self._shown + guarded)[-_SEAM_CHARS:]
        return guarded
