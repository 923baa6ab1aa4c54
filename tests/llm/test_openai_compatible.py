"""Questions to servers of every temper, through real sockets."""

from __future__ import annotations

import json
import logging
import socket
import threading
import time
import traceback
from contextlib import closing
from typing import TYPE_CHECKING, Any

import pytest

from app.domain import errors
from app.llm.chat_model import (
    AssistantMessage,
    ModelFinished,
    ReasoningDelta,
    SystemMessage,
    TextDelta,
    ToolCall,
    ToolDefinition,
    ToolResult,
    UserMessage,
)
from app.llm.openai_compatible import OpenAICompatibleModel
from tests.fakes.scripted_server import (
    DONE,
    ScriptedReply,
    ScriptedServer,
    delta_chunk,
    said,
    text_chunk,
)
from tests.fakes.threads import run_together

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.llm.chat_model import ModelEvent

KEY = "sk-canary-0123456789"
QUESTION = [SystemMessage("Cite."), UserMessage("Who is Ahab?")]
SEARCH = ToolDefinition("search", "Searches.", {"type": "object", "properties": {}})
STOP = delta_chunk({}, finish="stop")
TOO_MANY = ScriptedReply(
    status=429, headers={"Retry-After": "0"}, body={"error": {"message": "slow down"}}
)


def model_at(server: ScriptedServer, **more: Any) -> OpenAICompatibleModel:
    arguments: dict[str, Any] = {
        "provider": "scripted",
        "base_url": server.base_url,
        "api_key": KEY,
        "model": "whale-7b",
        "is_on_this_computer": True,
    }
    return OpenAICompatibleModel(**(arguments | more))


def ask(
    server: ScriptedServer, tools: Sequence[ToolDefinition] = (), **more: Any
) -> list[ModelEvent]:
    return list(model_at(server, **more).stream(QUESTION, tools=tools))


def text_of(events: Sequence[ModelEvent]) -> str:
    return "".join(event.text for event in events if isinstance(event, TextDelta))


def calls_of(events: Sequence[ModelEvent]) -> list[ToolCall]:
    return [event for event in events if isinstance(event, ToolCall)]


def refusal(status: int, message: str, **more: Any) -> ScriptedReply:
    return ScriptedReply(status=status, body={"error": {"message": message, **more}})


def test_text_comes_in_pieces_and_ends_with_the_count() -> None:
    usage = {"choices": [], "usage": {"prompt_tokens": 11, "completion_tokens": 2}}
    with ScriptedServer(
        ScriptedReply([text_chunk("Call me "), text_chunk("Ishmael."), STOP, usage, DONE])
    ) as server:
        events = ask(server)
    assert events == [
        TextDelta("Call me "),
        TextDelta("Ishmael."),
        ModelFinished("stop", 11, 2),
    ]
    sent = server.requests[0]
    assert sent.path == "/v1/chat/completions"
    assert sent.headers["authorization"] == f"Bearer {KEY}"
    assert sent.body["messages"][0] == {"role": "system", "content": "Cite."}
    assert "tools" not in sent.body
    assert "tool_choice" not in sent.body


def test_comments_blank_lines_and_split_letters_are_read_through() -> None:
    line = "data:" + json.dumps(text_chunk("Ahab\u2028é"), ensure_ascii=False) + "\r\n"
    raw = line.encode()
    with ScriptedServer(
        ScriptedReply(
            [
                ": OPENROUTER PROCESSING\n\n\n",
                *[raw[at : at + 1] for at in range(len(raw))],
                "event: message\n",
                b"data: " + json.dumps(STOP).encode(),
            ]
        )
    ) as server:
        events = ask(server)
    assert text_of(events) == "Ahab\u2028é"
    assert isinstance(events[-1], ModelFinished)


FRAGMENTS = [
    {"index": 0, "id": "a1", "function": {"name": "search", "arguments": ""}},
    {"index": 0, "function": {"arguments": '{"words": '}},
    {"index": 0, "id": "", "function": {"arguments": '"whale"}'}},
]


