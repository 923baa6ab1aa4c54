"""The library's one SQLite file: connections, transactions, its version, and what can go wrong.

Every thread has its own connection. `write` is a whole transaction that takes the write lock at its
start; `read` only names the connection for reading; both turn SQLite's faults into `StoreError`.
What the tables are is in `app.storage.migrations`; what they hold is the work of the other modules.
"""

from __future__ import annotations

import contextlib
import time
from threading import get_ident
from typing import TYPE_CHECKING, Self

import apsw

from app.domain.errors import StoreDamaged, StoreTooNew, StoreUnwritable
from app.storage.migrations import MIGRATIONS
from app.storage.process_lock import ProcessLock

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    Migration = Callable[[apsw.Connection], None]

BUSY_TIMEOUT_S = 15.0
_BUSY_POLL_S = 0.001
_CACHE_KIB = 16_384


class Database:
    """One open library file.

    Safe to use from any thread; each thread is given a connection of its own. A connection of a
    thread that has ended serves the next thread with its number.

    Args:
        path: the file; it and its folder are made where missing.
        migrations: the steps from an empty file to this version.

    Raises:
        StoreTooNew: a newer Ibid wrote the file; it was not touched.
        StoreDamaged: it is no database, or was found damaged after an unclean end.
        StoreUnwritable: it cannot be opened for writing.
    """

    def __init__(self, path: Path, migrations: Sequence[Migration] = MIGRATIONS) -> None:
        self.path = path
        self._migrations = tuple(migrations)
        self._connections: dict[int, apsw.Connection] = {}
        self._open_lock: ProcessLock | None = None
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StoreUnwritable(path, str(error)) from error
        try:
            with faults_of(path):
                self._prepare()
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
        """Returns itself; leaving closes every connection."""
        return self

    def __exit__(self, *_: object) -> None:
        """Closes every connection."""
        self.close()

    @property
    def version(self) -> int:
        """The version of the file's tables."""
        return int(self.connection().pragma("user_version"))

    def connection(self) -> apsw.Connection:
        """The calling thread's connection; its faults are SQLite's own (see `read`)."""
        found = self._connections.get(get_ident())
        if found is None:
            found = self._connections[get_ident()] = self._connect()
        return found

    @contextlib.contextmanager
    def read(self) -> Iterator[apsw.Connection]:
        """The calling thread's connection, for reading.

        Raises:
            StoreError: SQLite found a fault.
        """
        with faults_of(self.path):
            yield self.connection()

    @contextlib.contextmanager
    def write(self) -> Iterator[apsw.Connection]:
        """One transaction: all of it is stored, or on any exception nothing.

        Transactions of other threads and processes are waited for, `BUSY_TIMEOUT_S` at most.

        Raises:
            StoreError: SQLite found a fault.
        """
        with faults_of(self.path):
            connection = self.connection()
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise

    def close(self) -> None:
        """Closes the connections of every thread; none may be in use."""
        while self._connections:
            self._connections.popitem()[1].close()
        if self._open_lock is not None:
            self._open_lock.release(is_file_kept=True)
            self._open_lock = None

    def check(self) -> str:
        """Looks through the whole file for damage.

        Returns:
            SQLite's version and the size of the file, for a self-check.

        Raises:
            StoreDamaged: with what SQLite found first.
        """
        with self.read() as connection:
            finding = connection.execute("PRAGMA quick_check(1)").get
        if finding != "ok":
            raise StoreDamaged(self.path, str(finding))
        return (
            f"SQLite {apsw.sqlite_lib_version()}, version {self.version},"
            f" {self.path.stat().st_size / 1_000_000:.1f} MB"
        )

    def _connect(self) -> apsw.Connection:
        connection = apsw.Connection(str(self.path))
        # The writer of an import frees the lock for a few milliseconds between its steps. SQLite's
        # own waiting sleeps up to 100 ms at a time and can miss that moment again and again.
        connection.set_busy_handler(_wait_while_busy)
        connection.execute(f"PRAGMA foreign_keys = ON; PRAGMA cache_size = -{_CACHE_KIB}")
        return connection

    def _prepare(self) -> None:
        known = len(self._migrations)
        was_left_open = self._was_left_open()
        connection = self.connection()
        version = int(connection.pragma("user_version"))
        if version > known:
            raise StoreTooNew(self.path, version, known)
        choose_journal(connection)
        if was_left_open:
            self.check()
        for number in range(version + 1, known + 1):
            with self.write():
                if int(connection.pragma("user_version")) != number - 1:
                    continue  # another process has taken this step since
                if number == version + 1 > 1:
                    self._copy_aside(version)
                self._migrations[number - 1](connection)
                connection.pragma("user_version", number)

    def _was_left_open(self) -> bool:
        """Whether the last process to use the file ended without closing it.

        A clean end leaves no journal; one that is there belongs to a living process or to none.
        """
        self._open_lock = ProcessLock.take(beside(self.path, "open"))
        journals = (beside(self.path, "wal"), beside(self.path, "journal"))
        return self._open_lock is not None and any(
            journal.exists() and journal.stat().st_size for journal in journals
        )

    def _copy_aside(self, version: int) -> None:
        """Copies the file as it is, while this thread keeps others from writing."""
        copy = beside(self.path, f"before-version-{version + 1}")
        remove_file(copy)
        # A connection with a transaction of its own cannot be copied from.
        with (
            contextlib.closing(self._connect()) as source,
            contextlib.closing(apsw.Connection(str(copy))) as target,
        ):
            with target.backup("main", source, "main") as backup:
                backup.step()
            target.pragma("journal_mode", "delete")


