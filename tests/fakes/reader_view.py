"""A reader view that draws its book as plain lines and keeps what it was told."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QVBoxLayout

from app.domain.position import Locator, Span
from app.ui.reader.reader_view import ReaderView, Viewpoint


class FakeReaderView(ReaderView):
    """Shows the text around its place; `move` is the hand of a reader who scrolls."""

    def __init__(self, book_format, theme, parent=None):
        super().__init__(parent)
        self.book_format = book_format
        self.content = None
        self.place = None
        self.inset_px = 0.0
        self.cited = None
        self.theme = theme
        self.scale = 1.0
        self.went = []
        self.added = 0
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._label = QLabel()
        self._label.setObjectName("sourceText")
        self._label.setWordWrap(True)
        self._label.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._label.setMaximumWidth(620)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(70, 60, 70, 20)
        layout.addWidget(self._label)

    def show_book(self, content, start):
        self.content = content
        self.cited = None
        self.move(start)
        self.shown.emit()

    def documents_added(self):
        self.added += 1

    def close_book(self):
        self.content = None
        self.place = None

    def move(self, place, inset_px=0.0):
        """Scrolls, as a person would."""
        self.place = place
        self.inset_px = inset_px
        self._draw()
        self.place_changed.emit(place)

    def go_to(self, place, *, highlight=False):
        self.went.append(place)
        if highlight:
            self.cited = place
        match place:
            case Span():
                self.move(Locator(place.file_index, place.start))
            case Locator():
                self.move(place)
            case Viewpoint():
                self.move(place.locator, place.inset_px)
        self.arrived.emit(place)

    def clear_highlight(self):
        self.cited = None
        self._draw()

    def clear_selection(self):
        self.selection_changed.emit(None)

    def set_highlights(self, spans):
        pass

    def set_theme(self, theme):
        self.theme = theme
        self._draw()

    def set_text_scale(self, scale):
        self.scale = scale

    def viewpoint(self):
        return None if self.place is None else Viewpoint(self.place, self.inset_px)

    def page_forward(self):
        self.move(Locator(self.place.file_index, self.place.offset + 100))

    def page_back(self):
        self.move(Locator(self.place.file_index, max(0, self.place.offset - 100)))

    def text_under_highlight(self, receive):
        cited = self.cited
        receive(self.content.text(cited.file_index)[cited.start : cited.end] if cited else "")

    def _draw(self):
        if self.content is None or self.place is None:
            return
        text = self.content.text(self.place.file_index)
        cited = self.cited
        if cited is not None and cited.file_index == self.place.file_index:
            mark = f'<span style="background:{self.theme.color("highlight")}">'
            text = (
                f"{text[: cited.start]}{mark}{text[cited.start : cited.end]}</span>"
                f"{text[cited.end :]}"
            )
        self._label.setText(f'<div style="line-height:160%">{text}</div>')