@pytest.mark.parametrize(
    "deltas",
    [
        pytest.param(FRAGMENTS, id="fragments"),
        pytest.param(
            [{"id": "a1", "function": {"name": "search", "arguments": '{"words": "whale"}'}}],
            id="whole, without an index",
        ),
        pytest.param(
            [{"index": 0, "function": {"name": "search", "arguments": {"words": "whale"}}}],
            id="an object, without an id",
        ),
        pytest.param(
            [
                {"function": {"name": "search", "arguments": None}},
                {"function": {"arguments": '{"words": "whale"}'}},
            ],
            id="pieces, without index and id",
        ),
        pytest.param(
            [
                {"index": 0, "id": "r1", "function": {"name": "search", "arguments": '{"words"'}},
                {"index": 0, "id": "r2", "function": {"arguments": ': "whale"}'}},
            ],
            id="a new id for every fragment",
        ),
        pytest.param(
            [{"index": 0, "id": "a1", "name": "search", "arguments": '{"words": "whale"}'}],
            id="flat",
        ),
    ],
)
def test_a_tool_call_is_read_whatever_its_shape(deltas: list[dict[str, Any]]) -> None:
    chunks = [delta_chunk({"tool_calls": [delta]}) for delta in deltas]
    with ScriptedServer(ScriptedReply([*chunks, STOP, DONE])) as server:
        events = ask(server, [SEARCH])
    (call,) = calls_of(events)
    assert (call.name, call.arguments) == ("search", {"words": "whale"})
    assert call.call_id
    assert events[-1] == ModelFinished("tool_calls")
    assert server.requests[0].body["parallel_tool_calls"] is True


def test_a_call_that_the_server_left_in_the_text_is_a_call() -> None:
    text = '<tool_call>{"name": "search", "arguments": {"words": "whale"}}</tool_call>'
    with ScriptedServer(said(text)) as server:
        assert calls_of(ask(server, [SEARCH]))[0].arguments == {"words": "whale"}
        assert calls_of(ask(server)) == []


def test_reasoning_is_told_apart_and_goes_back_beside_calls() -> None:
    call = {"index": 0, "id": "a1", "function": {"name": "search", "arguments": "{}"}}
    signature = {"google": {"thought_signature": "xyz"}}
    with ScriptedServer(
        ScriptedReply(
            [
                delta_chunk({"reasoning_content": "Hmm. "}),
                delta_chunk({"reasoning_content": "Whale."}),
                delta_chunk({"tool_calls": [call | {"extra_content": signature}]}),
                STOP,
            ]
        ),
        said("Ahab."),
    ) as server:
        model = model_at(server)
        events = list(model.stream(QUESTION, tools=[SEARCH]))
        finished = events[-1]
        assert isinstance(finished, ModelFinished)
        turn = AssistantMessage("", tuple(calls_of(events)), finished.extras)
        list(model.stream([*QUESTION, turn, ToolResult("a1", "search", "A passage.")]))
    assert events[:2] == [ReasoningDelta("Hmm. "), ReasoningDelta("Whale.")]
    assert text_of(events) == ""
    echoed = server.requests[1].body["messages"][2]
    assert echoed["reasoning_content"] == "Hmm. Whale."
    assert echoed["tool_calls"][0]["extra_content"] == signature


@pytest.mark.parametrize("is_cut", [True, False])
def test_a_stream_that_ends_early_is_broken(is_cut: bool) -> None:  # noqa: FBT001
    with ScriptedServer(ScriptedReply([text_chunk("Call me")], is_cut=is_cut)) as server:
        events = model_at(server).stream(QUESTION)
        assert next(events) == TextDelta("Call me")
        with pytest.raises(errors.ModelStreamBroken):
            next(events)
    assert len(server.requests) == 1


def test_what_follows_the_end_of_the_reply_does_not_matter() -> None:
    with ScriptedServer(ScriptedReply([text_chunk("Ahab."), STOP], is_cut=True)) as server:
        assert text_of(ask(server)) == "Ahab."


@pytest.mark.parametrize(
    "chunk",
    [
        {"error": {"message": "out of memory", "code": None}},
        {"error": "out of memory"},
        {"choices": [{"finish_reason": "error", "error": {"message": "out of memory"}}]},
        {"object": "error", "message": "out of memory"},
        "data: out of memory\n\n",
    ],
)
def test_an_error_inside_a_stream_is_one(chunk: dict[str, Any] | str) -> None:
    with (
        ScriptedServer(ScriptedReply([text_chunk("Call"), chunk, DONE])) as server,
        pytest.raises(errors.ModelStreamBroken) as raised,
    ):
        ask(server)
    assert "out of memory" in raised.value.reason


