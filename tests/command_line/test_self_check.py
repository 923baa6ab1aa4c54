"""A part that fails is named, and the others are checked all the same."""

from __future__ import annotations

from pathlib import Path

from app.command_line.self_check import run_checks
from app.domain.errors import StoreDamaged, WorkerDied


class FailingAssembly:
    """An assembly whose database and worker fail."""

    def check_database(self) -> str:
        raise StoreDamaged(Path("library.sqlite3"), "page 7 is torn")

    def check_key_store(self) -> str:
        return "the system's key store"

    def check_worker(self) -> str:
        raise WorkerDied("import a book")


def test_every_part_is_checked_whatever_fails_before_it():
    checks = {check.name: check for check in run_checks(FailingAssembly())}
    assert not checks["database"].is_ok
    assert "StoreDamaged" in checks["database"].finding
    assert not checks["reading process"].is_ok
    assert checks["key store"].is_ok
    assert checks["packages"].is_ok
    assert "PyMuPDF" in checks["packages"].finding
