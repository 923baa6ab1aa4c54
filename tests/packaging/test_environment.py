"""What setting up checks before it does anything."""

from __future__ import annotations

import hashlib
import subprocess
import sys

import environment
import pytest
from environment import SetupFailed


@pytest.fixture
def venv(tmp_path, monkeypatch):
    """An environment folder of its own that counts as usable."""
    folder = tmp_path / ".venv"
    folder.mkdir()
    monkeypatch.setattr(environment, "_VENV", folder)
    monkeypatch.setattr(environment, "_STAMP", folder / "installed-lock.sha256")
    monkeypatch.setattr(environment, "venv_program", lambda _name: sys.executable)
    monkeypatch.setattr(environment, "_is_usable", lambda: True)
    return folder


@pytest.fixture
def installs(monkeypatch):
    """Commands that would have been run, and the status that they return."""
    ran: list[list[str]] = []
    status = [0]

    def run(command, **_options):
        ran.append(command)
        return subprocess.CompletedProcess(command, status[0])

    monkeypatch.setattr(subprocess, "run", run)
    return ran, status


def test_an_old_python_is_told_which_one_to_use(monkeypatch):
    monkeypatch.setattr(sys, "version_info", (3, 9, 1))
    monkeypatch.setattr(environment.shutil, "which", lambda name: name == "python3.12" or None)
    with pytest.raises(SetupFailed, match=r"3\.11 or newer.*python3\.12"):
        environment.prepare(environment.RUN_LOCK)


def test_a_lock_is_installed_once(venv, installs):
    ran, _ = installs
    environment.prepare(environment.RUN_LOCK)
    environment.prepare(environment.RUN_LOCK)
    assert len(ran) == 1
    assert "--require-hashes" in ran[0]
    assert ran[0][-2:] == ["-r", str(environment.RUN_LOCK)]


def test_a_changed_lock_is_installed_again(venv, installs, tmp_path):
    ran, _ = installs
    lock = tmp_path / "a.lock"
    for text in ("one", "two"):
        lock.write_text(text, encoding="utf-8")
        environment.prepare(lock)
    assert len(ran) == 2
    stamp = (venv / "installed-lock.sha256").read_text(encoding="utf-8")
    assert stamp == hashlib.sha256(b"two").hexdigest()


def test_the_lock_for_tests_serves_running_too_but_not_the_reverse(venv, installs):
    ran, _ = installs
    environment.prepare(environment.RUN_LOCK)
    environment.prepare(environment.TEST_LOCK)
    environment.prepare(environment.RUN_LOCK)
    assert [command[-1] for command in ran] == [
        str(environment.RUN_LOCK),
        str(environment.TEST_LOCK),
    ]


def test_a_failed_install_is_tried_again(venv, installs):
    ran, status = installs
    status[0] = 1
    with pytest.raises(SetupFailed, match="could not be installed"):
        environment.prepare(environment.RUN_LOCK)
    status[0] = 0
    environment.prepare(environment.RUN_LOCK)
    assert len(ran) == 2
