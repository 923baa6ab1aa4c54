"""The invitation to drop a file."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from app.ui.drop_frame import DropFrame


def test_it_covers_the_window_and_lets_the_drop_through(qtbot):
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(400, 300)
    window.show()
    frame = DropFrame(window)
    assert not frame.isVisible()
    frame.cover(window)
    assert frame.isVisible()
    assert window.rect().contains(frame.geometry())
    assert frame.testAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
