"""Pictures of the window in each theme: all of it is drawn in the theme, and nothing spills over.

With IBID_PICTURES=FOLDER the pictures are written there, to be looked at.
"""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path

import pytest
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QToolButton

from app.domain.book import BookFormat
from app.domain.errors import BookProtected, ModelUnreachable
from app.domain.progress import Progress
from app.ui.chat.answer_text import AnswerText
from app.ui.notices import describe
from app.ui.theme import THEME_NAMES
from tests.fakes.window_core import (
    InMemoryBook,
    InMemoryCore,
    grounded_answer,
    make_book,
    not_found_answer,
)

pytestmark = pytest.mark.visual
LONG = "The Life and Strange Surprizing Adventures of Robinson Crusoe, of York, Mariner " * 3
EVERYWHERE = ("start", "card")
ONCE = ("empty", "not_found", "error", "long", "narrow")
PICTURES = [(theme, state) for theme in THEME_NAMES for state in EVERYWHERE]
PICTURES += [("dark" if state == "error" else "light", state) for state in ONCE]


@pytest.fixture
def library():
    return InMemoryCore(
        [
            InMemoryBook(make_book()),
            InMemoryBook(make_book(2, LONG, authors=("Daniel Defoe",)), titles=[LONG] * 4),
            InMemoryBook(make_book(3, "ספר הים", authors=("מחבר",))),
            InMemoryBook(make_book(4, "debian-policy", authors=(), book_format=BookFormat.PDF)),
        ]
    )


def bring_about(qtbot, window, library, state):
    """Brings the window into a state that a picture is taken of."""
    if state == "start":
        return
    book = library.books[2 if state in {"long", "narrow"} else 1]
    window.library.open_known(book.book.book_id)
    qtbot.waitUntil(lambda: window.reader.view is not None)
    script = {
        "card": grounded_answer,
        "not_found": not_found_answer,
        "error": ModelUnreachable("localhost:11434", "connection refused"),
    }.get(state)
    if script is not None:
        book.answers = [script]
        window.chat.ask("Why does whiteness frighten Ishmael?")
        qtbot.waitUntil(lambda: not window.chat.is_busy)
    if state == "card":
        window.chat_panel.turns[0].body.choose(0)
        window.chat_panel.turns[0].foot.details.button.click()
    if state == "error":
        window.notice.show_notice(describe(BookProtected(Path("My book.epub"), "Adobe DRM")))
    if state in {"long", "narrow"}:
        window.place_bar.show_import(Progress(34, 200, "documents"))
    if state == "narrow":
        window.resize(820, 560)


@pytest.fixture(params=PICTURES, ids="-".join)
def picture(request, qtbot, make_window, library):
    name, state = request.param
    window = make_window(library)
    window.choose_theme(name)
    bring_about(qtbot, window, library, state)
    for _ in range(4):  # a layout asks the next one for another
        QApplication.sendPostedEvents()
    image = window.grab().toImage()
    if os.environ.get("IBID_PICTURES"):
        image.save(str(Path(os.environ["IBID_PICTURES"]) / f"{name}-{state}.png"))
    return window, image


def test_the_window_is_drawn_in_its_theme_and_nothing_is_cut_or_spills(picture, appearance):
    window, image = picture
    pixels = memoryview(image.convertToFormat(QImage.Format.Format_RGB32).constBits()).cast("I")
    counts = Counter(f"#{pixel & 0xFFFFFF:06x}" for pixel in pixels[::7])
    total = counts.total()
    of_theme = sum(counts[color] for color in set(appearance.theme.colors.values()))
    assert of_theme / total > 0.86
    for color, count in counts.most_common(3):
        assert color in appearance.theme.colors.values(), f"{color} on {count / total:.0%}"
    for kind in (QLabel, QPushButton, QToolButton, AnswerText):
        for part in window.findChildren(kind):
            if part.isVisible() and not part.visibleRegion().isEmpty():
                left = part.mapTo(window, part.rect().topLeft()).x()
                assert left >= 0
                assert left + part.width() <= window.width(), part
