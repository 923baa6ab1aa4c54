"""Passages under the headings of the book, gaps shown, whose words they are named."""

from __future__ import annotations

import pytest

from app.answering.tools.passage_text import heading_text, passages_text, report_text
from app.answering.tools.tool import Evidence
from app.domain.book import Voice
from app.domain.conversation import Question
from app.domain.evidence import RungCounts, SearchReport
from app.domain.scope import WHOLE_BOOK, Scope, ScopeKind
from tests.fakes.in_memory_book import Chapter, InMemoryBook, InMemorySearch


def test_passages_stand_under_their_headings_and_gaps_are_shown():
    book = InMemoryBook(
        [
            Chapter("One", ["First.", "Second.", "Third."]),
            Chapter("Preface", ["By the translator."], Voice.PREFACE),
        ]
    )
    evidence = Evidence(Question("x"), book, InMemorySearch(book))
    one = book.passages_of_segment(0)
    text = passages_text([*one, *book.passages_of_segment(1)], evidence)
    assert text == (
        "## One\n[f0-0-6] First.\n[f0-6-13] Second.\n[f0-13-19] Third.\n\n"
        "## Preface (preface)\n[f1-0-18] By the translator."
    )
    assert "[f0-0-6] First.\n(…)\n[f0-13-19] Third." in passages_text([one[0], one[2]], evidence)
    assert len(evidence.ledger.issued()) == 4


@pytest.mark.parametrize(
    ("path", "voice", "heading"),
    [
        (("Book I", "", "Chapter 2"), Voice.BODY, "## Book I › Chapter 2"),
        ((), Voice.BODY, "## (no heading)"),
        (("On [f1-2-3]",), Voice.NOTES, "## On [f1/2/3] (notes)"),
    ],
)
def test_a_heading_names_the_place_and_the_voice(path, voice, heading):
    assert heading_text(path, voice) == heading


@pytest.mark.parametrize(
    ("scope", "rungs", "text"),
    [
        (
            WHOLE_BOOK,
            RungCounts(0, 2, 5, 1),
            (
                "Searched the whole book for: white whale. Places with exact wording: 0; all the "
                "words near each other: 2; some of the words near each other (at most 1 of 2): 5; "
                "only other forms of the words: 1."
            ),
        ),
        (
            Scope(ScopeKind.CHAPTER, "Loomings", ()),
            RungCounts(phrase=3),
            "Searched Loomings for: white whale. Places with exact wording: 3.",
        ),
    ],
)
def test_a_report_says_what_ran_zeros_included(scope, rungs, text):
    assert report_text(SearchReport(scope, ("white", "whale"), rungs, 1, 2)) == text
