"""Fixtures for every test: where the real books are, and a data folder of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.paths import Paths, find_paths

CORPUS = Path(__file__).resolve().parent.parent.parent / "shared" / "corpus"


@pytest.fixture(scope="session")
def corpus() -> Path:
    """The folder of real books; the test is skipped where it is absent."""
    if not CORPUS.is_dir():
        pytest.skip("the folder of real books (../shared/corpus) is not on this machine")
    return CORPUS


@pytest.fixture
def paths(tmp_path: Path) -> Paths:
    """A data folder that ends with the test."""
    return find_paths(tmp_path / "data").made()
