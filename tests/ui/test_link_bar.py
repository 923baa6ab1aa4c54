"""A link is shown before it opens."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, QUrl, Slot
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QPushButton

from app.ui.link_bar import LinkBar


class Browser(QObject):
    """Takes the place of the system's browser."""

    def __init__(self):
        super().__init__()
        self.opened = []

    @Slot(QUrl)
    def open(self, url):
        self.opened.append(url.toString())


def press(qtbot, bar, words):
    button = next(one for one in bar.findChildren(QPushButton) if one.text() == words)
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


def test_only_the_button_opens_the_address(qtbot):
    browser = Browser()
    QDesktopServices.setUrlHandler("https", browser, "open")
    try:
        bar = LinkBar()
        qtbot.addWidget(bar)
        bar.offer("https://example.org/a?b=c")
        assert bar.isVisible()
        assert browser.opened == []
        press(qtbot, bar, "Open in the browser")
        assert browser.opened == ["https://example.org/a?b=c"]
        assert not bar.isVisible()
    finally:
        QDesktopServices.unsetUrlHandler("https")


def test_the_address_can_be_copied_or_left(qtbot):
    bar = LinkBar()
    qtbot.addWidget(bar)
    bar.offer("https://example.org/")
    press(qtbot, bar, "Copy")
    assert QGuiApplication.clipboard().text() == "https://example.org/"
    bar.offer("https://example.org/")
    press(qtbot, bar, "Close")
    assert not bar.isVisible()
