"""Fixtures for every test: a screen, real books, a data folder, and what no test may leave behind.

Qt starts with the first test that asks for it (`qtbot` or `qapp`): on a virtual screen of its own
where Xvfb is installed, else without one. No test connects to anything but this machine.
"""

from __future__ import annotations

import importlib
import importlib.util
import ipaddress
import multiprocessing
import os
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from app.paths import Paths, find_paths

if TYPE_CHECKING:
    from collections.abc import Iterator

CORPUS = Path(__file__).resolve().parent.parent.parent / "shared" / "corpus"
_GRACE_S = 3.0  # for threads and processes that were told to end
_CHROMIUM_FLAGS = "--disable-gpu --disable-dev-shm-usage"  # no GPU, and /dev/shm of 64 MB in CI
_left_the_machine: list[str] = []
_servers: list[subprocess.Popen[bytes]] = []


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


@pytest.fixture(scope="session")
def screen() -> Iterator[str]:
    """What Qt draws on: "xcb" on a virtual screen of this run, or "offscreen".

    The environment is set for this process and those it starts. Chromium refuses its sandbox to
    root, which CI is; only tests turn it off.
    """
    os.environ["QTWEBENGINE_DISABLE_SANDBOX"] = "1"
    os.environ["QTWEBENGINE_CHROMIUM_FLAGS"] = _CHROMIUM_FLAGS
    for name in ("WAYLAND_DISPLAY", "QT_QPA_PLATFORM", "QT_SCALE_FACTOR", "QT_STYLE_OVERRIDE"):
        os.environ.pop(name, None)
    if not shutil.which("Xvfb"):
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
        yield "offscreen"
        return
    reader, writer = os.pipe()
    # The server ends when this process does, whatever ends it: Qt still speaks to it after the last
    # fixture is gone, and a connection that breaks makes Xlib exit.
    watch = 'Xvfb "$@" & server=$!; read _; kill $server'
    arguments = ["-displayfd", str(writer), "-screen", "0", "1600x1200x24", "-nolisten", "tcp"]
    server = subprocess.Popen(
        ["/bin/sh", "-c", watch, "Xvfb", *arguments],
        pass_fds=[writer],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    os.close(writer)
    with os.fdopen(reader, encoding="ascii") as numbers:
        os.environ["DISPLAY"] = f":{int(numbers.readline())}"
    os.environ["QT_QPA_PLATFORM"] = "xcb"
    _servers.append(server)
    yield "xcb"


@pytest.fixture(scope="session")
def qapp_args(screen: str) -> list[str]:
    """Arguments of the one QApplication; the scheme of books is registered before it exists.

    Source: Qt WebEngine ignores a scheme registered after the application (qutebrowser#4198).
    """
    if importlib.util.find_spec("app.ui.reader.book_scheme") is not None:
        importlib.import_module("app.ui.reader.book_scheme").register()
    return ["ibid-tests", "-style", "Fusion"]


@pytest.fixture(autouse=True)
def nothing_left_behind() -> Iterator[None]:
    """Fails a test that leaves threads or processes running, or tried to leave this machine."""
    threads = set(threading.enumerate())
    processes = set(multiprocessing.active_children())
    _left_the_machine.clear()
    yield
    deadline = time.monotonic() + _GRACE_S
    leaked: list[str] = []
    for thread in set(threading.enumerate()) - threads:
        if isinstance(thread, threading._DummyThread):
            continue  # Qt's own thread that once ran Python: it is Qt that ends it
        thread.join(max(0.0, deadline - time.monotonic()))
        leaked += [f"thread {thread.name}"] if thread.is_alive() else []
    for process in set(multiprocessing.active_children()) - processes:
        process.join(max(0.0, deadline - time.monotonic()))
        leaked += [f"process {process.name}"] if process.is_alive() else []
    assert not leaked, f"left running: {', '.join(leaked)}"
    assert not _left_the_machine, f"tried to reach {', '.join(_left_the_machine)}"


def _refuse_other_machines(event: str, arguments: tuple[Any, ...]) -> None:
    if event == "socket.getaddrinfo":
        host = arguments[0]
    elif event == "socket.connect" and isinstance(arguments[1], tuple):
        host = arguments[1][0]
    else:
        return
    if not _is_this_machine(host):
        _left_the_machine.append(str(host))
        raise ConnectionRefusedError(f"a test tried to reach {host}")


def _is_this_machine(host: object) -> bool:
    if host is None or host in {"", "localhost", b"localhost"}:
        return True
    text = host.decode() if isinstance(host, bytes) else str(host)
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return False
    return address.is_loopback or address.is_unspecified


sys.addaudithook(_refuse_other_machines)
