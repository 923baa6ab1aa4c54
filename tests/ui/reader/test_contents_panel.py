"""The contents: a tree, a filter, a mark where the reader is."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt

from app.domain.book import ContentsEntry
from app.domain.position import Locator
from app.ui.reader.contents_panel import ContentsPanel

ENTRIES = (
    ContentsEntry(0, None, 0, "Etymology", 0, 0),
    ContentsEntry(1, None, 0, "Chapters", None, None),
    ContentsEntry(2, 1, 1, "41 Moby Dick", 1, 0),
    ContentsEntry(3, 1, 1, "42 The Whiteness of the Whale", 2, 7),
    ContentsEntry(4, None, 0, "", 3, 0),
)


@pytest.fixture
def panel(qtbot, theme, appearance):
    made = ContentsPanel(theme)
    qtbot.addWidget(made)
    made.resize(260, 500)
    made.show()
    made.set_contents(ENTRIES)
    return made


def row_of(panel, title):
    model = panel.tree.model()
    (found,) = model.match(
        model.index(0, 0),
        Qt.ItemDataRole.DisplayRole,
        title,
        1,
        Qt.MatchFlag.MatchExactly | Qt.MatchFlag.MatchRecursive,
    )
    return found


def click(qtbot, panel, title):
    place = panel.tree.visualRect(row_of(panel, title)).center()
    qtbot.mouseClick(panel.tree.viewport(), Qt.MouseButton.LeftButton, pos=place)


def test_every_entry_stands_in_the_tree_in_order(panel):
    assert panel.shown_titles() == [
        "Etymology",
        "Chapters",
        "41 Moby Dick",
        "42 The Whiteness of the Whale",
        "(untitled)",
    ]


def test_a_click_goes_to_the_entry(qtbot, panel):
    with qtbot.waitSignal(panel.entry_chosen) as chosen:
        click(qtbot, panel, "42 The Whiteness of the Whale")
    assert chosen.args == [Locator(2, 7)]


@pytest.mark.no_qt_log  # QTest warns of a click that a disabled row does not take
def test_a_heading_without_target_goes_nowhere(qtbot, panel):
    told = []
    panel.entry_chosen.connect(told.append)
    click(qtbot, panel, "Chapters")
    assert told == []


def test_enter_goes_to_the_entry_under_the_keyboard(qtbot, panel):
    panel.tree.setCurrentIndex(row_of(panel, "41 Moby Dick"))
    with qtbot.waitSignal(panel.entry_chosen) as chosen:
        qtbot.keyClick(panel.tree, Qt.Key.Key_Return)
    assert chosen.args == [Locator(1, 0)]


def test_the_filter_keeps_what_holds_the_words_with_what_is_above(qtbot, panel):
    qtbot.keyClicks(panel.filter, "WHITE")
    assert panel.shown_titles() == ["Chapters", "42 The Whiteness of the Whale"]
    with qtbot.waitSignal(panel.entry_chosen) as chosen:
        qtbot.keyClick(panel.filter, Qt.Key.Key_Return)
    assert chosen.args == [Locator(2, 7)]
    panel.filter.clear()
    assert len(panel.shown_titles()) == 5


def test_a_filter_that_finds_nothing_says_so(qtbot, panel):
    qtbot.keyClicks(panel.filter, "zebra")
    assert panel.shown_titles() == []
    assert panel._empty.isVisible()


def test_the_place_of_the_reader_is_marked(qtbot, panel, theme):
    panel.set_current(ENTRIES[3])
    assert panel.current_title() == "42 The Whiteness of the Whale"
    rect = panel.tree.visualRect(row_of(panel, "42 The Whiteness of the Whale"))
    image = panel.tree.viewport().grab().toImage()
    inks = {image.pixelColor(x, rect.center().y()).name() for x in range(12)}
    assert theme.color("accent") in inks
    panel.set_current(None)
    assert not panel.current_title()


def test_a_book_without_contents_is_told_so(panel):
    panel.set_contents(())
    assert panel._empty.isVisible()
    assert "no table of contents" in panel._empty.text()
    assert not panel.filter.isVisible()
