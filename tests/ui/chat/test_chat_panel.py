"""The chat panel: empty state, turns, following, links shown before they open."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPushButton, QScrollArea

from app.domain.conversation import AnswerText, Question
from app.ui.chat.chat_panel import ChatPanel
from app.ui.link_bar import LinkBar
from tests.fakes.window_core import grounded_answer


@pytest.fixture
def panel(qtbot, theme, appearance):
    made = ChatPanel(theme)
    qtbot.addWidget(made)
    made.resize(400, 600)
    made.show()
    qtbot.waitExposed(made)
    return made


def bar_of(panel):
    return panel.findChild(QScrollArea).verticalScrollBar()


def test_before_the_first_question_it_says_what_it_is_for_and_suggests_some(qtbot, panel):
    panel.set_advice("Nothing leaves this computer.")
    words = [label.text() for label in panel.empty_state.findChildren(QLabel)]
    assert "Ask this book" in words
    assert "Nothing leaves this computer." in words
    button = panel.empty_state.findChildren(QPushButton)[0]
    with qtbot.waitSignal(panel.question_asked) as asked:
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert asked.args == [button.text()]


def test_a_turn_takes_the_place_of_the_empty_state_and_clearing_brings_it_back(panel):
    turn = panel.add_turn(Question("Why?"))
    assert not panel.empty_state.isVisible()
    assert panel.turns == (turn,)
    panel.clear()
    assert panel.turns == ()
    assert panel.empty_state.isVisible()


def test_the_view_follows_an_answer_as_it_grows(qtbot, panel):
    turn = panel.add_turn(Question("Why?"))
    turn.receive(AnswerText("line\n\n" * 60))
    qtbot.waitUntil(lambda: bar_of(panel).maximum() > 0)
    qtbot.waitUntil(lambda: bar_of(panel).value() == bar_of(panel).maximum())


def test_a_reader_who_scrolled_up_is_left_alone(qtbot, panel):
    turn = panel.add_turn(Question("Why?"))
    turn.receive(AnswerText("line\n\n" * 60))
    qtbot.waitUntil(lambda: bar_of(panel).maximum() > 300)
    bar_of(panel).setValue(10)
    most = bar_of(panel).maximum()
    turn.receive(AnswerText("more\n\n" * 30))
    qtbot.waitUntil(lambda: bar_of(panel).maximum() > most)
    assert bar_of(panel).value() == 10


def test_a_link_of_an_answer_is_shown_before_it_opens(panel):
    turn = panel.add_turn(Question("Why?"))
    turn.show_answer(grounded_answer(turn.question), ())
    turn.link_chosen.emit("https://example.org/?q=1")
    bar = panel.findChild(LinkBar)
    assert bar.isVisible()
    assert bar.address == "https://example.org/?q=1"


def test_page_keys_scroll_and_escape_returns_to_the_question(qtbot, panel):
    turn = panel.add_turn(Question("Why?"))
    turn.receive(AnswerText("line\n\n" * 90))
    qtbot.waitUntil(lambda: bar_of(panel).value() > 300)
    here = bar_of(panel).value()
    panel.activateWindow()
    turn.body.pieces[0].setFocus()
    qtbot.keyClick(turn.body.pieces[0], Qt.Key.Key_PageUp)
    assert bar_of(panel).value() < here
    qtbot.keyClick(turn.body.pieces[0], Qt.Key.Key_Escape)
    qtbot.waitUntil(panel.question_box.field.hasFocus)
