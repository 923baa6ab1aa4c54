"""`python main.py` as a process of its own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from app import APP_NAME, __version__

MAIN = Path(__file__).resolve().parent.parent / "main.py"


def run_main(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(MAIN), *arguments], capture_output=True, text=True, check=False
    )


def test_it_says_its_version():
    done = run_main("--version")
    assert (done.returncode, done.stdout) == (0, f"{APP_NAME} {__version__}\n")


def test_a_failure_is_one_sentence_and_status_1(tmp_path):
    done = run_main("--data-dir", str(tmp_path), "ask", str(tmp_path / "no.epub"), "Why?")
    assert done.returncode == 1
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) == 1
    assert "no.epub" in done.stderr


def test_wrong_usage_is_status_2():
    assert run_main("ask").returncode == 2


def test_the_worker_process_loads_no_qt():
    # A spawned child imports main.py: what it imports at top level, every child pays for.
    code = (
        f"import runpy, sys; runpy.run_path({str(MAIN)!r}, run_name='child'); print(*sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not any(name.startswith(("PySide6", "app.")) for name in done.stdout.split())
