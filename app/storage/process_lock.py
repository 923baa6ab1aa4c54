"""A lock that one process holds and that its death releases, however it dies.

The lock is SQLite's own exclusive lock on an empty file beside the database: the operating system
drops it with the process, on every system that Ibid runs on, and no time, process number or clean
exit is trusted. It says who is alive; it does not protect the database, which locks itself.
"""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

import apsw

if TYPE_CHECKING:
    from pathlib import Path


class ProcessLock:
    """A held lock; `take` makes one.

    Args:
        path: the lock's file.
        connection: holds the exclusive lock.
    """

    def __init__(self, path: Path, connection: apsw.Connection) -> None:
        self.path = path
        self._connection = connection

    @classmethod
    def take(cls, path: Path) -> ProcessLock | None:
        """Takes the lock, making its file; None where somebody alive holds it."""
        connection = apsw.Connection(str(path))
        try:
            connection.execute("PRAGMA journal_mode = MEMORY")
            connection.execute("BEGIN EXCLUSIVE")
        except (apsw.BusyError, apsw.LockedError):
            connection.close()
            return None
        return cls(path, connection)

    def release(self, *, is_file_kept: bool = False) -> None:
        """Gives the lock up; its file goes too, unless others will take the same lock again."""
        self._connection.close()
        if not is_file_kept:
            remove_lock(self.path)


def is_held(path: Path) -> bool:
    """Whether a living process, this one included, holds the lock; changes nothing."""
    try:
        connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE)
    except apsw.CantOpenError:
        return False
    with contextlib.closing(connection):
        try:
            connection.execute("BEGIN EXCLUSIVE")
        except (apsw.BusyError, apsw.LockedError):
            return True
    return False


def remove_lock(path: Path) -> None:
    """Removes the file of a lock that nobody holds; on Windows one that is open just now stays."""
    with contextlib.suppress(PermissionError):
        path.unlink(missing_ok=True)
