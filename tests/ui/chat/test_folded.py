"""Folded lines: hidden until asked for."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel

from app.ui.chat.folded import Folded


def test_the_button_unfolds_and_folds(qtbot, theme):
    folded = Folded("Details", theme)
    qtbot.addWidget(folded)
    folded.set_lines(["old"])
    folded.set_lines(["<b>one</b>", "two"])
    folded.show()

    def shown():
        return [label.text() for label in folded.findChildren(QLabel) if label.isVisible()]

    assert shown() == []
    qtbot.mouseClick(folded.button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: shown() == ["<b>one</b>", "two"])
    assert folded.is_open
    qtbot.keyClick(folded.button, Qt.Key.Key_Space)
    assert shown() == []
