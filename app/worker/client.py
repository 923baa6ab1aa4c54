"""The door to the worker process: imports books, draws and measures pages, never waits for ever.

Every call has a time limit. A worker that dies or hangs costs the call that it was at: the caller
gets `WorkerDied` or `WorkerTimedOut`, the process is gone, and the next call starts another.
"""

from __future__ import annotations

import contextlib
import logging
import multiprocessing
import shutil
from dataclasses import dataclass
from multiprocessing import resource_tracker, shared_memory
from typing import TYPE_CHECKING, Any, Self, cast

from app.domain.drawn_page import PageImage
from app.domain.errors import BookUnreadable, PageUnreadable, WorkerDied, WorkerTimedOut
from app.worker.messages import Broke, Call, Failed, Returned
from app.worker.server import serve_import, serve_pages

if TYPE_CHECKING:
    from collections.abc import Callable, Generator
    from pathlib import Path
    from types import TracebackType

    from app.domain.drawn_page import CharacterBox, PageLink, PageRect
    from app.domain.progress import BookKnown, Progress
    from app.worker.messages import Answer

_log = logging.getLogger(__name__)
_processes = multiprocessing.get_context("spawn")
_LEAVE_S = 3.0  # for a stopped import to take back what it stored; else the next start does
_KILL_S = 5.0  # for the system to end a process that was killed
_SPACE_STEP_BYTES = 1 << 20
_SHARED_MEMORY = "/dev/shm"  # noqa: S108 - where Linux keeps it; nothing is written there by name


@dataclass(frozen=True, slots=True)
class Limits:
    """How long the worker may take, in seconds.

    Attributes:
        opening: from the start of the process to an open book.
        call: drawing or measuring a page. The slowest page of the corpus takes 3 s.
        silence: between two events of an import; `opening` is added before the first.
    """

    opening: float = 30.0
    call: float = 20.0
    silence: float = 120.0


DEFAULT_LIMITS = Limits()


class _Child:
    """One worker process and this end of its pipe."""

    def __init__(self, name: str, target: Callable[..., None], arguments: tuple[Any, ...]) -> None:
        self._connection, theirs = _processes.Pipe()
        self._process = _processes.Process(
            name=name, target=target, args=(theirs, *arguments), daemon=True
        )
        self._is_over = False
        try:
            self._process.start()
        except OSError as fault:
            self._connection.close()
            raise WorkerDied("start") from fault
        finally:
            theirs.close()  # so that its death closes the pipe

    @property
    def process_id(self) -> int | None:
        return None if self._is_over else self._process.pid

    @property
    def is_alive(self) -> bool:
        return not self._is_over and self._process.is_alive()

    def send(self, call: Call) -> None:
        try:
            self._connection.send(call)
        except OSError as fault:
            self.kill()
            raise WorkerDied(call.name) from fault

    def receive(self, task: str, limit_s: float) -> Answer:
        """Waits for an answer.

        Raises:
            WorkerTimedOut: there was none within the limit; the process is ended.
            WorkerDied: there will be none.
        """
        try:
            if self._connection.poll(limit_s):
                answer: Answer = self._connection.recv()
                return answer
        except (EOFError, OSError) as fault:
            self.kill()
            raise WorkerDied(task) from fault
        self.kill()
        raise WorkerTimedOut(task, limit_s)

    def leave(self, seconds: float) -> None:
        """Closes the pipe, waits for the process to end by itself, and kills it if it does not."""
        if self._is_over:
            return
        self._connection.close()
        self._process.join(seconds)
        self.kill()

    def interrupt(self) -> None:
        """Ends the process under whatever another thread waits for; that thread cleans up."""
        with contextlib.suppress(ValueError):  # it is over already
            self._process.kill()

    def kill(self) -> None:
        """Ends the process whatever it does."""
        if self._is_over:
            return
        self._is_over = True
        self._connection.close()
        self._process.kill()
        self._process.join(_KILL_S)
        if not self._process.is_alive():
            self._process.close()


