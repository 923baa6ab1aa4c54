"""The worker process: takes books in, draws and measures pages.

Each function here is the main function of a process. It ends when the other end of the pipe is
closed, which is what happens when the window process ends, however it does. What it needs is
imported when it runs: the client imports this module too.
"""

from __future__ import annotations

import contextlib
import gc
import os
import signal
import sys
from multiprocessing import shared_memory
from typing import TYPE_CHECKING, cast

from app.worker.messages import Call, Happened, Returned, failure

if TYPE_CHECKING:
    from collections.abc import Callable
    from multiprocessing.connection import Connection
    from pathlib import Path

    from app.books.pdf_pages import PdfPages
    from app.domain.drawn_page import PageImage
    from app.worker.messages import Answer

# A page makes some ten thousand short-lived objects; at Python's threshold of 700 the collector
# looks at them all the time (13 % of the import of R-fullrefman.pdf).
_GC_THRESHOLD = 50_000
_GRACE_S = 5  # after the client's limit, which comes first unless the client is gone


def serve_import(
    connection: Connection,
    database_path: Path,
    path: Path,
    password: str | None,
    silence_s: float,
) -> None:
    """Takes one file into the library and sends what happens.

    Args:
        connection: gets `Happened` for each event, then one other answer.
        database_path: the library.
        path: the file to import.
        password: for a PDF that asks for one.
        silence_s: longest time between two events before the client gives up.
    """
    _prepare_process()
    gc.set_threshold(_GC_THRESHOLD, 20, 20)
    try:
        _allow(silence_s)
        book_id = _import(connection, database_path, path, password, silence_s)
    except (BrokenPipeError, ConnectionResetError):
        return  # nobody waits for it any more
    except Exception as error:  # noqa: BLE001 - whatever it is, the client must hear of it
        _send(connection, failure(error))
    else:
        _send(connection, Returned(book_id))


def _import(
    connection: Connection,
    database_path: Path,
    path: Path,
    password: str | None,
    silence_s: float,
) -> int:
    from app.preparing.import_book import import_book  # noqa: PLC0415 - heavy
    from app.storage.database import Database  # noqa: PLC0415 - heavy

    database = Database(database_path)
    work = import_book(path, database, password=password, first_file_index=0)
    try:
        while True:
            try:
                event = next(work)
            except StopIteration as end:
                book_id: int = end.value
                return book_id
            if connection.poll():  # nothing is ever sent here: the pipe was closed
                raise BrokenPipeError
            connection.send(Happened(event))
            _allow(silence_s)
    finally:
        work.close()
        database.close()


def serve_pages(connection: Connection, path: Path, password: str | None, limit_s: float) -> None:
    """Opens a PDF and does what it is told with its pages.

    Args:
        connection: gets the number of pages, then an answer to each `Call`.
        path: the file.
        password: for a file that asks for one.
        limit_s: longest time for one call before the client gives up.
    """
    _prepare_process()
    _allow(limit_s)
    try:
        from app.books.pdf_pages import PdfPages  # noqa: PLC0415 - heavy

        book = PdfPages(path, password=password)
    except Exception as error:  # noqa: BLE001 - whatever it is, the client must hear of it
        _send(connection, failure(error))
        return
    pages = _Pages(book)
    with book, contextlib.suppress(EOFError, ConnectionResetError, BrokenPipeError):
        connection.send(Returned(book.page_count))
        while True:
            _allow(None)
            call = connection.recv()
            _allow(limit_s)
            connection.send(pages.answer(call))


class _Pages:
    """What a client may ask of the pages of a book."""

    def __init__(self, book: PdfPages) -> None:
        self._book = book
        self._waiting: tuple[tuple[int, float, int], PageImage] | None = None
        self._calls: dict[str, Callable[..., object]] = {
            "render": self._render,
            "rectangles": book.rectangles,
            "characters": book.characters,
            "links": book.links,
        }

    def answer(self, call: Call) -> Answer:
        try:
            return Returned(self._calls[call.name](*call.arguments))
        except Exception as error:  # noqa: BLE001 - whatever it is, the client must hear of it
            return failure(error)

    def _render(
        self, page_index: int, scale: float, rotation: int, name: str | None, size_bytes: int
    ) -> tuple[int, int, int, bool]:
        """Draws a page into shared memory; a picture that is too large for it waits.

        Returns:
            Width and height in pixels, bytes a row, and whether the picture was handed over. If
            not, the same call with more memory gets it.
        """
        wanted = (page_index, scale, rotation)
        if self._waiting is not None and self._waiting[0] == wanted:
            image = self._waiting[1]
        else:
            image = self._book.render(page_index, scale, rotation=rotation)
        is_written = name is not None and len(image.data) <= size_bytes and _write(name, image.data)
        self._waiting = None if is_written else (wanted, image)
        return image.width_px, image.height_px, image.stride_bytes, is_written


def _write(name: str, data: bytes) -> bool:
    """Puts a picture into shared memory; False where that is gone."""
    try:
        space = shared_memory.SharedMemory(name)
    except FileNotFoundError:
        return False
    try:
        cast("memoryview", space.buf)[: len(data)] = data
    finally:
        space.close()
    return True


def _prepare_process() -> None:
    """Leaves the terminal to the process that started this one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # it reaches both; the client ends this one
    sys.stdout = sys.stderr
    with contextlib.suppress(OSError):  # a window program of Windows has neither
        os.dup2(2, 1)  # for what libraries in C print


def _allow(seconds: float | None) -> None:
    """Ends this process `_GRACE_S` after a time, even inside C, where a signal can do so.

    The client ends it before. But a client that was killed ends nobody.
    """
    if hasattr(signal, "alarm"):
        signal.alarm(0 if seconds is None else int(seconds) + _GRACE_S)


def _send(connection: Connection, answer: Answer) -> None:
    with contextlib.suppress(OSError):
        connection.send(answer)
