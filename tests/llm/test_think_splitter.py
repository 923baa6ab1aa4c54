"""Reasoning inside the text of a reply."""

from __future__ import annotations

import pytest

from app.llm.think_splitter import SplitText, ThinkSplitter

CASES = [
    pytest.param("<think>Hm.</think>Ahab.", "Hm.", "Ahab.", id="paired"),
    pytest.param("\n<think>\nHm.\n</think>\n\nAhab.", "\nHm.\n", "Ahab.", id="with white space"),
    pytest.param("<thinking>Hm.</thinking>Ahab.", "Hm.", "Ahab.", id="the longer name"),
    pytest.param("<think>a</think>\n<think>b</think>Ahab.", "ab", "Ahab.", id="twice"),
    pytest.param("<think></think>Ahab.", "", "Ahab.", id="empty"),
    pytest.param(
        "<think>2 < 3 </thin> </b>Hm.</think>Ahab.",
        "2 < 3 </thin> </b>Hm.",
        "Ahab.",
        id="what only looks like the end",
    ),
    pytest.param("<think>never closed", "never closed", "", id="unclosed"),
    pytest.param("Ahab < Starbuck <", "", "Ahab < Starbuck <", id="none"),
    pytest.param("<thinker> is a word", "", "<thinker> is a word", id="another tag"),
    pytest.param(
        "Write:\n```\n<think>\nx\n</think>\n```\nDone.",
        "",
        "Write:\n```\n<think>\nx\n</think>\n```\nDone.",
        id="in a code block",
    ),
    pytest.param(
        "Put `<think>` and `</think>` around.",
        "",
        "Put `<think>` and `</think>` around.",
        id="between backticks",
    ),
    pytest.param("Hm.\n</think>\n\nAhab.", "", "Hm.\nAhab.", id="closed only"),
]


def split(pieces: list[str], *, is_open: bool = False) -> tuple[str, str, ThinkSplitter]:
    splitter = ThinkSplitter(is_open=is_open)
    runs = [run for piece in pieces for run in splitter.feed(piece)] + splitter.finish()
    thought = "".join(run.text for run in runs if run.is_reasoning)
    return thought, "".join(run.text for run in runs if not run.is_reasoning), splitter


@pytest.mark.parametrize(("text", "thought", "answer"), CASES)
def test_reasoning_is_parted_wherever_the_text_is_cut(text: str, thought: str, answer: str) -> None:
    assert split([text])[:2] == (thought, answer)
    assert split(list(text))[:2] == (thought, answer)
    for first in range(len(text)):
        for second in range(first, len(text), 3):
            pieces = [text[:first], text[first:second], text[second:]]
            assert split(pieces)[:2] == (thought, answer), pieces


def test_a_close_without_an_opening_is_remembered_for_the_next_reply() -> None:
    *_, splitter = split(["Hm.\n</think>\nAhab."])
    assert splitter.closed_unopened
    thought, answer, splitter = split(["Hm.\n</", "think>\nAhab."], is_open=True)
    assert (thought, answer) == ("Hm.\n", "Ahab.")


def test_a_reply_that_was_to_begin_in_reasoning_and_does_not_is_the_answer() -> None:
    assert split(["Ah", "ab."], is_open=True)[:2] == ("", "Ahab.")


def test_a_block_in_reasoning_that_is_left_open_hides_no_closing_tag() -> None:
    text = "Hm:\n```\ncode\n</think>\nAhab."
    assert split(list(text), is_open=True)[:2] == ("Hm:\n```\ncode\n", "Ahab.")


def test_what_is_held_is_the_answer_where_reasoning_comes_in_its_own_field() -> None:
    splitter = ThinkSplitter(is_open=True)
    assert splitter.feed("Ahab.") == []
    assert splitter.release() == [SplitText("Ahab.", is_reasoning=False)]


def test_reasoning_that_is_never_closed_is_known() -> None:
    assert split(["<think>Hm", "."])[2].unclosed == "Hm."


def test_text_comes_as_soon_as_it_can_be_no_tag() -> None:
    splitter = ThinkSplitter()
    assert [run.text for run in splitter.feed("Ahab")] == ["Ahab"]
    assert splitter.feed("<") == []
    assert [run.text for run in splitter.feed("b")] == ["<b"]
