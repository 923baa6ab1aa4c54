"""The middle pane takes any view and says what went wrong above it."""

from __future__ import annotations

from app.domain.book import BookFormat
from app.domain.errors import PageUnreadable
from app.ui.notices import describe
from app.ui.reader.reader_pane import ReaderPane
from tests.fakes.reader_view import FakeReaderView


def test_it_shows_one_view_at_a_time_and_none_when_cleared(qtbot, theme):
    pane = ReaderPane()
    qtbot.addWidget(pane)
    pane.show()
    first, second = (FakeReaderView(one, theme) for one in BookFormat)
    pane.show_view(first)
    pane.show_view(second)
    assert pane.view is second
    assert second.isVisible()
    assert not first.isVisible()
    pane.show_view(first)
    assert first.isVisible()
    pane.clear()
    assert pane.view is None


def test_notices_and_links_belong_to_the_book_that_is_shown(qtbot, theme):
    pane = ReaderPane()
    qtbot.addWidget(pane)
    pane.show()
    pane.show_notice(describe(PageUnreadable(4, "it is damaged")))
    pane.offer_link("https://example.org/")
    assert "Page 5" in pane.notice.title
    assert pane.link_bar.isVisible()
    pane.show_view(FakeReaderView(BookFormat.PDF, theme))
    assert not pane.notice.isVisible()
    assert not pane.link_bar.isVisible()
