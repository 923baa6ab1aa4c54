"""Light, sepia and dark: colours as roles, one style sheet made from them, followed by everything.

A theme file names base colours once and gives each role one of them; no colour stands in code. The
page of a book is given the same roles, so that window and page change together.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from string import Template
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor, QFont, QPalette

from app.paths import RESOURCES

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from PySide6.QtWidgets import QApplication

THEMES = RESOURCES / "themes"
FOLLOW_SYSTEM = "system"
THEME_NAMES = ("light", "sepia", "dark")
ROLES = frozenset(
    {
        "window", "panel", "page", "page_text", "text", "muted", "line", "accent", "accent_text",
        "card", "card_line", "highlight", "highlight_text", "flash", "selection", "link", "error",
        "error_panel", "field", "hover", "shadow", "chip", "chip_text", "bubble",
    }
)  # fmt: skip
SERIF_FAMILIES = ("Charter", "Georgia", "Source Serif 4", "Noto Serif", "Nimbus Roman", "serif")
_SMALLEST_POINTS = 10.0
"""A bare X server reports 9 points, too small for long reading."""


@dataclass(frozen=True, slots=True)
class Theme:
    """Colours by role.

    Attributes:
        name: file name without its ending.
        title: for people.
        is_dark: light text on a dark ground.
        colors: `#rrggbb` for each of `ROLES`.
    """

    name: str
    title: str
    is_dark: bool
    colors: Mapping[str, str]

    def color(self, role: str) -> str:
        """The colour of a role as `#rrggbb`.

        Raises:
            KeyError: there is no such role.
        """
        return self.colors[role]

    def qcolor(self, role: str) -> QColor:
        """The colour of a role for painting."""
        return QColor(self.color(role))


def load_theme(name: str, folder: Path = THEMES) -> Theme:
    """Reads a theme file.

    Raises:
        ValueError: a role is missing, unknown, or names no base colour.
    """
    content = tomllib.loads((folder / f"{name}.toml").read_text(encoding="utf-8"))
    base: dict[str, str] = content["base"]
    roles: dict[str, str] = content["roles"]
    if set(roles) != ROLES:
        raise ValueError(f"roles of {name}: {sorted(set(roles) ^ ROLES)}")
    if unknown := set(roles.values()) - set(base):
        raise ValueError(f"no base colours of {name}: {sorted(unknown)}")
    return Theme(
        name=name,
        title=content["title"],
        is_dark=content["is_dark"],
        colors={role: base[color] for role, color in roles.items()},
    )


def text_points() -> float:
    """The size of interface text in points: the system's, but never too small to read."""
    return max(QFont().pointSizeF(), _SMALLEST_POINTS)


def style_sheet(theme: Theme, points: float) -> str:
    """The window's style sheet for a theme and a text size in points."""
    sizes = {
        "size_small": f"{points * 0.9:.1f}pt",
        "size_body": f"{points:.1f}pt",
        "size_reading": f"{points * 1.08:.1f}pt",
        "size_large": f"{points * 1.15:.1f}pt",
        "size_title": f"{points * 1.9:.1f}pt",
    }
    families = ", ".join(f'"{family}"' for family in SERIF_FAMILIES)
    template = Template((THEMES / "window.qss").read_text(encoding="utf-8"))
    return template.substitute(theme.colors, serif=families, **sizes)


def palette(theme: Theme) -> QPalette:
    """The Qt palette of a theme, for what a style sheet does not reach."""
    roles = QPalette.ColorRole
    made = QPalette()
    for role, name in (
        (roles.Window, "window"),
        (roles.WindowText, "text"),
        (roles.Base, "field"),
        (roles.AlternateBase, "panel"),
        (roles.Text, "text"),
        (roles.PlaceholderText, "muted"),
        (roles.Button, "field"),
        (roles.ButtonText, "text"),
        (roles.ToolTipBase, "card"),
        (roles.ToolTipText, "text"),
        (roles.Highlight, "selection"),
        (roles.HighlightedText, "text"),
        (roles.Link, "link"),
        (roles.LinkVisited, "link"),
        (roles.Accent, "accent"),
    ):
        made.setColor(role, theme.qcolor(name))
    made.setColor(QPalette.ColorGroup.Disabled, roles.ButtonText, theme.qcolor("muted"))
    made.setColor(QPalette.ColorGroup.Disabled, roles.Text, theme.qcolor("muted"))
    made.setColor(QPalette.ColorGroup.Disabled, roles.WindowText, theme.qcolor("muted"))
    return made


class Appearance(QObject):
    """The theme that is shown: the reader's choice, or what the system says.

    Args:
        application: what is drawn in it.
        choice: one of `THEME_NAMES`, or `FOLLOW_SYSTEM`.
        read_scheme: the system's wish; Qt's answer by default.

    Signals:
        changed: the theme that now applies.
    """

    changed = Signal(object)

    def __init__(
        self,
        application: QApplication,
        choice: str = FOLLOW_SYSTEM,
        read_scheme: Callable[[], Qt.ColorScheme] | None = None,
    ) -> None:
        super().__init__(application)
        self._application = application
        self._read_scheme = read_scheme or application.styleHints().colorScheme
        self._themes = {name: load_theme(name) for name in THEME_NAMES}
        self._choice = choice if choice in self._themes else FOLLOW_SYSTEM
        self._theme = self._chosen()
        application.setStyle("Fusion")
        application.styleHints().colorSchemeChanged.connect(self._on_system_changed)
        self._apply()

    @property
    def theme(self) -> Theme:
        """The theme that applies now."""
        return self._theme

    @property
    def choice(self) -> str:
        """One of `THEME_NAMES`, or `FOLLOW_SYSTEM`."""
        return self._choice

    def choose(self, choice: str) -> None:
        """Applies a theme by name, or follows the system."""
        self._choice = choice if choice in self._themes else FOLLOW_SYSTEM
        theme = self._chosen()
        if theme is not self._theme:
            self._theme = theme
            self._apply()
            self.changed.emit(theme)

    def _chosen(self) -> Theme:
        if self._choice != FOLLOW_SYSTEM:
            return self._themes[self._choice]
        is_dark = self._read_scheme() == Qt.ColorScheme.Dark
        return self._themes["dark" if is_dark else "light"]

    def _apply(self) -> None:
        points = text_points()
        font = self._application.font()
        font.setPointSizeF(points)
        self._application.setFont(font)
        self._application.setPalette(palette(self._theme))
        self._application.setStyleSheet(style_sheet(self._theme, points))

    def _on_system_changed(self) -> None:
        self.choose(self._choice)
