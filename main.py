"""The way into Ibid: the window, or one of the commands."""

from __future__ import annotations

import multiprocessing
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from app.paths import Paths


def main() -> int:
    """Runs Ibid with the arguments of the process and returns its exit status."""
    from app.command_line import run  # noqa: PLC0415 - the worker process must not pay for it

    return run(sys.argv[1:], _open_window)


def _open_window(paths: Paths, book: Path | None) -> int:
    from app.startup import open_window  # noqa: PLC0415 - Qt is loaded for the window only

    return open_window(paths, book)


if __name__ == "__main__":
    multiprocessing.freeze_support()
    sys.exit(main())
