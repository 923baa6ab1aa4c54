"""Asking: answers arrive, stop, fail, wait for the book; scope and provider are taken along."""

from __future__ import annotations

import sys

import pytest
from PySide6.QtCore import Qt

from app.domain.conversation import Question
from app.domain.errors import ModelUnreachable, ScopeUnknown
from app.domain.provider import BUILT_IN, ProviderInfo
from app.domain.scope import Scope, ScopeKind
from app.ui.chat.chat_panel import ChatPanel
from app.ui.chat.controller import ChatController
from app.ui.notices import NoticeAction
from tests.fakes.window_core import (
    InMemoryBook,
    InMemoryCore,
    grounded_answer,
    make_book,
    span_of,
)

CHAPTER = Scope(ScopeKind.CHAPTER, "42 The Whiteness of the Whale", (span_of("What the white"),))


@pytest.fixture
def panel(qtbot, theme, appearance):
    made = ChatPanel(theme)
    qtbot.addWidget(made)
    made.resize(400, 700)
    made.show()
    return made


@pytest.fixture
def chat(panel, jobs, core):
    return ChatController(panel, jobs, core.providers)


@pytest.fixture
def asking(chat, moby):
    chat.open_book(moby, (), is_ready=True)
    return chat


def ask(qtbot, panel, text):
    qtbot.keyClicks(panel.question_box.field, text)
    qtbot.keyClick(panel.question_box.field, Qt.Key.Key_Return)


def take(chooser, key):
    words = next(choice.words for choice in chooser.choices if choice.key == key)
    next(one for one in chooser.menu().actions() if one.text() == words).trigger()


def test_a_typed_question_is_answered_with_footnotes(qtbot, panel, asking, moby):
    ask(qtbot, panel, "Why?")
    qtbot.waitUntil(lambda: not asking.is_busy)
    turn = panel.turns[0]
    assert "above all things.[1]" in turn.body.plain_text()
    assert turn.foot.coverage_text.startswith("3 of 3")
    assert [round(mark.percent) for mark in turn.foot.strip.marks] == [55, 84]
    assert moby.asked == [(Question("Why?"), BUILT_IN)]


def test_a_number_opens_its_card_with_neighbours_and_a_second_click_closes_it(qtbot, panel, asking):
    ask(qtbot, panel, "Why?")
    qtbot.waitUntil(lambda: not asking.is_busy)
    body = panel.turns[0].body
    piece = body.pieces[0]
    qtbot.mouseClick(piece.viewport(), Qt.MouseButton.LeftButton, pos=piece.footnote_point(1))
    (card,) = body.cards
    assert "It is a colorless, all-color of atheism." in card.shown_text
    assert card.shown_text.startswith("…")
    with qtbot.waitSignal(asking.place_chosen) as chosen:
        qtbot.keyClick(card, Qt.Key.Key_Return)
    assert chosen.args == [span_of("It is a colorless, all-color of atheism.")]
    piece = body.pieces[0]
    qtbot.mouseClick(piece.viewport(), Qt.MouseButton.LeftButton, pos=piece.footnote_point(1))
    assert body.cards == ()


def test_stop_keeps_what_was_said_and_lets_the_next_question_be_asked(qtbot, panel, asking, moby):
    moby.waits_for_go_on = True
    ask(qtbot, panel, "Why?")
    qtbot.waitUntil(lambda: panel.turns[0].body.plain_text() != "")
    said = panel.turns[0].body.plain_text()
    assert panel.question_box.button.accessibleName() == "Stop"
    qtbot.mouseClick(panel.question_box.button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not asking.is_busy)
    assert panel.turns[0].state_text.startswith("Stopped")
    assert panel.turns[0].body.plain_text().startswith(said)
    moby.waits_for_go_on = False
    ask(qtbot, panel, "And now?")
    qtbot.waitUntil(lambda: not asking.is_busy and len(panel.turns) == 2)
    assert panel.turns[1].foot.coverage_text


def test_a_fault_is_told_in_its_turn_and_try_again_asks_again(qtbot, panel, asking, moby):
    moby.answers = [ModelUnreachable("localhost:11434", "refused"), grounded_answer]
    ask(qtbot, panel, "Why?")
    qtbot.waitUntil(lambda: not asking.is_busy)
    notice = panel.turns[0].notice
    assert "localhost:11434 cannot be reached" in notice.title
    notice.action_chosen.emit(NoticeAction.TRY_AGAIN)
    qtbot.waitUntil(lambda: not asking.is_busy)
    assert panel.turns[1].foot.coverage_text
    assert [question.text for question, _ in moby.asked] == ["Why?", "Why?"]


def test_a_question_about_a_book_still_read_in_waits_for_it(qtbot, panel, chat, moby):
    chat.open_book(moby, (), is_ready=False)
    ask(qtbot, panel, "Why?")
    assert "as soon as the book is read in" in panel.turns[0].state_text
    assert moby.asked == []
    chat.set_ready()
    qtbot.waitUntil(lambda: not chat.is_busy)
    assert panel.turns[0].foot.coverage_text


