"""Where Ibid keeps things: data, cache, logs, and the resources it ships with.

`--data-dir` and `IBID_DATA_DIR` move everything that is written into one folder. Nothing here
creates a file; folders are made when asked for.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

import platformdirs

from app import APP_NAME

RESOURCES = Path(__file__).resolve().parent.parent / "resources"


@dataclass(frozen=True, slots=True)
class Paths:
    """The folders of one running Ibid.

    Attributes:
        data: database and settings.
        cache: what may be deleted at any time.
        logs: log files and crash reports.
    """

    data: Path
    cache: Path
    logs: Path

    @property
    def database(self) -> Path:
        """The library's one SQLite file."""
        return self.data / "library.sqlite3"

    @property
    def settings(self) -> Path:
        """The settings file, readable by a person."""
        return self.data / "settings.toml"

    def made(self) -> Paths:
        """Makes the folders and returns itself."""
        for folder in (self.data, self.cache, self.logs):
            folder.mkdir(parents=True, exist_ok=True)
        return self


def find_paths(data_dir: Path | None = None) -> Paths:
    """The folders to use: under `data_dir`, else `IBID_DATA_DIR`, else the system's own places."""
    named = data_dir or (
        Path(os.environ["IBID_DATA_DIR"]) if os.environ.get("IBID_DATA_DIR") else None
    )
    if named is not None:
        root = named.expanduser().absolute()
        return Paths(data=root, cache=root / "cache", logs=root / "logs")
    folders = platformdirs.PlatformDirs(APP_NAME, appauthor=False)
    return Paths(
        data=Path(folders.user_data_dir),
        cache=Path(folders.user_cache_dir),
        logs=Path(folders.user_log_dir),
    )
