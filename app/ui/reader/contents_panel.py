"""The left pane: the book's contents as a tree, with a filter and a mark where the reader is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import (
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QRect,
    QSortFilterProxyModel,
    Qt,
    Signal,
)
from PySide6.QtGui import QKeyEvent, QPainter, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import (
    QAbstractItemView,
    QLabel,
    QLineEdit,
    QStyleOptionViewItem,
    QTreeView,
    QVBoxLayout,
    QWidget,
)

from app.domain.position import Locator
from app.ui.icons import pixmap

if TYPE_CHECKING:
    from app.domain.book import ContentsEntry
    from app.ui.theme import Theme

_ENTRY_ROLE = Qt.ItemDataRole.UserRole + 1
_OPEN_AT_MOST = 60
"""A tree of no more entries is shown open."""
_ARROW_PX = 12


class ContentsPanel(QWidget):
    """The table of contents.

    Signals:
        entry_chosen: the `Locator` of an entry.
    """

    entry_chosen = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("contentsPanel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._entries: tuple[ContentsEntry, ...] | None = None
        self._items: dict[int, QStandardItem] = {}
        self._current: int | None = None
        self._model = QStandardItemModel(self)
        self._shown = QSortFilterProxyModel(self)
        self._shown.setSourceModel(self._model)
        self._shown.setRecursiveFilteringEnabled(True)
        self._shown.setFilterCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        heading = QLabel(self.tr("Contents"))
        heading.setProperty("kind", "overline")
        self.filter = QLineEdit()
        self.filter.setProperty("kind", "filter")
        self.filter.setPlaceholderText(self.tr("Find in contents"))
        self.filter.setClearButtonEnabled(True)
        self.filter.textChanged.connect(self._on_filter)
        self.filter.returnPressed.connect(self._on_filter_entered)
        self._empty = QLabel()
        self._empty.setWordWrap(True)
        self._empty.setProperty("kind", "muted")
        self.tree = _Tree(theme)
        self.tree.setModel(self._shown)
        self.tree.clicked.connect(self._on_chosen)
        self.tree.entered_by_key.connect(self._on_chosen)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(12, 14, 6, 8)
        layout.setSpacing(9)
        layout.addWidget(heading)
        layout.addWidget(self.filter)
        layout.addWidget(self._empty)
        layout.addWidget(self.tree, 1)
        self.set_contents(())

    def set_contents(self, entries: tuple[ContentsEntry, ...]) -> None:
        """Shows a table of contents, depth first; the same one again changes nothing."""
        if entries == self._entries:
            return
        self._entries = entries
        self.filter.clear()
        self._model.clear()
        self._items.clear()
        self._current = None
        for entry in entries:
            item = QStandardItem(entry.title or self.tr("(untitled)"))
            item.setData(entry, _ENTRY_ROLE)
            item.setToolTip(item.text())
            item.setEditable(False)
            item.setEnabled(entry.file_index is not None)
            parent = self._items.get(-1 if entry.parent_index is None else entry.parent_index)
            (parent or self._model.invisibleRootItem()).appendRow(item)
            self._items[entry.entry_index] = item
        self.tree.setRootIsDecorated(any(entry.depth for entry in entries))
        if len(entries) <= _OPEN_AT_MOST:
            self.tree.expandAll()
        self.filter.setVisible(bool(entries))
        self._say(self.tr("This book has no table of contents.") if not entries else "")

    def set_current(self, entry: ContentsEntry | None) -> None:
        """Marks the entry where the reader is and brings it into sight."""
        index = entry.entry_index if entry is not None else None
        if index == self._current:
            return
        self._current = index
        item = self._items.get(index) if index is not None else None
        source = self._model.indexFromItem(item) if item is not None else QModelIndex()
        shown = self._shown.mapFromSource(source)
        self.tree.mark(shown)
        if shown.isValid():
            self.tree.scrollTo(shown)

    def current_title(self) -> str:
        """The entry that is marked, or ""."""
        item = self._items.get(self._current) if self._current is not None else None
        return item.text() if item is not None else ""

    def shown_titles(self) -> list[str]:
        """The titles that are in the tree now, depth first, filtered."""
        titles: list[str] = []

        def walk(parent: QModelIndex) -> None:
            for row in range(self._shown.rowCount(parent)):
                index = self._shown.index(row, 0, parent)
                titles.append(str(index.data()))
                walk(index)

        walk(QModelIndex())
        return titles

    def set_theme(self, theme: Theme) -> None:
        """Draws the tree in a theme's colours."""
        self.tree.set_theme(theme)

    def _on_filter(self, text: str) -> None:
        self._shown.setFilterFixedString(text.strip())
        if text.strip():
            self.tree.expandAll()
        found = self._shown.rowCount()
        self._say(self.tr("No entry holds these words.") if text.strip() and not found else "")

    def _on_filter_entered(self) -> None:
        """Goes to the first entry that itself holds the words."""
        wanted = self.filter.text().strip().casefold()
        for item in self._items.values():
            if wanted and wanted in item.text().casefold() and item.isEnabled():
                self._choose(item.data(_ENTRY_ROLE))
                return

    def _on_chosen(self, index: QModelIndex) -> None:
        self._choose(index.data(_ENTRY_ROLE))

    def _choose(self, entry: ContentsEntry) -> None:
        if entry.file_index is not None:
            self.entry_chosen.emit(Locator(entry.file_index, entry.start or 0))

    def _say(self, words: str) -> None:
        self._empty.setText(words)
        self._empty.setVisible(bool(words))


class _Tree(QTreeView):
    """A tree with arrows and a mark in the theme's own ink.

    Signals:
        entered_by_key: the index on which Enter was pressed.
    """

    entered_by_key = Signal(QModelIndex)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._marked = QPersistentModelIndex()
        self.setHeaderHidden(True)
        self.setUniformRowHeights(True)
        self.setIndentation(16)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.setAnimated(False)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.viewport().update()

    def mark(self, index: QModelIndex) -> None:
        """Marks where the reader is."""
        self._marked = QPersistentModelIndex(index)
        self.viewport().update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter goes to the entry."""
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            if self.currentIndex().isValid():
                self.entered_by_key.emit(self.currentIndex())
        else:
            super().keyPressEvent(event)

    def drawRow(  # noqa: N802 - called by Qt
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        """Draws the mark behind the row of the reader's place."""
        if self._marked.isValid() and self._marked == QPersistentModelIndex(index):
            painter.save()
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._theme.qcolor("hover"))
            row = option.rect.adjusted(1, 1, -3, -1)
            painter.drawRoundedRect(row, 6, 6)
            painter.setBrush(self._theme.qcolor("accent"))
            painter.drawRoundedRect(QRect(row.left(), row.top() + 5, 3, row.height() - 10), 1, 1)
            painter.restore()
        super().drawRow(painter, option, index)

    def drawBranches(  # noqa: N802 - called by Qt
        self, painter: QPainter, rect: QRect, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Draws an arrow where there is something below."""
        if not self.model().hasChildren(index):
            return
        is_rtl = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        closed = "chevron-left" if is_rtl else "chevron-right"
        name = "chevron-down" if self.isExpanded(index) else closed
        drawing = pixmap(name, self._theme.color("muted"), _ARROW_PX, self.devicePixelRatioF())
        left = rect.left() + 2 if is_rtl else rect.right() - _ARROW_PX - 1
        painter.drawPixmap(QPoint(left, rect.center().y() - _ARROW_PX // 2), drawing)
