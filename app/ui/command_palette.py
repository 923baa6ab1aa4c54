"""Every action by name: type a few letters, Enter does it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QRect, QSize, Qt, Signal
from PySide6.QtGui import QAction, QColor, QKeyEvent, QKeySequence, QPainter
from PySide6.QtWidgets import (
    QFrame,
    QGraphicsDropShadowEffect,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)
from rapidfuzz import fuzz

if TYPE_CHECKING:
    from collections.abc import Iterable

    from PySide6.QtCore import QModelIndex, QPersistentModelIndex

    from app.ui.theme import Theme

_WIDTH_PX = 520
_MOST_ROWS = 11
_ROW_PX = 36
_LEAST_LIKENESS = 72.0
"""Of 100; below it a word is another word ("drk" finds "dark" at 80, "xyz" nothing)."""
_SHORTCUT_ROLE = Qt.ItemDataRole.UserRole + 1


def likeness(words: str, typed: str) -> float:
    """How well an action's words fit what was typed, 0 to 100; 0 is no fit.

    Words that begin with what was typed come first, then those that contain it, then likely
    mistypings.
    """
    words, typed = words.casefold(), " ".join(typed.casefold().split())
    if not typed:
        return 100.0
    if words.startswith(typed):
        return 100.0
    if f" {typed}" in words:
        return 98.0
    if typed in words:
        return 95.0
    score = (
        fuzz.partial_token_set_ratio(typed, words)
        if " " in typed
        else fuzz.partial_ratio(typed, words)
    )
    return score * 0.9 if score >= _LEAST_LIKENESS else 0.0


class CommandPalette(QFrame):
    """A field and a list over the window.

    Signals:
        closed: it was closed, with or without a choice.
    """

    closed = Signal()

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("palette")
        self._window = parent
        self._actions: list[QAction] = []
        self.field = QLineEdit()
        self.field.setPlaceholderText(self.tr("What do you want to do?"))
        self.field.setAccessibleName(self.tr("Find a command"))
        self.field.textChanged.connect(self._on_typed)
        self.field.installEventFilter(self)
        self.list = QListWidget()
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setUniformItemSizes(True)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._rows = _Row(theme, self.list)
        self.list.setItemDelegate(self._rows)
        self.list.itemClicked.connect(self._on_chosen)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(6, 6, 6, 8)
        layout.setSpacing(6)
        layout.addWidget(self.field)
        layout.addWidget(self.list)
        shadow = QGraphicsDropShadowEffect(self)
        shadow.setBlurRadius(36)
        shadow.setOffset(0, 8)
        shadow.setColor(QColor(0, 0, 0, 90))
        self.setGraphicsEffect(shadow)
        self.hide()

    def open(self, actions: Iterable[QAction]) -> None:
        """Shows the palette with the actions that can be used now."""
        self._actions = [action for action in actions if action.isEnabled()]
        self.field.clear()
        self._on_typed("")
        window = self._window
        width = min(_WIDTH_PX, window.width() - 40)
        self.setGeometry(QRect((window.width() - width) // 2, 64, width, self.height()))
        self._fit_height()
        self.show()
        self.raise_()
        self.field.setFocus(Qt.FocusReason.PopupFocusReason)

    def close_palette(self) -> None:
        """Hides the palette."""
        if self.isVisible():
            self.hide()
            self.closed.emit()

    def shown_words(self) -> list[str]:
        """The actions in the list now, best first."""
        return [self.list.item(row).text() for row in range(self.list.count())]

    def set_theme(self, theme: Theme) -> None:
        """Draws shortcuts in a theme's ink."""
        self._rows.set_theme(theme)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Arrows move in the list, Enter does, Escape or a click elsewhere closes."""
        if event.type() == QEvent.Type.FocusOut:
            self.close_palette()
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            step = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1}.get(Qt.Key(event.key()))
            if step is not None and self.list.count():
                self.list.setCurrentRow((self.list.currentRow() + step) % self.list.count())
                return True
            if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
                self._on_chosen(self.list.currentItem())
                return True
            if event.key() == Qt.Key.Key_Escape:
                self.close_palette()
                return True
        return super().eventFilter(watched, event)

    def _on_typed(self, typed: str) -> None:
        ranked = [
            (likeness(action.text(), typed), -index, action)
            for index, action in enumerate(self._actions)
        ]
        self.list.clear()
        for score, _, action in sorted(ranked, key=lambda one: one[:2], reverse=True):
            if score:
                item = QListWidgetItem(action.text().rstrip("…"))
                item.setData(Qt.ItemDataRole.UserRole, action)
                shortcut = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
                item.setData(_SHORTCUT_ROLE, shortcut)
                self.list.addItem(item)
        self.list.setCurrentRow(0)
        self._fit_height()

    def _fit_height(self) -> None:
        rows = min(max(self.list.count(), 1), _MOST_ROWS)
        self.list.setFixedHeight(min(rows * _ROW_PX + 6, self._window.height() - 190))
        self.resize(self.width(), self.sizeHint().height())

    def _on_chosen(self, item: QListWidgetItem | None) -> None:
        self.close_palette()
        if item is not None:
            action: QAction = item.data(Qt.ItemDataRole.UserRole)
            action.trigger()


class _Row(QStyledItemDelegate):
    """A row with its shortcut at the end."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme

    def sizeHint(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        return QSize(super().sizeHint(option, index).width(), _ROW_PX)

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        super().paint(painter, option, index)
        shortcut = index.data(_SHORTCUT_ROLE)
        if shortcut:
            painter.save()
            painter.setPen(self._theme.qcolor("muted"))
            painter.drawText(
                option.rect.adjusted(0, 0, -14, 0),
                Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight,
                shortcut,
            )
            painter.restore()
