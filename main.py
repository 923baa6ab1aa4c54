"""The way into Ibid: the window, or one of the commands."""

import multiprocessing
import sys


def main() -> int:
    """Runs Ibid with the arguments of the process and returns its exit status."""
    from app.command_line import run  # noqa: PLC0415 - the worker process must not pay for it

    return run(sys.argv[1:])


if __name__ == "__main__":
    multiprocessing.freeze_support()
    sys.exit(main())
