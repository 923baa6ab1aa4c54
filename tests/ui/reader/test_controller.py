"""Reading: places, jumps and the one history, links, positions on disk."""

from __future__ import annotations

import random

import pytest

from app.domain.book import BookFormat
from app.domain.errors import PageUnreadable, StoreUnwritable
from app.domain.position import Locator, Span
from app.domain.scope import ScopeKind
from app.ui.reader.contents_panel import ContentsPanel
from app.ui.reader.controller import ReaderController
from app.ui.reader.place_bar import PlaceBar
from app.ui.reader.reader_pane import ReaderPane
from app.ui.reader.reader_view import BookLink, ReaderSelection, Viewpoint, WebLink
from app.ui.theme import load_theme
from tests.fakes.reader_view import FakeReaderView
from tests.fakes.window_core import TEXTS, InMemoryBook, make_book, span_of


@pytest.fixture
def parts(qtbot, theme, appearance):
    made = ReaderPane(), ContentsPanel(theme), PlaceBar()
    for part in made:
        qtbot.addWidget(part)
        part.show()
    return made


@pytest.fixture
def reader(parts, jobs, theme):
    return ReaderController(*parts, jobs=jobs, make_view=FakeReaderView, theme=theme)


@pytest.fixture
def opened(reader, moby):
    reader.open_book(moby, None)
    return reader


def test_a_new_book_opens_at_its_beginning_a_known_one_where_it_was_left(reader, moby, parts):
    reader.open_book(moby, None)
    assert reader.view.place == Locator(0, 0)
    reader.open_book(moby, Locator(2, 30))
    assert reader.view.place == Locator(2, 30)
    assert parts[2].place_text.startswith("p. 204 · ")
    assert parts[1].current_title() == "42 The Whiteness of the Whale"


def test_a_jump_before_the_first_page_is_drawn_can_be_taken_back(reader, moby):
    reader.open_book(moby, Locator(2, 30))
    reader.view.place = None  # as a view that has drawn nothing yet
    reader.show_cited(span_of("It is a colorless, all-color of atheism."))
    reader.back()
    assert reader.view.viewpoint() == Viewpoint(Locator(2, 30), 0.0)


def test_a_cited_span_is_shown_highlighted_and_back_returns_to_the_exact_line(opened):
    opened.view.move(Locator(0, 20), inset_px=7.5)
    cited = span_of("It is a colorless, all-color of atheism.")
    opened.show_cited(cited)
    assert opened.view.cited == cited
    assert opened.view.place == Locator(cited.file_index, cited.start)
    assert opened.can_go_back
    opened.back()
    assert opened.view.viewpoint() == Viewpoint(Locator(0, 20), 7.5)
    opened.forward()
    assert opened.view.place == Locator(cited.file_index, cited.start)


def test_thirty_mixed_jumps_are_thirty_exact_steps_back(opened, parts, moby):
    chance = random.Random(7)
    left = []
    view = opened.view
    jumps = [
        lambda: opened.jump_to(Locator(chance.randrange(4), chance.randrange(40))),
        lambda: opened.show_cited(span_of("Is it by its indefiniteness")),
        lambda: opened.go_to_page("203"),
        lambda: parts[1].entry_chosen.emit(Locator(3, 0)),
        lambda: view.link_activated.emit(BookLink("text/c1.xhtml", "", 0, False)),
    ]
    for number in range(30):
        view.move(Locator(chance.randrange(4), 41 + number), inset_px=number / 3)
        left.append(view.viewpoint())
        chance.choice(jumps)()
    for place in reversed(left):
        opened.back()
        assert view.viewpoint() == place
    assert not opened.can_go_back


def test_chapters_go_one_by_one(opened):
    opened.next_chapter()
    assert opened.view.place == Locator(1, 0)
    opened.next_chapter()
    opened.view.move(Locator(2, 50))
    opened.previous_chapter()
    assert opened.view.place == Locator(2, 0)
    opened.previous_chapter()
    assert opened.view.place == Locator(1, 0)


def test_the_chapter_that_is_read_is_told_and_can_be_asked_about(qtbot, opened):
    with qtbot.waitSignal(opened.chapter_changed) as changed:
        opened.view.move(Locator(2, 10))
    assert changed.args == ["42 The Whiteness of the Whale"]
    scope = opened.chapter_scope()
    assert scope.kind is ScopeKind.CHAPTER
    assert scope.spans == (Span(2, 0, len(TEXTS[2])),)


