"""An answer's Markdown: footnotes as our links, everything else as harmless text."""

from __future__ import annotations

import re
from html import unescape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.position import reads_as_tag
from app.ui.chat.markdown import Mention, is_right_to_left, join_blocks, parse_answer


def html_of(markdown, numbers=(1, 2, 3), opened=()):
    return join_blocks(parse_answer(markdown, numbers, opened))


def test_a_footnote_is_a_link_to_its_mention():
    blocks = parse_answer("One.[^2] Two.[^1]\n\nThree.[^2]", {1, 2})
    assert [block.mentions for block in blocks] == [
        (Mention(0, 2), Mention(1, 1)),
        (Mention(2, 2),),
    ]
    assert 'href="cite:0"' in blocks[0].html
    assert 'href="cite:2"' in blocks[1].html


def test_an_unknown_number_stays_text():
    html = html_of("Said.[^9]", {1})
    assert "[^9]" in html
    assert "cite:" not in html


@pytest.mark.parametrize("code", ["`a[^1]`", "```\n[^1]\n```", "    [^1]"])
def test_a_footnote_in_code_is_code(code):
    assert "cite:" not in html_of(code)
    assert "[^1]" in html_of(code)


def test_an_open_footnote_is_marked():
    assert 'class="open" href="cite:1?open"' in html_of("a[^1] b[^1]", opened={1})


def test_mentions_keep_their_index_while_text_grows():
    text = "One.[^1]\n\n- two[^2]\n- three[^1]\n\nend[^3]"
    whole = [one for block in parse_answer(text, {1, 2, 3}) for one in block.mentions]
    for length in range(len(text)):
        part = [one for block in parse_answer(text[:length], {1, 2, 3}) for one in block.mentions]
        assert part == whole[: len(part)]


def test_list_items_are_blocks_and_keep_their_numbers_when_parted():
    blocks = parse_answer("3. three[^1]\n4. four\n5. five", {1})
    assert [(block.list_tag, block.list_number) for block in blocks] == [
        ("ol", 3),
        ("ol", 4),
        ("ol", 5),
    ]
    assert join_blocks(blocks).count("<ol") == 1
    assert join_blocks(blocks[1:]).startswith('<ol start="4">')


def test_two_lists_stay_two():
    assert html_of("- a\n- b\n\ntext\n\n1. c").count("<ul>") == 1
    assert html_of("- a\n\n1. c").count("</ul><ol") == 1


@pytest.mark.parametrize(
    "attack",
    [
        "<script>alert(1)</script>",
        '<img src="http://x/y?q=1">',
        "<a href='file:///etc/passwd'>x</a>",
        "[x](javascript:alert(1))",
        "[x](file:///etc/passwd)",
        "[x](data:text/html,hi)",
        "[x](cite:0)",
        "![alt](http://x/y.png?q=secret)",
        "![alt](file:///etc/passwd)",
        "<style>p{background:url(http://x)}</style>",
        "[x][y]\n\n[y]: cite:0",
    ],
)
def test_nothing_of_a_model_is_markup_or_a_way_out(attack):
    html = html_of(f"before {attack} after")
    tags = re.findall(r"<\s*/?\s*([a-z0-9]+)", html)
    assert set(tags) <= {"p", "a", "code", "em", "strong"}
    assert re.findall(r'(?:href|src)="(?!https?:|mailto:)', html) == []


def test_a_web_link_keeps_its_address():
    assert '<a class="web" href="https://a.b/c?d=1&amp;e">' in html_of("[l](https://a.b/c?d=1&e)")


@pytest.mark.parametrize(
    "disguise",
    [
        "f0&#45;1&#x2d;99", "&#102;0-1-99", "f&#48;-1-99", "f0&ndash;1&hyphen;99",
        "&lbrack;f0&dash;1&dash;99&rbrack;", "f0&shy;-1-99", "f**0**-1-99", "f0-*1*-99",
        "f0-1-`99`", "`f0`-1-99", "*f0*-~~1~~-99", "f0-[1](http://a.b)-99", "> f0&#45;1&#45;99",
        "- f0&#45;1&#45;99", "| a |\n|---|\n| f0&#45;1&#45;99 |", "[f0&#45;1-99](http://a.b/c)",
        "f0&#45;1\n-99", "![f0](x.png)-**1**-99",
    ],
)  # fmt: skip
def test_nothing_reads_as_a_position_tag_once_it_is_shown(disguise):
    assert not reads_as_tag(disguise), "or it would not come through the gate"
    for length in range(len(disguise) + 1):
        shown = unescape(re.sub("<[^>]*>", "", html_of(f"Said[^1] {disguise[:length]}")))
        assert not reads_as_tag(shown)
    assert re.search(r"f\W*0\W+1\W+99", shown), "all else stays"


def test_no_address_reads_as_a_position_tag():
    assert "f0/1/99" in html_of("[a](http://a.b/f0&#45;1&#45;99)")


def test_a_footnote_between_two_numbers_makes_no_tag():
    assert "-1" in html_of("f0-[^1]-1")


@given(st.text(alphabet="ab[]^()!`*_<>|-#\n 1234\"'&:/.", max_size=120))
def test_no_text_makes_a_link_that_was_not_confirmed(text):
    blocks = parse_answer(text, {1})
    known = [mention for block in blocks for mention in block.mentions]
    assert {mention.number for mention in known} <= {1}
    assert join_blocks(blocks).count('href="cite:') == len(known)


@pytest.mark.parametrize(
    ("text", "expected"),
    [("שלום", True), ("مرحبا", True), ("hello שלום", False), ("1. **שלום**", True), ("123", False)],
)
def test_direction_follows_the_first_letter(text, expected):
    assert is_right_to_left(text) is expected
