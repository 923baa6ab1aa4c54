"""The question box: keys, growing, Ask and Stop."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt

from app.ui.chat.question_box import QuestionBox


@pytest.fixture
def box(qtbot, theme, appearance):
    made = QuestionBox(theme)
    qtbot.addWidget(made)
    made.resize(300, 60)
    made.show()
    return made


def test_enter_asks_and_empties_the_field(qtbot, box):
    qtbot.keyClicks(box.field, "  Who is Ahab? ")
    with qtbot.waitSignal(box.question_asked) as asked:
        qtbot.keyClick(box.field, Qt.Key.Key_Return)
    assert asked.args == ["Who is Ahab?"]
    assert not box.field.toPlainText()


def test_the_button_asks_too_and_is_off_without_words(qtbot, box):
    assert not box.button.isEnabled()
    qtbot.keyClicks(box.field, "Why?")
    assert box.button.isEnabled()
    with qtbot.waitSignal(box.question_asked):
        qtbot.mouseClick(box.button, Qt.MouseButton.LeftButton)


def test_shift_enter_breaks_the_line_and_the_box_grows(qtbot, box):
    told = []
    box.question_asked.connect(told.append)
    before = box.field.height()
    qtbot.keyClicks(box.field, "one")
    for word in ("two", "three"):
        qtbot.keyClick(box.field, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
        qtbot.keyClicks(box.field, word)
    assert box.field.toPlainText() == "one\ntwo\nthree"
    assert box.field.height() > before
    for _ in range(30):
        qtbot.keyClick(box.field, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert box.field.height() < 300
    assert told == []


def test_while_busy_the_button_stops_and_enter_keeps_the_words(qtbot, box):
    box.set_busy(True)
    qtbot.keyClicks(box.field, "next")
    qtbot.keyClick(box.field, Qt.Key.Key_Return)
    assert box.field.toPlainText() == "next"
    assert box.button.accessibleName() == "Stop"
    with qtbot.waitSignal(box.stop_asked):
        qtbot.mouseClick(box.button, Qt.MouseButton.LeftButton)


def test_up_recalls_earlier_questions(qtbot, box):
    for text in ("first", "second"):
        qtbot.keyClicks(box.field, text)
        qtbot.keyClick(box.field, Qt.Key.Key_Return)
    for expected in ("second", "first", "first"):
        qtbot.keyClick(box.field, Qt.Key.Key_Up)
        assert box.field.toPlainText() == expected
    box.set_text("own words")
    qtbot.keyClick(box.field, Qt.Key.Key_Up)
    assert box.field.toPlainText() == "own words"
