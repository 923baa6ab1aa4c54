"""A chooser shows what is chosen and tells what a person takes."""

from __future__ import annotations

import pytest

from app.ui.chat.chooser import Choice, Chooser

CHOICES = (
    Choice("book", "Whole book"),
    Choice("chapter", "This chapter: Salt & Pepper and everything that is in the kitchen", "tip"),
    Choice("+", "Connect a model…", is_command=True),
)


@pytest.fixture
def chooser(qtbot):
    made = Chooser("Asked about")
    qtbot.addWidget(made)
    made.set_choices(CHOICES, "chapter")
    return made


def test_the_button_shows_the_choice_cut_to_fit_and_its_tip_the_whole(chooser):
    assert chooser.text().startswith("This chapter: Salt && Pepper")
    assert chooser.text().endswith("… ▾")
    assert "everything that is in the kitchen" in chooser.toolTip()
    assert chooser.accessibleName().startswith("Asked about: This chapter")


def test_the_menu_marks_the_choice_and_tells_what_is_taken(qtbot, chooser):
    book, chapter, line, connect = chooser.menu().actions()
    assert chapter.isChecked()
    assert not book.isChecked()
    assert line.isSeparator()
    assert not connect.isCheckable()
    with qtbot.waitSignal(chooser.chosen) as chosen:
        book.trigger()
    assert chosen.args == ["book"]
    assert chooser.choices == CHOICES
