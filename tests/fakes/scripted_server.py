"""A real server on this machine that speaks chat completions from a script."""

from __future__ import annotations

import json
import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

DONE = "[DONE]"
_PATIENCE_S = 10.0


@dataclass(frozen=True)
class ScriptedReply:
    """What the server does with one request.

    Attributes:
        events: sent one by one: a dict as a `data:` line of JSON, "[DONE]" likewise, other text
            and bytes as they stand.
        status: of the response.
        headers: besides the content type.
        body: sent instead of events where it is not None.
        stays_silent: neither sends more nor closes after the events, before the client goes away.
        is_cut: closes without ending the chunked body.
        says_so: sets `ScriptedServer.is_silent` when it has been sent.
        is_paced: each event waits for `ScriptedServer.let_go`.
    """

    events: Sequence[dict[str, Any] | str | bytes] = ()
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    body: object = None
    stays_silent: bool = False
    is_cut: bool = False
    says_so: bool = False
    is_paced: bool = False


@dataclass(frozen=True)
class LoggedRequest:
    """A request as it came."""

    path: str
    headers: Mapping[str, str]
    body: dict[str, Any]


def text_chunk(text: str, **more: object) -> dict[str, Any]:
    """A chunk with a piece of text."""
    return delta_chunk({"content": text}, **more)


def delta_chunk(delta: Mapping[str, Any], *, finish: str | None = None) -> dict[str, Any]:
    """A chunk with any delta."""
    return {"choices": [{"index": 0, "delta": dict(delta), "finish_reason": finish}]}


def said(*pieces: str) -> ScriptedReply:
    """A well-behaved reply."""
    return ScriptedReply([*map(text_chunk, pieces), delta_chunk({}, finish="stop"), DONE])


def called(name: str, **arguments: object) -> ScriptedReply:
    """A well-behaved reply that calls a tool."""
    function = {"name": name, "arguments": json.dumps(arguments)}
    call = {"index": 0, "id": "c1", "type": "function", "function": function}
    return ScriptedReply(
        [delta_chunk({"tool_calls": [call]}), delta_chunk({}, finish="tool_calls"), DONE]
    )


class ScriptedServer:
    """Answers the requests in the order of the script; the last reply repeats.

    A context manager; the server ends with it.
    """

    def __init__(self, *replies: ScriptedReply) -> None:
        self.requests: list[LoggedRequest] = []
        self.is_silent = threading.Event()
        """Set when a reply with `stays_silent` or `says_so` has sent all that it sends."""
        self.client_left = threading.Event()
        """Set when the client of such a reply has closed the connection."""
        self._replies = list(replies)
        self._pace = threading.Semaphore(0)
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._thread = threading.Thread(  # noqa: TID251 (a server beside the test)
            target=self._server.serve_forever, kwargs={"poll_interval": 0.02}
        )

    @property
    def base_url(self) -> str:
        """The address, as a person would paste it."""
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    @property
    def tool_messages(self) -> list[str]:
        """The tool results that the last request brought, in order."""
        messages = self.requests[-1].body["messages"]
        return [message["content"] for message in messages if message["role"] == "tool"]

    def let_go(self) -> None:
        """Lets one more event of a paced reply out."""
        self._pace.release()

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def _next(self) -> ScriptedReply:
        return self._replies.pop(0) if len(self._replies) > 1 else self._replies[0]

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        scripted = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            timeout = _PATIENCE_S

            def do_POST(self) -> None:
                size = int(self.headers["Content-Length"])
                body = json.loads(self.rfile.read(size))
                headers = {name.lower(): value for name, value in self.headers.items()}
                scripted.requests.append(LoggedRequest(self.path, headers, body))
                scripted._answer(self, scripted._next())

            def log_message(self, format: str, *args: object) -> None:  # noqa: A002
                pass

        return Handler

    def _answer(self, handler: BaseHTTPRequestHandler, reply: ScriptedReply) -> None:
        handler.close_connection = True
        handler.send_response(reply.status)
        for name, value in reply.headers.items():
            handler.send_header(name, value)
        if reply.body is not None:
            text = reply.body if isinstance(reply.body, str) else json.dumps(reply.body)
            handler.send_header("Content-Length", str(len(text.encode())))
            handler.end_headers()
            handler.wfile.write(text.encode())
            if reply.says_so:
                self.is_silent.set()
            return
        handler.send_header("Content-Type", "text/event-stream")
        handler.send_header("Transfer-Encoding", "chunked")
        if reply.events or not reply.stays_silent:
            handler.end_headers()
        for event in reply.events:
            if reply.is_paced:
                self._pace.acquire(timeout=_PATIENCE_S)
            piece = _written(event)
            handler.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))
        handler.wfile.flush()
        if reply.stays_silent:
            self.is_silent.set()
            if handler.rfile.read(1) == b"":
                self.client_left.set()
        elif not reply.is_cut:
            handler.wfile.write(b"0\r\n\r\n")


def _written(event: dict[str, Any] | str | bytes) -> bytes:
    if isinstance(event, bytes):
        return event
    if isinstance(event, dict):
        return b"data: " + json.dumps(event).encode() + b"\n\n"
    return f"data: {event}\n\n".encode() if event == DONE else event.encode()
