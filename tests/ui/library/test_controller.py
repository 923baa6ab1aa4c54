"""Taking files in: readable before ready, stopped, failed, with a password."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QFileDialog, QInputDialog, QLineEdit

from app.domain.book import ImportState
from app.domain.errors import BookProtected, PasswordRequired, WorkerDied
from app.domain.progress import BookKnown
from app.ui.library.controller import LibraryController
from app.ui.library.start_page import StartPage
from app.ui.notices import NoticeAction
from tests.fakes.person import answer_dialog
from tests.fakes.window_core import InMemoryBook, make_book

FILE = Path("/books/new.epub")


@pytest.fixture
def page(qtbot, theme, appearance):
    made = StartPage(theme)
    qtbot.addWidget(made)
    made.show()
    return made


@pytest.fixture
def library(page, core, jobs):
    return LibraryController(page, core, jobs)


@pytest.fixture
def told(library):
    seen = []
    for name in ("readable", "ready", "progressed", "failed"):
        getattr(library, name).connect(lambda value, name=name: seen.append((name, value)))
    library.stopped.connect(lambda: seen.append(("stopped", None)))
    return seen


def script(*events, error=None):
    """What `import_book` yields and raises, whatever the password."""

    def imported(_password):
        yield from events
        if error is not None:
            raise error

    return imported


def test_a_book_can_be_read_before_its_import_has_ended(qtbot, library, core, told, page):
    core.add(InMemoryBook(make_book(2, state=ImportState.IMPORTING)))
    core.imports["new.epub"] = core.slow_import(2)
    library.open_file(FILE)
    assert page.task_text == "Opening “new.epub”…"
    qtbot.waitUntil(lambda: len(told) >= 3)
    assert ("readable", 2) in told
    assert told[-1][0] == "progressed"
    assert (told[-1][1].book_id, told[-1][1].progress.done) == (2, 34)
    assert library.is_importing
    core.go_on.set()
    qtbot.waitUntil(lambda: told[-1][0] == "ready")
    assert told[-1][1].book_id == 2
    qtbot.waitUntil(lambda: not library.is_importing)
    assert not page.task_text


def test_a_book_that_is_known_at_the_end_only_is_told_once(qtbot, library, core, told):
    core.imports["new.epub"] = script()
    library.open_file(FILE)
    qtbot.waitUntil(lambda: len(told) == 2)
    assert [name for name, _ in told] == ["readable", "ready"]


def test_stop_ends_the_import_and_nothing_more_is_told(qtbot, library, core, told, page):
    core.imports["new.epub"] = core.slow_import(1)
    library.open_file(FILE)
    qtbot.waitUntil(lambda: ("readable", 1) in told)
    qtbot.mouseClick(page.stop_button, Qt.MouseButton.LeftButton)
    core.go_on.set()
    qtbot.waitUntil(lambda: not library.is_importing)
    assert told[-1] == ("stopped", None)
    assert not page.task_text


def test_another_file_takes_the_place_of_the_one_that_is_read_in(qtbot, library, core, told, jobs):
    core.imports["new.epub"] = core.slow_import(1)
    core.imports["other.epub"] = script(BookKnown(1))
    library.open_file(FILE)
    library.open_file(Path("/books/other.epub"))
    core.go_on.set()
    qtbot.waitUntil(lambda: not jobs.is_busy)
    assert [name for name, _ in told].count("ready") == 1


def test_a_fault_is_told_on_the_page_with_a_way_on(qtbot, library, core, page, told):
    core.imports["new.epub"] = script(error=BookProtected(FILE, "Adobe DRM"))
    library.open_file(FILE)
    qtbot.waitUntil(page.notice.isVisible)
    assert page.notice.title == "“new.epub” is protected by Adobe DRM and cannot be opened."
    assert told[0][0] == "failed"


def test_a_missing_file_is_told(qtbot, library, page):
    library.open_file(Path("/books/gone.epub"))
    qtbot.waitUntil(page.notice.isVisible)
    assert "no longer at its place" in page.notice.title


def test_try_again_reads_the_same_file_in(qtbot, library, core, page):
    core.imports["new.epub"] = script(error=WorkerDied("reading"))
    library.open_file(FILE)
    qtbot.waitUntil(page.notice.isVisible)
    core.imports["new.epub"] = script()
    with qtbot.waitSignal(library.ready):
        page.notice.action_chosen.emit(NoticeAction.TRY_AGAIN)
    assert [path for path, _ in core.imported] == [FILE, FILE]


def test_a_password_is_asked_for_and_goes_with_the_file_once(qtbot, library, core, page):
    def ask(password):
        yield from ()
        if password != "open sesame":
            raise PasswordRequired(FILE)

    labels = []

    def give(password):
        def type_it(box):
            assert box.findChild(QLineEdit).echoMode() == QLineEdit.EchoMode.Password
            labels.append(box.labelText())
            box.setTextValue(password)
            box.accept()
            if password != "open sesame":
                answer_dialog(QInputDialog, give("open sesame"))

        return type_it

    core.imports["new.epub"] = ask
    answer_dialog(QInputDialog, give("wrong"))
    with qtbot.waitSignal(library.ready):
        library.open_file(FILE)
    assert core.imported == [(FILE, None), (FILE, "wrong"), (FILE, "open sesame")]
    assert labels[0] == "Password of “new.epub”:"
    assert labels[1].startswith("This password does not open")
    assert not page.notice.isVisible()


def test_without_the_password_the_notice_stays_and_offers_to_enter_it(qtbot, library, core, page):
    core.imports["new.epub"] = script(error=PasswordRequired(FILE))
    answer_dialog(QInputDialog, lambda box: box.reject())
    library.open_file(FILE)
    qtbot.waitUntil(lambda: QApplication.activeModalWidget() is None and page.notice.isVisible())
    assert "opens with a password" in page.notice.title


def test_a_file_is_chosen_in_a_dialog(qtbot, library, core, tmp_path):
    file = tmp_path / "chosen.epub"
    file.write_bytes(b"")
    core.imports["chosen.epub"] = script()

    def choose(box):
        box.selectFile(str(file))
        box.accept()

    QApplication.setAttribute(Qt.ApplicationAttribute.AA_DontUseNativeDialogs)
    answer_dialog(QFileDialog, choose)
    with qtbot.waitSignal(library.ready):
        library.choose_file()
    assert core.imported == [(file, None)]


def test_recent_books_stand_on_the_page_and_open_without_an_import(
    qtbot, library, core, page, told
):
    assert not library.has_books
    library.refresh()
    assert library.has_books
    qtbot.mouseClick(page.rows[0], Qt.MouseButton.LeftButton)
    assert [name for name, _ in told] == ["readable", "ready"]
    assert core.imported == []


def test_a_book_whose_import_never_ended_is_taken_in_again(qtbot, library, core, told):
    unfinished = make_book(5, "Unfinished", state=ImportState.IMPORTING)
    core.recent = [unfinished]
    core.add(InMemoryBook(unfinished))
    core.imports["Unfinished.epub"] = script()
    library.refresh()
    with qtbot.waitSignal(library.ready):
        library.open_known(5)
    assert core.imported == [(unfinished.path, None)]


def test_the_handbook_is_opened_like_any_book(qtbot, library, core):
    core.imports["Handbook.epub"] = script()
    with qtbot.waitSignal(library.ready):
        library.open_handbook()
