"""The middle pane: the page, and above it what has to be said about it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from app.ui.link_bar import LinkBar
from app.ui.notice_bar import NoticeBar

if TYPE_CHECKING:
    from app.ui.notices import Notice
    from app.ui.reader.reader_view import ReaderView


class ReaderPane(QWidget):
    """Where a view of a book stands; it takes any `ReaderView`."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("readerFrame")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.notice = NoticeBar()
        self.link_bar = LinkBar()
        self._views = QStackedWidget()
        self._blank = QWidget()
        self._views.addWidget(self._blank)
        bars = QVBoxLayout()
        bars.setContentsMargins(12, 0, 12, 0)
        bars.setSpacing(8)
        bars.addWidget(self.notice)
        bars.addWidget(self.link_bar)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(bars)
        layout.addWidget(self._views, 1)

    @property
    def view(self) -> QWidget | None:
        """The view that is shown, or None."""
        shown = self._views.currentWidget()
        return None if shown is self._blank else shown

    def show_view(self, view: ReaderView) -> None:
        """Shows a view."""
        self.notice.clear()
        self.link_bar.hide()
        if self._views.indexOf(view) < 0:
            self._views.addWidget(view)
        self._views.setCurrentWidget(view)

    def clear(self) -> None:
        """Shows nothing."""
        self.notice.clear()
        self.link_bar.hide()
        self._views.setCurrentWidget(self._blank)

    def show_notice(self, notice: Notice) -> None:
        """Says what went wrong with this book."""
        self.notice.show_notice(notice)

    def offer_link(self, address: str) -> None:
        """Shows where a link out of the book leads."""
        self.link_bar.offer(address)
