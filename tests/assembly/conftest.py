"""The program without its window, in a data folder of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from app.assembly import Assembly
from app.storage.key_store import KeyStore
from tests.builders import BEYOND_ASCII, Chapter, make_epub

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from app.paths import Paths

FACT = "The lighthouse keeper buried the silver compass under the third stair."


@pytest.fixture
def environment() -> dict[str, str]:
    """The environment that the program sees."""
    return {}


class InMemoryKeys:
    """A system's key store that no test shares with the person at this computer."""

    def __init__(self) -> None:
        self._keys: dict[tuple[str, str], str] = {}

    def get_password(self, service: str, username: str) -> str | None:
        return self._keys.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self._keys[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        del self._keys[service, username]


@pytest.fixture
def assembly(paths: Paths, environment: dict[str, str]) -> Iterator[Assembly]:
    """The program."""
    with Assembly(paths, environment, KeyStore(paths.data, InMemoryKeys())) as made:
        yield made


@pytest.fixture
def book_file(tmp_path: Path) -> Path:
    """A book of two chapters, the first with a link to the second."""
    link = '<p>See <a href="chapter2.xhtml#tide">the tide</a>.</p>'
    chapters = [
        Chapter(f"<h1>Morning</h1><p>{BEYOND_ASCII}{FACT}</p>{link}", title="Morning"),
        Chapter('<h1>Evening</h1><p>Grey sea.</p><p id="tide">The tide rose.</p>', title="Evening"),
    ]
    return make_epub(tmp_path / "compass.epub", chapters=chapters, title="The Compass")


def finish(work):
    """Runs a generator to its end: its events and its result."""
    events = []
    while True:
        try:
            events.append(next(work))
        except StopIteration as finished:
            return events, finished.value
