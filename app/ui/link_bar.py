"""Shows where a link leads before anything is opened: nothing leaves Ibid unseen."""

from __future__ import annotations

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget


class LinkBar(QFrame):
    """A link that leads out, and what may be done with it; hidden until `offer`."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("notice")
        self.setProperty("tone", "calm")
        self._address = QLabel()
        self._address.setTextFormat(Qt.TextFormat.PlainText)
        self._address.setWordWrap(True)
        self._address.setProperty("kind", "small")
        open_button = QPushButton(self.tr("Open in the browser"))
        open_button.clicked.connect(self._on_open)
        copy = QPushButton(self.tr("Copy"))
        copy.setProperty("kind", "quiet")
        copy.clicked.connect(self._on_copy)
        close = QPushButton(self.tr("Close"))
        close.setProperty("kind", "quiet")
        close.clicked.connect(self.hide)
        buttons = QHBoxLayout()
        for button in (open_button, copy, close):
            buttons.addWidget(button)
        buttons.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(14, 10, 14, 10)
        layout.addWidget(QLabel(self.tr("This link leads out of Ibid:")))
        layout.addWidget(self._address)
        layout.addLayout(buttons)
        self.hide()

    @property
    def address(self) -> str:
        """The address that is shown."""
        return self._address.text()

    def offer(self, address: str) -> None:
        """Shows an address."""
        self._address.setText(address)
        self.show()

    def _on_open(self) -> None:
        QDesktopServices.openUrl(QUrl(self._address.text()))
        self.hide()

    def _on_copy(self) -> None:
        QGuiApplication.clipboard().setText(self._address.text())
        self.hide()
