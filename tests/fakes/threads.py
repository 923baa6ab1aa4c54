"""Runs work of a test on threads of its own, to see what happens at the same time."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


def run_together(*works: Callable[[], object]) -> list[object]:
    """Runs every piece of work on its own thread, all begun at the same moment.

    Returns:
        What each returned, in the order given.

    Raises:
        BaseException: the first that one of them raised.
    """
    start = threading.Barrier(len(works))
    results: dict[int, object] = {}
    errors: list[BaseException] = []

    def run(number: int, work: Callable[[], object]) -> None:
        start.wait()
        try:
            results[number] = work()
        except BaseException as error:  # noqa: BLE001 (raised again on the thread of the test)
            errors.append(error)

    threads = [
        threading.Thread(target=run, args=pair)  # noqa: TID251 (threads are what is tested)
        for pair in enumerate(works)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]
    return [results[number] for number in range(len(works))]
