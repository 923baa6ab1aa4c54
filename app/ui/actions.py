"""The one table of everything a person can do: id, words, shortcut, icon, menu.

Menus, the top bar, tooltips and the command palette are made from it. What an action does is
connected by `app.ui.main_window`.
"""

# ruff: noqa: E501 - one line of the table, one action

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QAction, QKeySequence

from app.ui.icons import icon

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from app.ui.theme import Theme


class ActionId(StrEnum):
    """Every action."""

    OPEN_BOOK = "open_book"
    SHOW_LIBRARY = "show_library"
    OPEN_HANDBOOK = "open_handbook"
    SETTINGS = "settings"
    QUIT = "quit"
    BACK = "back"
    FORWARD = "forward"
    NEXT_CHAPTER = "next_chapter"
    PREVIOUS_CHAPTER = "previous_chapter"
    GO_TO_PAGE = "go_to_page"
    FILTER_CONTENTS = "filter_contents"
    SHOW_CONTENTS = "show_contents"
    SHOW_CHAT = "show_chat"
    NEXT_PANE = "next_pane"
    FULL_SCREEN = "full_screen"
    TEXT_LARGER = "text_larger"
    TEXT_SMALLER = "text_smaller"
    TEXT_NORMAL = "text_normal"
    NEXT_THEME = "next_theme"
    THEME_SYSTEM = "theme_system"
    THEME_LIGHT = "theme_light"
    THEME_SEPIA = "theme_sepia"
    THEME_DARK = "theme_dark"
    ASK = "ask"
    ASK_SELECTION = "ask_selection"
    ASK_CHAPTER = "ask_chapter"
    STOP_ANSWER = "stop_answer"
    COPY_ANSWER = "copy_answer"
    CLEAR_HIGHLIGHT = "clear_highlight"
    COMMAND_PALETTE = "command_palette"


class Menu(StrEnum):
    """The menus, in order."""

    FILE = "File"
    GO = "Go"
    VIEW = "View"
    ASK = "Ask"
    HELP = "Help"


@dataclass(frozen=True, slots=True)
class ActionSpec:
    """One line of the table.

    Attributes:
        action_id: its id.
        words: what a person reads, in the source language; translated when the action is made.
        menu: where it stands.
        shortcuts: the first is the one shown.
        icon: name of an icon, or "".
        is_switch: on or off.
        needs_book: only while a book is open.
    """

    action_id: ActionId
    words: str
    menu: Menu
    shortcuts: tuple[str, ...] = ()
    icon: str = ""
    is_switch: bool = False
    needs_book: bool = True