@pytest.mark.parametrize(
    ("reply", "error", "fields"),
    [
        (refusal(401, f"bad key {KEY}"), errors.ModelUnauthorised, {}),
        (refusal(403, "no"), errors.ModelUnauthorised, {}),
        (
            refusal(404, "no model whale-7b"),
            errors.ModelRefused,
            {"status": 404, "reason": "no model whale-7b"},
        ),
        (ScriptedReply(status=400, body="<p>odd</p>"), errors.ModelRefused, {"reason": "odd"}),
        (
            ScriptedReply(status=301, headers={"Location": "http://x/"}, body=""),
            errors.ModelRefused,
            {"status": 301},
        ),
        (
            refusal(429, "no credit", code="insufficient_quota"),
            errors.ModelRefused,
            {"status": 429},
        ),
        (
            ScriptedReply(status=429, headers={"Retry-After": "70"}, body=""),
            errors.ModelBusy,
            {"retry_after_s": 70.0},
        ),
        (
            refusal(400, "registry/whale-7b does not support tools"),
            errors.ToolsUnsupported,
            {"model": "whale-7b"},
        ),
        (
            refusal(
                400, "too long", type="exceed_context_size_error", n_prompt_tokens=9000, n_ctx=4096
            ),
            errors.PromptTooLong,
            {"tokens": 9000, "limit_tokens": 4096},
        ),
        (
            refusal(
                400,
                "This model's maximum context length is 4096 tokens. However, you requested 5000.",
            ),
            errors.PromptTooLong,
            {"tokens": 5000, "limit_tokens": 4096},
        ),
    ],
)
def test_a_refusal_is_told_by_what_it_means_and_not_tried_again(
    reply: ScriptedReply, error: type[errors.ModelError], fields: dict[str, Any]
) -> None:
    with ScriptedServer(reply) as server, pytest.raises(error) as raised:
        ask(server, [SEARCH])
    assert {name: getattr(raised.value, name) for name in fields} == fields
    assert len(server.requests) == 1


def test_a_busy_server_is_asked_again_when_it_says() -> None:
    with ScriptedServer(TOO_MANY, said("Ahab.")) as server:
        assert text_of(ask(server)) == "Ahab."
    assert len(server.requests) == 2


def test_a_server_that_stays_busy_is_left_after_three_requests() -> None:
    with ScriptedServer(TOO_MANY) as server, pytest.raises(errors.ModelBusy):
        ask(server)
    assert len(server.requests) == 3


def test_a_refused_parameter_is_left_out_from_then_on() -> None:
    with ScriptedServer(
        refusal(400, "Unrecognized request argument supplied: parallel_tool_calls"),
        refusal(422, "extra inputs are not permitted: stream_options"),
        refusal(400, "tool_choice required is not supported in thinking mode"),
        said("Ahab."),
    ) as server:
        model = model_at(server)
        assert text_of(list(model.stream(QUESTION, tools=[SEARCH], tool_choice="required")))
        assert text_of(list(model.stream(QUESTION, tools=[SEARCH])))
    assert len(server.requests) == 5
    assert not model.capabilities.honours_forced_call
    refused = {"parallel_tool_calls", "stream_options", "tool_choice"}
    assert not refused & set(server.requests[4].body)
    assert "temperature" in server.requests[4].body


def test_a_parameter_that_is_refused_again_without_being_sent_ends_it() -> None:
    with (
        ScriptedServer(refusal(400, "temperature is not supported")) as server,
        pytest.raises(errors.ModelRefused),
    ):
        ask(server)
    assert len(server.requests) == 2


def test_a_port_without_a_server_is_unreachable_at_once() -> None:
    with closing(socket.socket()) as taken:
        taken.bind(("127.0.0.1", 0))
        base_url = f"127.0.0.1:{taken.getsockname()[1]}"
        model = OpenAICompatibleModel(provider="p", base_url=base_url, api_key="", model="m")
        with pytest.raises(errors.ModelUnreachable) as raised:
            list(model.stream(QUESTION))
    assert raised.value.host == base_url


def test_an_address_that_is_none_is_said_to_be_none() -> None:
    model = OpenAICompatibleModel(provider="p", base_url="ftp://x", api_key="", model="m")
    with pytest.raises(errors.ModelUnreachable):
        list(model.stream(QUESTION))


@pytest.mark.parametrize("key", ["sk-\nx", "sk-é", "two words"])
def test_a_key_that_no_header_can_hold_is_refused_here(key: str) -> None:
    with ScriptedServer(said("Ahab.")) as server, pytest.raises(errors.ModelUnauthorised):
        ask(server, api_key=key)
    assert server.requests == []