def beside(path: Path, name: str) -> Path:
    """A file that belongs to the database at `path`, in the same folder."""
    return path.with_name(f"{path.name}-{name}")


def remove_file(path: Path) -> None:
    """Removes a database file with its journals, where they are."""
    for file in (path, beside(path, "wal"), beside(path, "shm"), beside(path, "journal")):
        file.unlink(missing_ok=True)


def set_aside(path: Path) -> Path:
    """Moves a damaged library out of the way, with its journals, so that a new one can begin.

    Returns:
        Where it is now.
    """
    number = 1
    while beside(path, f"damaged-{number}").exists():
        number += 1
    aside = beside(path, f"damaged-{number}")
    for name in ("wal", "shm", "journal"):
        if beside(path, name).exists():
            beside(path, name).replace(beside(aside, name))
    return path.replace(aside)


@contextlib.contextmanager
def faults_of(path: Path) -> Iterator[None]:
    """Turns SQLite's faults into `StoreError`; misuse of SQLite stays what it is: a fault of ours.

    Raises:
        StoreDamaged: the file is not, or no longer, a sound database.
        StoreUnwritable: the disk is full, the folder read-only, or another program holds the file.
    """
    try:
        yield
    except (apsw.CorruptError, apsw.NotADBError) as error:
        raise StoreDamaged(path, str(error)) from error
    except apsw.FullError as error:
        raise StoreUnwritable(path, "the disk is full") from error
    except (apsw.ReadOnlyError, apsw.PermissionsError) as error:
        raise StoreUnwritable(path, "the file is read-only") from error
    except (apsw.BusyError, apsw.LockedError) as error:
        raise StoreUnwritable(path, "another program holds the file") from error
    except (apsw.IOError, apsw.CantOpenError) as error:
        raise StoreUnwritable(path, str(error)) from error


def choose_journal(connection: apsw.Connection) -> None:
    """Takes the write-ahead log, or where it does not work the plain journal.

    Source: on network drives SQLite grants WAL and fails at the first write (apsw#173).
    """
    try:
        connection.pragma("journal_mode", "wal")
        connection.execute("BEGIN IMMEDIATE")
        connection.pragma("user_version", connection.pragma("user_version"))
        connection.execute("COMMIT")
    except (apsw.IOError, apsw.CantOpenError, apsw.ProtocolError):
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        connection.pragma("journal_mode", "delete")


def _wait_while_busy(waits: int) -> bool:
    time.sleep(_BUSY_POLL_S)
    return waits < BUSY_TIMEOUT_S / _BUSY_POLL_S
