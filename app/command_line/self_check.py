"""`ibid self-check`: whether everything that Ibid stands on is there and works.

Each check names what it found; a failed one says what to do. Nothing is changed.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import platform
from dataclasses import dataclass
from typing import TYPE_CHECKING

from app import APP_NAME, __version__
from app.domain.errors import ReaderError
from app.paths import RESOURCES

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.assembly import Assembly

_PACKAGES = ("PySide6_Addons", "PyMuPDF", "EbookLib", "lxml", "openai", "apsw", "keyring")
_FOLDERS = ("prompts", "themes", "page", "icons", "handbook")


@dataclass(frozen=True, slots=True)
class Check:
    """One finding of the self-check."""

    name: str
    is_ok: bool
    finding: str


def run_checks(assembly: Assembly) -> tuple[Check, ...]:
    """Runs every check; a check that fails never keeps the others from running."""
    return (
        Check("program", is_ok=True, finding=f"{APP_NAME} {__version__}, {platform.platform()}"),
        _check("packages", _packages),
        _check("resources", _resources),
        _check("database", assembly.check_database),
        _check("key store", assembly.check_key_store),
        _check("reading process", assembly.check_worker),
        _check("web view", _web_view),
    )


def _check(name: str, find: Callable[[], str]) -> Check:
    try:
        return Check(name, is_ok=True, finding=find())
    except (ReaderError, ImportError, OSError) as error:
        return Check(name, is_ok=False, finding=f"{type(error).__name__}: {error}")


def _packages() -> str:
    return ", ".join(f"{name} {importlib.metadata.version(name)}" for name in _PACKAGES)


def _resources() -> str:
    missing = [name for name in _FOLDERS if not any((RESOURCES / name).glob("*"))]
    if missing:
        raise FileNotFoundError(f"no files in {', '.join(missing)}: install Ibid again")
    return f"{len(_FOLDERS)} folders in {RESOURCES}"


def _web_view() -> str:
    importlib.import_module("PySide6.QtWebEngineCore")
    return "Qt WebEngine loads"
