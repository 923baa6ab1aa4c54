"""The reading view in tests: one web process for all tests of a module."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtCore import QCoreApplication, QEvent

from app.domain.position import Locator
from app.ui.reader.book_page import OUR_WORLD
from app.ui.reader.epub_view import EpubView
from app.ui.theme import load_theme

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytestqt.qtbot import QtBot

    from app.domain.position import Span
    from app.ui.reader.book_scheme import EpubContent
    from app.ui.reader.reader_view import Viewpoint

SETTLE_MS = 15_000  # the longest wait for a page on a loaded machine


@dataclass
class Driver:
    """Shows books in one view and asks the live page."""

    view: EpubView
    bot: QtBot

    def show(self, content: EpubContent, start: Locator | None = None) -> None:
        """Shows a book and waits until it can be read."""
        with self.bot.waitSignal(self.view.shown, timeout=SETTLE_MS):
            self.view.show_book(content, start or Locator(0, 0))

    def go_to(self, place: Span | Locator | Viewpoint, *, highlight: bool = False) -> None:
        """Jumps and waits until the place is on the screen."""
        with self.bot.waitSignal(self.view.arrived, timeout=SETTLE_MS):
            self.view.go_to(place, highlight=highlight)

    def highlighted(self) -> str:
        """The text under the highlight of the live page."""
        with self.bot.waitCallback(timeout=SETTLE_MS) as received:
            self.view.text_under_highlight(received)
        return str(received.args[0])

    def run(self, script: str) -> Any:
        """Runs a script of the test in the page's own world and returns its value."""
        with self.bot.waitCallback(timeout=SETTLE_MS) as received:
            # As JSON: lists come out of our world empty.
            self.view._page.runJavaScript(f"JSON.stringify({script})", OUR_WORLD, received)
        answer = received.args[0]
        return json.loads(answer) if answer else None

    def in_frame(self, file_index: int, script: str) -> Any:
        """Runs a script with `doc` and `view`, the document and window of a mounted part."""
        return self.run(
            "(() => { const slot = ibid.reader.slots.find((s) => s.frame && s.isReady && "
            f"s.file === {file_index}); const doc = slot.frame.contentDocument; "
            f"const view = slot.frame.contentWindow; {script} }})()"
        )


@pytest.fixture(scope="module")
def shared_view(qapp) -> Iterator[EpubView]:
    """One view for the tests of a module: a web process costs half a second."""
    view = EpubView(load_theme("light"))
    view.resize(900, 700)
    view.show()
    yield view
    view.close()
    view.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


@pytest.fixture
def driver(shared_view: EpubView, qtbot: QtBot) -> Driver:
    """The shared view as every test finds it."""
    shared_view.resize(900, 700)
    shared_view.set_text_scale(1)
    shared_view.set_theme(load_theme("light"))
    return Driver(shared_view, qtbot)
