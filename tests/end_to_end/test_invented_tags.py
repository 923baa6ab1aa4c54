"""A server that invents position tags: none reaches an event or the stored conversation."""

from __future__ import annotations

import json
import random
import re
from typing import TYPE_CHECKING

import pytest

from app.domain.conversation import (
    AnswerCitation,
    AnswerState,
    AnswerText,
    Lane,
    Question,
)
from app.domain.position import Span, reads_as_tag
from tests.builders import BEYOND_ASCII, Chapter, make_epub
from tests.fakes.scripted_server import (
    DONE,
    ScriptedReply,
    ScriptedServer,
    delta_chunk,
    said,
    text_chunk,
)

if TYPE_CHECKING:
    from app.assembly import OpenBook

pytestmark = [pytest.mark.end_to_end, pytest.mark.timeout(120)]

FACT = "The lighthouse keeper buried the silver compass under the third stair."
OTHER = "Nobody looked at the grey sea for a whole week."


def finish(work):
    """Runs work to its end; returns its events and its result."""
    events = []
    while True:
        try:
            events.append(next(work))
        except StopIteration as end:
            return events, end.value


@pytest.fixture
def book(assembly, tmp_path):
    chapters = [
        Chapter(f"<h1>Morning</h1><p>{BEYOND_ASCII}{FACT}</p>", title="Morning"),
        Chapter(f"<h1>Evening</h1><p>{OTHER}</p>", title="Evening"),
    ]
    path = make_epub(tmp_path / "compass.epub", chapters=chapters, title="The Compass")
    _, made = finish(assembly.import_book(path))
    with assembly.open(made.book_id) as opened:
        yield opened


def span_of(book: OpenBook, words: str) -> Span:
    return next(
        passage.span
        for segment in book.segments()
        for passage in book.passages_of_segment(segment.segment_index)
        if words in passage.text
    )


def search_call(question: str) -> ScriptedReply:
    arguments = json.dumps({"question": question})
    call = {"name": "get_related_segment_summaries", "arguments": arguments}
    delta = {"tool_calls": [{"index": 0, "id": "c1", "type": "function", "function": call}]}
    return ScriptedReply([delta_chunk(delta), delta_chunk({}, finish="tool_calls"), DONE])


def inventions(span: Span, elsewhere: Span) -> list[str]:
    index, start, end = span.file_index, span.start, span.end
    chance = random.Random(7)
    return [
        f"[f{index}-{start}-{end + 1}]", f"[f{index}-{start - 1}-{end}]",
        f"[f{index + 7}-{start}-{end}]",
        f"[f{index}-{start}{end}]", f"[f{index}-{start}-{end}-9]",
        f"【f{index}-{start}-{end + 2}】",
        f"`[f{index}-{start + 1}-{end}]`", f"[a link [f{index}-0-1]](https://example.org/f9-8-9)",
        f"```\n[f{index}-{start}-{end + 3}]\n```", elsewhere.tag, f"f{index}-{start}-{end + 4}",
        "[^1]", "[^7]",
        rf"\[f{index}-{start}-{end + 5}\]", f"[f{index}-{start + 1}-{end}, f{index}-1-2]",
        *(
            f"[f{chance.randrange(9)}-{chance.randrange(99)}-{chance.randrange(100, 999)}]"
            for _ in range(20)
        ),
    ]  # fmt: skip


def test_a_server_that_invents_tags_gets_none_of_them_through(book, environment):
    span, elsewhere = span_of(book, "compass"), span_of(book, "grey sea")
    text = f"It lies under the stair {span.tag}. "
    text += "".join(f"So they say {invented} of it. " for invented in inventions(span, elsewhere))
    pieces = re.findall(r"(?s).{1,3}", text)
    replies = [
        search_call("silver compass keeper buried"),
        ScriptedReply([*map(text_chunk, pieces), delta_chunk({}, finish="stop"), DONE]),
        search_call("grey sea week"),
        said(f"It was grey {elsewhere.tag}. It lay there {span.tag}."),
    ]
    with ScriptedServer(*replies) as server:
        environment.update(IBID_BASE_URL=server.base_url, IBID_MODEL="inventor")
        events, answer = finish(book.ask(Question("What did the keeper bury?")))
        _, second = finish(book.ask(Question("What colour was the sea all week?")))
        results = [one for one in server.requests[1].body["messages"] if one["role"] == "tool"]
    assert f"{span.tag} " in results[0]["content"]
    assert (answer.lane, answer.state) == (Lane.GROUNDED, AnswerState.COMPLETE)
    assert [citation.span for citation in answer.citations] == [span]
    assert FACT in answer.citations[0].text
    assert answer.dropped_tags >= 35
    shown = "".join(event.text for event in events if isinstance(event, AnswerText))
    assert not reads_as_tag(shown)
    assert "[^" not in shown
    assert {event.citation.span for event in events if isinstance(event, AnswerCitation)} == {span}
    assert not reads_as_tag(answer.markdown)
    assert set(re.findall(r"\[\^(\d+)\]", answer.markdown)) == {"1"}
    # What an earlier turn issued is nothing in a later one.
    assert [citation.span for citation in second.citations] == [elsewhere]
    stored = book.turns()
    assert [one.markdown for one in stored] == [answer.markdown, second.markdown]
    assert [one.citations for one in stored] == [answer.citations, second.citations]


def test_a_server_that_cites_only_inventions_leaves_the_answer_to_the_book(book, environment):
    span = span_of(book, "compass")
    wrong = f"[f{span.file_index}-{span.start}-{span.end + 1}]"
    replies = [
        search_call("silver compass"),
        said(f"It lies under the stair {wrong}."),
        said(f"Surely it lies under the stair {wrong}."),
    ]
    with ScriptedServer(*replies) as server:
        environment.update(IBID_BASE_URL=server.base_url, IBID_MODEL="inventor")
        _, answer = finish(book.ask(Question("What did the keeper bury under the third stair?")))
        assert len(server.requests) == 3
    assert answer.lane is Lane.GROUNDED
    assert FACT in answer.citations[0].text
    assert answer.unsourced == "Surely it lies under the stair."
    assert answer.dropped_tags == 2
    assert not reads_as_tag(answer.markdown + answer.unsourced)
