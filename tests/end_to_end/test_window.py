"""The main job in the window, on books built in code: ask, footnote, card, jump, highlight."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt

from tests.builders import BEYOND_ASCII, Chapter, make_epub, make_pdf
from tests.end_to_end.conftest import PATIENCE_MS

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [pytest.mark.end_to_end, pytest.mark.timeout(120)]

FACT = "The lighthouse keeper buried the silver compass under the third stair."
FILLER = "The sea was grey that morning and nobody came down to the harbour to look at it. "


def epub(folder: Path) -> Path:
    long = "".join(f"<p>{FILLER * 4}</p>" for _ in range(40))
    body = f"<h1>The Stair</h1>{long}<p>{BEYOND_ASCII}{FACT} {FILLER}</p>{long}"
    first = f"<h1>Morning</h1><p>{FILLER * 3}</p>"
    chapters = [Chapter(first, title="Morning"), Chapter(body, title="The Stair")]
    return make_epub(folder / "compass.epub", chapters=chapters, title="The Compass")


def pdf(folder: Path) -> Path:
    pages = [FILLER * 3, f"{BEYOND_ASCII}{FACT} {FILLER}", FILLER * 3]
    wrapped = ["\n".join(textwrap.wrap(page, 48)) for page in pages]
    return make_pdf(folder / "compass.pdf", pages=wrapped, title="The Compass")


def ask(qtbot, window, question: str):
    """Types a question and waits for the answer's turn."""
    field = window.chat_panel.question_box.field
    field.setFocus()
    qtbot.keyClicks(field, question)
    qtbot.keyClick(field, Qt.Key.Key_Return)
    qtbot.waitUntil(
        lambda: bool(window.chat_panel.turns) and not window.chat.is_busy, timeout=PATIENCE_MS
    )
    return window.chat_panel.turns[-1]


def open_book(qtbot, window, path: Path) -> None:
    """Opens a file as a person does and waits until it is read in."""
    with qtbot.waitSignal(window.library.ready, timeout=PATIENCE_MS):
        window.open_file(path)
    qtbot.waitUntil(lambda: window.reader.view is not None, timeout=PATIENCE_MS)


def click_footnote(qtbot, body, index: int) -> None:
    piece = next(piece for piece in body.pieces if piece.has_footnote(index))
    qtbot.mouseClick(piece.viewport(), Qt.MouseButton.LeftButton, pos=piece.footnote_point(index))


def highlighted(qtbot, window) -> str:
    with qtbot.waitCallback(timeout=PATIENCE_MS) as received:
        window.reader.view.text_under_highlight(received)
    return str(received.args[0])


@pytest.mark.parametrize("make", [epub, pdf], ids=["epub", "pdf"])
def test_a_footnote_leads_to_the_cited_text_in_the_live_page(qtbot, window, tmp_path, make):
    open_book(qtbot, window, make(tmp_path))
    turn = ask(qtbot, window, "Where did the keeper bury the silver compass?")
    citation = turn.body.citation_of(0)
    assert FACT in " ".join(citation.text.split())

    click_footnote(qtbot, turn.body, 0)
    qtbot.waitUntil(lambda: len(turn.body.cards) == 1)
    card = turn.body.cards[0]
    assert FACT in " ".join(card.shown_text.split())
    with qtbot.waitSignal(window.reader.view.arrived, timeout=PATIENCE_MS):
        qtbot.keyClick(card, Qt.Key.Key_Return)
    shown = highlighted(qtbot, window)
    text = window._book.document_text(citation.span.file_index).text
    assert shown == text[citation.span.start : citation.span.end], "to the letter, spaces too"
    assert " ".join(shown.split()) == " ".join(citation.text.split())

    click_footnote(qtbot, turn.body, 0)
    assert not turn.body.cards, "the second click closes the card"
    assert window.reader.can_go_back


def test_what_the_book_does_not_say_is_said_to_be_missing(qtbot, window, tmp_path):
    open_book(qtbot, window, epub(tmp_path))
    turn = ask(qtbot, window, "What does the book say about quantum chromodynamics?")
    assert turn.foot is None or not turn.foot.coverage_text
    assert window.reader.view.isVisible()
    with pytest.raises((IndexError, KeyError, StopIteration)):
        turn.body.citation_of(0)


def test_the_conversation_is_there_again_after_a_restart(qtbot, window, assembly, tmp_path):
    path = epub(tmp_path)
    open_book(qtbot, window, path)
    ask(qtbot, window, "Where did the keeper bury the silver compass?")
    window.show_library()
    open_book(qtbot, window, path)
    qtbot.waitUntil(lambda: len(window.chat_panel.turns) == 1, timeout=PATIENCE_MS)
    assert FACT in " ".join(window.chat_panel.turns[0].body.citation_of(0).text.split())
