"""Tool calls from pieces."""

from __future__ import annotations

from typing import Any

import pytest

from app.llm.tool_call_merge import ToolCallMerge, calls_in_text


def merged(*deltas: dict[str, Any]) -> ToolCallMerge:
    merge = ToolCallMerge()
    for delta in deltas:
        merge.add(delta)
    return merge


def piece(arguments: object = None, **more: Any) -> dict[str, Any]:
    name = more.pop("name", None)
    return {**more, "function": {"name": name, "arguments": arguments}}


TWO = [("search", {"a": 1}), ("open", {"b": 2})]


@pytest.mark.parametrize(
    "deltas",
    [
        pytest.param(
            [
                piece("", index=0, id="x", name="search"),
                piece("", index=1, id="y", name="open"),
                piece('{"a":', index=0),
                piece('{"b": 2}', index=1),
                piece(" 1}", index=0),
            ],
            id="mixed, by index",
        ),
        pytest.param(
            [
                piece('{"a": 1}', index=0, id="x", name="search"),
                piece('{"b": 2}', index=0, id="y", name="open"),
            ],
            id="index always 0",
        ),
        pytest.param(
            [piece('{"a": 1}', index=0, name="search"), piece('{"b": 2}', index=0, name="open")],
            id="index always 0, no ids",
        ),
        pytest.param(
            [piece({"a": 1}, id="x", name="search"), piece({"b": 2}, id="x", name="open")],
            id="one id for both",
        ),
        pytest.param(
            [
                piece(None, name="search"),
                piece('{"a": 1}'),
                piece("", name="open"),
                piece('{"b": '),
                piece("2}"),
            ],
            id="neither index nor id",
        ),
        pytest.param(
            [
                piece('{"a": ', index=0, id="x", name="search"),
                piece("1}", index=0, id="x", name="search"),
                piece('{"a": 1}', index=0, id="x"),
                piece('"{\\"b\\": 2}"', index=1, id="y", name="open"),
            ],
            id="name and whole repeated, encoded twice",
        ),
    ],
)
def test_two_calls_stay_two(deltas: list[dict[str, Any]]) -> None:
    merge = merged(*deltas)
    calls = merge.calls()
    assert [(call.name, call.arguments) for call in calls] == TWO
    assert merge.are_complete
    assert len({call.call_id for call in calls}) == 2
    assert merge.calls() == calls


def test_two_calls_of_one_tool_stay_two() -> None:
    calls = merged(
        piece('{"a": 1}', index=0, name="search"), piece('{"a": 2}', index=0, name="search")
    ).calls()
    assert [call.arguments for call in calls] == [{"a": 1}, {"a": 2}]


def test_a_made_id_is_one_that_every_server_takes() -> None:
    (call,) = merged(piece("{}", name="search")).calls()
    assert len(call.call_id) == 9
    assert call.call_id.isalnum()


@pytest.mark.parametrize(
    ("raw", "arguments"), [("", {}), (None, {}), ('{"a": ', None), ("[1]", None)]
)
def test_arguments_are_an_object_or_none(raw: str | None, arguments: object) -> None:
    merge = merged(piece(raw, index=0, id="x", name="search"))
    assert merge.calls()[0].arguments == arguments
    assert not merge.are_complete


def test_a_piece_of_nothing_is_no_call() -> None:
    assert merged({"index": 0}, piece("{}", index=0)).calls() == ()


def test_a_signature_that_comes_alone_belongs_to_its_call() -> None:
    merge = merged(
        piece("{}", index=0, id="x", name="search"), {"index": 0, "extra_content": {"s": 1}}
    )
    assert merge.extras() == {"x": {"extra_content": {"s": 1}}}


@pytest.mark.parametrize(
    "text",
    [
        'So: <tool_call>{"name": "search", "arguments": {"a": 1}}</tool_call>',
        '[TOOL_REQUEST]{"name": "search", "arguments": {"a": 1}}[END_TOOL_REQUEST]',
        '<tool_call>\n{"name": "search", "parameters": {"a": 1}}\n',
    ],
)
def test_a_call_left_in_the_text_is_found(text: str) -> None:
    (call,) = calls_in_text(text)
    assert (call.name, call.arguments) == ("search", {"a": 1})
    assert calls_in_text("Ahab <tool_call>{broken}</tool_call>") == ()
