"""Three panes: the keyboard goes round, widths are remembered."""

from __future__ import annotations

import pytest

from app.domain.book import BookFormat
from app.ui.chat.chat_panel import ChatPanel
from app.ui.reader.contents_panel import ContentsPanel
from app.ui.reader.place_bar import PlaceBar
from app.ui.reader.reader_pane import ReaderPane
from app.ui.reading_page import ReadingPage
from tests.fakes.reader_view import FakeReaderView


@pytest.fixture
def parts(theme):
    return ContentsPanel(theme), ReaderPane(), PlaceBar(), ChatPanel(theme)


@pytest.fixture
def page(qtbot, parts, theme, appearance):
    made = ReadingPage(*parts)
    qtbot.addWidget(made)
    parts[1].show_view(FakeReaderView(BookFormat.EPUB, theme))
    made.resize(1300, 700)
    made.show()
    qtbot.waitExposed(made)
    made.activateWindow()
    return made


def test_the_keyboard_goes_round_the_visible_panes(qtbot, page, parts):
    contents, pane, _, chat = parts
    pane.view.setFocus()
    qtbot.waitUntil(pane.view.hasFocus)
    page.focus_next_pane()
    qtbot.waitUntil(chat.question_box.field.hasFocus)
    page.focus_next_pane()
    qtbot.waitUntil(contents.tree.hasFocus)
    page.focus_next_pane()
    qtbot.waitUntil(pane.view.hasFocus)
    chat.hide()
    page.focus_next_pane()
    qtbot.waitUntil(contents.tree.hasFocus)


def test_widths_can_be_kept_and_taken_up(page, parts):
    page.set_widths(200, 500)
    assert page.widths() == (200, 500) == (parts[0].width(), parts[3].width())
    page.resize(1100, 700)
    assert page.widths() == (200, 500)
    parts[3].hide()
    assert page.widths()[1] == 0


def test_no_pane_can_be_squeezed_away(page, parts):
    page._splitter.setSizes([1, 1, 1])
    assert all(part.width() > 150 for part in (parts[0], parts[1], parts[3]))
