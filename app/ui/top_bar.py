"""The bar above everything: contents, back and forward, where one is, text, theme, Ask, menu."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QHBoxLayout, QMenu, QSizePolicy, QToolButton, QWidget

from app.ui.actions import ACTIONS, ActionId, Menu
from app.ui.elided_label import ElidedLabel
from app.ui.icons import icon

if TYPE_CHECKING:
    from PySide6.QtGui import QAction, QResizeEvent

    from app.ui.theme import Theme

_ICON = QSize(20, 20)
_TITLE_SHARE = 0.4


class TopBar(QWidget):
    """The window's bar, made from the table of actions."""

    def __init__(self, actions: dict[ActionId, QAction], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("topBar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._actions = actions
        self._title = ElidedLabel()
        self._title.setObjectName("bookTitle")
        self._chapter = ElidedLabel()
        self._chapter.setProperty("kind", "muted")
        self._text_size = self._menu_button(
            self.tr("Text size"),
            (ActionId.TEXT_LARGER, ActionId.TEXT_SMALLER, ActionId.TEXT_NORMAL),
        )
        self._theme = self._menu_button(
            self.tr("Theme"),
            (
                ActionId.THEME_SYSTEM,
                ActionId.THEME_LIGHT,
                ActionId.THEME_SEPIA,
                ActionId.THEME_DARK,
            ),
        )
        self._more = self._main_menu()
        self._book_buttons = [
            self._button(ActionId.SHOW_CONTENTS),
            self._button(ActionId.BACK),
            self._button(ActionId.FORWARD),
        ]
        self._ask = self._button(ActionId.SHOW_CHAT)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(10, 6, 10, 6)
        layout.setSpacing(4)
        for button in self._book_buttons:
            layout.addWidget(button)
        layout.addSpacing(10)
        layout.addWidget(self._title)
        layout.addWidget(self._chapter, 1)
        for button in (
            self._text_size,
            self._theme,
            self._ask,
            self._button(ActionId.SETTINGS),
            self._more,
        ):
            layout.addWidget(button)
        self._chapter.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.show_book(None)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leaves room for the chapter beside a long title."""
        super().resizeEvent(event)
        self._title.setMaximumWidth(round(self.width() * _TITLE_SHARE))

    @property
    def title(self) -> str:
        """The book's title as the bar has it."""
        return self._title.full_text

    @property
    def chapter(self) -> str:
        """The chapter as the bar has it."""
        return self._chapter.full_text

    @property
    def more_button(self) -> QToolButton:
        """Opens the menu with every action."""
        return self._more

    def show_book(self, title: str | None) -> None:
        """Shows a book's title and the buttons for it; None is for the start page."""
        self._title.set_full_text(title or "")
        self._chapter.set_full_text("")
        for button in (*self._book_buttons, self._ask, self._text_size):
            button.setVisible(title is not None)

    def show_chapter(self, title: str) -> None:
        """Shows the chapter that is read."""
        self._chapter.set_full_text(f"· {title}" if title else "")

    def set_theme(self, theme: Theme) -> None:
        """Draws the icons of the menus in a theme's ink."""
        ink = theme.color("text")
        self._text_size.setIcon(icon("text-size", ink))
        self._theme.setIcon(icon("theme", ink))
        self._more.setIcon(icon("more", ink))

    def _button(self, action_id: ActionId) -> QToolButton:
        button = QToolButton()
        button.setDefaultAction(self._actions[action_id])
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)
        button.setIconSize(_ICON)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        return button

    def _menu_button(self, words: str, action_ids: tuple[ActionId, ...]) -> QToolButton:
        button = QToolButton()
        button.setIconSize(_ICON)
        button.setToolTip(words)
        button.setAccessibleName(words)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(button)
        for action_id in action_ids:
            menu.addAction(self._actions[action_id])
        button.setMenu(menu)
        return button

    def _main_menu(self) -> QToolButton:
        button = self._menu_button(self.tr("Menu"), ())
        button.setShortcut("F10")
        titles = {
            Menu.FILE: self.tr("File"),
            Menu.GO: self.tr("Go"),
            Menu.VIEW: self.tr("View"),
            Menu.ASK: self.tr("Ask"),
            Menu.HELP: self.tr("Help"),
        }
        for menu, title in titles.items():
            below = button.menu().addMenu(title)
            for spec in ACTIONS:
                if spec.menu is menu:
                    below.addAction(self._actions[spec.action_id])
        return button
