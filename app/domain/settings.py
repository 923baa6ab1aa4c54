"""What a reader can set: the only list of settings, with their defaults, limits and meaning.

Plain values. The file is read and written by `app.storage.settings_file`, the dialog is built from
`MEANINGS`. Keys of providers are no settings: they are in the key store (`app.storage.key_store`).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from app.domain.provider import BUILT_IN


class ThemeChoice(StrEnum):
    """How window and pages look."""

    SYSTEM = "system"
    LIGHT = "light"
    SEPIA = "sepia"
    DARK = "dark"


@dataclass(frozen=True, slots=True)
class ProviderSettings:
    """A model server that the reader connected.

    Attributes:
        name: as the reader calls it; also its name in the key store. Not `BUILT_IN`.
        base_url: of its OpenAI-compatible interface.
        model: the model's name as the server knows it.
    """

    name: str
    base_url: str
    model: str


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings.

    Attributes:
        theme: which theme, or the system's choice between light and dark.
        font_scale: size of a book's text, 1 is the book's own.
        contents_width_px: width of the panel on the left.
        chat_width_px: width of the panel on the right.
        default_provider: name of the provider that answers, or `BUILT_IN`.
        providers: the connected model servers.
    """

    theme: ThemeChoice = ThemeChoice.SYSTEM
    font_scale: float = 1.0
    contents_width_px: int = 260
    chat_width_px: int = 380
    default_provider: str = BUILT_IN
    providers: tuple[ProviderSettings, ...] = ()


LIMITS: dict[str, tuple[float, float]] = {
    "font_scale": (0.5, 3.0),
    "contents_width_px": (120, 1200),
    "chat_width_px": (200, 1600),
}
"""Least and most of the settings that are numbers."""

MEANINGS: dict[str, str] = {
    "theme": "How window and pages look: system, light, sepia or dark.",
    "font_scale": "Size of a book's text; 1.0 is the book's own.",
    "contents_width_px": "Width of the contents panel, in pixels.",
    "chat_width_px": "Width of the chat panel, in pixels.",
    "default_provider": 'Who answers: "built-in", or the name of one of the providers.',
    "providers": "Model servers. Their keys are not here but in the system's key store.",
}
"""What each setting means, as the settings file says it."""


@dataclass(frozen=True, slots=True)
class SettingProblem:
    """A setting that could not be taken as it stands; the default is used.

    Attributes:
        name: of the setting, or "" for the file as a whole.
        value: as it stands in the file, or what is wrong with the file.
    """

    name: str
    value: str
