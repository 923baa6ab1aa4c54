"""The line under the page."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt

from app.domain.progress import Progress
from app.ui.reader.place_bar import PlaceBar


@pytest.fixture
def bar(qtbot):
    made = PlaceBar()
    qtbot.addWidget(made)
    made.resize(700, 32)
    made.show()
    return made


def test_it_shows_the_printed_page_only_where_there_is_one(bar):
    bar.set_place("204", 31.4)
    assert bar.place_text == "p. 204 · 31 %"
    bar.set_place("", 100)
    assert bar.place_text == "100 %"
    bar.clear()
    assert not bar.place_text


@pytest.mark.parametrize(
    ("progress", "words"),
    [
        (Progress(34, 200, "documents"), "34 of 200 parts"),
        (Progress(3, 9, "pages"), "3 of 9 pages"),
        (Progress(1, 2, "surprises"), "1 of 2"),
        (Progress(0, None, "documents"), "Reading the book in…"),
    ],
)
def test_a_running_import_is_shown_and_can_be_stopped(qtbot, bar, progress, words):
    assert not bar.task_text
    bar.show_import(progress)
    assert words in bar.task_text
    with qtbot.waitSignal(bar.stop_asked):
        qtbot.mouseClick(bar.stop_button, Qt.MouseButton.LeftButton)
    bar.show_import(None)
    assert not bar.task_text
    assert not bar.stop_button.isVisible()
