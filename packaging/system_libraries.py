"""The system libraries that Qt WebEngine and its window need on Linux, and who packages them.

Found by trying to load them, never by asking a package manager what it thinks is installed.
Standard library only: this runs before anything is installed.

Source: `DT_NEEDED` of Qt 6.11.3: WebEngineCore, Gui, Network, the xcb plugin and its GL parts.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

# Library: Debian names, newest first (the 64-bit time change renamed some), then the Arch name.
# dnf and zypper install by library name.
_PACKAGES = {
    "libEGL.so.1": ("libegl1", "libglvnd"),
    "libGL.so.1": ("libgl1", "libglvnd"),
    "libX11-xcb.so.1": ("libx11-xcb1", "libx11"),
    "libX11.so.6": ("libx11-6", "libx11"),
    "libXcomposite.so.1": ("libxcomposite1", "libxcomposite"),
    "libXdamage.so.1": ("libxdamage1", "libxdamage"),
    "libXext.so.6": ("libxext6", "libxext"),
    "libXfixes.so.3": ("libxfixes3", "libxfixes"),
    "libXrandr.so.2": ("libxrandr2", "libxrandr"),
    "libXtst.so.6": ("libxtst6", "libxtst"),
    "libasound.so.2": ("libasound2t64 libasound2", "alsa-lib"),
    "libbrotlidec.so.1": ("libbrotli1", "brotli"),
    "libdbus-1.so.3": ("libdbus-1-3", "dbus"),
    "libexpat.so.1": ("libexpat1", "expat"),
    "libfontconfig.so.1": ("libfontconfig1", "fontconfig"),
    "libfreetype.so.6": ("libfreetype6", "freetype2"),
    "libgbm.so.1": ("libgbm1", "mesa"),
    "libglib-2.0.so.0": ("libglib2.0-0t64 libglib2.0-0", "glib2"),
    "libgssapi_krb5.so.2": ("libgssapi-krb5-2", "krb5"),
    "libnspr4.so": ("libnspr4", "nspr"),
    "libnss3.so": ("libnss3", "nss"),
    "libstdc++.so.6": ("libstdc++6", "gcc-libs"),
    "libudev.so.1": ("libudev1", "systemd-libs"),
    "libxcb-cursor.so.0": ("libxcb-cursor0", "xcb-util-cursor"),
    "libxcb-dri3.so.0": ("libxcb-dri3-0", "libxcb"),
    "libxcb-glx.so.0": ("libxcb-glx0", "libxcb"),
    "libxcb-icccm.so.4": ("libxcb-icccm4", "xcb-util-wm"),
    "libxcb-image.so.0": ("libxcb-image0", "xcb-util-image"),
    "libxcb-keysyms.so.1": ("libxcb-keysyms1", "xcb-util-keysyms"),
    "libxcb-randr.so.0": ("libxcb-randr0", "libxcb"),
    "libxcb-render-util.so.0": ("libxcb-render-util0", "xcb-util-renderutil"),
    "libxcb-render.so.0": ("libxcb-render0", "libxcb"),
    "libxcb-shape.so.0": ("libxcb-shape0", "libxcb"),
    "libxcb-shm.so.0": ("libxcb-shm0", "libxcb"),
    "libxcb-sync.so.1": ("libxcb-sync1", "libxcb"),
    "libxcb-util.so.1": ("libxcb-util1", "xcb-util"),
    "libxcb-xfixes.so.0": ("libxcb-xfixes0", "libxcb"),
    "libxcb-xkb.so.1": ("libxcb-xkb1", "libxcb"),
    "libxcb.so.1": ("libxcb1", "libxcb"),
    "libxkbcommon-x11.so.0": ("libxkbcommon-x11-0", "libxkbcommon-x11"),
    "libxkbcommon.so.0": ("libxkbcommon0", "libxkbcommon"),
    "libxkbfile.so.1": ("libxkbfile1", "libxkbfile"),
    "libzstd.so.1": ("libzstd1", "zstd"),
}

# Run by the interpreter of .venv: every library of the table, then Qt itself, which may need more.
_PROBE = """
import ctypes, pathlib, sys
for name in sys.argv[1:]:
    try:
        ctypes.CDLL(name)
    except OSError:
        print(name)
try:
    import PySide6.QtWebEngineCore
    plugins = pathlib.Path(PySide6.__file__).parent / "Qt" / "plugins" / "platforms"
    ctypes.CDLL(str(plugins / "libqxcb.so"))
except (ImportError, OSError) as error:
    print(str(error).split(":")[0])
"""


@dataclass(frozen=True)
class PackageManager:
    """How one family of Linux installs packages.

    Attributes:
        program: what must be on the path.
        install: the command, without its packages.
        xvfb: its package of the virtual screen.
    """

    program: str
    install: tuple[str, ...]
    xvfb: str


APT = PackageManager("apt-get", ("apt-get", "install", "-y", "--no-install-recommends"), "xvfb")
_MANAGERS = (
    APT,
    PackageManager("dnf", ("dnf", "install", "-y"), "xorg-x11-server-Xvfb"),
    PackageManager("zypper", ("zypper", "install", "-y"), "xorg-x11-server-Xvfb"),
    PackageManager("pacman", ("pacman", "-S", "--needed"), "xorg-server-xvfb"),
)


def find_package_manager() -> PackageManager | None:
    """The package manager of this machine, or None where it is none that we know."""
    return next((each for each in _MANAGERS if shutil.which(each.program)), None)


def missing_libraries(python: Path) -> list[str]:
    """Names of the libraries that do not load, as the loader knows them.

    Args:
        python: interpreter of the environment that holds PySide6.
    """
    found = subprocess.run(
        [str(python), "-c", _PROBE, *_PACKAGES], capture_output=True, text=True, check=True
    )
    return list(dict.fromkeys(found.stdout.splitlines()))


def packages_for(libraries: Iterable[str], manager: PackageManager) -> list[str]:
    """Names of the packages that bring `libraries`, for one package manager."""
    packages = []
    for library in libraries:
        if library not in _PACKAGES or manager.program in {"dnf", "zypper"}:
            packages.append(f"{library}()(64bit)")
        elif manager is APT:
            packages.append(_known_to_apt(_PACKAGES[library][0].split()))
        else:
            packages.append(_PACKAGES[library][1])
    return sorted(set(packages))


def install_command(packages: Iterable[str], manager: PackageManager) -> str:
    """The line that a person types to install `packages`."""
    command = shlex.join([*manager.install, *packages])
    return command if os.geteuid() == 0 else f"sudo {command}"


def can_install(manager: PackageManager | None) -> bool:
    """Whether packages may be installed without asking: as root on Debian and its children."""
    return manager is APT and os.geteuid() == 0


def refresh_apt() -> None:
    """Fetches the lists of packages; a list that cannot be fetched shows in the install."""
    subprocess.run(["apt-get", "update", "-q"], check=False, stdout=sys.stderr)


def install_with_apt(packages: Iterable[str]) -> bool:
    """Installs Debian packages and says whether that worked."""
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    command = [*APT.install, "-q", *packages]
    done = subprocess.run(
        command, check=False, env=environment, stdin=subprocess.DEVNULL, stdout=sys.stderr
    )
    return done.returncode == 0


def _known_to_apt(names: list[str]) -> str:
    """The first name that apt can install; the last, which is the oldest, where it knows none."""
    for name in names[:-1]:
        shown = subprocess.run(
            ["apt-cache", "policy", name], capture_output=True, text=True, check=False
        )
        if "Candidate:" in shown.stdout and "Candidate: (none)" not in shown.stdout:
            return name
    return names[-1]
