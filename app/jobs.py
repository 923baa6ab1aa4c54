"""Lanes for long work, the same for the window and the command line; knows no Qt.

Long work is a generator: it yields events and returns its result. A lane runs it on a thread and
delivers what happens, in order, to one callback on that thread; turning that into signals is
`app.ui.jobs`. Nothing is lost silently: an exception of any kind is delivered, because neither an
executor nor `threading.excepthook` would show it.

`STORAGE` has one thread, so that its work keeps its order and SQLite is never contended. `NETWORK`
has a few: for work that waits for somebody else, a model server or the worker process.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

_NETWORK_THREADS = 4
"""A question, an import, page pictures and one to spare run at the same time."""


class LaneName(StrEnum):
    """The lanes."""

    STORAGE = "storage"
    NETWORK = "network"


@dataclass(frozen=True, slots=True)
class Happened:
    """The work yielded an event."""

    event: Any


@dataclass(frozen=True, slots=True)
class Finished:
    """The work came to its end and returned `result`. Nothing follows."""

    result: Any


@dataclass(frozen=True, slots=True)
class Failed:
    """The work raised. Nothing follows."""

    error: BaseException


@dataclass(frozen=True, slots=True)
class Stopped:
    """The work was stopped. Nothing follows.

    Attributes:
        result: what it still returned by itself, or None where it was closed.
    """

    result: Any = None


JobReport = Happened | Finished | Failed | Stopped


class LaneJob:
    """One piece of work in a lane.

    Args:
        work: the generator.
        deliver: called on the lane's thread with each report, and never after the last one.
        abort: ends a wait inside the work from any thread; it may be called at any moment.
    """

    def __init__(
        self,
        work: Generator[Any, None, Any],
        deliver: Callable[[JobReport], None],
        abort: Callable[[], None] | None = None,
    ) -> None:
        self._work = work
        self._deliver = deliver
        self._abort = abort
        self._stop_asked = threading.Event()
        self._ended = threading.Event()

    @property
    def has_ended(self) -> bool:
        """Whether the last report was delivered."""
        return self._ended.is_set()

    def stop(self) -> None:
        """Asks the work to end and returns at once; no event is delivered from now on.

        The generator is closed at its next event, so that its `finally` blocks run on its own
        thread; a wait inside it is ended by `abort`.
        """
        if self._stop_asked.is_set() or self._ended.is_set():
            return
        self._stop_asked.set()
        if self._abort is not None:
            self._abort()

    def run(self) -> None:
        """Runs the work to its end; called once, by a lane."""
        try:
            report = self._last_report()
        except BaseException as error:
            report = Failed(error)
        if self._stop_asked.is_set() and isinstance(report, Finished):
            report = Stopped(report.result)
        try:
            self._deliver(report)
        finally:
            self._ended.set()

    def _last_report(self) -> JobReport:
        while not self._stop_asked.is_set():
            try:
                event = next(self._work)
            except StopIteration as end:
                return Finished(end.value)
            except Exception as error:
                # A broken connection after `abort` is the stop itself, not a fault.
                return Stopped() if self._stop_asked.is_set() else Failed(error)
            if not self._stop_asked.is_set():
                self._deliver(Happened(event))
        self._work.close()
        return Stopped()


class _Lane:
    """A queue and its threads, which start when there is work and end at shutdown."""

    def __init__(self, name: LaneName, thread_count: int) -> None:
        self._name = name
        self._thread_count = thread_count
        self._waiting: deque[LaneJob] = deque()
        self._running: set[LaneJob] = set()
        self._threads: list[threading.Thread] = []
        self._changed = threading.Condition()
        self._is_closed = False

    def add(self, job: LaneJob) -> None:
        with self._changed:
            if self._is_closed:
                raise RuntimeError(f"the lane {self._name} is shut down")
            self._waiting.append(job)
            has_idle = len(self._threads) - len(self._running) >= len(self._waiting)
            if not has_idle and len(self._threads) < self._thread_count:
                thread = threading.Thread(
                    target=self._serve, name=f"{self._name}-{len(self._threads)}", daemon=True
                )
                self._threads.append(thread)
                thread.start()
            self._changed.notify()

    def jobs(self) -> list[LaneJob]:
        with self._changed:
            return [*self._running, *self._waiting]

    def close(self) -> None:
        with self._changed:
            self._is_closed = True
            self._changed.notify_all()

    def join(self, deadline: float) -> bool:
        for thread in self._threads:
            thread.join(max(0.0, deadline - time.monotonic()))
        return not any(thread.is_alive() for thread in self._threads)

    def _serve(self) -> None:
        while True:
            with self._changed:
                while not self._waiting:
                    if self._is_closed:
                        return
                    self._changed.wait()
                job = self._waiting.popleft()
                self._running.add(job)
            try:
                # A receiver that raises (it is gone, at shutdown) must not end the lane.
                with suppress(Exception):
                    job.run()
            finally:
                with self._changed:
                    self._running.discard(job)


class Lanes:
    """The two lanes of one running program."""

    def __init__(self) -> None:
        self._lanes = {
            LaneName.STORAGE: _Lane(LaneName.STORAGE, 1),
            LaneName.NETWORK: _Lane(LaneName.NETWORK, _NETWORK_THREADS),
        }

    @property
    def is_busy(self) -> bool:
        """Whether any work runs or waits."""
        return any(lane.jobs() for lane in self._lanes.values())

    def start(
        self,
        work: Generator[Any, None, Any],
        deliver: Callable[[JobReport], None],
        *,
        lane: LaneName,
        abort: Callable[[], None] | None = None,
    ) -> LaneJob:
        """Puts work into a lane.

        Args:
            work: a generator that was not started.
            deliver: receives every report, on the lane's thread: any number of `Happened`, then
                exactly one of `Finished`, `Failed` and `Stopped`.
            lane: where it runs.
            abort: ends a wait inside the work; called by `LaneJob.stop` on the caller's thread.

        Raises:
            RuntimeError: the lanes are shut down.
        """
        job = LaneJob(work, deliver, abort)
        self._lanes[lane].add(job)
        return job

    def shutdown(self, time_limit_s: float = 3.0) -> bool:
        """Stops all work and waits for the threads.

        Returns:
            Whether every thread ended within the limit; one that did not is left behind and ends
            with the process.
        """
        deadline = time.monotonic() + time_limit_s
        for lane in self._lanes.values():
            for job in lane.jobs():
                job.stop()
            lane.close()
        return all(lane.join(deadline) for lane in self._lanes.values())
