"""A model server behind the window: inventions never show, not for a frame; Stop ends a wait."""

from __future__ import annotations

import json
import re

import pytest

from app.domain.conversation import Question
from app.domain.position import reads_as_tag
from tests.builders import make_epub
from tests.end_to_end.conftest import PATIENCE_MS
from tests.end_to_end.test_invented_tags import FACT, inventions, search_call, span_of
from tests.end_to_end.test_window import open_book
from tests.fakes.scripted_server import (
    DONE,
    ScriptedReply,
    ScriptedServer,
    delta_chunk,
    text_chunk,
)

pytestmark = [pytest.mark.end_to_end, pytest.mark.timeout(120)]


def add_server(environment: dict[str, str], window, server: ScriptedServer) -> None:
    """Makes the server the one that answers."""
    environment.update(IBID_BASE_URL=server.base_url, IBID_MODEL="inventor")
    window.chat.refresh_providers()
    window.chat._on_provider_chosen("environment")


def test_no_invented_tag_is_ever_in_the_window(qtbot, window, environment, assembly, tmp_path):
    path = make_epub(tmp_path / "compass.epub", chapters=[f"<p>{FACT}</p>"], title="The Compass")
    open_book(qtbot, window, path)
    with assembly.open(window._book.book.book_id) as book:
        span = span_of(book, "compass")
    elsewhere = type(span)(span.file_index + 3, 0, 9)
    text = f"It lies under the stair {span.tag}. "
    text += "".join(f"So they say {one} of it. " for one in inventions(span, elsewhere))
    pieces = re.findall(r"(?s).{1,9}", text)
    replies = [
        search_call("silver compass"),
        ScriptedReply([*map(text_chunk, pieces), delta_chunk({}, finish="stop"), DONE]),
    ]
    seen: set[str] = set()

    def is_answered() -> bool:
        turn = window.chat_panel.turns[-1]
        seen.add(turn.body.plain_text() + turn.state_text)
        return not window.chat.is_busy

    with ScriptedServer(*replies) as server:
        add_server(environment, window, server)
        window.chat.ask("What did the keeper bury?")
        qtbot.waitUntil(is_answered, timeout=PATIENCE_MS)
    turn = window.chat_panel.turns[-1]
    shown = turn.body.plain_text()
    assert "It lies under the stair" in shown
    assert "So they say" in shown
    assert [one for one in seen | {shown} if reads_as_tag(one) or "[^" in one] == []
    mentions = [
        index for piece in turn.body.pieces for index in range(99) if piece.has_footnote(index)
    ]
    assert mentions
    assert {turn.body.citation_of(index).span for index in mentions} == {span}


def test_stop_ends_a_wait_for_the_first_word(qtbot, window, environment, tmp_path):
    path = make_epub(tmp_path / "compass.epub", chapters=[f"<p>{FACT}</p>"], title="The Compass")
    open_book(qtbot, window, path)
    with ScriptedServer(ScriptedReply([], stays_silent=True, says_so=True)) as server:
        add_server(environment, window, server)
        window.chat.ask("What did the keeper bury?")
        assert server.is_silent.wait(10)
        window.chat.stop()
        qtbot.waitUntil(lambda: not window.chat.is_busy, timeout=3_000)
        assert server.client_left.wait(5)
    assert window.chat_panel.turns[-1].state_text.startswith("Stopped")


def test_a_refused_key_is_said_where_it_happened(qtbot, window, environment, tmp_path):
    path = make_epub(tmp_path / "compass.epub", chapters=[f"<p>{FACT}</p>"], title="The Compass")
    open_book(qtbot, window, path)
    refusal = ScriptedReply(status=401, body={"error": {"message": "bad key"}})
    with ScriptedServer(refusal) as server:
        add_server(environment, window, server)
        window.chat.ask("What did the keeper bury?")
        qtbot.waitUntil(lambda: not window.chat.is_busy, timeout=PATIENCE_MS)
    notice = window.chat_panel.turns[-1].notice
    assert notice is not None
    assert "key" in notice.title


def overview_call() -> ScriptedReply:
    call = {"name": "get_full_book_segment_summaries", "arguments": json.dumps({})}
    delta = {"tool_calls": [{"index": 0, "id": "c1", "type": "function", "function": call}]}
    return ScriptedReply([delta_chunk(delta), delta_chunk({}, finish="tool_calls"), DONE])


class TestWhatTheToolsHandOver:
    @pytest.fixture
    def book(self, assembly, tmp_path):
        chapters = [
            f"<h1>Day {day}</h1><p>On day {day} the crew of the Petrel mended sail number {day}. "
            f"The cook served dish {day} twice.</p>"
            for day in range(1, 31)
        ]
        path = make_epub(tmp_path / "log.epub", chapters=chapters, title="The Log")
        work = assembly.import_book(path)
        while True:
            try:
                next(work)
            except StopIteration as finished:
                with assembly.open(finished.value.book_id) as opened:
                    yield opened
                return

    def tool_text(self, book, environment, call: ScriptedReply, question: str) -> str:
        with ScriptedServer(call, ScriptedReply([text_chunk("Well."), DONE])) as server:
            environment.update(IBID_BASE_URL=server.base_url, IBID_MODEL="asker")
            for _ in book.ask(Question(question), is_saved=False):
                pass
            (tool,) = [one for one in server.requests[1].body["messages"] if one["role"] == "tool"]
        return tool["content"]

    def test_a_fact_question_gets_source_passages_with_tags(self, book, environment):
        text = self.tool_text(
            book, environment, search_call("sail number 17"), "Which sail, day 17?"
        )
        tags = re.findall(r"\[f\d+-\d+-\d+\]", text)
        assert len(tags) >= 2
        for tag in tags:
            assert book.readable(book.span_of_tag(tag)) in text
        assert "the crew of the Petrel mended sail number 17." in text

    def test_an_overview_gets_every_summary_in_reading_order(self, book, environment):
        text = self.tool_text(book, environment, overview_call(), "Summarise the book.")
        assert len(book.segments()) == 30
        places = [text.find(f"sail number {day}.") for day in range(1, 31)]
        assert all(place >= 0 for place in places)
        assert places == sorted(places)
        assert "quoted" in text
