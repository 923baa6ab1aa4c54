"""Reads server-sent events as model servers really write them.

Every `data:` line is one JSON value: servers leave out the blank line after an event, the space
after the colon, and the last line's end. Lines end at CR or LF only, as JSON may hold U+2028.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

DONE = "[DONE]"


class UnreadableChunk(ValueError):
    """A `data:` line holds no JSON; the text is its beginning."""


def values(pieces: Iterable[bytes]) -> Iterator[Any]:
    """The JSON values of a stream, and `DONE` where the server says so.

    A body that is no event stream but one JSON value, as some servers answer although a stream was
    asked for, gives that value.

    Yields:
        JSON values; None for a comment or a blank line, which only shows that the server lives.

    Raises:
        UnreadableChunk: see there.
    """
    others: list[str] = []
    for line in _lines(pieces):
        if line.startswith("data:"):
            data = line.removeprefix("data:").strip()
            if data.startswith(DONE):
                yield DONE
            elif data:
                yield _json(data)
        elif line and not line.startswith((":", "event:", "id:", "retry:")):
            others.append(line)
        else:
            yield None
    if others:
        yield _json("\n".join(others))


def _json(text: str) -> Any:  # noqa: ANN401 (JSON)
    try:
        return json.loads(text, strict=False)
    except (ValueError, RecursionError) as error:
        raise UnreadableChunk(text[:200]) from error


def _lines(pieces: Iterable[bytes]) -> Iterator[str]:
    rest = bytearray()
    for piece in pieces:
        rest += piece
        *lines, last = rest.replace(b"\r\n", b"\n").split(b"\n")
        for line in lines:
            yield line.decode("utf-8", "replace").strip("\r")
        rest = last
    yield rest.decode("utf-8", "replace").strip("\r")
