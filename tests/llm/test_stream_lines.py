"""Event streams as servers write them."""

from __future__ import annotations

import pytest

from app.llm.stream_lines import DONE, UnreadableChunk, values


def read(raw: bytes) -> list[object]:
    whole = [value for value in values([raw]) if value is not None]
    single = [raw[at : at + 1] for at in range(len(raw))]
    assert [value for value in values(single) if value is not None] == whole
    return whole


@pytest.mark.parametrize(
    "raw",
    [
        b'data: {"a": 1}\n\ndata: {"a": 2}\n\ndata: [DONE]\n\n',
        b'data:{"a": 1}\r\n\r\ndata:{"a": 2}\r\n\r\ndata:[DONE]',
        b': ping\n\nevent: x\nid: 7\ndata: {"a": 1}\ndata: {"a": 2}\ndata: \ndata: [DONE]',
    ],
)
def test_every_data_line_is_a_value(raw: bytes) -> None:
    assert read(raw) == [{"a": 1}, {"a": 2}, DONE]


def test_only_cr_and_lf_end_a_line() -> None:
    assert read('data: "a\u2028b\x85c"\n\n'.encode()) == ["a\u2028b\x85c"]


def test_a_body_that_is_no_stream_is_a_value() -> None:
    assert read(b'{\n "error":\n "no"\n}\n') == [{"error": "no"}]


def test_what_keeps_the_connection_alive_is_seen() -> None:
    assert list(values([b": ping\n"])) == [None, None]


@pytest.mark.parametrize("raw", [b'data: {"a": \n\n', b"data: " + b"[" * 100_000, b"<html>\n"])
def test_what_is_no_json_is_said_to_be_none(raw: bytes) -> None:
    with pytest.raises(UnreadableChunk):
        list(values([raw]))
