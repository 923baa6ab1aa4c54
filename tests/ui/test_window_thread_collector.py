"""Garbage with widgets in it is collected on the window's thread, whoever makes garbage."""

from __future__ import annotations

import gc
import threading

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from app.jobs import LaneName
from app.ui.window_thread_collector import WindowThreadCollector


class Cyclic(QWidget):
    def __init__(self):
        super().__init__()
        self.me = self


def test_a_widget_in_a_cycle_dies_on_the_windows_thread_while_a_lane_works(qtbot, jobs):
    died_on = []
    made = Cyclic()
    made.destroyed.connect(
        lambda: died_on.append(threading.current_thread()), Qt.ConnectionType.DirectConnection
    )
    del made

    def work():
        kept = []
        for _ in range(200):
            kept.append([[] for _ in range(500)])  # enough to make Python collect by itself
            yield None
        return len(kept)

    job = jobs.start(work(), lane=LaneName.NETWORK)
    with qtbot.waitSignal(job.finished):
        pass
    qtbot.waitUntil(lambda: bool(gc.collect()) or bool(died_on))
    qtbot.waitUntil(lambda: bool(died_on))
    assert died_on == [threading.main_thread()]


def test_python_collects_by_itself_before_and_after(qtbot, qapp):
    assert gc.isenabled()
    collector = WindowThreadCollector(qapp)
    assert not gc.isenabled()
    collector.stop()
    assert gc.isenabled()
    collector.deleteLater()


def test_what_is_due_is_collected(qapp):
    collector = WindowThreadCollector(qapp)
    try:
        gc.collect()
        kept = [[] for _ in range(gc.get_threshold()[0] + 100)]
        assert gc.get_count()[0] > gc.get_threshold()[0]
        collector.collect()
        assert gc.get_count()[0] < gc.get_threshold()[0]
        assert kept
    finally:
        collector.stop()
        collector.deleteLater()
