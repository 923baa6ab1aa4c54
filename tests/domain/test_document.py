"""Readable text puts back what the bare text glues together; offsets count the bare text."""

from __future__ import annotations

import pytest

from app.domain.document import Block, BlockKind, Break, DocumentText
from app.domain.position import Span


def document(text, breaks=(), blocks=None):
    whole = blocks or (Block(0, len(text), BlockKind.PARAGRAPH),)
    return DocumentText(0, text, tuple(whole), tuple(breaks))


@pytest.mark.parametrize(
    ("text", "breaks", "readable"),
    [
        ("one two", [], "one two"),
        ("onetwo", [Break(3, 0, "\n")], "one\ntwo"),
        ("ab", [Break(1, 0, "\t")], "a\tb"),
        ("  one \n  two  ", [], "one two"),
        ("one two", [Break(3, 1, "\n")], "one\ntwo"),
        ("exam-\nple", [Break(4, 2, "")], "example"),
        ("one\ntwo", [Break(3, 1, " ")], "one two"),
        ("漢\n字", [Break(1, 1, "")], "漢字"),
        ("one \n two", [Break(4, 0, "\n")], "one\ntwo"),
        ("ab", [Break(1, 0, "\n")] * 4, "a\n\nb"),
    ],
)
def test_breaks_are_put_back_and_white_space_collapses(text, breaks, readable):
    assert document(text, breaks).readable(0, len(text)) == readable


def test_a_part_is_read_by_offsets_of_the_bare_text():
    text = document("😀one\u0301two", [Break(5, 0, "\n")])
    assert text.readable(1, 8) == "one\u0301\ntwo"
    assert text.readable_span(Span(0, 5, 8)) == "two"
    assert text.readable(1, 99) == "one\u0301\ntwo"
    assert text.readable(3, 3) == ""


def test_a_break_before_the_range_does_not_reach_into_it():
    assert document("exam-\nple", [Break(4, 2, "")]).readable(6, 9) == "ple"


def test_code_keeps_its_lines_and_indents():
    code = "if x:\n    y()"
    text = document(
        f"See:{code}",
        [Break(4, 0, "\n")],
        [
            Block(0, 4, BlockKind.PARAGRAPH),
            Block(4, 4 + len(code), BlockKind.CODE),
        ],
    )
    assert text.readable(0, 99) == f"See:\n{code}"
