"""The grammar of the command line."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.command_line.arguments import COMMANDS, make_parser, parse_arguments


def test_every_command_of_the_grammar_is_known() -> None:
    extra = {"ask": ["b", "q"], "find": ["b", "w"], "quote": ["b", "t"], "text": ["b", "[f0-0-1]"]}
    for command in COMMANDS:
        words = extra.get(command, ["b"] if command in {"import", "segments"} else [])
        words = ["b", "1"] if command == "page" else words
        assert make_parser().parse_args([command, *words]).command == command


def test_the_data_folder_may_stand_before_or_after_the_command() -> None:
    before = make_parser().parse_args(["--data-dir", "d", "import", "b"])
    after = make_parser().parse_args(["import", "b", "--data-dir", "d"])
    assert before.data_dir == after.data_dir == Path("d")


def test_wrong_usage_ends_with_status_2(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        make_parser().parse_args(["ask"])
    assert ended.value.code == 2
    assert "usage" in capsys.readouterr().err


@pytest.mark.parametrize(
    "words",
    [
        ["b", "white whale", "--json"],
        ["b", "--json", "white whale"],
        ["--json", "b", "white whale"],
        ["b", "--scope", "read", "white whale"],
        ["b", "--json", "--", "white whale"],
    ],
)
def test_a_question_may_stand_before_or_after_the_options(words: list[str]) -> None:
    options = parse_arguments(["find", *words])
    assert (options.book, options.words) == (Path("b"), "white whale")


@pytest.mark.parametrize(
    "words", [["b"], ["b", "q", "r"], ["b", "--nonsense"], ["b", "q", "--questions", "f"]]
)
def test_a_command_without_just_one_question_is_wrong_usage(words: list[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        parse_arguments(["ask", *words])
    assert ended.value.code == 2
