"""Shows a hostile page behind one wall only, in a process of its own, and prints what got through.

Usage: lone_wall.py none | interceptor | policy | scripts_off | no_network
Prints `{"visits": connections to a site on this machine, "ran": whether a script of the page ran}`.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from PySide6.QtCore import QBuffer, QByteArray, QEvent, QIODevice, QTimer, QUrl
from PySide6.QtNetwork import QHostAddress, QTcpServer
from PySide6.QtWebEngineCore import (
    QWebEnginePage,
    QWebEngineProfile,
    QWebEngineScript,
    QWebEngineUrlRequestJob,
    QWebEngineUrlScheme,
    QWebEngineUrlSchemeHandler,
)
from PySide6.QtWidgets import QApplication

from app.ui.reader import book_scheme
from app.ui.reader.book_page import BookPage, RequestInterceptor
from app.ui.reader.book_scheme import SCHEME, SHELL, BookSchemeHandler, part_address
from tests.fakes.in_memory_epub import InMemoryEpub, whole_page

REMOTE_HEAD = """
<link rel="stylesheet" href="{site}/a.css"/><link rel="prefetch" href="{site}/b"/>
<link rel="icon" href="{site}/i.png"/>
<style>@import url({site}/c.css); @font-face {{ font-family: f; src: url({site}/f.woff) }}
p {{ font-family: f; background: url({site}/bg.png) }}</style>
<script src="{site}/s.js"></script>"""
PRECONNECT = '<link rel="preconnect" href="{site}"/><link rel="dns-prefetch" href="{site}"/>'
REMOTE_BODY = """<p data-o="0">text</p><img src="{site}/a.png" srcset="{site}/b.png 2x"/>
<iframe src="{site}/f"></iframe><object data="{site}/o"></object><embed src="{site}/e"/>
<video src="{site}/v" poster="{site}/p" autoplay="autoplay"></video><audio src="{site}/s"></audio>
<svg xmlns="http://www.w3.org/2000/svg" xmlns:x="http://www.w3.org/1999/xlink">
<image x:href="{site}/i.png" width="9" height="9"/><use href="{site}/u.svg#a"/></svg>
<form action="{site}/form"><input type="submit"/></form>"""
RUNNING_HEAD = "<script>document.documentElement.className += ' ran'</script>"
RUNNING_BODY = (
    '<p data-o="0" id="ibid">text</p><img src="data:," id="reader" '
    """onerror="document.documentElement.className += ' ran'"/>"""
    """<a href="javascript:void(document.documentElement.className = 'ran')">x</a>"""
    '<svg xmlns="http://www.w3.org/2000/svg"'
    """ onload="document.documentElement.className = 'ran'">"""
    "<script>document.documentElement.className = 'ran'</script></svg>"
)
_QUIET_MS = 400  # with no wall, all visits came within 60 ms of the page's load


class Unguarded(QWebEngineUrlSchemeHandler):
    """Serves one page with no policy at all."""

    def __init__(self, markup: bytes) -> None:
        super().__init__()
        self._markup = markup

    def requestStarted(self, job: QWebEngineUrlRequestJob) -> None:
        buffer = QBuffer(job)
        buffer.setData(QByteArray(self._markup))
        buffer.open(QIODevice.OpenModeFlag.ReadOnly)
        job.reply(QByteArray(b"application/xhtml+xml"), buffer)


class Site(QTcpServer):
    """A web site on this machine that only counts who comes."""

    def __init__(self) -> None:
        super().__init__()
        self.visits = 0
        self.newConnection.connect(self._count)
        self.listen(QHostAddress.SpecialAddress.LocalHost)
        self.address = f"http://127.0.0.1:{self.serverPort()}"

    def _count(self) -> None:
        self.visits += 1
        self.nextPendingConnection().abort()


def _register(wall: str) -> None:
    if wall == "no_network":
        book_scheme.register()
        return
    scheme = QWebEngineUrlScheme(QByteArray(SCHEME))
    scheme.setSyntax(QWebEngineUrlScheme.Syntax.Host)
    scheme.setFlags(QWebEngineUrlScheme.Flag.SecureScheme | QWebEngineUrlScheme.Flag.CorsEnabled)
    QWebEngineUrlScheme.registerScheme(scheme)


def main(wall: str) -> None:
    """Shows the page and prints the outcome."""
    _register(wall)
    app = QApplication(sys.argv[:1])
    site = Site()
    # A connection without a request is what only the shut network stops.
    head = REMOTE_HEAD + (PRECONNECT if wall in {"none", "no_network"} else "") + RUNNING_HEAD
    markup = whole_page(
        REMOTE_BODY.format(site=site.address) + RUNNING_BODY, head.format(site=site.address)
    )
    profile = QWebEngineProfile()
    url = SHELL
    handler: QWebEngineUrlSchemeHandler = Unguarded(markup)
    if wall == "policy":
        handler = guarded = BookSchemeHandler()
        guarded.serve(InMemoryEpub.of_documents((markup, 4)))
        url = QUrl(part_address(guarded.generation, "OPS/c.xhtml", 0, 0))
    interceptor = RequestInterceptor()
    if wall == "interceptor":
        profile.setUrlRequestInterceptor(interceptor)
    profile.installUrlSchemeHandler(SCHEME, handler)
    page = BookPage(profile, app) if wall == "scripts_off" else QWebEnginePage(profile, app)

    def finish(name: str) -> None:
        print(json.dumps({"visits": site.visits, "ran": "ran" in name}))  # noqa: T201
        page.deleteLater()
        app.sendPostedEvents(page, QEvent.Type.DeferredDelete.value)
        app.quit()

    def ask() -> None:
        world = QWebEngineScript.ScriptWorldId.ApplicationWorld
        page.runJavaScript("document.documentElement.className", world, finish)

    page.loadFinished.connect(lambda: QTimer.singleShot(_QUIET_MS, ask))
    page.load(url)
    app.exec()


if __name__ == "__main__":
    main(sys.argv[1])
