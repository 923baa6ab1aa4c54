"""Only what a ledger issued can be cited."""

from __future__ import annotations

import pytest

from app.domain.book import Voice
from app.domain.evidence import IssuedPassage, Ledger, RungCounts, SearchReport
from app.domain.position import Span
from app.domain.scope import WHOLE_BOOK

ISSUED = IssuedPassage(Span(3, 10, 50), "A passage.", ("Part", "Chapter"), Voice.PREFACE, "xii")


@pytest.fixture
def ledger() -> Ledger:
    book = Ledger()
    book.issue(ISSUED)
    return book


def test_an_issued_passage_is_confirmed_by_exactly_its_span(ledger):
    assert ledger.confirm(Span(3, 10, 50)) is ISSUED
    for near in (Span(3, 10, 49), Span(3, 11, 50), Span(2, 10, 50), Span(3, 9, 51)):
        assert ledger.confirm(near) is None


def test_issuing_returns_the_tag_and_changes_nothing_the_second_time(ledger):
    again = IssuedPassage(ISSUED.span, "Other words.", (), Voice.BODY, "")
    assert ledger.issue(again) == "[f3-10-50]"
    assert ledger.issued() == (ISSUED,)


def test_a_sentence_within_an_issued_passage_inherits_its_place(ledger):
    part = ledger.issue_within(Span(3, 20, 30), "passage")
    assert (part.contents_path, part.voice, part.page_label) == (
        ISSUED.contents_path,
        ISSUED.voice,
        ISSUED.page_label,
    )
    assert ledger.confirm(Span(3, 20, 30)) is part
    assert ledger.issued() == (ISSUED, part)


@pytest.mark.parametrize("span", [Span(3, 9, 20), Span(3, 40, 51), Span(4, 20, 30)])
def test_nothing_outside_what_was_issued_can_be_added(ledger, span):
    with pytest.raises(ValueError, match="lies in no issued passage"):
        ledger.issue_within(span, "words")


def test_a_new_turn_knows_nothing_of_the_last():
    assert Ledger().confirm(ISSUED.span) is None


@pytest.mark.parametrize(
    ("rungs", "is_nothing"),
    [
        (RungCounts(), True),
        (RungCounts(0, 0, 0, 0), True),
        (RungCounts(0, None, None, 2), False),
        (RungCounts(1), False),
    ],
)
def test_a_search_found_nothing_when_no_step_has_a_hit(rungs, is_nothing):
    assert SearchReport(WHOLE_BOOK, ("mad",), rungs, 0, 1).found_nothing is is_nothing
