"""Waits that another thread ends; connections are tested in test_openai_compatible."""

from __future__ import annotations

import socket
import time
from contextlib import closing

from app.llm.stoppable_link import StoppableLink
from tests.fakes.threads import run_together


class _Stream:
    def __init__(self, connected: socket.socket) -> None:
        self._connected = connected

    def get_extra_info(self, name: str) -> socket.socket | None:
        return self._connected if name == "socket" else None


class _Request:
    def __init__(self) -> None:
        self.extensions: dict[str, object] = {}


def connect(link: StoppableLink, connected: socket.socket) -> None:
    request = _Request()
    link.watch(request)
    request.extensions["trace"]("connection.connect_tcp.started", {})
    request.extensions["trace"](
        "connection.connect_tcp.complete", {"return_value": _Stream(connected)}
    )


def test_a_wait_ends_with_its_time() -> None:
    began = time.monotonic()
    StoppableLink().wait(0.05)
    assert 0.04 < time.monotonic() - began < 2


def test_a_wait_ends_when_another_thread_aborts() -> None:
    link = StoppableLink()
    began = time.monotonic()
    run_together(lambda: link.wait(30), link.abort)
    link.wait(30)
    assert time.monotonic() - began < 5


def test_a_connection_is_shut_whether_it_comes_before_or_after_the_abort() -> None:
    for is_early in (True, False):
        here, there = socket.socketpair()
        with closing(here), closing(there):
            link = StoppableLink()
            if is_early:
                link.abort()
            connect(link, here)
            link.abort()
            assert there.recv(1) == b""
            link.close()


def test_a_closed_connection_may_be_aborted_and_leaves_the_others_alone() -> None:
    here, there = socket.socketpair()
    with closing(here), closing(there):
        link = StoppableLink()
        connect(link, here)
        link.close()
        link.abort()
        here.send(b"!")
        assert there.recv(1) == b"!"