def test_a_waiting_question_can_be_stopped(qtbot, panel, chat, moby):
    chat.open_book(moby, (), is_ready=False)
    ask(qtbot, panel, "Why?")
    chat.stop()
    chat.set_ready()
    assert not chat.is_busy
    assert panel.turns[0].state_text.startswith("Stopped")
    assert moby.asked == []


def test_the_saved_conversation_comes_back(qtbot, panel, chat, moby):
    saved = grounded_answer(Question("Before?"))
    chat.open_book(moby, (saved,), is_ready=True)
    assert panel.turns[0].answer == saved
    assert "above all things.[1]" in panel.turns[0].body.plain_text()


def test_another_book_ends_the_answer_and_takes_its_turns_away(qtbot, panel, asking, moby, jobs):
    moby.waits_for_go_on = True
    ask(qtbot, panel, "Why?")
    qtbot.waitUntil(lambda: panel.turns[0].body.plain_text() != "")
    other = InMemoryBook(make_book(2, "Other"))
    asking.open_book(other, (), is_ready=True)
    assert panel.turns == ()
    assert not asking.is_busy
    qtbot.waitUntil(lambda: not jobs.is_busy)
    assert panel.turns == ()


def test_the_chosen_scope_goes_with_the_question(qtbot, panel, asking, moby):
    asking.set_chapter("42 The Whiteness\nof the Whale", lambda: CHAPTER)
    asking.set_selection(span_of("Hark!"))
    for key, kind in (
        ("chapter", ScopeKind.CHAPTER),
        ("read", ScopeKind.READ),
        ("selection", ScopeKind.SELECTION),
        ("book", ScopeKind.BOOK),
    ):
        take(panel.scope_chooser, key)
        asking.ask(f"about {key}?")
        qtbot.waitUntil(lambda: not asking.is_busy)
        assert moby.asked[-1][0].scope.kind is kind


def test_a_selection_that_is_gone_is_no_scope_any_more(panel, asking):
    asking.set_selection(span_of("Hark!"))
    assert asking.has_selection
    asking.choose_scope("selection")
    asking.set_selection(None)
    assert panel.scope_chooser.text() == "Whole book ▾"


def test_a_scope_that_the_book_does_not_have_is_told(qtbot, panel, asking):
    def refuse():
        raise ScopeUnknown("chapter", "it has no chapters")

    asking.set_chapter("Nowhere", refuse)
    asking.choose_scope("chapter")
    asking.ask("Why?")
    assert "it has no chapters" in panel.turns[0].notice.title


def test_the_first_provider_answers_until_another_is_chosen(qtbot, panel, jobs, moby):
    core = InMemoryCore([moby])
    core.set_providers(
        ProviderInfo("home", "qwen3", "localhost:1", True),
        ProviderInfo(BUILT_IN, "quoting", "", True),
    )
    chat = ChatController(panel, jobs, core.providers)
    chat.open_book(moby, (), is_ready=True)
    assert panel.provider_chooser.text() == "qwen3 · local ▾"
    with qtbot.waitSignal(chat.provider_changed):
        take(panel.provider_chooser, BUILT_IN)
    chat.refresh_providers()
    chat.ask("Why?")
    qtbot.waitUntil(lambda: not chat.is_busy)
    assert moby.asked[-1][1] == BUILT_IN


def test_connecting_a_model_is_a_way_to_the_settings(qtbot, panel, asking):
    with qtbot.waitSignal(asking.settings_wanted):
        take(panel.provider_chooser, "+")


def test_nothing_is_asked_without_a_book(panel, chat):
    chat.ask("Why?")
    assert panel.turns == ()


def test_a_fault_of_ours_leaves_the_turn_stopped_and_the_panel_usable(
    qtbot, panel, asking, moby, monkeypatch
):
    caught = []
    monkeypatch.setattr(sys, "excepthook", lambda *what: caught.append(what[0]))
    moby.answers = [ZeroDivisionError()]
    ask(qtbot, panel, "Why?")
    qtbot.waitUntil(lambda: not asking.is_busy)
    assert caught == [ZeroDivisionError]
    assert panel.turns[0].state_text


def test_a_long_conversation_comes_back_piece_by_piece(qtbot, panel, chat, moby):
    saved = tuple(grounded_answer(Question(f"Question {number}?")) for number in range(20))
    chat.open_book(moby, saved, is_ready=True)
    assert [turn.question.text for turn in panel.turns] == [f"Question {n}?" for n in range(12, 20)]
    assert panel.earlier_button.text() == "Show earlier questions (12)"
    for least in (4, 0):
        qtbot.mouseClick(panel.earlier_button, Qt.MouseButton.LeftButton)
        assert panel.turns[0].question.text == f"Question {least}?"
    assert [turn.answer for turn in panel.turns] == list(saved)
    assert not panel.earlier_button.isVisible()
