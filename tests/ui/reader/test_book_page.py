"""Every wall between a book and the world, each with the others taken away."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QUrl
from PySide6.QtWebEngineCore import QWebEnginePage, QWebEngineSettings

from app.ui.reader.book_page import make_profile
from app.ui.reader.book_scheme import SHELL, BookSchemeHandler, part_address
from tests.fakes.in_memory_epub import InMemoryEpub, whole_page
from tests.ui.reader.lone_wall import (
    PRECONNECT,
    REMOTE_BODY,
    REMOTE_HEAD,
    RUNNING_BODY,
    RUNNING_HEAD,
    Site,
)

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from tests.ui.reader.conftest import Driver

LONE_WALL = Path(__file__).with_name("lone_wall.py")
REFRESH = '<meta http-equiv="refresh" content="0;url={site}/refresh"/>'


def behind(wall: str) -> dict[str, Any]:
    environment = {
        **os.environ,
        "QT_QPA_PLATFORM": "offscreen",
        "QTWEBENGINE_CHROMIUM_FLAGS": "--disable-gpu",
        "QTWEBENGINE_DISABLE_SANDBOX": "1",
    }
    done = subprocess.run(
        [sys.executable, str(LONE_WALL), wall],
        env=environment,
        capture_output=True,
        text=True,
        timeout=50,
        check=True,
    )
    outcome: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return outcome


def test_without_a_wall_the_site_is_visited_and_scripts_run() -> None:
    outcome = behind("none")
    assert outcome["visits"] > 3
    assert outcome["ran"]


def test_the_interceptor_alone_lets_no_request_out() -> None:
    assert behind("interceptor")["visits"] == 0


def test_the_policy_alone_lets_no_request_out_and_runs_nothing() -> None:
    assert behind("policy") == {"visits": 0, "ran": False}


def test_the_shut_network_alone_lets_no_connection_out() -> None:
    assert behind("no_network")["visits"] == 0


def test_scripts_switched_off_alone_run_nothing() -> None:
    assert not behind("scripts_off")["ran"]


def test_a_hostile_book_is_shown_and_marked_behind_all_walls(driver: Driver) -> None:
    site = Site()
    head = REMOTE_HEAD + PRECONNECT + REFRESH + RUNNING_HEAD
    markup = whole_page(
        REMOTE_BODY.format(site=site.address) + RUNNING_BODY, head.format(site=site.address)
    )
    driver.show(InMemoryEpub.of_documents((markup, 4)))
    driver.in_frame(0, "doc.querySelector('a').click(); doc.querySelector('form').submit();")
    assert driver.in_frame(0, "return doc.documentElement.className;") == ""
    assert driver.in_frame(0, "return doc.querySelectorAll('p').length;") == 2
    assert site.visits == 0
    site.close()


def test_navigation_is_refused_but_for_the_shell_and_its_frames(driver: Driver) -> None:
    page = driver.view._page
    kinds = QWebEnginePage.NavigationType
    part = QUrl(part_address(1, "a.xhtml", 0, 0))
    typed, clicked = kinds.NavigationTypeTyped, kinds.NavigationTypeLinkClicked
    assert page.acceptNavigationRequest(SHELL, typed, True)
    assert page.acceptNavigationRequest(part, kinds.NavigationTypeOther, False)
    assert not page.acceptNavigationRequest(part, typed, True)
    assert not page.acceptNavigationRequest(part, clicked, False)
    assert not page.acceptNavigationRequest(SHELL, clicked, True)
    assert not page.acceptNavigationRequest(QUrl("https://example.org/"), typed, True)
    assert not page.acceptNavigationRequest(QUrl("file:///etc/passwd"), typed, False)


def test_nothing_is_kept_and_scripts_are_off_for_the_whole_profile(qtbot: QtBot) -> None:
    profile = make_profile(BookSchemeHandler())
    assert profile.isOffTheRecord()
    script = QWebEngineSettings.WebAttribute.JavascriptEnabled
    assert not profile.settings().testAttribute(script)
    profile.deleteLater()


CYCLES = """
import os, sys
os.environ["QT_QPA_PLATFORM"] = "offscreen"
from app.ui.reader import book_scheme
book_scheme.register()
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from app.domain.position import Locator
from app.ui.reader.epub_view import EpubView
from app.ui.theme import load_theme
from tests.fakes.in_memory_epub import InMemoryEpub, paragraphs, whole_page

app = QApplication([])
app.setQuitOnLastWindowClosed(False)
markup, text = paragraphs(["Words run on. " * 40] * 20)
book = InMemoryEpub.of_documents((whole_page(markup), len(text)))
left = {cycles}

def open_one():
    view = EpubView(load_theme("light"))
    view.show()
    view.show_book(book, Locator(0, 0))
    if left % 2:
        view.shown.connect(lambda: QTimer.singleShot(0, lambda: close_one(view)))
    else:
        QTimer.singleShot(20, lambda: close_one(view))  # while it loads

def close_one(view):
    global left
    view.close()
    view.deleteLater()
    left -= 1
    if left:
        QTimer.singleShot(0, open_one)
    else:
        open_last()

def open_last():
    app.last = EpubView(load_theme("light"))
    app.last.show()
    app.last.show_book(book, Locator(0, 0))
    QTimer.singleShot(20, app.quit)  # quits while it loads

open_one()
sys.exit(app.exec())
"""


def test_views_come_and_go_without_trouble() -> None:
    done = subprocess.run(
        [sys.executable, "-c", CYCLES.replace("{cycles}", "8")],
        cwd=LONE_WALL.parents[3],
        env={**os.environ, "QTWEBENGINE_DISABLE_SANDBOX": "1"},
        capture_output=True,
        text=True,
        timeout=50,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "Release of profile" not in done.stderr
    assert "Traceback" not in done.stderr
