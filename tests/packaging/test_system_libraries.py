"""Which packages a person is told to install."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
import system_libraries
from system_libraries import APT, PackageManager

DNF, ZYPPER, PACMAN = system_libraries._MANAGERS[1:]
LINUX = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="about Linux")


@LINUX
def test_qt_web_engine_loads_here():
    assert system_libraries.missing_libraries(Path(sys.executable)) == []


@LINUX
def test_a_missing_library_is_named(monkeypatch):
    monkeypatch.setitem(system_libraries._PACKAGES, "libnot-there.so.9", ("a", "b"))
    assert system_libraries.missing_libraries(Path(sys.executable)) == ["libnot-there.so.9"]


@pytest.mark.parametrize(
    ("manager", "packages"),
    [
        (APT, ["libnss3", "libxcb-cursor0"]),
        (DNF, ["libnss3.so()(64bit)", "libxcb-cursor.so.0()(64bit)"]),
        (ZYPPER, ["libnss3.so()(64bit)", "libxcb-cursor.so.0()(64bit)"]),
        (PACMAN, ["nss", "xcb-util-cursor"]),
    ],
    ids=lambda value: value.program if isinstance(value, PackageManager) else "",
)
def test_libraries_become_packages(manager, packages):
    wanted = ["libxcb-cursor.so.0", "libnss3.so", "libnss3.so"]
    assert system_libraries.packages_for(wanted, manager) == packages


def test_the_command_can_be_pasted(monkeypatch):
    monkeypatch.setattr(os, "geteuid", lambda: 1000, raising=False)
    line = system_libraries.install_command(["libnss3.so()(64bit)"], DNF)
    assert line == "sudo dnf install -y 'libnss3.so()(64bit)'"


def test_only_root_on_debian_has_packages_installed(monkeypatch):
    monkeypatch.setattr(os, "geteuid", lambda: 1000, raising=False)
    assert not system_libraries.can_install(APT)
    monkeypatch.setattr(os, "geteuid", lambda: 0, raising=False)
    assert system_libraries.can_install(APT)
    assert not system_libraries.can_install(DNF)
    assert not system_libraries.can_install(None)
