"""The environment in `.venv`: made once, filled from a lock file, checked for what Qt needs.

Standard library only. What cannot be put right here is said in a sentence with its command.
"""

from __future__ import annotations

import hashlib
import importlib.util
import shutil
import subprocess
import sys
from pathlib import Path

import system_libraries

ROOT = Path(__file__).resolve().parent.parent
RUN_LOCK = ROOT / "packaging" / "requirements.lock"
TEST_LOCK = ROOT / "packaging" / "requirements-dev.lock"
_VENV = ROOT / ".venv"
_STAMP = _VENV / "installed-lock.sha256"
_OLDEST_PYTHON = (3, 11)


class SetupFailed(Exception):
    """Something outside this folder is missing; the message says what and which command helps."""


def say(text: str) -> None:
    """Tells the person what is being done; standard output is kept for results."""
    print(text, file=sys.stderr, flush=True)


def venv_program(name: str) -> Path:
    """The path of a program of the environment."""
    if sys.platform == "win32":
        return _VENV / "Scripts" / f"{name}.exe"
    return _VENV / "bin" / name


def prepare(lock: Path) -> None:
    """Makes `.venv` hold what `lock` pins; does nothing where it already does.

    Raises:
        SetupFailed: Python is too old, has no venv, or a package cannot be installed.
    """
    _check_python()
    if not _is_usable():
        _make_venv()
    wanted = _digest(lock)
    # The lock for tests holds every pin of the other one, so it serves both.
    if _STAMP.is_file() and _STAMP.read_text().strip() in {wanted, _digest(TEST_LOCK)}:
        return
    say(f"Installing what {lock.name} pins into .venv (the first time about 350 MB) …")
    _STAMP.unlink(missing_ok=True)
    pip = [str(venv_program("python")), "-m", "pip"]
    quiet = [] if sys.stderr.isatty() else ["--quiet"]
    options = ["--disable-pip-version-check", "--no-input", "--require-hashes", *quiet]
    done = subprocess.run(
        [*pip, "install", *options, "-r", str(lock)], check=False, stdout=sys.stderr
    )
    if done.returncode != 0:
        raise SetupFailed(
            "The packages could not be installed (see above). Check the network and run this again."
        )
    _STAMP.write_text(wanted)


def check_libraries() -> None:
    """Makes sure that Qt WebEngine loads; as root on Debian, installs what it lacks.

    Raises:
        SetupFailed: libraries are missing; the message names them and the command.
    """
    if not sys.platform.startswith("linux"):
        return
    python = venv_program("python")
    missing = system_libraries.missing_libraries(python)
    if not missing:
        return
    say(f"Qt WebEngine lacks {len(missing)} system libraries: {', '.join(missing)}.")
    manager = system_libraries.find_package_manager()
    if manager is None:
        raise SetupFailed("Install them with your system's package manager and run this again.")
    if system_libraries.can_install(manager):
        system_libraries.refresh_apt()
        packages = system_libraries.packages_for(missing, manager)
        say(f"Installing {' '.join(packages)} …")
        system_libraries.install_with_apt(packages)
        missing = system_libraries.missing_libraries(python)
        if not missing:
            return
    packages = system_libraries.packages_for(missing, manager)
    raise SetupFailed(
        f"Still missing: {', '.join(missing)}. Install them with\n"
        f"    {system_libraries.install_command(packages, manager)}\nand run this again."
    )


def check_virtual_screen() -> None:
    """Makes sure that tests of the window have Xvfb; as root on Debian, installs it.

    Raises:
        SetupFailed: Xvfb is missing; the message names the command.
    """
    if not sys.platform.startswith("linux") or shutil.which("Xvfb"):
        return
    manager = system_libraries.find_package_manager()
    if manager is not None and system_libraries.can_install(manager):
        system_libraries.refresh_apt()
        say("Installing xvfb, the screen that the tests draw on …")
        if system_libraries.install_with_apt([manager.xvfb]):
            return
    command = system_libraries.install_command([manager.xvfb], manager) if manager else "Xvfb"
    raise SetupFailed(
        f"The tests of the window need a virtual screen. Install it with\n    {command}"
    )


def _check_python() -> None:
    if sys.version_info >= _OLDEST_PYTHON:
        return
    newer = (f"python3.{minor}" for minor in range(14, 10, -1))
    found = next((name for name in newer if shutil.which(name)), "python3.11")
    raise SetupFailed(
        f"Ibid needs Python 3.11 or newer; this is {sys.version.split()[0]}. Run this with {found}."
    )


def _is_usable() -> bool:
    python = venv_program("python")
    if not python.exists():
        return False
    done = subprocess.run([str(python), "-c", "import pip"], check=False, capture_output=True)
    return done.returncode == 0


def _make_venv() -> None:
    if importlib.util.find_spec("ensurepip") is None or importlib.util.find_spec("venv") is None:
        _add_venv_support()
    say(f"Making .venv with Python {sys.version.split()[0]} …")
    done = subprocess.run([sys.executable, "-m", "venv", "--clear", str(_VENV)], check=False)
    if done.returncode != 0:
        raise SetupFailed("The environment .venv could not be made (see above).")


def _add_venv_support() -> None:
    """Installs what makes environments, which Debian packages apart from Python.

    Raises:
        SetupFailed: it is missing and may not be installed here.
    """
    package = f"python{sys.version_info.major}.{sys.version_info.minor}-venv"
    manager = system_libraries.find_package_manager()
    if system_libraries.can_install(manager):
        system_libraries.refresh_apt()
        if system_libraries.install_with_apt([package]):
            importlib.invalidate_caches()
            return
    command = f"sudo apt-get install -y {package}"
    raise SetupFailed(f"This Python cannot make environments. On Debian and Ubuntu:\n    {command}")


def _digest(lock: Path) -> str:
    return hashlib.sha256(lock.read_bytes()).hexdigest()