@pytest.mark.parametrize("events", [[], [text_chunk("Call me")]])
def test_a_server_that_falls_silent_is_given_up(events: list[dict[str, Any]]) -> None:
    with (
        ScriptedServer(ScriptedReply(events, stays_silent=True)) as server,
        pytest.raises(errors.ModelTimedOut),
    ):
        ask(server, first_token_timeout_s=0.2, between_tokens_timeout_s=0.2)


def test_comments_do_not_keep_a_silent_reply_alive() -> None:
    with (
        ScriptedServer(ScriptedReply([": ping\n"] * 3, stays_silent=True)) as server,
        pytest.raises(errors.ModelTimedOut),
    ):
        ask(server, first_token_timeout_s=0.0, between_tokens_timeout_s=5.0)


@pytest.mark.parametrize("events", [[], [text_chunk("Call me")]])
def test_a_waiting_stream_ends_at_once_when_another_thread_aborts(
    events: list[dict[str, Any]],
) -> None:
    with ScriptedServer(ScriptedReply(events, stays_silent=True)) as server:
        model = model_at(server)
        has_heard = threading.Event()
        heard: list[ModelEvent] = []

        def stop() -> float:
            assert (has_heard if events else server.is_silent).wait(5)
            began = time.monotonic()
            model.abort()
            return began

        def listen() -> float:
            for event in model.stream(QUESTION):
                heard.append(event)
                has_heard.set()
            return time.monotonic()

        began, ended = run_together(stop, listen)
        assert isinstance(began, float)
        assert isinstance(ended, float)
        assert server.client_left.wait(5)
    assert heard == ([TextDelta("Call me")] if events else [])
    assert ended - began < 1.0


def test_a_wait_for_a_busy_server_ends_when_another_thread_aborts() -> None:
    busy = ScriptedReply(status=503, headers={"Retry-After": "15"}, body="", says_so=True)
    with ScriptedServer(busy) as server:
        model = model_at(server)

        def stop() -> None:
            assert server.is_silent.wait(5)
            model.abort()

        began = time.monotonic()
        assert run_together(stop, lambda: list(model.stream(QUESTION)))[1] == []
    assert time.monotonic() - began < 5
    assert len(server.requests) == 1


def test_an_abort_before_the_first_event_is_not_lost_and_the_next_stream_is_free_of_it() -> None:
    with ScriptedServer(said("Ahab.")) as server:
        model = model_at(server)
        stream = model.stream(QUESTION)
        model.abort()
        assert list(stream) == []
        assert text_of(list(model.stream(QUESTION))) == "Ahab."


def test_a_stream_that_is_closed_midway_leaves_the_server() -> None:
    with ScriptedServer(ScriptedReply([text_chunk("Call me")], stays_silent=True)) as server:
        stream = model_at(server).stream(QUESTION)
        assert next(stream) == TextDelta("Call me")
        stream.close()  # type: ignore[attr-defined]
        assert server.client_left.wait(5)


def test_nothing_of_the_environment_reaches_the_server(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("API_KEY", "ADMIN_KEY", "ORG_ID", "PROJECT_ID", "WEBHOOK_SECRET"):
        monkeypatch.setenv(f"OPENAI_{name}", "leaked")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://leaked.invalid/v1")
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", "X-Leaked: leaked\nAuthorization: leaked")
    monkeypatch.setenv("HTTP_PROXY", "http://leaked.invalid:1")
    with ScriptedServer(said("Ahab.")) as server:
        assert text_of(ask(server, api_key="")) == "Ahab."
    assert "leaked" not in str(server.requests[0])
    assert "authorization" not in server.requests[0].headers


@pytest.mark.parametrize(
    "reply",
    [
        refusal(401, f"Incorrect API key: {KEY}"),
        refusal(400, f"odd {KEY}"),
        ScriptedReply(status=429, headers={"Retry-After": "0"}, body=KEY),
        ScriptedReply([{"error": {"message": f"no {KEY}"}}]),
        ScriptedReply([f"data: {KEY}\n\n"]),
        ScriptedReply([], is_cut=True),
        ScriptedReply([], stays_silent=True),
    ],
)
def test_the_key_is_in_no_log_and_no_error(
    reply: ScriptedReply, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    with ScriptedServer(reply) as server:
        model = model_at(server, first_token_timeout_s=0.2, between_tokens_timeout_s=0.2)
        with pytest.raises(errors.ModelError) as raised:
            list(model.stream(QUESTION))
    told = "".join(traceback.format_exception(raised.value, chain=True))
    everything = f"{told}{raised.value!r}{vars(raised.value)}{model!r}{caplog.text}"
    assert KEY not in everything
    assert raised.value.__context__ is None
