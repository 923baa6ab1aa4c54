"""A person before a modal dialog, which holds the test's own thread while it is open."""

from __future__ import annotations

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

LOOK_EVERY_MS = 20
PATIENCE = 400


def answer_dialog(kind, act, patience=PATIENCE):
    """Acts on the next dialog of a kind as soon as it is open.

    A person whose act goes wrong closes the dialog all the same, so that the test ends.
    """

    def look():
        box = QApplication.activeModalWidget()
        if isinstance(box, kind):
            try:
                act(box)
            except BaseException:
                box.reject()
                raise
        elif patience:
            answer_dialog(kind, act, patience - 1)

    QTimer.singleShot(LOOK_EVERY_MS, look)
