"""The guards of the tests themselves."""

from __future__ import annotations

import os
import socket
import threading

import pytest
from PySide6.QtCore import QObject, Signal
from PySide6.QtWebEngineWidgets import QWebEngineView
from PySide6.QtWidgets import QLabel

from tests import conftest

_NOWHERE = "192.0.2.1"  # RFC 5737: an address for documents, never routed


class Bell(QObject):
    rang = Signal(bool)


def test_a_connection_to_another_machine_is_refused_and_noted():
    with socket.socket() as client, pytest.raises(ConnectionRefusedError):
        client.connect((_NOWHERE, 80))
    with pytest.raises(ConnectionRefusedError):
        socket.getaddrinfo("example.org", 80)
    assert conftest._left_the_machine == [_NOWHERE, "example.org"]
    conftest._left_the_machine.clear()


def test_this_machine_is_not_another_one():
    with (
        socket.create_server(("127.0.0.1", 0)) as server,
        socket.create_connection(server.getsockname()) as client,
    ):
        assert client.getpeername() == server.getsockname()
    assert conftest._left_the_machine == []


def test_a_leaked_thread_fails_the_test_that_started_it(pytester_like_guard):
    release = threading.Event()
    forgotten = threading.Thread(target=release.wait, name="forgotten")  # noqa: TID251 - the point
    forgotten.start()
    with pytest.raises(AssertionError, match="left running: thread forgotten"):
        pytester_like_guard()
    release.set()
    forgotten.join()


def test_qt_draws_on_a_screen_of_its_own(qapp, screen):
    assert qapp.platformName() == screen
    assert os.environ["QT_QPA_PLATFORM"] == screen


def test_five_thousand_emitted_booleans_do_not_end_the_process(qapp):
    # PySide6 6.12.0 on Python 3.11 loses a reference to True with each, and aborts.
    heard = []
    bell = Bell()
    bell.rang.connect(heard.append)
    for _ in range(5_000):
        bell.rang.emit(True)
    assert len(heard) == 5_000


def test_a_web_page_is_drawn(qtbot):
    view = QWebEngineView()
    qtbot.addWidget(view)
    view.resize(320, 240)
    with qtbot.waitSignal(view.loadFinished, timeout=20_000) as loaded:
        view.setHtml("<body style='margin:0;background:#ff0000'><p style='height:500px'></p>")
        view.show()
    assert loaded.args == [True]
    qtbot.waitUntil(lambda: _middle_of(view) == "#ff0000", timeout=10_000)


def test_a_widget_is_drawn(qtbot):
    label = QLabel("Ibid")
    label.setStyleSheet("background: #00ff00")
    qtbot.addWidget(label)
    label.resize(50, 50)
    label.show()
    assert label.grab().toImage().pixelColor(2, 2).name() == "#00ff00"


def _middle_of(view):
    image = view.grab().toImage()
    return image.pixelColor(image.width() // 2, image.height() // 2).name()


@pytest.fixture
def pytester_like_guard(monkeypatch):
    """Runs the rest of the leak check by hand, as the end of a test does."""
    monkeypatch.setattr(conftest, "_GRACE_S", 0.05)
    guard = conftest.nothing_left_behind.__wrapped__()
    next(guard)

    def finish():
        next(guard, None)

    return finish
