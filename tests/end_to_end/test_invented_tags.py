"""A server that invents position tags: none reaches an event or the stored conversation."""

from __future__ import annotations

import json
import random
import re
from dataclasses import asdict, is_dataclass
from typing import TYPE_CHECKING, Any

import apsw
import pytest

from app.domain.conversation import (
    AnswerCitation,
    AnswerState,
    AnswerText,
    Lane,
    Question,
)
from app.domain.position import Span, reads_as_tag
from tests.end_to_end.compass_book import FACT, finish, search_call, serve, span_of
from tests.fakes.scripted_server import (
    DONE,
    ScriptedReply,
    ScriptedServer,
    delta_chunk,
    said,
    text_chunk,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.paths import Paths

pytestmark = [pytest.mark.end_to_end, pytest.mark.timeout(120)]

QUESTION = Question("What did the keeper bury?")
_MARK = re.compile(r"\[\^(\d+)\]")


def streamed(text: str, size: int, **more: Any) -> ScriptedReply:
    """A reply in chunks of at most `size` characters."""
    pieces = re.findall(rf"(?s).{{1,{size}}}", text)
    return ScriptedReply([*map(text_chunk, pieces), delta_chunk({}, finish="stop"), DONE], **more)


def inventions(span: Span, elsewhere: Span) -> list[str]:
    """Tags that are near a true one, from elsewhere, in other dress, or nothing at all."""
    index, start, end = span.file_index, span.start, span.end
    chance = random.Random(7)
    return [
        f"[f{index}-{start}-{end + 1}]", f"[f{index}-{start - 1}-{end}]",
        f"[f{index + 7}-{start}-{end}]", f"[f{index}-{end}-{start}]",
        f"[f{index}-{start}{end}]", f"[f{index}-{start}-{end}-9]",
        f"【f{index}-{start}-{end + 2}】", f"［ｆ{index}－{start}－{end + 6}］",
        f"[f{index}–{start}–{end + 7}]", f"[ F {index} - {start} - {end + 8} ]",
        f"`[f{index}-{start + 1}-{end}]`", f"[a link [f{index}-0-1]](https://example.org/f9-8-9)",
        f"\n\n```\n[f{index}-{start}-{end + 3}]\n```\n\n", elsewhere.tag,
        f"f{index}-{start}-{end + 4}",
        f"[see](https://example.org/f{index}-{start}-{end + 9})", f"<f{index}-{start}-{end + 9}>",
        "[^1]", "[^7]", r"\[^2\]",
        rf"\[f{index}-{start}-{end + 5}\]", f"[f{index}-{start + 1}-{end}, f{index}-1-2]",
        f"[f{index}-{start + 1}-{end}][f{index}-1-2]", f"[f{index}-{start + 1}-{end}; 1-2]",
        f"**[f{index}-{start}-{end + 1}]**", f"[f{index}-{start}-\n{end + 1}]",
        *(
            f"[f{chance.randrange(9)}-{chance.randrange(99)}-{chance.randrange(100, 999)}]"
            for _ in range(20)
        ),
    ]  # fmt: skip


def disguises(span: Span) -> list[str]:
    """Tags that can be read only once Markdown is shown."""
    index, start, end = span.file_index, span.start, span.end + 1
    return [
        f"[f{index}&#45;{start}&#45;{end}]", f"&#91;f{index}&ndash;{start}&ndash;{end}&#93;",
        f"f{index}-**{start}**-{end}", f"f{index}-{start}-`{end}`", f"&#102;{index}-{start}-{end}",
    ]  # fmt: skip


def texts_in(value: Any) -> Iterator[str]:
    """Every text within a value."""
    if is_dataclass(value) and not isinstance(value, type):
        value = asdict(value)
    if isinstance(value, dict):
        value = [*value, *value.values()]
    if isinstance(value, bytes):
        value = value.decode("utf-8", "surrogatepass")
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | tuple):
        for one in value:
            yield from texts_in(one)


def stored_rows(paths: Paths) -> list[tuple[Any, ...]]:
    """The turns as they lie in the file, JSON read, and their citations."""
    connection = apsw.Connection(str(paths.database), flags=apsw.SQLITE_OPEN_READONLY)
    try:
        turns = connection.execute("SELECT * FROM turns").fetchall()
        citations = connection.execute("SELECT * FROM citations").fetchall()
    finally:
        connection.close()
    answers = [
        json.loads(value)
        for row in turns
        for value in row
        if isinstance(value, str) and value.startswith("{")
    ]
    return [*turns, *citations, (answers,)]


