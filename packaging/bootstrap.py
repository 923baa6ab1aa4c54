"""Sets Ibid up, runs it and tests it, on a machine that has Python and nothing else.

    python3 packaging/bootstrap.py setup          make .venv and check what Qt needs
    python3 packaging/bootstrap.py run [BOOK]     read and ask (in the terminal without a screen)
    python3 packaging/bootstrap.py test           every check, the same as in CI

Standard library only. It installs packages by their pinned hashes and decides nothing about the
program: what happens without a screen is the program's own business.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys

import checks
import environment
from environment import ROOT, SetupFailed, say


def main(arguments: list[str]) -> int:
    """Runs one command and returns its exit status."""
    parser = argparse.ArgumentParser(
        prog="bootstrap.py", description=(__doc__ or "").split("\n")[0]
    )
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("setup", help="make .venv and check what Qt needs")
    running = commands.add_parser("run", help="set up where needed, then read and ask")
    running.add_argument("book", nargs="?", help="an EPUB or PDF; without it, the handbook")
    commands.add_parser("test", help="every check, the same as in CI")
    options = parser.parse_args(arguments)
    try:
        if options.command == "test":
            return _test()
        environment.prepare(environment.RUN_LOCK)
        if options.command == "run":
            return _run(options.book)
        environment.check_libraries()
    except SetupFailed as fault:
        say(str(fault))
        return 1
    say("Ready: python3 packaging/bootstrap.py run")
    return 0


def _run(book: str | None) -> int:
    if _has_screen():
        environment.check_libraries()
    command = [str(environment.venv_program("python")), str(ROOT / "main.py")]
    command += [book] if book else []
    if sys.platform != "win32":  # there, exec would return to the shell while the program runs
        os.execv(command[0], command)
    return subprocess.run(command, check=False).returncode


def _test() -> int:
    environment.prepare(environment.TEST_LOCK)
    environment.check_libraries()
    environment.check_virtual_screen()
    return checks.run_checks()


def _has_screen() -> bool:
    if not sys.platform.startswith("linux"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
