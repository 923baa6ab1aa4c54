"""What the two tools hand over to a model, as a server receives it."""

from __future__ import annotations

import re

import pytest

from app.answering.tools.full_book_summaries import NAME as FULL
from app.books.model_text import model_text
from app.domain.conversation import Question
from app.domain.position import neutralise_tags
from tests.builders import BEYOND_ASCII, Chapter, make_epub
from tests.end_to_end.compass_book import finish, search_call, serve
from tests.fakes.scripted_server import ScriptedServer, called, said

pytestmark = [pytest.mark.end_to_end, pytest.mark.timeout(120)]

_TAG = re.compile(r"\[f\d+-\d+-\d+\]")


def tool_text(book, environment, call, question: str) -> str:
    """The tool message that a server receives after its call."""
    with ScriptedServer(call, said("Well.")) as server:
        serve(environment, server)
        finish(book.ask(Question(question), is_saved=False))
        (text,) = server.tool_messages
    return text


@pytest.fixture
def log(assembly, tmp_path):
    """A book of thirty chapters, with italics and characters beyond ASCII."""
    chapters = [
        Chapter(
            f"<h1>Day {day}</h1><p>{BEYOND_ASCII}On day {day} the <i>crew</i> of the Petrel "
            f"mended sail number {day}.</p><p>The cook served dish {day} twice, says [f1-2-3].</p>",
            title=f"Day {day}",
        )
        for day in range(1, 31)
    ]
    path = make_epub(tmp_path / "log.epub", chapters=chapters, title="The Log")
    _, made = finish(assembly.import_book(path))
    with assembly.open(made.book_id) as opened:
        yield opened


def check_passages(book, text: str) -> None:
    """Asserts that every tag stands before the readable text of its span."""
    tags = list(_TAG.finditer(text))
    assert len(tags) > 1
    for tag in tags:
        source = model_text(neutralise_tags(book.readable(book.span_of_tag(tag[0]))))
        after = text[tag.end() :]
        assert after.startswith(f" {source}")
        assert after[len(source) + 1 :][:1] in {"", "\n"}


def check_summaries(book, text: str) -> None:
    """Asserts that every segment is there, in reading order, with tags of its own text."""
    segments = book.segments()
    spans = [book.span_of_tag(tag) for tag in _TAG.findall(text)]
    owners = [
        next(
            segment.segment_index
            for segment in segments
            if any(part.contains(span) for part in segment.spans)
        )
        for span in spans
    ]
    assert owners == sorted(owners)
    assert set(owners) == {segment.segment_index for segment in segments}
    assert f"{len(segments)} sections in reading order" in text


def test_a_fact_question_gets_source_passages_with_their_tags(log, environment):
    text = tool_text(log, environment, search_call("sail number 17"), "Which sail on day 17?")
    check_passages(log, text)
    assert "the crew of the Petrel mended sail number 17." in text
    assert "## Day 17" in text
    assert "exact wording: 1" in text


def test_an_overview_gets_every_summary_in_reading_order(log, environment):
    text = tool_text(log, environment, called(FULL), "Summarise the book")
    assert len(log.segments()) == 30
    check_summaries(log, text)
    places = [text.find(f"sail number {day}.") for day in range(1, 31)]
    assert all(place >= 0 for place in places)
    assert places == sorted(places)
    assert "[f1-2-3]" not in text, "what the book writes like a tag is none"


@pytest.mark.corpus
def test_a_long_novel_hands_over_the_same(assembly, corpus, environment):
    _, made = finish(assembly.import_book(corpus / "se-war-and-peace.epub"))
    with assembly.open(made.book_id) as book:
        question = "What does Pierre feel at the comet of 1812?"
        text = tool_text(book, environment, search_call("comet of 1812"), question)
        check_passages(book, text)
        assert "comet" in text
        text = tool_text(book, environment, called(FULL), "Summarise the book")
        check_summaries(book, text)
