"""The checks that every change must pass, the same for people and for CI, in one order.

The first failure ends the run. Standard library only.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

from environment import ROOT, venv_program

if TYPE_CHECKING:
    from pathlib import Path

_VERSION = re.compile(r'^__version__ = "([^"]+)"$', re.MULTILINE)
_HEADING = re.compile(r"^## \[([^\]]+)\]", re.MULTILINE)


@dataclass(frozen=True)
class Step:
    """One command of the checks: a module of the environment and its arguments."""

    name: str
    program: str
    arguments: tuple[str, ...] = ()


_BEFORE_TESTS = (
    Step("ruff format", "ruff", ("format", "--check", ".")),
    Step("ruff check", "ruff", ("check", ".")),
    Step("import contracts", "lint-imports"),
    Step("mypy", "mypy"),
)
_TESTS = Step("pytest", "coverage", ("run", "-m", "pytest", "-n", "2", "--dist", "loadfile"))
_AFTER_TESTS = (
    Step("coverage combine", "coverage", ("combine", "--quiet")),
    Step("coverage report", "coverage", ("report",)),
)


def run_checks() -> int:
    """Runs every check until one fails.

    Returns:
        0 when all passed, else 1; the last line printed is pytest's own summary, or the failure.
    """
    for step in _BEFORE_TESTS:
        if _run(step) != 0:
            return _fail(step.name)
    subprocess.run([str(venv_program("coverage")), "erase"], cwd=ROOT, check=True)
    status, summary = _run_and_keep_last_line(_TESTS)
    if status != 0:
        return _fail(_TESTS.name, summary)
    for step in _AFTER_TESTS:
        if _run(step) != 0:
            return _fail(step.name)
    _announce("version and changelog")
    fault = version_fault(ROOT)
    if fault:
        print(fault, flush=True)
        return _fail("version and changelog")
    print(f"\nAll checks passed.\n{summary}", flush=True)
    return 0


def version_fault(root: Path) -> str:
    """What is wrong between `app.__version__` and the changelog, or "".

    The newest numbered heading of the changelog is the program's version; `[Unreleased]` may stand
    above it, and alone before the first release.
    """
    version = _VERSION.search((root / "app" / "__init__.py").read_text(encoding="utf-8"))
    if version is None:
        return "app/__init__.py holds no __version__."
    headings = _HEADING.findall((root / "CHANGELOG.md").read_text(encoding="utf-8"))
    numbered = [heading for heading in headings if heading != "Unreleased"]
    if not headings or "Unreleased" in headings[1:]:
        return "CHANGELOG.md must begin with [Unreleased] or a version."
    if numbered and numbered[0] != version[1]:
        return f"CHANGELOG.md ends at {numbered[0]}, the program is {version[1]}."
    return ""


def _announce(name: str) -> None:
    print(f"\n== {name}", flush=True)


def _fail(name: str, detail: str = "") -> int:
    print(f"\nStopped: {name} failed (see above).", flush=True)
    if detail:
        print(detail, flush=True)
    return 1


def _command(step: Step) -> list[str]:
    return [str(venv_program(step.program)), *step.arguments]


def _run(step: Step) -> int:
    _announce(step.name)
    done = subprocess.run(_command(step), cwd=ROOT, check=False, stdin=subprocess.DEVNULL)
    return done.returncode


def _run_and_keep_last_line(step: Step) -> tuple[int, str]:
    """Runs a step, passing its output on as it comes, and returns its status and last line."""
    _announce(step.name)
    colour = ("--color=yes",) if sys.stdout.isatty() else ()
    process = subprocess.Popen(
        [*_command(step), *colour],
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        errors="replace",
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )
    last = ""
    with process:
        for line in process.stdout or ():
            print(line, end="", flush=True)
            last = line.strip() or last
    return process.returncode, last
