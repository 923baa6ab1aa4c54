"""The window: the Qt application, the crash hooks, the first window.

Everything that needs Qt begins here; the parts come built from `app.assembly`.
"""

from __future__ import annotations

import logging
import os
import signal
import sys
from functools import partial
from logging.handlers import RotatingFileHandler
from typing import TYPE_CHECKING

import shiboken6
from PySide6.QtCore import QCoreApplication, QSettings, Qt, QTimer
from PySide6.QtGui import QGuiApplication, QIcon
from PySide6.QtWidgets import QApplication, QRhiWidget

from app import APP_ID, APP_NAME, __version__
from app.assembly import Assembly
from app.domain.book import BookFormat
from app.domain.errors import StoreError
from app.jobs import Lanes
from app.paths import RESOURCES
from app.ui.crash_report import CrashDialog, CrashReporter
from app.ui.jobs import JobRunner
from app.ui.main_window import MainWindow
from app.ui.notices import show_fatal
from app.ui.reader import book_scheme
from app.ui.settings.controller import SettingsController
from app.ui.theme import Appearance

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from PySide6.QtWidgets import QWidget

    from app.domain.errors import ReaderError
    from app.paths import Paths
    from app.ui.reader.reader_view import ReaderView
    from app.ui.theme import Theme

_LOG_BYTES = 1_000_000
_SHUTDOWN_S = 3.0
_ROOT_SENTENCE = (
    "Ibid does not run as root, because the page of a book is drawn in a sandbox that root does "
    "not have: start it as an ordinary user."
)


def open_window(paths: Paths, book: Path | None) -> int:
    """Builds the program and shows its window; says in a dialog why it cannot.

    Args:
        paths: where everything is kept.
        book: a file to open, or None for the start page.

    Returns:
        The exit status.
    """
    if not may_draw_pages(os.environ):
        sys.stderr.write(f"{_ROOT_SENTENCE}\n")
        return 1
    try:
        assembly = Assembly(paths)
    except StoreError as error:
        tell_cannot_start(error)
        return 1
    with assembly:
        return run_window(assembly, book)


def run_window(
    assembly: Assembly,
    book: Path | None,
    on_shown: Callable[[MainWindow], None] | None = None,
) -> int:
    """Shows the window and returns when it is closed.

    Args:
        assembly: the program.
        book: a file to open, or None for the start page; the first start opens the handbook.
        on_shown: called with the window once it stands on the screen.

    Returns:
        The exit status: 0, or 1 where the window may not run, with one sentence on stderr.
    """
    if not may_draw_pages(os.environ):
        sys.stderr.write(f"{_ROOT_SENTENCE}\n")
        return 1
    application = make_application()
    reporter = CrashReporter(assembly.paths.logs, application)
    left_behind = reporter.left_by_last_run()
    reporter.install()
    log = _log_to(assembly.paths.logs)
    jobs = JobRunner(Lanes(), application)
    window = make_window(assembly, application, jobs)
    reporter.reported.connect(lambda report: _show_report(report, window))
    window.show()
    QTimer.singleShot(0, window, lambda: _open_first(window, book))
    if on_shown is not None:
        QTimer.singleShot(0, window, lambda: on_shown(window))
    if left_behind:
        QTimer.singleShot(0, window, lambda: _show_report(left_behind, window))
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    status = application.exec()
    jobs.shutdown(_SHUTDOWN_S)
    # Views go while the application lives: a page must die before its profile (FAULTS Q7).
    shiboken6.delete(window)
    reporter.uninstall()
    logging.getLogger("app").removeHandler(log)
    log.close()
    return status


def tell_cannot_start(error: ReaderError) -> None:
    """Says in a dialog why the window cannot open, where no terminal would show it."""
    application = make_application()
    Appearance(application)
    show_fatal(error)


def may_draw_pages(environment: Mapping[str, str]) -> bool:
    """Whether Qt WebEngine can run: not as root, unless its sandbox was turned off knowingly."""
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0
    flags = environment.get("QTWEBENGINE_CHROMIUM_FLAGS", "").split()
    is_off = environment.get("QTWEBENGINE_DISABLE_SANDBOX", "") not in {"", "0"}
    return not is_root or is_off or "--no-sandbox" in flags


def make_application() -> QApplication:
    """The one Qt application; the scheme of books is registered before it exists."""
    book_scheme.register()
    QCoreApplication.setAttribute(Qt.ApplicationAttribute.AA_ShareOpenGLContexts)
    QCoreApplication.setApplicationName(APP_NAME)
    QCoreApplication.setApplicationVersion(__version__)
    QCoreApplication.setOrganizationDomain(".".join(reversed(APP_ID.split(".")[:-1])))
    QGuiApplication.setDesktopFileName(APP_ID)
    QGuiApplication.setApplicationDisplayName(APP_NAME)
    application = QApplication([APP_NAME])
    application.setWindowIcon(QIcon(str(RESOURCES / "icons" / "ibid.svg")))
    return application


def make_window(assembly: Assembly, application: QApplication, jobs: JobRunner) -> MainWindow:
    """The window, wired to the program."""
    state = QSettings(str(assembly.paths.data / "window.ini"), QSettings.Format.IniFormat)
    appearance = Appearance(application, assembly.settings.theme)
    settings = SettingsController(assembly, appearance)
    window = MainWindow(
        assembly,
        jobs=jobs,
        appearance=appearance,
        make_view=partial(make_view, jobs=jobs),
        state=state,
        show_settings=lambda window: settings.show(window, window.choose_theme),
    )
    prepare_for_pages(window)
    return window


def prepare_for_pages(window: QWidget) -> None:
    """Lets a window that is not shown yet be drawn the way a web view needs.

    Where the first web view comes into a window on the screen, Qt makes the window anew: it blinks
    and loses the keyboard. An empty widget of that kind beforehand spares it (measured with
    PySide6 6.11.3 on X11: hide, another window id, show; with the widget none of it, and the first
    page comes no later).
    """
    QRhiWidget(window).hide()


def make_view(
    book_format: BookFormat, theme: Theme, parent: QWidget, *, jobs: JobRunner
) -> ReaderView:
    """The view of a format; what it needs is loaded only now, so that the window comes first."""
    if book_format is BookFormat.PDF:
        from app.ui.reader.pdf_view import PdfView  # noqa: PLC0415

        return PdfView(theme, jobs, parent)
    from app.ui.reader.epub_view import EpubView  # noqa: PLC0415

    return EpubView(theme, parent)


def _open_first(window: MainWindow, book: Path | None) -> None:
    if book is not None:
        window.open_file(book)
    elif not window.library.has_books:
        window.library.open_handbook()


def _show_report(report: str, window: MainWindow) -> None:
    dialog = CrashDialog(report, window)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.open()


def _log_to(folder: Path) -> logging.Handler:
    handler = RotatingFileHandler(
        folder / "ibid.log", maxBytes=_LOG_BYTES, backupCount=1, encoding="utf-8"
    )
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    logger = logging.getLogger("app")
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    return handler
