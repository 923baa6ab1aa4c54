"""Lets Python collect cyclic garbage on the window's thread only.

Python collects on whichever thread happens to allocate. Where that is a lane's thread, widgets in
a cycle are destroyed there, and Qt crashes sooner or later (measured with PySide6 6.11.3: a dead
`QWidget` with a timer was destroyed on the thread that collected, "Timers cannot be stopped from
another thread"). So automatic collection is off while lanes run, and a timer of the window does it.
"""

from __future__ import annotations

import gc

from PySide6.QtCore import QObject, QTimer

_INTERVAL_MS = 500
"""A lane that makes 100,000 objects a second makes some megabytes of garbage in this time."""


class WindowThreadCollector(QObject):
    """Collects while it lives; `stop` gives the work back to Python.

    Args:
        parent: lives on the window's thread.
    """

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._was_enabled = gc.isenabled()
        gc.disable()
        self._timer = QTimer(self)
        self._timer.setInterval(_INTERVAL_MS)
        self._timer.timeout.connect(self.collect)
        self._timer.start()

    def collect(self) -> None:  # noqa: PLR6301 - a slot
        """Collects the generations that are due, by Python's own thresholds."""
        counts, thresholds = gc.get_count(), gc.get_threshold()
        due = [
            generation
            for generation, (count, threshold) in enumerate(zip(counts, thresholds, strict=True))
            if 0 < threshold < count
        ]
        if due:
            gc.collect(due[-1])

    def stop(self) -> None:
        """Ends; no lane runs any more."""
        self._timer.stop()
        if self._was_enabled:
            gc.enable()
