"""Long work as signals: what a lane reports on its thread arrives here on the window's thread.

The lane sends through one private signal of a long-lived object to a slot on the window's thread,
which emits the public signals. So nothing can arrive before the caller has connected, and a job
whose widget is gone does no harm (FAULTS Q8).
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Qt, Signal, Slot

from app.domain.errors import ReaderError
from app.jobs import Failed, Finished, Happened, JobReport, LaneName, Lanes, Stopped
from app.ui.window_thread_collector import WindowThreadCollector

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

    from app.jobs import LaneJob


class Job(QObject):
    """Running work.

    Signals:
        happened: an event that the work yielded.
        finished: the result that it returned.
        failed: a `ReaderError`: the world's fault, to be shown where the work was asked for. Any
            other exception is a fault of ours: it goes to `sys.excepthook` and `broken` is emitted.
        broken: the work ended by a fault of ours, which was reported.
        stopped: the work was stopped; the value is what it still returned, or None.
        ended: after any of the last four.
    """

    happened = Signal(object)
    finished = Signal(object)
    failed = Signal(object)
    broken = Signal()
    stopped = Signal(object)
    ended = Signal()

    def __init__(self, runner: JobRunner) -> None:
        super().__init__(runner)
        self._lane_job: LaneJob | None = None
        self._is_stopping = False

    @property
    def is_stopping(self) -> bool:
        """Whether `stop` was called."""
        return self._is_stopping

    def stop(self) -> None:
        """Asks the work to end; no event arrives from now on, `stopped` will."""
        self._is_stopping = True
        if self._lane_job is not None:
            self._lane_job.stop()

    def attach(self, lane_job: LaneJob) -> None:
        """Gives the job its work; for the runner only."""
        self._lane_job = lane_job

    def receive(self, report: JobReport) -> None:
        """Turns a report into a signal; for the runner only."""
        match report:
            case Happened(event):
                if not self._is_stopping:
                    self.happened.emit(event)
                return
            case Finished(result) if self._is_stopping:
                self.stopped.emit(result)
            case Finished(result):
                self.finished.emit(result)
            case Stopped(result):
                self.stopped.emit(result)
            case Failed(ReaderError() as error):
                self.failed.emit(error)
            case Failed(error):
                sys.excepthook(type(error), error, error.__traceback__)
                self.broken.emit()
        self.ended.emit()
        self.deleteLater()


class JobRunner(QObject):
    """Starts work in the lanes for the window.

    Args:
        lanes: where the work runs.
        parent: the application.
    """

    _reported = Signal(object, object)

    def __init__(self, lanes: Lanes, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._lanes = lanes
        self._jobs: set[Job] = set()
        self._collector = WindowThreadCollector(self)
        self._reported.connect(self._on_reported, Qt.ConnectionType.QueuedConnection)

    @property
    def is_busy(self) -> bool:
        """Whether any job has not ended."""
        return bool(self._jobs)

    def start(
        self,
        work: Generator[Any, None, Any],
        *,
        lane: LaneName,
        abort: Callable[[], None] | None = None,
    ) -> Job:
        """Starts work; its signals arrive from the next turn of the event loop on.

        Args:
            work: a generator that was not started.
            lane: where it runs.
            abort: ends a wait inside the work, from any thread.
        """
        job = Job(self)
        self._jobs.add(job)
        job.attach(
            self._lanes.start(
                work, lambda report: self._reported.emit(job, report), lane=lane, abort=abort
            )
        )
        return job

    def call(self, task: Callable[[], Any], *, lane: LaneName = LaneName.STORAGE) -> Job:
        """Starts a plain call as work without events; its return value is the result."""
        return self.start(_as_work(task), lane=lane)

    def shutdown(self, time_limit_s: float = 3.0) -> bool:
        """Stops all work and waits for its threads; see `Lanes.shutdown`.

        Reports that are still under way are dropped.
        """
        for job in self._jobs:
            job.stop()
        self._jobs.clear()
        has_ended = self._lanes.shutdown(time_limit_s)
        if has_ended:
            self._collector.stop()
        return has_ended

    @Slot(object, object)
    def _on_reported(self, job: Job, report: JobReport) -> None:
        if job not in self._jobs:
            return
        if not isinstance(report, Happened):
            self._jobs.discard(job)
        job.receive(report)


def _as_work(task: Callable[[], Any]) -> Generator[Any, None, Any]:
    yield from ()
    return task()
