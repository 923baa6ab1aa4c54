"""Where keys of model servers are kept: the system's key store, this run, or a file of one's own.

A key is never in the database, the settings, a log or an error. Where the system has no key store
the reader decides between the other two; nothing is written to a file unasked.
"""

from __future__ import annotations

import contextlib
import json
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

from app import APP_NAME
from app.domain.errors import StoreUnwritable
from app.storage.settings_file import write_whole

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


class KeyPlace(StrEnum):
    """Where a key is kept."""

    SYSTEM = "system"
    RUN = "run"
    FILE = "file"


class SystemKeys(Protocol):
    """The system's key store, as the `keyring` package offers it."""

    def get_password(self, service: str, username: str) -> str | None:
        """The password, or None."""
        ...

    def set_password(self, service: str, username: str, password: str) -> None:
        """Keeps a password."""
        ...

    def delete_password(self, service: str, username: str) -> None:
        """Removes a password that is there."""
        ...


class KeyStore:
    """The keys of the connected providers, by provider name.

    Args:
        folder: where the file of keys is, if the reader wants one.
        system: the system's key store; found when first needed where not given. Tests give one.
    """

    def __init__(self, folder: Path, system: SystemKeys | None = None) -> None:
        self._file = folder / "keys.json"
        self._system = system
        self._is_searched = system is not None
        self._of_this_run: dict[str, str] = {}

    @property
    def has_system_store(self) -> bool:
        """Whether the system has a key store that can be used."""
        return self._found_system() is not None

    def key(self, name: str) -> str | None:
        """The key of a provider, or None where none is kept.

        Raises:
            StoreUnwritable: a key store is there but does not open.
        """
        if name in self._of_this_run:
            return self._of_this_run[name]
        system = self._found_system()
        found = system.get_password(APP_NAME, name) if system else None
        return found if found is not None else self._file_keys().get(name)

    def keep(self, name: str, key: str, place: KeyPlace) -> None:
        """Keeps a key in one place, and in no other any more.

        Raises:
            StoreUnwritable: the place cannot be written; where the key was before it still is.
        """
        match place:
            case KeyPlace.RUN:
                self.forget(name)
                self._of_this_run[name] = key
            case KeyPlace.FILE:
                keys = self._file_keys() | {name: key}
                self._write_file(keys)
                self._of_this_run.pop(name, None)
                self._forget_in_system(name)
            case KeyPlace.SYSTEM:
                system = self._found_system()
                if system is None:
                    raise StoreUnwritable(self._file, "the system has no key store")
                system.set_password(APP_NAME, name, key)
                self._of_this_run.pop(name, None)
                self._forget_in_file(name)

    def forget(self, name: str) -> None:
        """Removes a key from every place."""
        self._of_this_run.pop(name, None)
        self._forget_in_system(name)
        self._forget_in_file(name)

    def check(self) -> str:
        """Says what keeps keys here, for a self-check."""
        system = self._found_system()
        if system is None:
            return "the system has none: keys are kept for one run, or in a file on request"
        return "the system's key store"

    def _found_system(self) -> SystemKeys | None:
        if not self._is_searched:
            self._system = _system_keys(self._file)
            self._is_searched = True
        return self._system

    def _forget_in_system(self, name: str) -> None:
        system = self._found_system()
        if system is not None and system.get_password(APP_NAME, name) is not None:
            system.delete_password(APP_NAME, name)

    def _forget_in_file(self, name: str) -> None:
        keys = self._file_keys()
        if keys.pop(name, None) is None:
            return
        if keys:
            self._write_file(keys)
        else:
            self._file.unlink()

    def _file_keys(self) -> dict[str, str]:
        try:
            found = json.loads(self._file.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return {}
        except (OSError, ValueError) as fault:
            # Not the fault's own words: a JSON error could quote the file.
            raise StoreUnwritable(self._file, "the file of keys cannot be read") from fault
        return {str(name): str(key) for name, key in dict(found).items()}

    def _write_file(self, keys: dict[str, str]) -> None:
        try:
            write_whole(self._file, json.dumps(keys, indent=1) + "\n", mode=0o600)
        except OSError as fault:
            raise StoreUnwritable(self._file, fault.strerror or str(fault)) from fault


class _Keyring:
    """The `keyring` package's store for this system, with its faults as ours."""

    def __init__(self, backend: SystemKeys, file: Path) -> None:
        self._backend = backend
        self._file = file

    def get_password(self, service: str, username: str) -> str | None:
        with _keyring_faults(self._file):
            return self._backend.get_password(service, username)

    def set_password(self, service: str, username: str, password: str) -> None:
        with _keyring_faults(self._file):
            self._backend.set_password(service, username, password)

    def delete_password(self, service: str, username: str) -> None:
        with _keyring_faults(self._file):
            self._backend.delete_password(service, username)


def _system_keys(file: Path) -> SystemKeys | None:
    """The system's key store, or None where it has none that keeps keys safe."""
    import keyring  # noqa: PLC0415 (searches the system for stores; only for who has a key)

    backend = keyring.get_keyring()
    # Below 1 are backends that keep nothing or keep it in plain text; `keyring` says the same.
    return _Keyring(backend, file) if backend.priority >= 1 else None


@contextlib.contextmanager
def _keyring_faults(file: Path) -> Iterator[None]:
    from keyring.errors import KeyringError  # noqa: PLC0415 (as above)

    try:
        yield
    except KeyringError as fault:
        # Only the kind of fault: its words could hold what was to be kept.
        raise StoreUnwritable(file, f"the key store says {type(fault).__name__}") from fault