class ImportWorker:
    """Takes books into a library, each in a process of its own.

    Args:
        database_path: the library's database.
        limits: how long the process may be silent.
        serve: the main function of the process.
    """

    def __init__(
        self,
        database_path: Path,
        *,
        limits: Limits = DEFAULT_LIMITS,
        serve: Callable[..., None] = serve_import,
    ) -> None:
        self._database_path = database_path
        self._limits = limits
        self._serve = serve

    def import_book(
        self, path: Path, *, password: str | None = None
    ) -> Generator[BookKnown | Progress, None, int]:
        """Takes a file into the library. Closing the generator ends the process.

        Args:
            path: an EPUB or PDF file; only read.
            password: for a PDF that asks for one.

        Yields:
            `BookKnown` as soon as the book can be read, and progress.

        Returns:
            The book's key; it is ready.

        Raises:
            BookUnreadable: the file is damaged.
            BookError: the file cannot be read, or the process died or hung over it.
            StoreError: the library cannot be written.
        """
        arguments = (self._database_path, path, password, self._limits.silence)
        child = _Child("ibid-import", self._serve, arguments)
        patience_s = self._limits.opening + self._limits.silence
        try:
            while True:
                answer = child.receive("import", patience_s)
                patience_s = self._limits.silence
                if isinstance(answer, Returned):
                    book_id: int = answer.value
                    return book_id
                if isinstance(answer, Failed):
                    raise answer.error()
                if isinstance(answer, Broke):
                    _log.error("import broke:\n%s", answer.report)
                    raise BookUnreadable(path, "it could not be taken in")
                event: BookKnown | Progress = answer.event
                yield event
        finally:
            child.leave(_LEAVE_S)


