"""Which passages a model is given: what the search found, its neighbours, and no more than fits.

Best first until the budget is spent, then in reading order. Contents pages, indexes and licences
are found by a search but are no evidence for what a book says, and are left out.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.answering.context_budget import estimated_tokens

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.answering.book_access import BookAccess
    from app.domain.evidence import SearchHit
    from app.domain.passage import Passage
    from app.domain.position import Span
    from app.domain.scope import Scope

TAG_TOKENS = 12
"""Source: counted with the tokenizers of GPT-4o and Llama 3 on tags of this size: 10 to 13."""

_WITH_TWO_NEIGHBOURS = 8
_WITH_ONE_NEIGHBOUR = 20
"""The first hits come with the passages around them: a sentence is rarely understood alone."""

_FUSION = 60.0
"""Reciprocal rank fusion. Source: Cormack, Clarke, Büttcher (2009), k = 60."""


@dataclass(frozen=True, slots=True)
class ChosenPassages:
    """Passages to hand over.

    Attributes:
        passages: in reading order.
        left_out: hits that did not fit, best first.
        no_evidence: hits in parts that are no evidence.
    """

    passages: tuple[Passage, ...]
    left_out: tuple[Passage, ...]
    no_evidence: tuple[Passage, ...]


def fused(rankings: Sequence[Sequence[SearchHit]]) -> list[Passage]:
    """The passages of several searches, best first over all of them."""
    scores: dict[Span, float] = {}
    passages: dict[Span, Passage] = {}
    for hits in rankings:
        for rank, hit in enumerate(hits):
            span = hit.passage.span
            scores[span] = scores.get(span, 0.0) + 1 / (_FUSION + rank)
            passages.setdefault(span, hit.passage)
    return [passages[span] for span in sorted(scores, key=lambda span: (-scores[span], span))]


def choose_passages(
    found: Sequence[Passage], book: BookAccess, scope: Scope, budget_tokens: int
) -> ChosenPassages:
    """Chooses whole passages within a budget.

    Args:
        found: passages that a search found, best first.
        book: where their neighbours are.
        scope: no neighbour outside it is taken.
        budget_tokens: estimated tokens that all passages with their tags may take.
    """
    chosen: dict[Span, Passage] = {}
    left_out: list[Passage] = []
    evidence = [passage for passage in found if passage.voice.is_evidence]
    spent = 0
    for rank, passage in enumerate(evidence):
        for neighbour in (passage, *_neighbours(passage, rank, book)):
            if neighbour.span in chosen or not scope.admits(neighbour.span):
                continue
            cost = TAG_TOKENS + estimated_tokens(neighbour.text)
            if spent + cost > budget_tokens:
                if neighbour is passage:
                    left_out.append(passage)
                continue
            chosen[neighbour.span] = neighbour
            spent += cost
    return ChosenPassages(
        tuple(chosen[span] for span in sorted(chosen)),
        tuple(passage for passage in left_out if passage.span not in chosen),
        tuple(passage for passage in found if not passage.voice.is_evidence),
    )


def _neighbours(passage: Passage, rank: int, book: BookAccess) -> list[Passage]:
    """The passages just after and before one, in its segment; fewer for a later hit."""
    if rank >= _WITH_ONE_NEIGHBOUR:
        return []
    around = book.passages_of_segment(passage.segment_index)
    spans = [one.span for one in around]
    if passage.span not in spans:
        return []
    at = spans.index(passage.span)
    places = (at + 1, at - 1) if rank < _WITH_TWO_NEIGHBOURS else (at + 1,)
    return [around[place] for place in places if 0 <= place < len(around)]
