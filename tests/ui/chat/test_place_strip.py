"""The strip: marks stand where the places are, and lead there."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt

from app.ui.chat.place_strip import PlaceMark, PlaceStrip
from tests.fakes.window_core import cite

EARLY = PlaceMark(cite(2, "It is a colorless, all-color of atheism."), 10, "Chapter 1")
LATE = PlaceMark(cite(1, "It was the whiteness of the whale"), 90, "Chapter 9")


@pytest.fixture
def strip(qtbot, theme):
    made = PlaceStrip(theme)
    qtbot.addWidget(made)
    made.resize(300, 26)
    made.set_marks((LATE, EARLY))
    made.show()
    return made


def test_marks_stand_in_the_order_of_the_book(strip):
    assert strip.marks == (EARLY, LATE)
    assert strip.x_of(EARLY) < 60
    assert strip.x_of(LATE) > 240


def test_a_mark_is_painted_where_it_stands(strip, theme):
    image = strip.grab().toImage()
    for mark in strip.marks:
        assert image.pixelColor(round(strip.x_of(mark)), 13).name() == theme.color("accent")
    assert image.pixelColor(150, 13).name() != theme.color("accent")


def test_a_click_on_a_mark_leads_to_its_place(qtbot, strip):
    with qtbot.waitSignal(strip.mark_chosen) as chosen:
        qtbot.mouseClick(
            strip, Qt.MouseButton.LeftButton, pos=QPoint(round(strip.x_of(LATE)) + 3, 13)
        )
    assert chosen.args == [LATE.citation]


def test_a_click_between_marks_leads_nowhere(qtbot, strip):
    told = []
    strip.mark_chosen.connect(told.append)
    qtbot.mouseClick(strip, Qt.MouseButton.LeftButton, pos=QPoint(150, 13))
    assert told == []


def test_arrows_and_enter_do_the_same(qtbot, strip):
    strip.setFocus()
    with qtbot.waitSignal(strip.mark_chosen) as chosen:
        qtbot.keyClick(strip, Qt.Key.Key_Right)
        qtbot.keyClick(strip, Qt.Key.Key_Return)
    assert chosen.args == [LATE.citation]
