"""Ibid without a window: the same core for scripts, tests and machines without a screen.

Only results go to standard output; progress goes to standard error, and only on a terminal. Exit
status 0 done (a not-found is a result), 1 a plain failure in one sentence, 2 wrong usage.
"""

from app.command_line.run import run

__all__ = ["run"]
