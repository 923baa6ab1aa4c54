"""Work in a lane as signals on the window's thread."""

from __future__ import annotations

import sys
import threading

from PySide6.QtCore import QCoreApplication

from app.domain.errors import ModelTimedOut
from app.jobs import LaneName, Lanes
from app.ui.jobs import JobRunner

LIMIT_S = 5


class Seen:
    """What a job told, with the thread it told it on."""

    def __init__(self, job):
        self.told = []
        self.threads = set()
        for name in ("happened", "finished", "failed", "stopped"):
            getattr(job, name).connect(lambda value, name=name: self._note(name, value))
        for name in ("broken", "ended"):
            getattr(job, name).connect(lambda name=name: self._note(name, None))

    def _note(self, name, value):
        self.told.append((name, value))
        self.threads.add(threading.current_thread())

    @property
    def has_ended(self):
        return ("ended", None) in self.told


def test_nothing_is_lost_before_the_signals_are_connected(qtbot, jobs):
    done = threading.Event()

    def work():
        yield 1
        yield 2
        done.set()
        return 3

    job = jobs.start(work(), lane=LaneName.STORAGE)
    assert done.wait(LIMIT_S)  # the work is over before anybody listens
    seen = Seen(job)
    qtbot.waitUntil(lambda: seen.has_ended)
    assert seen.told == [("happened", 1), ("happened", 2), ("finished", 3), ("ended", None)]
    assert seen.threads == {threading.main_thread()}
    assert not jobs.is_busy


def test_a_fault_of_the_world_is_told_where_the_work_was_asked_for(qtbot, jobs):
    def work():
        yield from ()
        raise ModelTimedOut("host", 5)

    seen = Seen(jobs.start(work(), lane=LaneName.NETWORK))
    qtbot.waitUntil(lambda: seen.has_ended)
    kind, error = seen.told[0]
    assert kind == "failed"
    assert isinstance(error, ModelTimedOut)


def test_a_fault_of_ours_goes_to_the_hook(qtbot, jobs, monkeypatch):
    caught = []
    monkeypatch.setattr(sys, "excepthook", lambda *what: caught.append(what))

    def work():
        yield from ()
        raise ZeroDivisionError

    seen = Seen(jobs.start(work(), lane=LaneName.NETWORK))
    qtbot.waitUntil(lambda: seen.has_ended)
    assert seen.told == [("broken", None), ("ended", None)]
    assert caught[0][0] is ZeroDivisionError
    assert caught[0][2] is not None


def test_after_stop_no_event_arrives_even_one_under_way(qtbot, jobs):
    sent = threading.Event()
    go_on = threading.Event()

    def work():
        yield "under way"
        sent.set()
        go_on.wait(LIMIT_S)
        yield "late"

    job = jobs.start(work(), lane=LaneName.NETWORK, abort=go_on.set)
    seen = Seen(job)
    assert sent.wait(LIMIT_S)
    job.stop()
    assert job.is_stopping
    qtbot.waitUntil(lambda: seen.has_ended)
    assert seen.told == [("stopped", None), ("ended", None)]


def test_work_that_ended_by_itself_while_stopping_gives_its_result(qtbot, jobs):
    go_on = threading.Event()

    def work():
        yield 1
        go_on.wait(LIMIT_S)
        return "partial"

    job = jobs.start(work(), lane=LaneName.NETWORK, abort=go_on.set)
    seen = Seen(job)
    qtbot.waitUntil(lambda: ("happened", 1) in seen.told)
    job.stop()
    qtbot.waitUntil(lambda: seen.has_ended)
    assert ("stopped", "partial") in seen.told


def test_a_plain_call_is_work_too(qtbot, jobs):
    seen = Seen(jobs.call(lambda: 40 + 2))
    qtbot.waitUntil(lambda: seen.has_ended)
    assert seen.told[0] == ("finished", 42)


def test_shutdown_drops_what_is_under_way(qtbot):
    jobs = JobRunner(Lanes())
    go_on = threading.Event()

    def work():
        yield 1
        go_on.wait(LIMIT_S)

    seen = Seen(jobs.start(work(), lane=LaneName.NETWORK, abort=go_on.set))
    assert jobs.shutdown(LIMIT_S)
    QCoreApplication.sendPostedEvents()
    assert seen.told == []
