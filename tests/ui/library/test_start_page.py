"""The start page: recent books, opening, a running import."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton

from app.ui.library.start_page import BookRow, StartPage
from app.ui.theme import load_theme

ROWS = (
    BookRow(7, "Moby-Dick", "Herman Melville", "EPUB", "a"),
    BookRow(9, "A title " * 40, "", "PDF", "b"),
)


@pytest.fixture
def page(qtbot, theme, appearance):
    made = StartPage(theme)
    qtbot.addWidget(made)
    made.resize(800, 600)
    made.show()
    return made


def test_a_click_on_a_recent_book_chooses_it(qtbot, page):
    page.set_books(ROWS)
    assert page.rows[0].accessibleName() == "Moby-Dick, Herman Melville · EPUB"
    with qtbot.waitSignal(page.book_chosen) as chosen:
        qtbot.mouseClick(page.rows[0], Qt.MouseButton.LeftButton)
    assert chosen.args == [7]
    with qtbot.waitSignal(page.book_chosen) as chosen:
        qtbot.keyClick(page.rows[1], Qt.Key.Key_Space)
    assert chosen.args == [9]


def test_a_very_long_title_does_not_widen_the_page(qtbot, page):
    page.set_books(ROWS)
    qtbot.waitUntil(lambda: 0 < page.rows[1].width() <= 700)
    assert page.horizontalScrollBar().maximum() == 0


def test_books_that_left_the_list_leave_the_page(page):
    page.set_books(ROWS)
    page.set_books(ROWS[:1])
    assert len(page.rows) == 1


def test_opening_and_the_handbook_are_one_click_away(qtbot, page):
    buttons = {one.text(): one for one in page.findChildren(QPushButton)}
    with qtbot.waitSignal(page.open_asked):
        qtbot.mouseClick(buttons["Open a book…"], Qt.MouseButton.LeftButton)
    with qtbot.waitSignal(page.handbook_asked):
        qtbot.mouseClick(buttons["Read the handbook"], Qt.MouseButton.LeftButton)


def test_a_running_import_is_shown_and_can_be_stopped(qtbot, page):
    assert not page.task_text
    page.show_import("Opening “a.epub”…", 3, 10)
    assert page.task_text == "Opening “a.epub”…"
    assert not page.open_button.isEnabled()
    with qtbot.waitSignal(page.stop_asked):
        qtbot.mouseClick(page.stop_button, Qt.MouseButton.LeftButton)
    page.show_import("")
    assert not page.task_text
    assert page.open_button.isEnabled()


def test_it_is_drawn_in_the_theme(page):
    page.set_books(ROWS)
    before = page.rows[0].grab().toImage()
    page.set_theme(load_theme("dark"))
    assert page.rows[0].grab().toImage() != before
