"""Main functions for a worker process that misbehaves as hostile files make the real one do."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from app.domain.progress import Progress
from app.worker.messages import Happened, Returned, failure

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from pathlib import Path

DEADLY, ENDLESS, FAULTY = 0, 1, 2  # pages; any other has its own number as its only link


def troubled_pages(connection: Connection, path: Path, *_: object) -> None:
    """A book of nine pages: one crashes the process, one never ends, one meets a bug of ours.

    Where `path` is a named pipe, somebody reads from it that the endless page has begun.
    """
    connection.send(Returned(9))
    try:
        while True:
            page_index = connection.recv().arguments[0]
            if page_index == DEADLY:
                os._exit(11)
            if page_index == ENDLESS:
                if path.exists():
                    path.write_bytes(b"begun")
                connection.recv()
            if page_index == FAULTY:
                connection.send(failure(ZeroDivisionError("a bug")))
            else:
                connection.send(Returned((page_index,)))
    except EOFError:
        return


def dies_opening(*_: object) -> None:
    """The file crashes the process before its first word."""
    os._exit(11)


def dies_importing(connection: Connection, *_: object) -> None:
    """The file crashes the process at its second page."""
    connection.send(Happened(Progress(1, 2, "pages")))
    os._exit(11)


def hangs_importing(connection: Connection, *_: object) -> None:
    """The second page never ends."""
    connection.send(Happened(Progress(1, 2, "pages")))
    with connection:
        connection.recv()


def breaks_importing(connection: Connection, *_: object) -> None:
    """A bug of ours at the first page."""
    connection.send(failure(ZeroDivisionError("a bug")))
