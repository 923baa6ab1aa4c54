"""Contents, reader and chat side by side, with borders that can be dragged and are remembered."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QSplitter, QVBoxLayout, QWidget

if TYPE_CHECKING:
    from app.ui.chat.chat_panel import ChatPanel
    from app.ui.reader.contents_panel import ContentsPanel
    from app.ui.reader.place_bar import PlaceBar
    from app.ui.reader.reader_pane import ReaderPane

_LEAST_WIDTHS_PX = (170, 320, 300)


class ReadingPage(QWidget):
    """The three panes of an open book."""

    def __init__(
        self, contents: ContentsPanel, pane: ReaderPane, place_bar: PlaceBar, chat: ChatPanel
    ) -> None:
        super().__init__()
        self.setObjectName("reading")
        self._contents = contents
        self._pane = pane
        self._chat = chat
        middle = QWidget()
        column = QVBoxLayout(middle)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(pane, 1)
        column.addWidget(place_bar)
        self._splitter = QSplitter(Qt.Orientation.Horizontal)
        self._splitter.setHandleWidth(1)
        self._splitter.setChildrenCollapsible(False)
        for part, least in zip((contents, middle, chat), _LEAST_WIDTHS_PX, strict=True):
            part.setMinimumWidth(least)
            self._splitter.addWidget(part)
        self._splitter.setStretchFactor(1, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._splitter)

    def widths(self) -> tuple[int, int]:
        """Widths of contents and chat in pixels; 0 for one that is hidden."""
        contents, _, chat = self._splitter.sizes()
        return (
            0 if self._contents.isHidden() else contents,
            0 if self._chat.isHidden() else chat,
        )

    def set_widths(self, contents_px: int, chat_px: int) -> None:
        """Gives contents and chat their widths, and the reader the rest."""
        rest = max(self._splitter.width() - contents_px - chat_px, _LEAST_WIDTHS_PX[1])
        self._splitter.setSizes([contents_px, rest, chat_px])

    def focus_next_pane(self) -> None:
        """Moves the keyboard to the next visible pane: contents, reader, chat."""
        panes: list[tuple[QWidget, QWidget]] = [
            (self._contents, self._contents.tree),
            (self._pane, self._pane.view or self._pane),
            (self._chat, self._chat.question_box),
        ]
        shown = [pair for pair in panes if pair[0].isVisible()]
        here = next((at for at, (pane, _) in enumerate(shown) if _has_focus(pane)), -1)
        shown[(here + 1) % len(shown)][1].setFocus(Qt.FocusReason.ShortcutFocusReason)


def _has_focus(pane: QWidget) -> bool:
    focused = QApplication.focusWidget()
    return focused is not None and (focused is pane or pane.isAncestorOf(focused))
