"""A scope is a wall."""

from __future__ import annotations

import pytest

from app.domain.position import Span
from app.domain.scope import WHOLE_BOOK, Scope, ScopeKind

CHAPTER = Scope(ScopeKind.CHAPTER, "Chapter 2", (Span(1, 0, 100), Span(2, 0, 50)))


@pytest.mark.parametrize(
    ("span", "is_admitted"),
    [
        (Span(1, 0, 100), True),
        (Span(2, 10, 50), True),
        (Span(1, 90, 101), False),
        (Span(2, 40, 51), False),
        (Span(0, 0, 10), False),
    ],
)
def test_only_what_lies_wholly_within_is_admitted(span, is_admitted):
    assert CHAPTER.admits(span) is is_admitted
    assert WHOLE_BOOK.admits(span)


def test_an_empty_scope_admits_nothing():
    assert not Scope(ScopeKind.READ, spans=()).admits(Span(0, 0, 1))
