"""The command palette: a few letters find any action."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from app.ui.actions import ACTIONS, ActionId, make_actions
from app.ui.command_palette import CommandPalette, likeness


@pytest.fixture
def host(qtbot, appearance):
    made = QWidget()
    qtbot.addWidget(made)
    made.resize(900, 700)
    made.show()
    qtbot.waitExposed(made)
    return made


@pytest.fixture
def actions(host):
    return make_actions(host)


@pytest.fixture
def palette(host, theme, actions):
    made = CommandPalette(theme, host)
    made.open(actions.values())
    return made


def test_it_lists_every_action_that_can_be_used(palette, actions):
    assert len(palette.shown_words()) == len(ACTIONS)
    palette.close_palette()
    actions[ActionId.BACK].setEnabled(False)
    palette.open(actions.values())
    assert "Back" not in palette.shown_words()


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("dark", "Theme: dark"),
        ("DARK", "Theme: dark"),
        ("theme dark", "Theme: dark"),
        ("drk", "Theme: dark"),
        ("setings", "Settings"),
        ("hand", "Handbook"),
        ("next ch", "Next chapter"),
    ],
)
def test_a_few_letters_find_an_action_even_mistyped(qtbot, palette, typed, found):
    qtbot.keyClicks(palette.field, typed)
    assert found in palette.shown_words()[:3]


def test_nonsense_finds_nothing(qtbot, palette):
    qtbot.keyClicks(palette.field, "xyzzy")
    assert palette.shown_words() == []
    qtbot.keyClick(palette.field, Qt.Key.Key_Return)
    assert not palette.isVisible()


def test_words_that_begin_so_come_first():
    assert likeness("Theme: dark", "th") > likeness("Next theme", "th") > 0
    assert likeness("Anything", "") == 100


def test_enter_does_the_chosen_action(qtbot, palette, actions):
    done = []
    actions[ActionId.THEME_DARK].triggered.connect(lambda: done.append("dark"))
    actions[ActionId.THEME_LIGHT].triggered.connect(lambda: done.append("light"))
    qtbot.keyClicks(palette.field, "theme:")
    words = palette.shown_words()
    for _ in range(words.index("Theme: dark")):
        qtbot.keyClick(palette.field, Qt.Key.Key_Down)
    qtbot.keyClick(palette.field, Qt.Key.Key_Return)
    assert done == ["dark"]
    assert not palette.isVisible()


def test_a_click_does_it_too(qtbot, palette, actions):
    done = []
    actions[ActionId.OPEN_BOOK].triggered.connect(lambda: done.append("open"))
    place = palette.list.visualItemRect(palette.list.item(0)).center()
    qtbot.mouseClick(palette.list.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert done == ["open"]


def test_escape_closes(qtbot, palette):
    with qtbot.waitSignal(palette.closed):
        qtbot.keyClick(palette.field, Qt.Key.Key_Escape)
    assert not palette.isVisible()


def test_it_fits_into_its_window(palette, host):
    assert host.rect().contains(palette.geometry())
