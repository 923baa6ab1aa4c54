"""Our own faults: caught by hooks, written to a file, shown once with Copy and Save.

A report holds versions, the traceback and the tail of the log, and nothing of a book, a question or
a key: the messages of exceptions are left out unless they are Python's own (an exception's text may
quote what a person wrote), and so is everything that is no record of our own log. It is sent by
nobody but the person.
"""

from __future__ import annotations

import faulthandler
import logging
import platform
import sys
import threading
import traceback
from collections import deque
from typing import IO, TYPE_CHECKING

import PySide6
from PySide6.QtCore import (
    QMessageLogContext,
    QObject,
    Qt,
    QtMsgType,
    Signal,
    qInstallMessageHandler,
)
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QDialog,
    QFileDialog,
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app import APP_NAME, __version__

if TYPE_CHECKING:
    from pathlib import Path
    from types import TracebackType

_log = logging.getLogger(__name__)
_TAIL_LINES = 60
_CRASH_FILE = "crash.txt"
_QT_LEVELS = {
    QtMsgType.QtDebugMsg: logging.DEBUG,
    QtMsgType.QtInfoMsg: logging.INFO,
    QtMsgType.QtWarningMsg: logging.WARNING,
    QtMsgType.QtCriticalMsg: logging.ERROR,
    QtMsgType.QtFatalMsg: logging.CRITICAL,
}


class LogTail(logging.Handler):
    """Keeps the last records of our log in memory: level, logger and place, never arguments."""

    def __init__(self) -> None:
        super().__init__(logging.INFO)
        self._lines: deque[str] = deque(maxlen=_TAIL_LINES)

    def emit(self, record: logging.LogRecord) -> None:
        """Keeps one record; the message is kept as its template, so that no value gets in."""
        self._lines.append(
            f"{record.levelname} {record.name}:{record.lineno} {record.msg if record.args else ''}"
        )

    def text(self) -> str:
        """The records, oldest first."""
        return "\n".join(self._lines)


def format_report(
    kind: type[BaseException], trace: TracebackType | None, log_tail: str = ""
) -> str:
    """A report: versions, where it happened, the log's tail.

    Args:
        kind: the exception's class; its message is left out, it may hold what a person wrote.
        trace: its traceback.
        log_tail: from `LogTail`.
    """
    frames = "".join(traceback.format_tb(trace))
    parts = [
        f"{APP_NAME} {__version__}",
        f"Python {platform.python_version()}, PySide6 {PySide6.__version__}, {platform.platform()}",
        "",
        frames.rstrip(),
        f"{kind.__module__}.{kind.__qualname__}",
    ]
    if log_tail:
        parts += ["", "Log", log_tail]
    return "\n".join(parts)


class CrashReporter(QObject):
    """Installs the hooks and keeps reports.

    Args:
        folder: where reports are written.
        parent: the application.

    Signals:
        reported: the text of a report, on the window's thread.
    """

    reported = Signal(str)
    _caught = Signal(str)

    def __init__(self, folder: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._folder = folder
        self._tail = LogTail()
        self._fault_file: IO[str] | None = None
        self._caught.connect(self.reported, Qt.ConnectionType.QueuedConnection)

    def left_by_last_run(self) -> str:
        """What a hard crash of the last run left behind, or ""; it is offered once."""
        path = self._folder / _CRASH_FILE
        try:
            text = path.read_text(encoding="utf-8", errors="replace").strip()
        except FileNotFoundError:
            return ""
        if self._fault_file is None:
            path.unlink()
        return text

    def install(self) -> None:
        """Installs the hooks of Python, threads, Qt and the C level."""
        self._folder.mkdir(parents=True, exist_ok=True)
        logging.getLogger("app").addHandler(self._tail)
        sys.excepthook = self._on_exception
        sys.unraisablehook = self._on_unraisable
        threading.excepthook = self._on_thread_exception
        qInstallMessageHandler(_on_qt_message)
        self._fault_file = (self._folder / _CRASH_FILE).open("w", encoding="utf-8")
        faulthandler.enable(self._fault_file)

    def uninstall(self) -> None:
        """Puts everything back and removes the empty crash file: the run ended well."""
        logging.getLogger("app").removeHandler(self._tail)
        sys.excepthook = sys.__excepthook__
        sys.unraisablehook = sys.__unraisablehook__
        threading.excepthook = threading.__excepthook__
        qInstallMessageHandler(None)
        faulthandler.disable()
        if self._fault_file is not None:
            self._fault_file.close()
            self._fault_file = None
            (self._folder / _CRASH_FILE).unlink(missing_ok=True)

    def _on_exception(
        self, kind: type[BaseException], error: BaseException, trace: TracebackType | None
    ) -> None:
        if issubclass(kind, KeyboardInterrupt):
            sys.__excepthook__(kind, error, trace)
            return
        report = format_report(kind, trace, self._tail.text())
        sys.stderr.write(f"{report}\n")
        try:
            (self._folder / "report.txt").write_text(report, encoding="utf-8")
        except OSError:
            _log.warning("the crash report cannot be written")
        self._caught.emit(report)

    def _on_thread_exception(self, hook: threading.ExceptHookArgs) -> None:
        if hook.exc_value is not None:
            self._on_exception(hook.exc_type, hook.exc_value, hook.exc_traceback)

    def _on_unraisable(self, hook: sys.UnraisableHookArgs) -> None:
        if hook.exc_value is not None:
            self._on_exception(hook.exc_type, hook.exc_value, hook.exc_traceback)


def _on_qt_message(kind: QtMsgType, context: QMessageLogContext, message: str) -> None:
    logging.getLogger("app.qt").log(
        _QT_LEVELS.get(kind, logging.WARNING), "%s: %s", context.category, message
    )


class CrashDialog(QDialog):
    """Shows a report and lets the person copy or save it; nothing is sent."""

    def __init__(self, report: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._report = report
        self.setWindowTitle(self.tr("A fault in Ibid"))
        self.resize(680, 460)
        title = QLabel(self.tr("Something in Ibid went wrong. Your books and notes are safe."))
        title.setProperty("kind", "heading")
        advice = QLabel(
            self.tr(
                "This report helps to mend it. It holds no book text, no question and no key, "
                "and is sent to nobody: copy or save it and send it yourself if you like."
            )
        )
        advice.setWordWrap(True)
        text = QPlainTextEdit(report)
        text.setReadOnly(True)
        copy = QPushButton(self.tr("Copy"))
        copy.clicked.connect(self._on_copy)
        save = QPushButton(self.tr("Save…"))
        save.clicked.connect(self._on_save)
        close = QPushButton(self.tr("Go on"))
        close.setProperty("kind", "primary")
        close.setDefault(True)
        close.clicked.connect(self.accept)
        buttons = QHBoxLayout()
        buttons.addWidget(copy)
        buttons.addWidget(save)
        buttons.addStretch(1)
        buttons.addWidget(close)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(24, 22, 24, 20)
        layout.setSpacing(12)
        layout.addWidget(title)
        layout.addWidget(advice)
        layout.addWidget(text, 1)
        layout.addLayout(buttons)

    def _on_copy(self) -> None:
        QGuiApplication.clipboard().setText(self._report)

    def _on_save(self) -> None:
        name, _ = QFileDialog.getSaveFileName(self, self.tr("Save the report"), "ibid-report.txt")
        if name:
            with open(name, "w", encoding="utf-8") as file:  # noqa: PTH123 - a name from the dialog
                file.write(self._report)