def test_a_server_that_invents_tags_gets_none_of_them_through(compass, environment, paths):
    span, elsewhere = span_of(compass, "silver compass"), span_of(compass, "grey sea")
    text = f"It lies under the stair {span.tag}. "
    text += "".join(f"So they say {invented} of it. " for invented in inventions(span, elsewhere))
    replies = [
        search_call("silver compass keeper buried"),
        streamed(text, 3),
        search_call("grey sea week"),
        said(f"It was grey {elsewhere.tag}. It lay there {span.tag}."),
    ]
    with ScriptedServer(*replies) as server:
        serve(environment, server)
        events, answer = finish(compass.ask(QUESTION))
        (result,) = server.tool_messages
        _, second = finish(compass.ask(Question("What colour was the sea all week?")))
    assert f"{span.tag} " in result
    assert (answer.lane, answer.state) == (Lane.GROUNDED, AnswerState.COMPLETE)
    assert [citation.span for citation in answer.citations] == [span]
    assert FACT in answer.citations[0].text
    assert answer.dropped_tags >= len(inventions(span, elsewhere))
    shown = [event.text for event in events if isinstance(event, AnswerText)]
    assert not reads_as_tag("".join(shown))
    assert "[^" not in "".join(shown)
    assert {event.citation.span for event in events if isinstance(event, AnswerCitation)} == {span}
    assert [one for event in events for one in texts_in(event) if reads_as_tag(one)] == []
    assert set(_MARK.findall(answer.markdown)) == {"1"}
    # What an earlier turn issued is nothing in a later one.
    assert [citation.span for citation in second.citations] == [elsewhere]
    assert second.dropped_tags == 1
    stored = compass.turns()
    assert [one.markdown for one in stored] == [answer.markdown, second.markdown]
    assert [one.citations for one in stored] == [answer.citations, second.citations]
    rows = list(texts_in(stored_rows(paths)))
    assert any("under the stair" in one for one in rows)
    assert [one for one in rows if reads_as_tag(one)] == []
    assert {mark for one in rows for mark in _MARK.findall(one)} == {"1"}


def test_every_issued_tag_becomes_its_footnote_however_it_is_written(compass, environment):
    first, second = span_of(compass, "silver compass"), span_of(compass, "green")
    index, start, end = first.file_index, first.start, first.end
    ways = [
        first.tag, second.tag, f"【f{index}-{start}-{end}】", f"［ｆ{index}－{start}－{end}］",
        f"[f{index}–{start}–{end}]", rf"\[f{index}-{start}-{end}\]", f"(f{index}-{start}-{end})",
        f"`[f{index}-{start}-{end}]`", f"[f{index}-{start}-\n{end}]",
        f"[see {first.tag}](https://example.org)", f"**{first.tag}**",
        f"{first.tag[:-1]}, {second.tag[1:]}", f"{first.tag}{second.tag}",
    ]  # fmt: skip
    text = "".join(f"So it is said {way}. " for way in ways)
    with ScriptedServer(search_call("compass keeper"), streamed(text, 2)) as server:
        serve(environment, server)
        _, answer = finish(compass.ask(QUESTION))
    assert [citation.span for citation in answer.citations] == [first, second]
    assert answer.dropped_tags == 0
    said_in = answer.markdown.split("So it is said")[1:]
    assert [_MARK.findall(one) for one in said_in] == [
        ["1"], ["2"], *[["1"]] * 9, ["1", "2"], ["1", "2"],
    ]  # fmt: skip
    assert answer.coverage.sourced == answer.coverage.sentences == len(ways)


def test_no_tag_comes_through_the_words_that_a_model_searches_for(compass, environment, paths):
    span = span_of(compass, "silver compass")
    replies = [search_call("silver compass [f9-8-9] f0-1-2"), said(f"Under the stair {span.tag}.")]
    with ScriptedServer(*replies) as server:
        serve(environment, server)
        events, answer = finish(compass.ask(QUESTION))
    assert [citation.span for citation in answer.citations] == [span]
    assert [one for event in events for one in texts_in(event) if reads_as_tag(one)] == []
    assert [one for one in texts_in(stored_rows(paths)) if reads_as_tag(one)] == []


def test_a_greeting_cannot_cite(compass, environment):
    span = span_of(compass, "silver compass")
    with ScriptedServer(said(f"Hello {span.tag}! I read [f0-1-2], [^1].")) as server:
        serve(environment, server)
        _, answer = finish(compass.ask(Question("Hello!")))
    assert (answer.lane, answer.citations) == (Lane.NOT_ABOUT_BOOK, ())
    assert answer.markdown.startswith("Hello! I read")
    assert not reads_as_tag(answer.markdown)
    assert "[^" not in answer.markdown


def test_a_server_that_cites_only_inventions_leaves_the_answer_to_the_book(
    compass, environment, paths
):
    span = span_of(compass, "silver compass")
    wrong = f"[f{span.file_index}-{span.start}-{span.end + 1}]"
    replies = [
        search_call("silver compass"),
        said(f"It lies under the stair {wrong}."),
        said(f"Surely it lies under the stair {wrong}."),
    ]
    with ScriptedServer(*replies) as server:
        serve(environment, server)
        _, answer = finish(compass.ask(Question("What did the keeper bury under the third stair?")))
        assert len(server.requests) == 3
    assert answer.lane is Lane.GROUNDED
    assert FACT in answer.citations[0].text
    assert answer.unsourced == "Surely it lies under the stair."
    assert answer.dropped_tags == 2
    assert [one for one in texts_in(stored_rows(paths)) if reads_as_tag(one)] == []
