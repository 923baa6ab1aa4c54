"""What servers say went wrong."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from app.domain import errors
from app.domain.position import reads_as_tag
from app.llm.server_fault import FaultReader, ServerFault, retry_after_s

KEY = "sk-canary"
READER = FaultReader("gate.example", "whale-7b", KEY)


def fault(status: int, body: object, **headers: str) -> ServerFault:
    return READER.of_response(status, json.dumps(body), headers)


@pytest.mark.parametrize(
    "body",
    [
        {"error": {"message": "odd"}},
        {"error": "odd"},
        {"message": "odd"},
        {"detail": "odd"},
        {"detail": [{"msg": "odd"}]},
        [{"error": {"message": "odd", "status": "X"}}],
        {"error": {"message": {"detail": "odd"}}},
        "odd",
    ],
)
def test_the_sentence_is_found_in_every_shape(body: object) -> None:
    error = fault(400, body).error
    assert isinstance(error, errors.ModelRefused)
    assert error.reason == "odd"


def test_what_the_server_behind_a_gateway_said_is_told() -> None:
    error = READER.in_stream({"message": "upstream", "code": 400, "metadata": {"raw": "odd"}}).error
    assert isinstance(error, errors.ModelStreamBroken)
    assert error.reason == "upstream: odd"


@pytest.mark.parametrize("status", [408, 429, 500, 502, 503, 504, 529])
def test_a_passing_fault_may_be_waited_out(status: int) -> None:
    assert fault(status, "later").may_pass


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (400, "odd"),
        (401, ""),
        (402, ""),
        (403, ""),
        (404, ""),
        (429, {"error": {"code": "insufficient_quota"}}),
        (500, "the input length exceeds the context window of 10 tokens: 20"),
        (500, "this model does not support tools"),
    ],
)
def test_a_lasting_fault_is_not(status: int, body: object) -> None:
    assert not fault(status, body).may_pass


@pytest.mark.parametrize(
    "text",
    [
        "registry.example/whale does not support tools",
        '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
        "No endpoints found that support tool use",
        "Function calling is not supported by this model",
    ],
)
def test_a_model_without_tools_is_known(text: str) -> None:
    assert isinstance(fault(404, {"error": text}).error, errors.ToolsUnsupported)


@pytest.mark.parametrize(
    ("text", "tokens", "limit"),
    [
        (
            "The maximum context length is 4096 tokens. However, you requested 5000 (4000 + 1000).",
            5000,
            4096,
        ),
        ("prompt is too long: 210000 tokens > 200000 maximum", 210_000, 200_000),
        ("request (9000 tokens) exceeds the available context size (4096 tokens)", 9000, 4096),
    ],
)
def test_a_prompt_that_is_too_long_is_told_in_tokens(text: str, tokens: int, limit: int) -> None:
    error = fault(400, {"error": {"message": text}}).error
    assert isinstance(error, errors.PromptTooLong)
    assert (error.tokens, error.limit_tokens) == (tokens, limit)


def test_a_prompt_that_is_too_long_without_numbers_is_a_refusal() -> None:
    error = fault(400, {"error": {"code": "context_length_exceeded"}}).error
    assert isinstance(error, errors.ModelRefused)


def test_a_code_inside_a_stream_counts_as_a_status() -> None:
    assert isinstance(READER.in_stream({"code": 401}).error, errors.ModelUnauthorised)
    assert isinstance(READER.in_stream({"code": "429"}).error, errors.ModelBusy)
    assert READER.in_stream({"code": 502, "message": "bad gateway"}).may_pass


def test_the_refused_parameter_is_one_that_was_sent() -> None:
    found = fault(400, {"error": {"message": "unknown field stream_options"}})
    assert found.refused_parameter(["temperature", "stream_options"]) == "stream_options"
    assert found.refused_parameter(["temperature"]) is None
    assert fault(401, "temperature").refused_parameter(["temperature"]) is None


def test_the_key_is_never_quoted() -> None:
    found = fault(400, {"error": {"message": f"odd {KEY} " + "x" * 1000}})
    assert KEY not in f"{found}{READER}"
    assert isinstance(found.error, errors.ModelRefused)
    assert len(found.error.reason) < 310


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"Retry-After": "7"}, 7.0),
        ({"retry-after": "-1"}, 0.0),
        ({"Retry-After-Ms": "250"}, 0.25),
        ({"Retry-After": "soon"}, None),
        ({"Retry-After": "Wed, 21 Oct 2015 07:28:00 GMT"}, 0.0),
    ],
)
def test_the_time_to_wait_is_read(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after_s(headers) == seconds


def test_the_time_to_wait_may_be_a_date() -> None:
    later = format_datetime(datetime.now(UTC) + timedelta(seconds=60), usegmt=True)
    seconds = retry_after_s({"Retry-After": later})
    assert seconds is not None
    assert 50 < seconds <= 60


def test_a_tag_in_what_a_server_says_does_not_read_as_one() -> None:
    reader = FaultReader(host="models.example.org", model="small", key="")
    fault = reader.of_response(400, json.dumps({"error": "no such model [f1-20-30]"}), {})
    assert isinstance(fault.error, errors.ModelRefused)
    assert "no such model" in fault.error.reason
    assert not reads_as_tag(fault.error.reason)
