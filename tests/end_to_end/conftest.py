"""The whole program in a data folder of its own: real import, real answers, real window."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
import shiboken6
from PySide6.QtCore import QCoreApplication, QEvent

from app.assembly import Assembly
from app.jobs import Lanes
from app.startup import make_window
from app.ui.jobs import JobRunner
from tests.end_to_end.compass_book import compass_epub, finish

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from app.assembly import OpenBook
    from app.paths import Paths
    from app.ui.main_window import MainWindow

PATIENCE_MS = 30_000  # the longest wait for an import or a page on a loaded machine


@pytest.fixture
def environment() -> dict[str, str]:
    """The environment that the program sees; tests of servers fill it before the window."""
    return {}


@pytest.fixture
def assembly(paths: Paths, environment: dict[str, str]) -> Iterator[Assembly]:
    """The program without its window."""
    with Assembly(paths, environment) as made:
        yield made


@pytest.fixture
def compass(assembly: Assembly, tmp_path: Path) -> Iterator[OpenBook]:
    """The compass book, imported and open."""
    _, made = finish(assembly.import_book(compass_epub(tmp_path)))
    with assembly.open(made.book_id) as opened:
        yield opened


@pytest.fixture
def window(assembly: Assembly, qapp) -> Iterator[MainWindow]:
    """The window on the real program."""
    jobs = JobRunner(Lanes())
    made = make_window(assembly, qapp, jobs)
    made.resize(1280, 860)
    made.show()
    yield made
    made.close()
    assert jobs.shutdown(10)
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    shiboken6.delete(made)
