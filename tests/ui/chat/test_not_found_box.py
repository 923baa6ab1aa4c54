"""What was searched in vain, and the nearest places, which are no support."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton

from app.ui.chat.not_found_box import NotFoundBox
from tests.fakes.window_core import cite, report

NEAREST = cite(1, "Is it by its indefiniteness it shadows forth the heartless voids")


def test_searches_stand_with_their_counts_and_nearest_places_apart(qtbot):
    box = NotFoundBox()
    qtbot.addWidget(box)
    box.show_search((report("quantum", most_words=0), report("quarks")), (NEAREST,))
    lines = box.lines()
    assert lines[0] == "What was searched"
    assert lines[1].startswith("“quantum” – exact wording: 0")
    assert lines[2].startswith("“quarks”")
    assert "do not answer" in lines[3]
    assert NEAREST.text in lines[4]
    assert lines[5] == "Chapters › 42 The Whiteness of the Whale · p. 204"


def test_a_nearest_place_can_be_shown(qtbot):
    box = NotFoundBox()
    qtbot.addWidget(box)
    box.show_search((), (NEAREST,))
    box.show()
    with qtbot.waitSignal(box.show_in_book) as shown:
        qtbot.mouseClick(box.findChild(QPushButton), Qt.MouseButton.LeftButton)
    assert shown.args == [NEAREST]


def test_without_nearest_places_nothing_is_said_of_them(qtbot):
    box = NotFoundBox()
    qtbot.addWidget(box)
    box.show_search((report("quarks"),), ())
    assert len(box.lines()) == 2
