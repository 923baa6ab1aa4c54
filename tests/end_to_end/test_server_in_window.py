"""A model server behind the window: inventions never show, not for a frame; Stop ends a wait."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest
from PySide6.QtWidgets import QLabel, QTextEdit

from app.domain.conversation import AnswerState
from app.domain.position import reads_as_tag
from tests.end_to_end.compass_book import FACT, compass_epub, search_call, serve, span_of
from tests.end_to_end.conftest import PATIENCE_MS
from tests.end_to_end.test_invented_tags import disguises, inventions, streamed
from tests.end_to_end.test_window import open_book
from tests.fakes.scripted_server import ScriptedReply, ScriptedServer, said

if TYPE_CHECKING:
    from PySide6.QtGui import QTextDocument

    from app.ui.chat.chat_panel import ChatPanel

pytestmark = [pytest.mark.end_to_end, pytest.mark.timeout(120)]


def add_server(environment: dict[str, str], window, server: ScriptedServer) -> None:
    """Makes the server the one that answers."""
    serve(environment, server)
    window.chat.refresh_providers()
    window.chat._on_provider_chosen("environment")


class Watcher:
    """Notes every text that stands in the chat, as it changes."""

    def __init__(self, panel: ChatPanel) -> None:
        self.texts: set[str] = set()
        self._panel = panel
        self._watched: set[QTextDocument] = set()

    def look(self) -> None:
        """Notes what stands there now, and from now on each change of an answer's text."""
        for label in self._panel.findChildren(QLabel):
            self.texts.add(label.text())
        for answer in self._panel.findChildren(QTextEdit):
            document = answer.document()
            self.texts.add(document.toPlainText())
            if document not in self._watched:
                self._watched.add(document)
                document.contentsChanged.connect(
                    lambda document=document: self.texts.add(document.toPlainText())
                )

    def those_with(self, words: str) -> list[str]:
        return [text for text in self.texts if words in text]

    @property
    def tagged(self) -> list[str]:
        """Texts with a position tag, or a footnote mark that was none."""
        return [text for text in self.texts if reads_as_tag(text) or "[^" in text]


def wait_for_answer(qtbot, window, server: ScriptedServer) -> Watcher:
    """Lets the server go on a step each time that the chat is looked at."""
    watcher = Watcher(window.chat_panel)

    def is_answered() -> bool:
        server.let_go()
        watcher.look()
        return not window.chat.is_busy

    qtbot.waitUntil(is_answered, timeout=PATIENCE_MS)
    return watcher


def test_no_invented_tag_is_ever_in_the_window(qtbot, window, environment, tmp_path):
    open_book(qtbot, window, compass_epub(tmp_path))
    book = window._book
    span, elsewhere = span_of(book, "silver compass"), span_of(book, "grey sea")
    lies = [*disguises(span), *inventions(span, elsewhere)]
    text = f"It lies under the stair {span.tag}. "
    text += "".join(f"So they say {one} of it. " for one in lies)
    replies = [search_call(f"silver compass {lies[-1]}"), streamed(text, 8, is_paced=True)]
    with ScriptedServer(*replies) as server:
        add_server(environment, window, server)
        window.chat.ask("What did the keeper bury?")
        watcher = wait_for_answer(qtbot, window, server)
    turn = window.chat_panel.turns[-1]
    assert turn.body.plain_text().count("So they say") == len(lies)
    assert len(watcher.those_with("So they say")) > 5, "it was seen as it grew"
    turn.foot.details.button.click()
    watcher.look()
    assert watcher.those_with("were left out")
    assert watcher.tagged == []
    mentions = [
        index for piece in turn.body.pieces for index in range(99) if piece.has_footnote(index)
    ]
    assert mentions
    assert {turn.body.citation_of(index).span for index in mentions} == {span}


def test_words_without_a_source_are_folded_away_and_hold_no_tag(
    qtbot, window, environment, tmp_path
):
    open_book(qtbot, window, compass_epub(tmp_path))
    with ScriptedServer(said("It was a crown [f0-1-2], f&#48;-1-3, [f0-1].")) as server:
        add_server(environment, window, server)
        window.chat.ask("What did the keeper bury under the third stair?")
        watcher = wait_for_answer(qtbot, window, server)
    turn = window.chat_panel.turns[-1]
    assert FACT in turn.body.citation_of(0).text
    assert not watcher.those_with("crown")
    turn.foot.unsourced.button.click()
    watcher.look()
    assert watcher.those_with("crown")
    assert watcher.tagged == []


def test_stop_ends_a_wait_for_the_first_word(qtbot, window, environment, tmp_path):
    open_book(qtbot, window, compass_epub(tmp_path))
    with ScriptedServer(ScriptedReply([], stays_silent=True, says_so=True)) as server:
        add_server(environment, window, server)
        window.chat.ask("What did the keeper bury?")
        assert server.is_silent.wait(10)
        began = time.monotonic()
        window.chat_panel.question_box.stop_asked.emit()
        qtbot.waitUntil(lambda: not window.chat.is_busy, timeout=PATIENCE_MS)
        assert time.monotonic() - began < 1
        assert server.client_left.wait(5)
    assert window.chat_panel.turns[-1].state_text.startswith("Stopped")
    (turn,) = window._book.turns()
    assert turn.state is AnswerState.STOPPED


def test_a_refused_key_is_said_where_it_happened(qtbot, window, environment, tmp_path):
    open_book(qtbot, window, compass_epub(tmp_path))
    refusal = ScriptedReply(status=401, body={"error": {"message": "bad key"}})
    with ScriptedServer(refusal) as server:
        add_server(environment, window, server)
        window.chat.ask("What did the keeper bury?")
        qtbot.waitUntil(lambda: not window.chat.is_busy, timeout=PATIENCE_MS)
    notice = window.chat_panel.turns[-1].notice
    assert notice is not None
    assert "key" in notice.title
