"""The settings as a TOML file that a person can read and change.

Keys that this version does not know are kept. A value that makes no sense falls back to its default
and is reported in `problems`; a file that is no TOML is set aside before it is written over.
"""

from __future__ import annotations

import contextlib
import dataclasses
import os
import tomllib
from typing import TYPE_CHECKING, Any

from app.domain.errors import StoreUnwritable
from app.domain.provider import BUILT_IN
from app.domain.settings import (
    LIMITS,
    MEANINGS,
    ProviderSettings,
    SettingProblem,
    Settings,
    ThemeChoice,
)
from app.storage.toml_text import toml_document

if TYPE_CHECKING:
    from pathlib import Path

SCHEMA = 1
"""Number of the file's form; raised when the meaning of a key changes."""

_SCHEMA_KEY = "schema"


class SettingsFile:
    """The settings of one data folder.

    Args:
        path: the file; need not exist.

    Attributes:
        settings: as they are now.
        problems: what could not be taken from the file as it stands.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._values: dict[str, Any] = {}
        self._is_no_toml = False
        self.problems: tuple[SettingProblem, ...] = ()
        self.settings = Settings()
        self.read()

    def read(self) -> Settings:
        """Reads the file again, for changes that a person made in it."""
        self._values, self._is_no_toml = {}, False
        problems: list[SettingProblem] = []
        try:
            self._values = tomllib.loads(self._path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            pass
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as fault:
            self._is_no_toml = True
            problems.append(SettingProblem("", str(fault)))
        except OSError as fault:
            problems.append(SettingProblem("", fault.strerror or str(fault)))
        self.settings = _settings(self._values, problems)
        self.problems = tuple(problems)
        return self.settings

    def save(self, settings: Settings) -> None:
        """Writes the file, whole or not at all.

        Raises:
            StoreUnwritable: it cannot be written; the settings hold for this run.
        """
        self.settings = settings
        values = {_SCHEMA_KEY: SCHEMA, **self._values, **dataclasses.asdict(settings)}
        values[_SCHEMA_KEY] = max(SCHEMA, _number(self._values.get(_SCHEMA_KEY)))
        values["theme"] = settings.theme.value
        values["providers"] = self._providers(settings)
        comments = {_SCHEMA_KEY: "The form of this file.", **MEANINGS}
        try:
            if self._is_no_toml:
                self._path.replace(self._path.with_name(f"{self._path.name}.unreadable"))
            write_whole(self._path, toml_document(values, comments))
        except OSError as fault:
            raise StoreUnwritable(self._path, fault.strerror or str(fault)) from fault
        self._values, self._is_no_toml = values, False
        self.problems = ()

    def _providers(self, settings: Settings) -> list[dict[str, Any]]:
        """The providers as tables, each with the keys that this version does not know."""
        before = self._values.get("providers")
        tables = before if isinstance(before, list) else []
        known = {table.get("name"): table for table in tables if isinstance(table, dict)}
        return [
            {**known.get(one.name, {}), **dataclasses.asdict(one)} for one in settings.providers
        ]


def write_whole(path: Path, text: str, mode: int = 0o644) -> None:
    """Replaces a file in one step, on disk when this returns.

    Args:
        path: the file.
        text: its new text, written as UTF-8.
        mode: who may read it, from its first moment on.
    """
    draft = path.with_name(f".{path.name}.new")
    with contextlib.suppress(FileNotFoundError):
        draft.unlink()
    number = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    with os.fdopen(number, "w", encoding="utf-8", newline="\n") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)


def _settings(values: dict[str, Any], problems: list[SettingProblem]) -> Settings:
    taken: dict[str, Any] = {}
    for name in MEANINGS:
        if name not in values:
            continue
        value = values[name]
        try:
            taken[name] = _taken(name, value, problems)
        except (ValueError, TypeError):
            problems.append(SettingProblem(name, str(value)))
    return Settings(**taken)


def _taken(name: str, value: object, problems: list[SettingProblem]) -> object:
    """A value of the file as the setting wants it.

    Raises:
        ValueError: it has no meaning.
    """
    if name in LIMITS:
        least, most = LIMITS[name]
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise ValueError(name)
        if not least <= value <= most:
            raise ValueError(name)
        return type(getattr(Settings(), name))(value)
    if name == "theme":
        return ThemeChoice(str(value))
    if name == "providers":
        return _taken_providers(value, problems)
    if not isinstance(value, str):
        raise ValueError(name)  # noqa: TRY004 (the caller asks for meaning, not for types)
    return value


def _taken_providers(value: object, problems: list[SettingProblem]) -> tuple[ProviderSettings, ...]:
    found: dict[str, ProviderSettings] = {}
    for table in value if isinstance(value, list) else [value]:
        match table:
            case {"name": str(name), "base_url": str(base_url), "model": str(model)} if (
                name and name != BUILT_IN and name not in found
            ):
                found[name] = ProviderSettings(name, base_url, model)
            case _:
                problems.append(SettingProblem("providers", str(table)))
    return tuple(found.values())


def _number(value: object) -> int:
    return value if isinstance(value, int) else 0
