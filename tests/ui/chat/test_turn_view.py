"""A turn from the first search to the checks after the text."""

from __future__ import annotations

import dataclasses

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLabel

from app.domain.conversation import (
    AnswerCitation,
    AnswerState,
    AnswerText,
    Lane,
    Question,
    QuoteCheck,
    QuoteVerdict,
    Searching,
)
from app.domain.errors import ModelBusy
from app.domain.scope import Scope, ScopeKind
from app.ui.chat.place_strip import PlaceMark
from app.ui.chat.turn_view import TurnView
from app.ui.notices import describe
from tests.fakes.window_core import cite, events_of, grounded_answer, not_found_answer, report

QUESTION = Question("Why does whiteness frighten Ishmael?")


@pytest.fixture
def turn(qtbot, theme, appearance):
    made = TurnView(QUESTION, theme)
    qtbot.addWidget(made)
    made.resize(380, 600)
    made.show()
    return made


def shown(turn):
    """All words on the turn that can be seen."""
    words = [label.text() for label in turn.findChildren(QLabel) if label.isVisible()]
    return "\n".join([*words, turn.body.plain_text()])


def test_a_question_that_looks_like_markup_is_text(qtbot, theme):
    turn = TurnView(Question("<b>x</b> & [^1]"), theme)
    qtbot.addWidget(turn)
    turn.show()
    assert "<b>x</b> & [^1]" in shown(turn)


def test_a_narrow_question_shows_its_scope(qtbot, theme):
    turn = TurnView(Question("Why?", Scope(ScopeKind.CHAPTER, "Chapter 3", ())), theme)
    qtbot.addWidget(turn)
    turn.show()
    assert "Chapter 3" in shown(turn)


def test_searches_are_told_while_they_run_and_with_their_counts_when_done(turn):
    turn.receive(Searching("white whale"))
    assert turn.state_text == "Searching the book for “white whale”…"
    turn.receive(Searching("white whale", report("white", "whale", phrase=2)))
    assert "exact wording: 2" in turn.state_text


def test_text_streams_in_and_the_search_line_goes(qtbot, turn):
    answer = grounded_answer(QUESTION)
    seen = set()
    for event in events_of(answer):
        turn.receive(event)
        seen.add(turn.body.plain_text())
    qtbot.waitUntil(lambda: "frightens him.[1]" in turn.body.plain_text())
    assert not turn.state_text
    turn.show_answer(answer, ())
    assert turn.body.plain_text().startswith("Whiteness strips away every comfort")


def test_text_that_never_pauses_is_seen_as_it_comes(qtbot, turn):
    words = QTimer(turn, interval=5)
    words.timeout.connect(lambda: turn.receive(AnswerText("word ")))
    words.start()
    qtbot.waitUntil(lambda: "word" in turn.body.plain_text(), timeout=2_000)
    words.stop()


def test_a_footnote_stands_behind_the_text_that_came_before_it(qtbot, turn):
    turn.receive(AnswerText("Right."))
    turn.receive(AnswerCitation(cite(1, "Hark!")))
    qtbot.waitUntil(lambda: turn.body.plain_text() == "Right.[1]")


def test_a_grounded_answer_has_strip_coverage_and_details(turn):
    answer = grounded_answer(QUESTION)
    marks = tuple(PlaceMark(one, 50, "") for one in answer.citations)
    turn.show_answer(answer, marks)
    assert turn.foot.coverage_text == "3 of 3 sentences sourced · checked"
    assert turn.foot.strip.isVisible()
    assert turn.foot.strip.marks == marks
    assert turn.foot.not_found is None
    turn.foot.details.button.click()
    assert "was left out" in shown(turn)


def test_a_not_found_is_a_result_with_what_was_searched(turn):
    turn.show_answer(not_found_answer(QUESTION), ())
    words = shown(turn)
    assert "Not found in this book" in words
    assert "“quantum chromodynamics” – exact wording: 0" in words
    assert "do not answer the question" in words
    assert not turn.foot.coverage_text
    assert turn.foot.strip is None


def test_what_is_not_from_the_book_is_marked_so(turn):
    answer = dataclasses.replace(
        grounded_answer(QUESTION), lane=Lane.NOT_ABOUT_BOOK, markdown="Hello!", citations=()
    )
    turn.show_answer(answer, ())
    assert "Not from this book" in shown(turn)


def test_unsourced_words_are_folded_away(turn):
    answer = dataclasses.replace(grounded_answer(QUESTION), unsourced="I believe so.")
    turn.show_answer(answer, ())
    assert "I believe so." not in shown(turn)
    turn.foot.unsourced.button.click()
    assert "I believe so." in shown(turn)


def test_a_wrong_quotation_is_said_at_once(turn):
    check = QuoteCheck("the white wale", QuoteVerdict.ABSENT)
    turn.show_answer(dataclasses.replace(grounded_answer(QUESTION), quotes=(check,)), ())
    assert "“the white wale” does not stand in this book." in shown(turn)


@pytest.mark.parametrize("state", [one for one in AnswerState if one is not AnswerState.COMPLETE])
def test_how_an_answer_ended_is_said(turn, state):
    turn.show_answer(dataclasses.replace(grounded_answer(QUESTION), state=state), ())
    assert turn.state_text


def test_stopping_keeps_what_was_said(turn):
    turn.receive(AnswerText("So far."))
    turn.show_stopped()
    assert turn.body.plain_text() == "So far."
    assert turn.state_text.startswith("Stopped")


def test_a_fault_is_shown_under_what_was_said(turn):
    turn.receive(AnswerText("So far."))
    turn.show_failed(describe(ModelBusy("host", 20)))
    assert turn.body.plain_text() == "So far."
    assert turn.notice.title == "host is busy."
    assert "20 seconds" in turn.notice.advice


def test_a_copied_answer_lists_its_sources(turn):
    turn.show_answer(grounded_answer(QUESTION), ())
    turn.copy_answer()
    copied = QGuiApplication.clipboard().text()
    assert "above all things.[1]" in copied
    assert (
        "[2] “It is a colorless, all-color of atheism.” "
        "(Chapters › 42 The Whiteness of the Whale · p. 204)"
    ) in copied


def test_a_mark_on_the_strip_leads_to_its_place(qtbot, turn):
    answer = grounded_answer(QUESTION)
    turn.show_answer(answer, (PlaceMark(answer.citations[0], 50, ""),))
    with qtbot.waitSignal(turn.show_in_book) as place:
        turn.foot.strip.mark_chosen.emit(answer.citations[0])
    assert place.args == [answer.citations[0]]
