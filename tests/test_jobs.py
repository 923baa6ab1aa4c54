"""Lanes: order, exceptions, stopping, late events, shutdown."""

from __future__ import annotations

import threading
from queue import Queue

import pytest

from app.jobs import Failed, Finished, Happened, LaneName, Lanes, Stopped

LIMIT_S = 5


class Reports:
    """Collects reports and lets a test wait for the last one."""

    def __init__(self):
        self.seen = []
        self.threads = set()
        self._queue = Queue()

    def __call__(self, report):
        self.seen.append(report)
        self.threads.add(threading.current_thread().name)
        self._queue.put(report)

    def next(self):
        return self._queue.get(timeout=LIMIT_S)

    def last(self):
        while True:
            report = self.next()
            if not isinstance(report, Happened):
                return report


@pytest.fixture
def lanes():
    lanes = Lanes()
    before = threading.active_count()
    yield lanes
    assert lanes.shutdown(LIMIT_S)
    assert not lanes.is_busy
    assert threading.active_count() <= before


@pytest.fixture
def reports():
    return Reports()


def test_events_arrive_in_order_and_the_result_last(lanes, reports):
    def work():
        yield 1
        yield 2
        return "done"

    lanes.start(work(), reports, lane=LaneName.STORAGE)
    assert reports.last() == Finished("done")
    assert reports.seen == [Happened(1), Happened(2), Finished("done")]
    assert threading.current_thread().name not in reports.threads


def test_an_exception_is_delivered_and_the_lane_goes_on(lanes, reports):
    def broken():
        yield 1
        raise ValueError("no")

    def fine():
        yield from ()
        return 7

    lanes.start(broken(), reports, lane=LaneName.STORAGE)
    report = reports.last()
    assert isinstance(report, Failed)
    assert isinstance(report.error, ValueError)
    assert report.error.__traceback__ is not None
    lanes.start(fine(), reports, lane=LaneName.STORAGE)
    assert reports.last() == Finished(7)


@pytest.mark.parametrize("kind", [KeyboardInterrupt, SystemExit, GeneratorExit])
def test_even_an_exception_outside_exception_is_delivered(lanes, reports, kind):
    def broken():
        yield 1
        raise kind

    lanes.start(broken(), reports, lane=LaneName.STORAGE)
    assert isinstance(reports.last().error, kind)


def test_storage_runs_one_after_the_other(lanes, reports):
    running = []

    def work(number):
        running.append(number)
        yield number
        assert running[-1] == number
        return number

    for number in range(20):
        lanes.start(work(number), reports, lane=LaneName.STORAGE)
    results = [reports.last() for _ in range(20)]
    assert results == [Finished(number) for number in range(20)]
    assert len(reports.threads) == 1


def test_network_runs_several_at_once(lanes, reports):
    meeting = threading.Barrier(3, timeout=LIMIT_S)

    def work():
        yield from ()
        return meeting.wait() >= 0

    for _ in range(3):
        lanes.start(work(), reports, lane=LaneName.NETWORK)
    assert [reports.last() for _ in range(3)] == [Finished(True)] * 3


def test_stop_closes_the_generator_and_drops_late_events(lanes, reports):
    go_on = threading.Event()
    closed_on = []

    def work():
        try:
            yield "early"
            go_on.wait(LIMIT_S)
            yield "late"
        finally:
            closed_on.append(threading.current_thread().name)

    job = lanes.start(work(), reports, lane=LaneName.NETWORK)
    assert reports.next() == Happened("early")
    job.stop()
    go_on.set()
    assert reports.last() == Stopped()
    assert Happened("late") not in reports.seen
    assert closed_on[0].startswith("network")


def test_abort_ends_a_wait_and_what_the_work_returns_is_kept(lanes, reports):
    aborted = threading.Event()

    def work():
        yield "asked"
        assert aborted.wait(LIMIT_S)
        return "what was said"

    job = lanes.start(work(), reports, lane=LaneName.NETWORK, abort=aborted.set)
    reports.next()
    job.stop()
    job.stop()
    assert reports.last() == Stopped("what was said")


def test_an_error_after_abort_is_the_stop_itself(lanes, reports):
    aborted = threading.Event()

    def work():
        yield "asked"
        aborted.wait(LIMIT_S)
        raise ConnectionError

    job = lanes.start(work(), reports, lane=LaneName.NETWORK, abort=aborted.set)
    reports.next()
    job.stop()
    assert reports.last() == Stopped()


def test_an_error_while_closing_is_delivered(lanes, reports):
    go_on = threading.Event()

    def work():
        try:
            yield 1
            go_on.wait(LIMIT_S)
            yield 2
        finally:
            raise ValueError("cannot close")

    job = lanes.start(work(), reports, lane=LaneName.NETWORK)
    reports.next()
    job.stop()
    go_on.set()
    assert isinstance(reports.last().error, ValueError)


def test_work_that_still_waits_is_stopped_before_it_begins(lanes, reports):
    go_on = threading.Event()
    began = []

    def first():
        yield 1
        go_on.wait(LIMIT_S)

    def second():
        began.append(True)
        yield 2

    lanes.start(first(), reports, lane=LaneName.STORAGE)
    reports.next()
    waiting = Reports()
    lanes.start(second(), waiting, lane=LaneName.STORAGE).stop()
    go_on.set()
    assert waiting.last() == Stopped()
    assert not began


def test_a_receiver_that_raises_does_not_end_the_lane(lanes, reports):
    def work():
        yield 1

    def refuse(report):
        raise RuntimeError("gone")

    lanes.start(work(), refuse, lane=LaneName.STORAGE)
    lanes.start(work(), reports, lane=LaneName.STORAGE)
    assert reports.last() == Finished(None)


def test_shutdown_ends_running_work_within_its_limit(reports):
    lanes = Lanes()
    released = threading.Event()

    def work():
        yield 1
        released.wait(LIMIT_S)

    lanes.start(work(), reports, lane=LaneName.NETWORK, abort=released.set)
    reports.next()
    assert lanes.shutdown(LIMIT_S)
    with pytest.raises(RuntimeError):
        lanes.start(work(), reports, lane=LaneName.NETWORK)


def test_shutdown_says_when_a_thread_does_not_end(reports):
    lanes = Lanes()
    released = threading.Event()

    def deaf():
        yield 1
        released.wait(LIMIT_S)

    lanes.start(deaf(), reports, lane=LaneName.NETWORK)
    reports.next()
    assert not lanes.shutdown(0.05)
    released.set()
    assert lanes.shutdown(LIMIT_S)
