"""The worker process: takes books in, draws and measures pages.

Each function here is the main function of a process. It ends when the other end of the pipe is
closed, which is what happens when the window process ends, however it does. What it needs is
imported when it runs: the client imports this module too.
"""

from __future__ import annotations

import contextlib
import faulthandler
import gc
import os
import signal
import sys
from multiprocessing import shared_memory
from pathlib import Path
from typing import TYPE_CHECKING, cast

from app.domain.errors import PageUnreadable
from app.worker.messages import Call, Happened, Returned, failure

if TYPE_CHECKING:
    from collections.abc import Callable, Generator
    from multiprocessing.connection import Connection

    from app.books.pdf_pages import PdfPages
    from app.domain.drawn_page import PageImage
    from app.domain.progress import ImportEvent
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
    watchdog = _Watchdog()
    watchdog.allow(silence_s)
    try:
        work = _import(database_path, path, password)
        with contextlib.closing(work):
            book_id = _told(work, connection, lambda: watchdog.allow(silence_s))
    except (BrokenPipeError, ConnectionResetError):
        return  # nobody waits for it any more
    except Exception as error:  # noqa: BLE001 - whatever it is, the client must hear of it
        _send(connection, failure(error))
    else:
        _send(connection, Returned(book_id))


def _import(
    database_path: Path, path: Path, password: str | None
) -> Generator[ImportEvent, None, int]:
    from app.preparing.import_book import import_book  # noqa: PLC0415 - heavy
    from app.storage.database import Database  # noqa: PLC0415 - heavy

    with Database(database_path) as database:
        return (yield from import_book(path, database, password=password, first_file_index=0))


def _told(
    work: Generator[ImportEvent, None, int], connection: Connection, on_told: Callable[[], None]
) -> int:
    """Sends every event of the work and returns its result.

    Raises:
        BrokenPipeError: the client has closed the pipe.
    """
    while True:
        try:
            event = next(work)
        except StopIteration as end:
            book_id: int = end.value
            return book_id
        if connection.poll():  # nothing is ever sent here: the pipe was closed
            raise BrokenPipeError
        connection.send(Happened(event))
        on_told()


def serve_pages(connection: Connection, path: Path, password: str | None, limit_s: float) -> None:
    """Opens a PDF and does what it is told with its pages.

    Args:
        connection: gets the number of pages, then an answer to each `Call`.
        path: the file.
        password: for a file that asks for one.
        limit_s: longest time for one call before the client gives up.
    """
    _prepare_process()
    watchdog = _Watchdog()
    watchdog.allow(limit_s)
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
            watchdog.rest()
            call = connection.recv()
            watchdog.allow(limit_s)
            connection.send(pages.answer(call))


class _Pages:
    """What a client may ask of the pages of a book."""

    def __init__(self, book: PdfPages) -> None:
        self._book = book
        self._picture: PageImage | None = None
        self._calls: dict[str, Callable[..., object]] = {
            "render": self._render,
            "hand over": self._hand_over,
            "rectangles": book.rectangles,
            "characters": book.characters,
            "links": book.links,
        }

    def answer(self, call: Call) -> Answer:
        try:
            return Returned(self._calls[call.name](*call.arguments))
        except Exception as error:  # noqa: BLE001 - whatever it is, the client must hear of it
            return failure(error)

    def _render(self, page_index: int, scale: float, rotation: int) -> tuple[int, int, int]:
        """Draws a page, whose picture then waits: its width, its height and its bytes a row."""
        self._picture = None
        self._picture = image = self._book.render(page_index, scale, rotation=rotation)
        return image.width_px, image.height_px, image.stride_bytes

    def _hand_over(self, page_index: int, name: str | None) -> bytes:
        """Puts the picture that waits into shared memory; returns it where there is none.

        Raises:
            PageUnreadable: no picture waits.
        """
        image, self._picture = self._picture, None
        if image is None:
            raise PageUnreadable(page_index, "its picture is lost")
        if name is None or not _write(name, image.data):
            return image.data
        return b""


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


class _Watchdog:
    """Ends this process `_GRACE_S` after a time, even inside C that holds the interpreter.

    The client ends it before. But a client that was killed ends nobody.
    """

    def __init__(self) -> None:
        self._nowhere = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 - used until the end

    def allow(self, seconds: float) -> None:
        """Sets the time from now on."""
        faulthandler.dump_traceback_later(seconds + _GRACE_S, exit=True, file=self._nowhere)

    @staticmethod
    def rest() -> None:
        """Waits for nothing."""
        faulthandler.cancel_dump_traceback_later()


def _send(connection: Connection, answer: Answer) -> None:
    with contextlib.suppress(OSError):
        connection.send(answer)
