"""One request's connection, which any thread can end at once.

Closing the client, the response or the stream does not wake a thread that waits for the server's
next byte (openai 3.57: it waited for the read time-out, 9.4 s); shutting the socket down does.
"""

from __future__ import annotations

import select
import socket
from contextlib import suppress
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    import httpx2

_CONNECTED = "connect_tcp.complete"


class StoppableLink:
    """Keeps hold of the socket of a request, and waits between requests.

    `abort` sets the flag before it looks for a socket, and a new socket is kept before the flag is
    looked at: whichever comes second shuts the socket down, so no lock is needed.
    """

    def __init__(self) -> None:
        self.is_aborted = False
        self._socket: socket.socket | None = None
        self._bell: tuple[socket.socket, socket.socket] | None = None

    def watch(self, request: httpx2.Request) -> None:
        """Makes the connection of `request` one that can be ended; a request hook of httpx2."""
        request.extensions["trace"] = self._trace

    def abort(self) -> None:
        """Ends the wait or the connection, and those to come."""
        self.is_aborted = True
        self._shut()
        self._ring()

    def wait(self, seconds: float) -> None:
        """Waits, no longer than until `abort`."""
        self._bell = socket.socketpair()
        hears, _ = self._bell
        if not self.is_aborted:
            select.select([hears], [], [], seconds)
        bell, self._bell = self._bell, None
        for end in bell:
            end.close()

    def close(self) -> None:
        """Lets go of the socket."""
        kept, self._socket = self._socket, None
        if kept is not None:
            kept.close()

    def _trace(self, event: str, info: Mapping[str, Any]) -> None:
        if not event.endswith(_CONNECTED):
            return
        connected = info["return_value"].get_extra_info("socket")
        if isinstance(connected, socket.socket):
            self.close()
            # A handle of our own: TLS replaces the client's, and a number that the client closed
            # may by then be somebody else's connection.
            self._socket = connected.dup()
            if self.is_aborted:
                self._shut()

    def _shut(self) -> None:
        kept = self._socket
        if kept is not None:
            with suppress(OSError):
                kept.shutdown(socket.SHUT_RDWR)

    def _ring(self) -> None:
        bell = self._bell
        if bell is not None:
            with suppress(OSError):
                bell[1].send(b"!")
