"""One turn while it is answered: all that has been shown and found, ready to become an `Answer`."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import groupby
from typing import TYPE_CHECKING

from app.answering.stream_gate import Footnotes, StreamGate
from app.domain.conversation import (
    Answer,
    AnswerCitation,
    AnswerState,
    AnswerText,
    Citation,
    Coverage,
    Lane,
    TokenUsage,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.answering.tools.tool import Evidence
    from app.domain.conversation import AnswerEvent, QuoteCheck
    from app.llm.chat_model import ChatModel


@dataclass(slots=True)
class Turn:
    """What a turn has come to.

    Attributes:
        evidence: the question, what was searched and what was issued.
        footnotes: the numbering of the answer's citations.
        shown: text and citations that were given out, in order.
        state: how the turn ended, or would if it ended now.
        lane: set when it is known to be something else than what the footnotes say.
        unsourced: a model's own words where it cited nothing.
        nearest: nearest places of a not-found.
        quotes: checks of quoted wordings.
        coverage: sentences sourced.
        dropped_tags: tags that were not issued.
        usage: requests and tokens so far.
        provider: who answers.
        model: with which model.
    """

    evidence: Evidence
    footnotes: Footnotes = field(default_factory=Footnotes)
    shown: list[str | Citation] = field(default_factory=list)
    state: AnswerState = AnswerState.STOPPED
    lane: Lane | None = None
    unsourced: str = ""
    nearest: tuple[Citation, ...] = ()
    quotes: tuple[QuoteCheck, ...] = ()
    coverage: Coverage = field(default_factory=lambda: Coverage(0, 0))
    dropped_tags: int = 0
    usage: TokenUsage = field(default_factory=TokenUsage)
    provider: str = ""
    model: str = ""

    def name_model(self, model: ChatModel) -> None:
        """Notes who answers."""
        self.provider, self.model = model.provider, model.model

    def count(self, prompt_tokens: int, completion_tokens: int) -> None:
        """Adds one request to the usage."""
        self.usage = TokenUsage(
            self.usage.requests + 1,
            self.usage.prompt_tokens + prompt_tokens,
            self.usage.completion_tokens + completion_tokens,
        )

    def show(self, piece: str | Citation) -> AnswerEvent:
        """Notes a piece as given out and returns its event."""
        self.shown.append(piece)
        return AnswerText(piece) if isinstance(piece, str) else AnswerCitation(piece)

    @property
    def is_sourced(self) -> bool:
        """Whether at least one confirmed citation was given out."""
        return any(isinstance(piece, Citation) for piece in self.shown)

    @property
    def markdown(self) -> str:
        """What was given out, with footnotes as `[^n]`."""
        return "".join(
            piece if isinstance(piece, str) else f"[^{piece.number}]" for piece in self.shown
        ).strip()

    def answer(self) -> Answer:
        """The answer as it stands."""
        lane = self.lane or (Lane.GROUNDED if self.is_sourced else Lane.NOT_FOUND)
        return Answer(
            question=self.evidence.question,
            lane=lane,
            state=self.state,
            markdown=self.markdown,
            citations=self.footnotes.all(),
            searches=tuple(self.evidence.searches),
            evidence=tuple(passage.span for passage in self.evidence.ledger.issued()),
            quotes=self.quotes,
            coverage=self.coverage,
            dropped_tags=self.dropped_tags,
            unsourced=self.unsourced,
            nearest=self.nearest,
            usage=self.usage,
            provider=self.provider,
            model=self.model,
        )


class Draft:
    """One reply of a model on its way to the reader: held until its first confirmed citation.

    Args:
        turn: that it belongs to.
        is_withheld: nothing of it is ever shown, whatever it says.
        is_plain: it is shown as it comes; it is not about the book and can cite nothing.
    """

    def __init__(self, turn: Turn, *, is_withheld: bool, is_plain: bool = False) -> None:
        self._turn = turn
        self._gate = StreamGate(turn.evidence.ledger, turn.footnotes)
        self._is_withheld = is_withheld
        self._held: list[str | Citation] = []
        self._is_open = is_plain
        self._said: list[str] = []

    @property
    def text(self) -> str:
        """What the model said, without tags and footnotes."""
        return "".join(self._said).strip()

    def feed(self, chunk: str) -> Iterator[AnswerEvent]:
        """Takes the next chunk; yields what may be shown now."""
        return self._pass_on(self._gate.feed(chunk))

    def finish(self) -> Iterator[AnswerEvent]:
        """Ends the reply; yields the rest of what may be shown."""
        pieces = self._gate.finish()
        self._turn.dropped_tags += self._gate.dropped_tags
        return self._pass_on(pieces)

    def _pass_on(self, pieces: list[str | Citation]) -> Iterator[AnswerEvent]:
        self._said += [piece for piece in pieces if isinstance(piece, str)]
        if self._is_withheld:
            return
        self._held += pieces
        if not self._is_open and any(isinstance(piece, Citation) for piece in pieces):
            self._is_open = True
            self._held = _joined(self._held)
            if self._turn.shown:
                self._held.insert(0, "\n\n")
            elif isinstance(self._held[0], str):
                self._held[0] = self._held[0].lstrip()
        if not self._is_open:
            return
        held, self._held = self._held, []
        for piece in held:
            if piece != "":
                yield self._turn.show(piece)


def _joined(pieces: list[str | Citation]) -> list[str | Citation]:
    """The same pieces with neighbouring texts as one."""
    joined: list[str | Citation] = []
    for is_text, group in groupby(pieces, key=lambda piece: isinstance(piece, str)):
        if is_text:
            joined.append("".join(piece for piece in group if isinstance(piece, str)))
        else:
            joined += group
    return joined
