"""The bar above: where one is, and every action behind its menu."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QToolButton, QWidget

from app.ui.actions import ACTIONS, colour_icons, make_actions
from app.ui.top_bar import TopBar


@pytest.fixture
def bar(qtbot, theme, appearance):
    host = QWidget()
    qtbot.addWidget(host)
    actions = make_actions(host)
    colour_icons(actions, theme)
    made = TopBar(actions, host)
    made.set_theme(theme)
    made.resize(1000, 48)
    host.show()
    made.show()
    yield made
    host.close()


def shown_buttons(bar):
    return [one for one in bar.findChildren(QToolButton) if one.isVisible()]


def test_it_names_book_and_chapter(bar):
    bar.show_book("Moby-Dick")
    bar.show_chapter("Chapter 42")
    assert (bar.title, bar.chapter) == ("Moby-Dick", "· Chapter 42")
    assert len(shown_buttons(bar)) == 8


def test_without_a_book_only_what_can_be_used_is_shown(bar):
    bar.show_book(None)
    assert not bar.title
    assert len(shown_buttons(bar)) == 3


def test_a_very_long_title_leaves_room_for_the_chapter(qtbot, bar):
    bar.show_book("A title " * 60)
    bar.show_chapter("Chapter 42")
    qtbot.waitUntil(lambda: bar._chapter.text().endswith("Chapter 42"))
    assert bar._title.width() <= 400


def test_every_action_stands_in_the_menu(bar):
    words = [
        action.text()
        for menu in bar.more_button.menu().actions()
        for action in menu.menu().actions()
    ]
    assert sorted(words) == sorted(spec.words for spec in ACTIONS)


def test_every_button_says_what_it_does(bar):
    bar.show_book("x")
    assert all(button.toolTip() or button.text() for button in shown_buttons(bar))
    assert all(not button.icon().isNull() for button in shown_buttons(bar))
