"""Our own faults: every way they come is caught, and nothing private gets into a report."""

from __future__ import annotations

import gc
import logging
import sys
import threading

import pytest
from PySide6.QtCore import QObject, Qt, Signal, qWarning
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QFileDialog, QPlainTextEdit, QPushButton

from app import __version__
from app.ui.crash_report import CrashDialog, CrashReporter, format_report
from tests.fakes.person import answer_dialog

SECRET = "sk-canary and a line of the book"


@pytest.fixture
def reporter(qapp, tmp_path):
    made = CrashReporter(tmp_path / "logs")
    hooks = sys.excepthook, sys.unraisablehook, threading.excepthook
    made.install()
    yield made
    made.uninstall()
    sys.excepthook, sys.unraisablehook, threading.excepthook = hooks


def raise_secret():
    raise ValueError(SECRET)


class Teller(QObject):
    told = Signal()


def in_slot():
    teller = Teller()
    teller.told.connect(raise_secret)
    teller.told.emit()


def in_thread():
    thread = threading.Thread(target=raise_secret)  # noqa: TID251 - the hook of threads is tested
    thread.start()
    thread.join()


def in_finaliser():
    class Falling:
        def __del__(self):
            raise_secret()

    Falling()
    gc.collect()


@pytest.mark.no_qt_log
@pytest.mark.parametrize("place", [in_slot, in_thread, in_finaliser])
def test_a_fault_is_reported_wherever_it_happens_without_its_words(
    qtbot, reporter, tmp_path, place, capsys
):
    with qtbot.captureExceptions(), qtbot.waitSignal(reporter.reported) as reported:
        # The hook of pytest-qt would take the exception first.
        sys.excepthook = reporter._on_exception
        place()
    (report,) = reported.args
    assert "ValueError" in report
    assert "raise_secret" in report
    assert f"Ibid {__version__}" in report
    assert SECRET not in report
    assert SECRET not in (tmp_path / "logs" / "report.txt").read_text(encoding="utf-8")
    assert SECRET not in capsys.readouterr().err


def test_the_tail_of_the_log_comes_without_values(qtbot, reporter):
    logging.getLogger("app.test").warning("opened %s", SECRET)
    logging.getLogger("app.test").warning(SECRET)
    with qtbot.waitSignal(reporter.reported) as reported:
        sys.excepthook(ValueError, ValueError("x"), None)
    assert "WARNING app.test" in reported.args[0]
    assert "opened %s" in reported.args[0]
    assert SECRET not in reported.args[0]


@pytest.mark.no_qt_log
def test_messages_of_qt_go_to_the_log(reporter, caplog):
    with caplog.at_level(logging.WARNING, "app.qt"):
        qWarning("a plugin is missing")
    assert "a plugin is missing" in caplog.text


def test_ctrl_c_is_no_fault(reporter, capsys):
    told = []
    reporter.reported.connect(told.append)
    sys.excepthook(KeyboardInterrupt, KeyboardInterrupt(), None)
    QApplication.sendPostedEvents()
    assert told == []
    assert "KeyboardInterrupt" in capsys.readouterr().err


def test_a_hard_crash_of_the_last_run_is_offered_once(qapp, tmp_path):
    logs = tmp_path / "logs"
    logs.mkdir()
    (logs / "crash.txt").write_text("Fatal Python error: Segmentation fault\n")
    reporter = CrashReporter(logs)
    assert reporter.left_by_last_run() == "Fatal Python error: Segmentation fault"
    assert not reporter.left_by_last_run()


def test_a_run_that_ended_well_leaves_nothing(qapp, tmp_path):
    reporter = CrashReporter(tmp_path)
    reporter.install()
    assert (tmp_path / "crash.txt").exists()
    reporter.uninstall()
    assert not (tmp_path / "crash.txt").exists()
    assert sys.excepthook is sys.__excepthook__


def test_a_report_names_versions_and_places():
    try:
        raise_secret()
    except ValueError as error:
        report = format_report(ValueError, error.__traceback__)
    assert "PySide6" in report
    assert "test_crash_report.py" in report


def press(qtbot, dialog, words):
    button = next(one for one in dialog.findChildren(QPushButton) if one.text() == words)
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


def test_the_dialog_shows_copies_and_goes_on(qtbot):
    dialog = CrashDialog("the report")
    qtbot.addWidget(dialog)
    dialog.show()
    assert dialog.findChild(QPlainTextEdit).toPlainText() == "the report"
    press(qtbot, dialog, "Copy")
    assert QGuiApplication.clipboard().text() == "the report"
    press(qtbot, dialog, "Go on")
    assert not dialog.isVisible()


def test_the_dialog_saves_where_the_person_says(qtbot, tmp_path):
    dialog = CrashDialog("the report")
    qtbot.addWidget(dialog)
    file = tmp_path / "mine.txt"

    def choose(box):
        box.selectFile(str(file))
        box.accept()

    QApplication.setAttribute(Qt.ApplicationAttribute.AA_DontUseNativeDialogs)
    answer_dialog(QFileDialog, choose)
    press(qtbot, dialog, "Save…")
    assert file.read_text(encoding="utf-8") == "the report"
