"""A theme, a job runner and a window over a library in memory."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QSettings

from app.jobs import Lanes
from app.ui.jobs import JobRunner
from app.ui.main_window import MainWindow
from app.ui.theme import Appearance, load_theme
from tests.fakes.reader_view import FakeReaderView
from tests.fakes.window_core import InMemoryBook, InMemoryCore, make_book


@pytest.fixture
def theme():
    return load_theme("light")


@pytest.fixture
def jobs(qapp):
    runner = JobRunner(Lanes())
    yield runner
    assert runner.shutdown(5)
    assert not runner.is_busy


@pytest.fixture
def appearance(qapp):
    # The style sheet stays on: Qt 6.11 crashes where one is taken away and another set.
    made = Appearance(qapp, "light")
    yield made
    made.deleteLater()


@pytest.fixture
def moby():
    return InMemoryBook(make_book())


@pytest.fixture
def core(moby):
    return InMemoryCore([moby])


@pytest.fixture
def state(tmp_path):
    return QSettings(str(tmp_path / "window.ini"), QSettings.Format.IniFormat)


@pytest.fixture
def make_window(qtbot, jobs, appearance, state):
    """Makes windows over a library; each is closed before the lanes end."""

    def make(core, show_settings=print):
        window = MainWindow(
            core,
            jobs=jobs,
            appearance=appearance,
            make_view=FakeReaderView,
            state=state,
            show_settings=show_settings,
        )
        qtbot.addWidget(window)
        window.resize(1200, 800)
        with qtbot.waitActive(window):
            window.show()
            window.activateWindow()
        return window

    return make


@pytest.fixture
def window(make_window, core):
    return make_window(core)


@pytest.fixture
def reading(qtbot, window, moby):
    """The window with Moby-Dick open."""
    window.library.open_known(1)
    qtbot.waitUntil(lambda: window.reader.view is not None)
    return window
