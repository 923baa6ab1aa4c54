"""The program from its first line to its last: what opens, what refuses, how it ends."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from app import APP_ID, APP_NAME
from app.startup import may_draw_pages

ROOT = Path(__file__).resolve().parent.parent
LIMIT_S = 40
HARMLESS = ("vulkan", "Vulkan", "GPU", "dbus", "Sandboxing", "sandbox")


def run_program(screen, tmp_path, *words, **environment):
    return subprocess.run(
        [sys.executable, "-m", "tests.fakes.window_program", str(tmp_path / "data"), *words],
        cwd=ROOT,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=LIMIT_S,
        check=False,
    )


def complaints(run):
    lines = run.stderr.splitlines()
    return [line for line in lines if line and not any(word in line for word in HARMLESS)]


def test_the_first_start_opens_the_handbook_and_ends_well(screen, tmp_path):
    run = run_program(screen, tmp_path)
    assert run.stdout.split()[:2] == ["opened", "Handbook.epub"]
    assert "Moby-Dick – Ibid" in run.stdout
    assert complaints(run) == []
    assert run.returncode == 0
    logs = tmp_path / "data" / "logs"
    assert not (logs / "crash.txt").exists()
    assert (tmp_path / "data" / "window.ini").exists()


def test_a_book_that_is_named_is_opened(screen, tmp_path):
    run = run_program(screen, tmp_path, "/books/given.epub")
    assert run.stdout.split()[:2] == ["opened", "given.epub"]
    assert complaints(run) == []
    assert run.returncode == 0


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root is refused")
def test_root_is_told_why_in_one_sentence(screen, tmp_path):
    run = run_program(
        screen, tmp_path, QTWEBENGINE_DISABLE_SANDBOX="", QTWEBENGINE_CHROMIUM_FLAGS=""
    )
    assert run.returncode == 1
    assert run.stderr.count("\n") == 1
    assert "does not run as root" in run.stderr


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root is refused")
@pytest.mark.parametrize(
    ("environment", "may"),
    [
        ({}, False),
        ({"QTWEBENGINE_DISABLE_SANDBOX": "0"}, False),
        ({"QTWEBENGINE_DISABLE_SANDBOX": "1"}, True),
        ({"QTWEBENGINE_CHROMIUM_FLAGS": "--disable-gpu --no-sandbox"}, True),
        ({"QTWEBENGINE_CHROMIUM_FLAGS": "--disable-gpu"}, False),
    ],
)
def test_the_sandbox_is_only_missing_where_somebody_turned_it_off(environment, may):
    assert may_draw_pages(environment) is may


def test_the_application_has_its_one_name(screen, tmp_path):
    code = (
        "from app.startup import make_application\n"
        "made = make_application()\n"
        "print(made.applicationName(), made.desktopFileName(), made.windowIcon().isNull())\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env=dict(os.environ),
        capture_output=True,
        text=True,
        timeout=LIMIT_S,
        check=True,
    )
    assert run.stdout.split() == [APP_NAME, APP_ID, "False"]