_ID = ActionId
ACTIONS: tuple[ActionSpec, ...] = (
    ActionSpec(_ID.OPEN_BOOK, "Open book…", Menu.FILE, ("Ctrl+O",), "open", needs_book=False),
    ActionSpec(_ID.SHOW_LIBRARY, "Show library", Menu.FILE, ("Ctrl+Shift+L", "Ctrl+W"), "library", needs_book=False),
    ActionSpec(_ID.SETTINGS, "Settings…", Menu.FILE, ("Ctrl+,",), "settings", needs_book=False),
    ActionSpec(_ID.QUIT, "Quit", Menu.FILE, ("Ctrl+Q",), "quit", needs_book=False),
    ActionSpec(_ID.BACK, "Back", Menu.GO, ("Alt+Left",), "back"),
    ActionSpec(_ID.FORWARD, "Forward", Menu.GO, ("Alt+Right",), "forward"),
    ActionSpec(_ID.NEXT_CHAPTER, "Next chapter", Menu.GO, ("Ctrl+PgDown",)),
    ActionSpec(_ID.PREVIOUS_CHAPTER, "Previous chapter", Menu.GO, ("Ctrl+PgUp",)),
    ActionSpec(_ID.GO_TO_PAGE, "Go to printed page…", Menu.GO, ("Ctrl+G",)),
    ActionSpec(_ID.FILTER_CONTENTS, "Find in contents", Menu.GO, ("Ctrl+Shift+O",), "search"),
    ActionSpec(_ID.SHOW_CONTENTS, "Contents", Menu.VIEW, ("Ctrl+B",), "contents", is_switch=True),
    ActionSpec(_ID.SHOW_CHAT, "Ask panel", Menu.VIEW, ("Ctrl+J",), "ask", is_switch=True),
    ActionSpec(_ID.NEXT_PANE, "Next pane", Menu.VIEW, ("F6",)),
    ActionSpec(_ID.FULL_SCREEN, "Full screen", Menu.VIEW, ("F11",), "full-screen", is_switch=True, needs_book=False),
    ActionSpec(_ID.TEXT_LARGER, "Larger text", Menu.VIEW, ("Ctrl++", "Ctrl+="), "text-size"),
    ActionSpec(_ID.TEXT_SMALLER, "Smaller text", Menu.VIEW, ("Ctrl+-",)),
    ActionSpec(_ID.TEXT_NORMAL, "Normal text size", Menu.VIEW, ("Ctrl+0",)),
    ActionSpec(_ID.NEXT_THEME, "Next theme", Menu.VIEW, ("Ctrl+Shift+T",), "theme", needs_book=False),
    ActionSpec(_ID.THEME_SYSTEM, "Theme: follow the system", Menu.VIEW, is_switch=True, needs_book=False),
    ActionSpec(_ID.THEME_LIGHT, "Theme: light", Menu.VIEW, is_switch=True, needs_book=False),
    ActionSpec(_ID.THEME_SEPIA, "Theme: sepia", Menu.VIEW, is_switch=True, needs_book=False),
    ActionSpec(_ID.THEME_DARK, "Theme: dark", Menu.VIEW, is_switch=True, needs_book=False),
    ActionSpec(_ID.ASK, "Ask about this book", Menu.ASK, ("Ctrl+K",), "ask"),
    ActionSpec(_ID.ASK_SELECTION, "Ask about the selection", Menu.ASK, ("Ctrl+Shift+K",)),
    ActionSpec(_ID.ASK_CHAPTER, "Ask about this chapter", Menu.ASK, ("Ctrl+Alt+K",)),
    ActionSpec(_ID.STOP_ANSWER, "Stop the answer", Menu.ASK, ("Ctrl+.",), "stop"),
    ActionSpec(_ID.COPY_ANSWER, "Copy the last answer", Menu.ASK, ("Ctrl+Shift+C",), "copy"),
    ActionSpec(_ID.CLEAR_HIGHLIGHT, "Clear the highlight", Menu.ASK, ("Ctrl+Shift+H",)),
    ActionSpec(_ID.OPEN_HANDBOOK, "Handbook", Menu.HELP, ("F1",), "help", needs_book=False),
    ActionSpec(_ID.COMMAND_PALETTE, "All commands…", Menu.HELP, ("Ctrl+Shift+P",), "palette", needs_book=False),
)  # fmt: skip


def words_of(spec: ActionSpec) -> str:
    """The words of an action in the reader's language."""
    return QCoreApplication.translate("actions", spec.words)


def make_actions(parent: QWidget) -> dict[ActionId, QAction]:
    """Makes a `QAction` of each line; shortcuts work in all of `parent`'s window."""
    made: dict[ActionId, QAction] = {}
    for spec in ACTIONS:
        action = QAction(words_of(spec), parent)
        action.setObjectName(spec.action_id)
        action.setCheckable(spec.is_switch)
        action.setShortcuts([QKeySequence(shortcut) for shortcut in spec.shortcuts])
        action.setToolTip(tool_tip(spec))
        parent.addAction(action)
        made[spec.action_id] = action
    return made


def tool_tip(spec: ActionSpec) -> str:
    """Words and shortcut, as a tool tip shows them."""
    words = words_of(spec).rstrip("…")
    if not spec.shortcuts:
        return words
    shown = QKeySequence(spec.shortcuts[0]).toString(QKeySequence.SequenceFormat.NativeText)
    return f"{words} ({shown})"


def colour_icons(actions: dict[ActionId, QAction], theme: Theme) -> None:
    """Gives every action that has an icon one in the theme's ink."""
    for spec in ACTIONS:
        if spec.icon:
            actions[spec.action_id].setIcon(
                icon(spec.icon, theme.color("text"), disabled_color=theme.color("line"))
            )
