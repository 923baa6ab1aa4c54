"""The whole window, driven by mouse and keys over a library in memory."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QInputDialog, QPushButton

from app.domain.book import ImportState
from app.domain.errors import BookProtected, StoreUnwritable, WorkerDied
from app.domain.position import Locator
from app.domain.progress import BookKnown, Progress
from app.domain.provider import BUILT_IN, ProviderInfo
from app.domain.settings import ProviderSettings, SettingProblem
from app.ui.actions import ActionId
from tests.fakes.person import answer_dialog
from tests.fakes.window_core import InMemoryBook, make_book, span_of

CTRL, SHIFT, ALT = (
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.AltModifier,
)


def click_footnote(qtbot, body, index):
    piece = next(piece for piece in body.pieces if piece.has_footnote(index))
    qtbot.mouseClick(piece.viewport(), Qt.MouseButton.LeftButton, pos=piece.footnote_point(index))


def test_it_starts_with_the_books_read_last(window):
    assert window.start_page.isVisible()
    assert window.windowTitle() == "Ibid"
    assert len(window.start_page.rows) == 1
    assert not window.actions_by_id[ActionId.ASK].isEnabled()
    assert window.actions_by_id[ActionId.OPEN_BOOK].isEnabled()


def test_a_click_on_a_recent_book_opens_it_where_it_was_left(qtbot, window, moby):
    moby.start = Locator(2, 11)
    qtbot.mouseClick(window.start_page.rows[0], Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window.reader.view is not None)
    assert window.reader.view.isVisible()
    assert window.reader.view.place == Locator(2, 11)
    assert window.windowTitle() == "Moby-Dick – Ibid"
    assert window.top_bar.title == "Moby-Dick"
    assert window.top_bar.chapter == "· 42 The Whiteness of the Whale"


def test_ask_footnote_card_show_in_book_and_back(qtbot, reading):
    reading.reader.view.move(Locator(0, 12), inset_px=3.0)
    qtbot.keyClick(reading, Qt.Key.Key_K, CTRL)
    qtbot.waitUntil(reading.chat_panel.question_box.field.hasFocus)
    qtbot.keyClicks(reading.chat_panel.question_box.field, "Why does whiteness frighten Ishmael?")
    qtbot.keyClick(reading.chat_panel.question_box.field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: bool(reading.chat_panel.turns) and not reading.chat.is_busy)
    body = reading.chat_panel.turns[0].body
    click_footnote(qtbot, body, 1)
    qtbot.waitUntil(body.cards[0].hasFocus)
    qtbot.keyClick(body.cards[0], Qt.Key.Key_Return)
    cited = span_of("It is a colorless, all-color of atheism.")
    assert reading.reader.view.cited == cited
    shown = []
    reading.reader.view.text_under_highlight(shown.append)
    assert shown == ["It is a colorless, all-color of atheism."]
    qtbot.keyClick(reading, Qt.Key.Key_Left, ALT)
    assert reading.reader.view.viewpoint().locator == Locator(0, 12)
    assert reading.reader.view.viewpoint().inset_px == 3.0
    qtbot.keyClick(reading, Qt.Key.Key_Right, ALT)
    assert reading.reader.view.place == Locator(cited.file_index, cited.start)


def test_a_book_is_read_while_it_is_still_read_in_and_asked_when_it_is_done(
    qtbot, make_window, core
):
    new = InMemoryBook(make_book(2, "New", state=ImportState.IMPORTING))
    core.add(new)
    core.imports["new.epub"] = core.slow_import(2)
    window = make_window(core)
    window.open_file(Path("/books/new.epub"))
    qtbot.waitUntil(lambda: window.reader.view is not None)
    qtbot.waitUntil(lambda: "34 of 200 parts" in window.place_bar.task_text)
    window.chat.ask("Why?")
    assert "as soon as the book is read in" in window.chat_panel.turns[0].state_text
    core.go_on.set()
    qtbot.waitUntil(lambda: not window.chat.is_busy)
    assert window.chat_panel.turns[0].foot.coverage_text
    assert not window.place_bar.task_text
    assert new.refreshed >= 1


def test_the_import_can_be_stopped_under_the_page_and_taken_up_again(qtbot, make_window, core):
    core.add(InMemoryBook(make_book(2, "New", state=ImportState.IMPORTING)))
    core.imports["new.epub"] = core.slow_import(2)
    window = make_window(core)
    window.open_file(Path("/books/new.epub"))
    qtbot.waitUntil(lambda: window.reader.view is not None)
    qtbot.waitUntil(lambda: bool(window.place_bar.task_text))
    qtbot.mouseClick(window.place_bar.stop_button, Qt.MouseButton.LeftButton)
    core.go_on.set()
    assert not window.place_bar.task_text
    assert window.reader.view.isVisible()
    assert "was stopped" in window.reader_pane.notice.title
    again = next(
        one for one in window.reader_pane.notice.findChildren(QPushButton) if one.isVisible()
    )
    with qtbot.waitSignal(window.library.ready):
        qtbot.mouseClick(again, Qt.MouseButton.LeftButton)
    window.chat.ask("Why?")
    qtbot.waitUntil(lambda: bool(window.chat_panel.turns) and not window.chat.is_busy)
    assert window.chat_panel.turns[0].foot.coverage_text


def test_a_question_that_waits_for_an_import_that_fails_waits_no_longer(qtbot, make_window, core):
    core.add(InMemoryBook(make_book(2, "New", state=ImportState.IMPORTING)))

    def fails(_password):
        yield BookKnown(2)
        core.go_on.wait(5)
        raise WorkerDied("reading chapter 7")

    core.imports["new.epub"] = fails
    window = make_window(core)
    window.open_file(Path("/books/new.epub"))
    qtbot.waitUntil(lambda: window.reader.view is not None)
    window.chat.ask("Why?")
    core.go_on.set()
    qtbot.waitUntil(window.notice.isVisible)
    assert "reading chapter 7" in window.notice.title
    assert not window.chat.is_busy
    assert window.chat_panel.turns[0].state_text.startswith("Stopped")


def test_a_file_is_opened_by_dropping_it(qtbot, window, core):
    core.imports["dropped.epub"] = lambda _password: iter([BookKnown(1), Progress(1, 1, "pages")])
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile("/books/dropped.epub")])
    place = QPointF(300, 300)
    actions, buttons, keys = (
        Qt.DropAction.CopyAction,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
    entering = QDragEnterEvent(place.toPoint(), actions, data, buttons, keys)
    QApplication.sendEvent(window, entering)
    assert entering.isAccepted()
    assert window.drop_frame.isVisible()
    QApplication.sendEvent(window, QDropEvent(place, actions, data, buttons, keys))
    assert not window.drop_frame.isVisible()
    qtbot.waitUntil(lambda: window.reader.view is not None)
    assert core.imported == [(Path("/books/dropped.epub"), None)]


def test_a_drop_that_is_no_file_is_left_alone(window):
    data = QMimeData()
    data.setText("only words")
    entering = QDragEnterEvent(
        QPointF(9, 9).toPoint(),
        Qt.DropAction.CopyAction,
        data,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
    QApplication.sendEvent(window, entering)
    assert not entering.isAccepted()
    assert not window.drop_frame.isVisible()


def test_a_file_that_cannot_be_opened_leaves_the_open_book_alone(qtbot, reading, core):
    def refuse(_password):
        yield from ()
        raise BookProtected(Path("/books/locked.epub"), "Adobe DRM")

    core.imports["locked.epub"] = refuse
    reading.open_file(Path("/books/locked.epub"))
    qtbot.waitUntil(reading.notice.isVisible)
    assert "protected by Adobe DRM" in reading.notice.title
    assert reading.reader.view.isVisible()
    assert reading.top_bar.title == "Moby-Dick"


def test_the_library_is_one_key_away_and_closes_the_book(qtbot, reading, moby):
    qtbot.keyClick(reading, Qt.Key.Key_L, CTRL | SHIFT)
    assert reading.start_page.isVisible()
    assert moby.is_closed
    assert not reading.actions_by_id[ActionId.BACK].isEnabled()
    assert not reading.top_bar.title


def test_panes_are_hidden_and_shown_by_key_and_remembered(qtbot, make_window, core, reading, jobs):
    qtbot.keyClick(reading, Qt.Key.Key_B, CTRL)
    assert not reading.contents.isVisible()
    qtbot.keyClick(reading, Qt.Key.Key_J, CTRL)
    assert not reading.chat_panel.isVisible()
    reading.close()
    again = make_window(core)
    assert not again.actions_by_id[ActionId.SHOW_CONTENTS].isChecked()
    again.library.open_known(1)
    qtbot.waitUntil(lambda: again.reader.view is not None)
    assert not again.contents.isVisible()
    assert not again.chat_panel.isVisible()
    qtbot.keyClick(again, Qt.Key.Key_K, CTRL)
    assert again.chat_panel.isVisible()


def test_widths_and_text_size_are_remembered(qtbot, make_window, core, reading):
    qtbot.keyClick(reading, Qt.Key.Key_Plus, CTRL)
    assert reading.reader.view.scale == 1.1
    reading.reading_page.set_widths(222, 444)
    reading.close()
    assert (core.settings.contents_width_px, core.settings.chat_width_px) == (222, 444)
    again = make_window(core)
    again.library.open_known(1)
    qtbot.waitUntil(lambda: again.reader.view is not None)
    assert again.reader.view.scale == 1.1
    assert again.reading_page.widths() == (222, 444)


def test_the_theme_goes_round_by_key_and_reaches_the_page(qtbot, reading, core):
    for name in ("sepia", "dark", "light"):
        qtbot.keyClick(reading, Qt.Key.Key_T, CTRL | SHIFT)
        assert reading.reader.view.theme.name == name
        assert core.settings.theme == name
    assert reading.actions_by_id[ActionId.THEME_LIGHT].isChecked()


def test_every_command_is_in_the_palette_and_works_from_there(qtbot, reading):
    qtbot.keyClick(reading, Qt.Key.Key_P, CTRL | SHIFT)
    assert reading.palette_bar.isVisible()
    qtbot.keyClicks(reading.palette_bar.field, "theme: dark")
    qtbot.keyClick(reading.palette_bar.field, Qt.Key.Key_Return)
    assert not reading.palette_bar.isVisible()
    assert reading.reader.view.theme.name == "dark"


def test_the_palette_closes_when_the_window_changes(qtbot, reading):
    reading.open_palette()
    reading.resize(1000, 700)
    qtbot.waitUntil(lambda: not reading.palette_bar.isVisible())


def test_contents_are_filtered_from_the_keyboard_and_lead_to_their_place(qtbot, reading):
    qtbot.keyClick(reading, Qt.Key.Key_O, CTRL | SHIFT)
    qtbot.waitUntil(reading.contents.filter.hasFocus)
    qtbot.keyClicks(reading.contents.filter, "hark")
    qtbot.keyClick(reading.contents.filter, Qt.Key.Key_Return)
    assert reading.reader.view.place == Locator(3, 0)
    assert reading.actions_by_id[ActionId.BACK].isEnabled()


def test_chapters_go_by_keys(qtbot, reading):
    qtbot.keyClick(reading, Qt.Key.Key_PageDown, CTRL)
    assert reading.reader.view.place == Locator(1, 0)
    assert reading.place_bar.place_text.startswith("p. 203")
    qtbot.keyClick(reading, Qt.Key.Key_PageUp, CTRL)
    assert reading.reader.view.place == Locator(0, 0)


def test_a_printed_page_is_typed(qtbot, reading):
    def type_label(box):
        box.setTextValue("205")
        box.accept()

    answer_dialog(QInputDialog, type_label)
    qtbot.keyClick(reading, Qt.Key.Key_G, CTRL)
    assert reading.reader.view.place == Locator(3, 0)


def test_the_chapter_can_be_asked_about_by_key(qtbot, reading, moby):
    reading.reader.view.move(Locator(2, 5))
    reading.actions_by_id[ActionId.ASK_CHAPTER].trigger()
    qtbot.keyClicks(reading.chat_panel.question_box.field, "Why?")
    qtbot.keyClick(reading.chat_panel.question_box.field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: bool(moby.asked) and not reading.chat.is_busy)
    assert moby.asked[0][0].scope.label == "42 The Whiteness of the Whale"


def test_settings_are_opened_by_key_and_providers_read_anew(qtbot, make_window, core):
    shown = []
    window = make_window(core, shown.append)
    qtbot.keyClick(window, Qt.Key.Key_Comma, CTRL)
    assert shown == [window]


def test_full_screen_goes_on_and_off(qtbot, window):
    qtbot.keyClick(window, Qt.Key.Key_F11)
    qtbot.waitUntil(window.isFullScreen)
    qtbot.keyClick(window, Qt.Key.Key_F11)
    qtbot.waitUntil(lambda: not window.isFullScreen())


@pytest.mark.parametrize("closes_while", ["answering", "importing", "opening"])
def test_closing_while_work_runs_ends_everything(qtbot, make_window, core, moby, closes_while):
    window = make_window(core)
    if closes_while == "importing":
        core.imports["new.epub"] = core.slow_import(1)
        window.open_file(Path("/books/new.epub"))
        qtbot.waitUntil(lambda: window.reader.view is not None)
    else:
        window.library.open_known(1)
        if closes_while == "answering":
            qtbot.waitUntil(lambda: window.reader.view is not None)
            moby.waits_for_go_on = True
            window.chat.ask("Why?")
            qtbot.waitUntil(lambda: window.chat_panel.turns[0].body.plain_text() != "")
    window.close()
    core.go_on.set()
    assert not window.isVisible()  # that nothing is left running, the fixture of jobs asserts


def test_the_position_is_kept_at_the_end(reading, moby):
    reading.reader.view.move(Locator(1, 33))
    reading.close()
    assert moby.positions[-1] == Locator(1, 33)
    assert moby.is_closed


def test_settings_that_were_not_understood_are_told(qtbot, make_window, core):
    core.setting_problems = (SettingProblem("font_scale", "huge"),)
    window = make_window(core)
    assert "font_scale" in window.notice.title


def test_a_setting_that_cannot_be_kept_is_told_and_holds(qtbot, reading, core):
    def refuse(settings):
        raise StoreUnwritable(Path("/data/settings.toml"), "the disk is full")

    core.save_settings = refuse
    reading.choose_theme("dark")
    assert "the disk is full" in reading.notice.title
    assert reading.reader.view.theme.name == "dark"


def test_the_provider_that_is_chosen_is_the_default_from_then_on(qtbot, make_window, core):
    home = ProviderInfo("home", "qwen3", "localhost:1", True)
    core.settings = replace(
        core.settings, providers=(ProviderSettings("home", "http://localhost:1/v1", "qwen3"),)
    )
    core.set_providers(ProviderInfo(BUILT_IN, "quoting", "", True), home)
    window = make_window(core)
    window.chat_panel.provider_chooser.chosen.emit("home")
    assert core.settings.default_provider == "home"


def test_a_model_that_was_just_connected_answers(qtbot, make_window, core):
    def connect(window):
        core.set_providers(
            ProviderInfo("home", "qwen3", "localhost:1", True),
            ProviderInfo(BUILT_IN, "quoting", "", True),
        )

    window = make_window(core, connect)
    assert window.chat_panel.provider_chooser.text() == "Built-in · quotes only ▾"
    window.actions_by_id[ActionId.SETTINGS].trigger()
    assert window.chat_panel.provider_chooser.text() == "qwen3 · local ▾"
