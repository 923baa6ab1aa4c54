"""What a person reads in a terminal."""

from __future__ import annotations

from app.command_line.printing import answer_text, place_line, search_line
from app.domain.book import Voice
from app.domain.conversation import Answer, AnswerState, Citation, Coverage, Lane, Question
from app.domain.evidence import RungCounts, SearchReport
from app.domain.position import Span
from app.domain.scope import WHOLE_BOOK

CITATION = Citation(
    1, Span(5, 10, 42), "We’re all mad here.", ("Pig and Pepper",), Voice.BODY, "65"
)
REPORT = SearchReport(WHOLE_BOOK, ("mad", "cat"), RungCounts(0, 2, None, None), 2, 2)


def answer(**changes) -> Answer:
    fields = {
        "question": Question("Is the Cat mad?"),
        "lane": Lane.GROUNDED,
        "state": AnswerState.COMPLETE,
        "markdown": "He says so.[^1]",
        "citations": (CITATION,),
        "searches": (REPORT,),
        "coverage": Coverage(1, 1),
    }
    return Answer(**{**fields, **changes})


def test_a_footnote_is_raised_and_its_source_stands_below() -> None:
    printed = answer_text(answer())
    assert "He says so.¹" in printed
    assert "[1] Pig and Pepper · p. 65  [f5-10-42]\n    We’re all mad here." in printed
    assert "1 of 1 sentences sourced." in printed


def test_counts_of_zero_are_printed_and_rungs_that_did_not_run_are_not() -> None:
    line = search_line(REPORT)
    assert line == "Searched the whole book for “mad cat”: exact wording 0, all words 2."


def test_a_not_found_lists_nearest_places_apart_from_footnotes() -> None:
    printed = answer_text(
        answer(lane=Lane.NOT_FOUND, markdown="Not found.", citations=(), nearest=(CITATION,))
    )
    assert printed.index("Nearest places (not an answer):") < printed.index("We’re all mad here.")
    assert "sentences sourced" not in printed


def test_a_stopped_answer_and_dropped_tags_are_said() -> None:
    printed = answer_text(answer(state=AnswerState.STOPPED, dropped_tags=3))
    assert "stopped before its end" in printed
    assert "3 invented position tags were dropped." in printed


def test_the_voice_is_named_where_it_is_not_the_authors() -> None:
    assert place_line(("Notes",), "", "notes") == "Notes · notes"
    assert place_line((), "12", "body") == "p. 12"