class PageWorker:
    """Draws and measures the pages of one PDF; may be called from any thread, one call at a time.

    The process starts with the first call, and again after it died.

    Args:
        path: the file.
        password: for a file that asks for one.
        limits: how long a call may take.
        serve: the main function of the process.
    """

    def __init__(
        self,
        path: Path,
        *,
        password: str | None = None,
        limits: Limits = DEFAULT_LIMITS,
        serve: Callable[..., None] = serve_pages,
    ) -> None:
        self._path = path
        self._password = password
        self._limits = limits
        self._serve = serve
        self._lock = _processes.Lock()
        self._child: _Child | None = None
        self._page_count = 0
        self._space: shared_memory.SharedMemory | None = None
        self._is_closed = False

    def __enter__(self) -> Self:
        """Returns itself; leaving closes it."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Ends the process."""
        self.close()

    @property
    def process_id(self) -> int | None:
        """The process that runs now, or None."""
        return None if self._child is None else self._child.process_id

    @property
    def page_count(self) -> int:
        """Pages of the book; starts the process when asked first.

        Raises:
            BookError: the file cannot be opened.
        """
        with self._lock:
            if not self._page_count:
                self._running()
            return self._page_count

    def render(self, page_index: int, scale: float, *, rotation: int = 0) -> PageImage:
        """Draws a page.

        Args:
            page_index: 0-based.
            scale: pixels a point. A very large picture is drawn at a smaller scale (see
                `app.books.pdf_drawing`); its width tells.
            rotation: clockwise, in degrees, beyond what the page itself says; a multiple of 90.

        Raises:
            PageUnreadable: the page cannot be drawn.
            BookError: the process died, hung, or cannot open the file.
        """
        with self._lock:
            width, height, stride = self._asked("render", page_index, scale, rotation)
            size = stride * height
            space = self._space_for(size)
            sent: bytes = self._asked(
                "hand over", page_index, None if space is None else space.name
            )
            if space is not None and not sent:
                sent = bytes(cast("memoryview", space.buf)[:size])
            return PageImage(width, height, stride, sent)

    def rectangles(self, page_index: int, start: int, end: int) -> tuple[PageRect, ...]:
        """What a span of canonical text covers on the page as drawn, one rectangle a line.

        Args:
            page_index: 0-based.
            start: first code point.
            end: one past the last.

        Raises:
            PageUnreadable: the page cannot be read.
            BookError: the process died, hung, or cannot open the file.
        """
        found: tuple[PageRect, ...] = self._ask("rectangles", page_index, start, end)
        return found

    def characters(self, page_index: int) -> tuple[CharacterBox, ...]:
        """Where each code point of the page's canonical text stands on the page as drawn.

        Raises:
            PageUnreadable: the page cannot be read.
            BookError: the process died, hung, or cannot open the file.
        """
        found: tuple[CharacterBox, ...] = self._ask("characters", page_index)
        return found

    def links(self, page_index: int) -> tuple[PageLink, ...]:
        """The links of a page.

        Raises:
            PageUnreadable: the page cannot be read.
            BookError: the process died, hung, or cannot open the file.
        """
        found: tuple[PageLink, ...] = self._ask("links", page_index)
        return found

    def close(self) -> None:
        """Ends the process, also under a call of another thread, and frees the shared memory."""
        self._is_closed = True
        child = self._child
        if child is not None:
            child.interrupt()
        with self._lock:
            if self._child is not None:
                self._child.kill()
                self._child = None
            self._free_space()

    def _ask(self, name: str, page_index: int, *arguments: int) -> Any:  # noqa: ANN401 - the worker's
        with self._lock:
            return self._asked(name, page_index, *arguments)

    def _asked(self, name: str, page_index: int, *arguments: Any) -> Any:  # noqa: ANN401 - the worker's
        child = self._running()
        child.send(Call(name, (page_index, *arguments)))
        answer = child.receive(name, self._limits.call)
        if isinstance(answer, Returned):
            return answer.value
        if isinstance(answer, Failed):
            raise answer.error()
        if isinstance(answer, Broke):
            _log.error("%s of page %d broke:\n%s", name, page_index, answer.report)
        raise PageUnreadable(page_index, "it cannot be read")

    def _running(self) -> _Child:
        """The living process, started if there is none.

        Raises:
            WorkerDied: this worker was closed.
            BookUnreadable: the file is damaged.
        """
        if self._is_closed:
            raise WorkerDied("closed")
        if self._child is not None and self._child.is_alive:
            return self._child
        if self._child is not None:
            self._child.kill()
        child = _Child("ibid-pages", self._serve, (self._path, self._password, self._limits.call))
        self._child = child  # from now on `close` ends it
        self._end_if_closed(child)
        answer = child.receive("open", self._limits.opening)
        if isinstance(answer, Returned):
            self._page_count = answer.value
            return child
        child.kill()
        if isinstance(answer, Failed):
            raise answer.error()
        if isinstance(answer, Broke):
            _log.error("open broke:\n%s", answer.report)
        raise BookUnreadable(self._path, "it cannot be opened")

    def _end_if_closed(self, child: _Child) -> None:
        """For a process that was just being started when another thread called `close`."""
        if self._is_closed:
            child.interrupt()

    def _space_for(self, size_bytes: int) -> shared_memory.SharedMemory | None:
        """Shared memory for a picture, or None where there is none: it then takes the pipe."""
        if self._space is not None and self._space.size >= size_bytes:
            return self._space
        self._free_space()
        steps = -(-size_bytes // _SPACE_STEP_BYTES)
        if not _has_room(steps * _SPACE_STEP_BYTES):
            return None
        with contextlib.suppress(OSError):
            self._space = shared_memory.SharedMemory(create=True, size=steps * _SPACE_STEP_BYTES)
        return self._space

    def _free_space(self) -> None:
        if self._space is not None:
            self._space.close()
            try:
                self._space.unlink()
            except FileNotFoundError:
                # Gone already, and still on the list of what is removed when this process ends.
                resource_tracker.unregister(f"/{self._space.name}", "shared_memory")
            self._space = None


def _has_room(size_bytes: int) -> bool:
    """Whether the system has so much shared memory left.

    Linux lets more be made than there is, and ends the process that writes to it. In a container
    there are often 64 MB in all.
    """
    try:
        return shutil.disk_usage(_SHARED_MEMORY).free >= size_bytes
    except OSError:
        return True  # not Linux
