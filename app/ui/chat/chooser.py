"""A small button that shows what is chosen and opens a menu of what else could be."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QSizePolicy, QToolButton, QWidget

_LONGEST_WORDS = 34
"""Characters on the button; the menu shows the whole."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One line of a chooser.

    Attributes:
        key: what `chosen` carries.
        words: what a person reads.
        advice: more about it, as a tool tip.
        is_command: does something at once and is never the shown choice.
    """

    key: str
    words: str
    advice: str = ""
    is_command: bool = False


class Chooser(QToolButton):
    """A choice of one.

    Signals:
        chosen: the key of the `Choice` that a person took.
    """

    chosen = Signal(str)

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._name = name
        self._choices: tuple[Choice, ...] = ()
        self.setProperty("kind", "chooser")
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        menu = QMenu(self)
        menu.setToolTipsVisible(True)
        self.setMenu(menu)

    @property
    def choices(self) -> tuple[Choice, ...]:
        """What can be chosen."""
        return self._choices

    def set_choices(self, choices: tuple[Choice, ...], current: str) -> None:
        """Offers these, with one shown as chosen."""
        self._choices = choices
        menu = self.menu()
        menu.clear()
        for choice in choices:
            if choice.is_command and not menu.isEmpty():
                menu.addSeparator()
            action = QAction(choice.words.replace("&", "&&"), menu)
            action.setToolTip(choice.advice or choice.words)
            action.setCheckable(not choice.is_command)
            action.setChecked(choice.key == current)
            action.triggered.connect(lambda _checked, key=choice.key: self.chosen.emit(key))
            menu.addAction(action)
            if choice.key == current:
                self._show(choice)

    def _show(self, choice: Choice) -> None:
        words = choice.words
        if len(words) > _LONGEST_WORDS:
            words = words[: _LONGEST_WORDS - 1].rstrip() + "…"
        self.setText(f"{words.replace('&', '&&')} ▾")
        self.setToolTip(f"{self._name}: {choice.words}\n{choice.advice}".strip())
        self.setAccessibleName(f"{self._name}: {choice.words}")
