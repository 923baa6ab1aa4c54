"""Servers that do not search, do not cite, break off or refuse: what the reader is left with."""

from __future__ import annotations

import pytest

from app.domain.conversation import AnswerState, AnswerText, Lane, Question, Searching
from app.domain.errors import ModelError, ModelUnauthorised
from app.domain.position import find_tags
from tests.end_to_end.compass_book import FACT, finish, search_call, serve, span_of
from tests.fakes.scripted_server import ScriptedReply, ScriptedServer, said, text_chunk

pytestmark = [pytest.mark.end_to_end, pytest.mark.timeout(120)]

QUESTION = Question("What did the keeper bury under the third stair?")
FROM_MEMORY = "As everybody knows, it was a golden crown."


def shown_in(events) -> str:
    return "".join(event.text for event in events if isinstance(event, AnswerText))


def test_a_draft_from_memory_never_shows_and_the_program_searches(compass, environment):
    span = span_of(compass, "silver compass")
    replies = [
        said(f"{FROM_MEMORY} {span.tag}"),
        said(f"He buried a silver compass {span.tag}."),
    ]
    with ScriptedServer(*replies) as server:
        serve(environment, server)
        events, answer = finish(compass.ask(QUESTION))
        first, second = (request.body for request in server.requests)
    assert first["tool_choice"] == "required"
    assert f"{span.tag} " in second["messages"][-1]["content"], "the passages are handed over"
    assert FROM_MEMORY not in str(second["messages"]), "nor is the draft there to be repeated"
    assert isinstance(events[0], Searching)
    assert shown_in(events) == "He buried a silver compass."
    assert (answer.lane, answer.unsourced) == (Lane.GROUNDED, "")
    assert answer.markdown == "He buried a silver compass[^1]."
    assert [citation.span for citation in answer.citations] == [span]
    assert {"keeper", "bury", "stair"} < set(answer.searches[0].words)


def test_a_server_that_never_calls_and_never_cites_is_folded_under_quotes(compass, environment):
    with ScriptedServer(said(FROM_MEMORY)) as server:
        serve(environment, server)
        events, answer = finish(compass.ask(QUESTION))
        assert len(server.requests) == 3, "from memory, from the passages, and once more"
    assert "crown" not in shown_in(events) + answer.markdown
    assert (answer.lane, answer.state) == (Lane.GROUNDED, AnswerState.COMPLETE)
    assert FACT in answer.citations[0].text
    assert answer.unsourced == FROM_MEMORY
    assert answer.provider == "built-in"
    assert compass.turns()[-1].unsourced == FROM_MEMORY


def test_a_server_that_searches_and_cites_nothing_twice_is_quoted_over(compass, environment):
    replies = [search_call("silver compass"), said("A crown."), said(FROM_MEMORY)]
    with ScriptedServer(*replies) as server:
        serve(environment, server)
        events, answer = finish(compass.ask(QUESTION))
        asked_again = server.requests[2].body["messages"]
    assert asked_again[-2]["content"] == "A crown."
    again = asked_again[-1]["content"]
    assert "[f#-start-end]" in again
    assert not find_tags(again), "a tag that is copied from an example would be no evidence"
    assert "rown" not in shown_in(events)
    assert FACT in answer.citations[0].text
    assert answer.unsourced == FROM_MEMORY


def test_words_from_memory_are_no_answer_where_the_book_has_none(compass, environment):
    with ScriptedServer(said("It is a theory of quarks [^1] [f0-1-9].")) as server:
        serve(environment, server)
        events, answer = finish(compass.ask(Question("What does it say on chromodynamics?")))
    assert (answer.lane, answer.citations) == (Lane.NOT_FOUND, ())
    assert "quarks" not in shown_in(events) + answer.markdown
    assert answer.searches[0].found_nothing or answer.searches[0].words_matched < 3


def test_a_stream_that_breaks_after_a_citation_keeps_what_was_shown(compass, environment):
    tag = span_of(compass, "silver compass").tag
    broken = ScriptedReply([text_chunk(f"He buried a compass {tag}."), text_chunk(" And he ")])
    broken = ScriptedReply(broken.events, is_cut=True)
    with ScriptedServer(search_call("silver compass"), broken) as server:
        serve(environment, server)
        events, answer = finish(compass.ask(QUESTION))
    assert answer.state is AnswerState.CUT
    assert answer.markdown == "He buried a compass[^1]. And he"
    assert shown_in(events).startswith("He buried a compass. And he")
    assert compass.turns()[-1] == answer


def test_a_stream_that_breaks_before_a_citation_is_a_fault_and_keeps_the_question(
    compass, environment
):
    broken = ScriptedReply([text_chunk("A crown, and ")], is_cut=True)
    with ScriptedServer(search_call("silver compass"), broken) as server:
        serve(environment, server)
        with pytest.raises(ModelError):
            finish(compass.ask(QUESTION))
    (turn,) = compass.turns()
    assert (turn.question, turn.markdown) == (QUESTION, "")


def test_a_refused_key_is_told_at_once(compass, environment):
    refusal = ScriptedReply(status=401, body={"error": {"message": "bad key"}})
    with ScriptedServer(refusal) as server:
        serve(environment, server)
        with pytest.raises(ModelUnauthorised):
            finish(compass.ask(QUESTION))
        assert len(server.requests) == 1
