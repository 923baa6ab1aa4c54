"""The table of actions: no clash, all of it in the menus, words for everything."""

from __future__ import annotations

from collections import Counter

from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QWidget

from app.ui.actions import ACTIONS, ActionId, colour_icons, make_actions, tool_tip


def test_every_action_stands_in_the_table_once():
    assert Counter(spec.action_id for spec in ACTIONS) == Counter(ActionId)


def test_no_two_actions_share_a_shortcut():
    shortcuts = Counter(
        QKeySequence(shortcut).toString() for spec in ACTIONS for shortcut in spec.shortcuts
    )
    assert "" not in shortcuts
    assert [shortcut for shortcut, count in shortcuts.items() if count > 1] == []


def test_no_two_actions_share_their_words():
    assert max(Counter(spec.words for spec in ACTIONS).values()) == 1


def test_actions_are_made_from_the_table(qtbot, theme):
    parent = QWidget()
    qtbot.addWidget(parent)
    made = make_actions(parent)
    colour_icons(made, theme)
    for spec in ACTIONS:
        action = made[spec.action_id]
        assert action.text() == spec.words
        assert action.isCheckable() == spec.is_switch
        assert len(action.shortcuts()) == len(spec.shortcuts)
        assert action.icon().isNull() == (not spec.icon)


def test_a_tool_tip_names_the_shortcut():
    spec = next(spec for spec in ACTIONS if spec.action_id is ActionId.OPEN_BOOK)
    assert tool_tip(spec) == "Open book (Ctrl+O)"