def test_a_printed_page_is_found_by_its_label_and_a_wrong_one_is_told(opened, parts, reader):
    opened.go_to_page("204")
    assert opened.view.place == Locator(2, 0)
    opened.go_to_page("405")
    assert "no printed page 405" in parts[0].notice.title
    reader.open_book(InMemoryBook(make_book(2), has_labels=False), None)
    reader.go_to_page("405")
    assert "no printed page numbers" in parts[0].notice.title


@pytest.mark.parametrize("folder", ["text", ""])
def test_a_link_into_the_book_is_a_jump(opened, moby, folder):
    asked = []
    moby.resolve_link = lambda index, href: asked.append((index, href)) or Locator(3, 5)
    name = f"{folder}/no tes.xhtml".lstrip("/")
    opened.view.link_activated.emit(BookLink(name, "n 1", 0, False))
    expected = "no%20tes.xhtml#n%201" if folder else "../no%20tes.xhtml#n%201"
    assert asked == [(0, expected)]
    assert opened.view.place == Locator(3, 5)
    assert opened.can_go_back


def test_a_link_to_nowhere_moves_nothing(opened):
    opened.view.link_activated.emit(BookLink("text/none.xhtml", "", 0, False))
    assert opened.view.place == Locator(0, 0)
    assert not opened.can_go_back


def test_a_link_out_of_the_book_is_shown_and_not_opened(opened, parts):
    opened.view.link_activated.emit(WebLink("https://example.org/"))
    assert parts[0].link_bar.address == "https://example.org/"


def test_the_position_is_kept_while_reading_and_at_the_end(qtbot, opened, moby, reader):
    opened.view.move(Locator(1, 5))
    opened.view.move(Locator(1, 9))
    qtbot.waitUntil(lambda: moby.positions == [Locator(1, 9)], timeout=2000)
    opened.view.move(Locator(1, 12))
    reader.close_book()
    assert moby.positions[-1] == Locator(1, 12)


def test_a_position_that_cannot_be_kept_is_told_while_reading_and_no_crash_at_the_end(
    qtbot, opened, moby, parts, reader
):
    def refuse(place):
        raise StoreUnwritable(moby.book.path, "the disk is full")

    moby.save_position = refuse
    opened.view.move(Locator(1, 5))
    qtbot.waitUntil(lambda: "disk is full" in parts[0].notice.title)
    reader.close_book()
    assert reader.view is None


def test_an_import_that_went_on_is_taken_in_without_moving(opened, moby):
    opened.view.move(Locator(2, 10))
    opened.refresh()
    assert moby.refreshed == 1
    assert opened.view.added == 1
    assert opened.view.place == Locator(2, 10)


def test_each_format_has_one_view_that_is_used_again(reader, moby):
    reader.open_book(moby, None)
    first = reader.view
    reader.open_book(InMemoryBook(make_book(2, book_format=BookFormat.PDF)), None)
    assert reader.view.book_format is BookFormat.PDF
    assert first.content is None
    reader.open_book(moby, None)
    assert reader.view is first
    assert not reader.can_go_back


def test_theme_and_text_size_reach_every_view(qtbot, opened):
    opened.set_theme(load_theme("dark"))
    assert opened.view.theme.name == "dark"
    for order, scale in (
        (opened.larger_text, 1.1),
        (opened.normal_text, 1.0),
        (opened.smaller_text, 0.9),
    ):
        with qtbot.waitSignal(opened.text_scale_changed):
            order()
        assert opened.view.scale == scale
    for _ in range(20):
        opened.larger_text()
    assert opened.view.scale == 3.0


def test_a_selection_is_told_as_its_span(qtbot, opened):
    span = span_of("Hark!")
    with qtbot.waitSignal(opened.selection_changed) as told:
        opened.view.selection_changed.emit(ReaderSelection(span, "Hark!"))
    assert told.args == [span]
    with qtbot.waitSignal(opened.selection_changed) as told:
        opened.view.selection_changed.emit(None)
    assert told.args == [None]


def test_a_page_that_cannot_be_shown_is_told_above_it(opened, parts):
    opened.view.failed.emit(PageUnreadable(3, "it is damaged"))
    assert "Page 4" in parts[0].notice.title


def test_the_highlight_can_be_taken_away(opened):
    opened.show_cited(span_of("Hark!"))
    opened.clear_highlight()
    assert opened.view.cited is None
