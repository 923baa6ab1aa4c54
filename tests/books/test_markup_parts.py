"""Long documents in parts that together are the document."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from app.books.canonical import MARK, tree_text
from app.books.markup_names import XHTML, xhtml
from app.books.markup_parts import PART_BYTES, cut_into_parts, serialised
from app.books.parse_markup import reparsed
from app.books.tree_walk import read_tree

WORDS = "All happy families are alike. " * 3


def page(inside: str) -> etree._Element:
    return etree.fromstring(
        f'<html xmlns="{XHTML}" lang="en" class="h"><head><title>t</title>'
        f'<link rel="stylesheet" href="a.css"/></head><body class="b" dir="rtl">'
        f"{inside}</body></html>"
    )


def parts_of(
    inside: str, part_bytes: int = 1500
) -> tuple[str, list[etree._Element], list[tuple[int, int]]]:
    root = page(inside)
    text = read_tree(root.find(xhtml("body"))).text
    parts = cut_into_parts(root, len(text), part_bytes=part_bytes)
    assert [part.part_index for part in parts] == list(range(len(parts)))
    return (
        text,
        [reparsed(part.markup) for part in parts],
        [(part.start, part.end) for part in parts],
    )


def check(text: str, trees: list[etree._Element], ranges: list[tuple[int, int]]) -> None:
    """Parts follow one another, hold their text, and their marks are right."""
    assert ranges[0][0] == 0
    assert ranges[-1][1] == len(text)
    assert all(last[1] == first[0] for last, first in pairwise(ranges))
    for tree, (start, end) in zip(trees, ranges, strict=True):
        body = tree.find(xhtml("body"))
        assert tree_text(body) == text[start:end]
        check_marks(body, start, text)


def check_marks(body: etree._Element, start: int, text: str) -> None:
    """Each mark is the offset of its element, counted anew through the part."""
    offset = start
    for event, element in etree.iterwalk(body, events=("start", "end")):
        if event == "start":
            if element.get(MARK) is not None:
                assert int(element.get(MARK)) == offset
            offset += len(element.text or "")
        elif element is not body:
            offset += len(element.tail or "")


def test_a_short_document_is_one_part():
    text, trees, ranges = parts_of("<p>a</p> <p>b</p>", PART_BYTES)
    assert ranges == [(0, 3)]
    check(text, trees, ranges)


def test_a_document_without_text_is_one_part():
    assert parts_of("", 100)[2] == [(0, 0)]
    assert parts_of(WORDS * 99)[2] == [(0, len(WORDS * 99))]


def test_every_part_has_the_head_and_the_attributes_of_what_it_cuts_through():
    paragraphs = "".join(f"<p>{n} {WORDS}</p>\n" for n in range(40))
    text, trees, ranges = parts_of(
        f'<section class="s" id="i">\n<div style="color: red">\n{paragraphs}</div>\n</section>tail'
    )
    check(text, trees, ranges)
    assert len(trees) > 3
    for tree in trees:
        assert (tree.get("lang"), tree.get("class")) == ("en", "h")
        assert tree.find(f"{xhtml('head')}/{xhtml('link')}").get("href") == "a.css"
        assert tree.find(xhtml("body")).get("class") == "b"
        assert tree.find(f".//{xhtml('section')}").get("class") == "s"
        assert tree.find(f".//{xhtml('div')}").get("style") == "color: red"


def test_a_clone_of_a_marked_element_has_the_part_s_own_offset():
    paragraphs = "".join(f"<p>{WORDS}</p>" for _ in range(40))
    text, trees, ranges = parts_of(f"before{paragraphs}after")
    check(text, trees, ranges)
    for tree, (start, _) in zip(trees, ranges, strict=True):
        assert tree.find(xhtml("body")).get(MARK) == str(start)


def test_parts_are_not_larger_than_they_may_be():
    text = "".join(f"<div><p>{n} {WORDS}</p><p>{WORDS}</p></div>" for n in range(200))
    root = page(text)
    length = len(read_tree(root.find(xhtml("body"))).text)
    parts = cut_into_parts(root, length, part_bytes=4000)
    assert max(len(part.markup) for part in parts) < 4400
    assert len(parts) < 25


def test_a_heading_is_the_better_place_to_cut():
    chapters = "".join(f"<h2>Chapter {n}</h2>" + f"<p>{WORDS}</p>" * 6 for n in range(12))
    text, trees, ranges = parts_of(chapters, 2400)
    check(text, trees, ranges)
    starts = [text[start:] for start, _ in ranges]
    assert all(start.startswith("Chapter") for start in starts)


def test_a_list_goes_on_counting():
    items = "".join(f"<li>{WORDS}</li>" for _ in range(30))
    _, trees, _ = parts_of(f"<ol>{items}</ol>")
    starts = [int(tree.find(f".//{xhtml('ol')}").get("start", "1")) for tree in trees]
    counts = [len(tree.findall(f".//{xhtml('li')}")) for tree in trees]
    assert len(trees) > 2
    assert starts == [1 + sum(counts[:index]) for index in range(len(counts))]


@pytest.mark.parametrize(
    ("attributes", "value", "expected"),
    [('start="5"', "", 5), ("", 'value="11"', 11), ('reversed="reversed"', "", 30)],
)
def test_a_list_with_numbers_of_its_own_goes_on_from_them(attributes, value, expected):
    items = f"<li {value}>{WORDS}</li>" + f"<li>{WORDS}</li>" * 29
    _, trees, _ = parts_of(f"<ol {attributes}>{items}</ol>")
    first = len(trees[0].findall(f".//{xhtml('li')}"))
    step = -1 if "reversed" in attributes else 1
    assert trees[1].find(f".//{xhtml('ol')}").get("start") == str(expected + step * first)


def test_a_table_is_cut_between_its_rows():
    rows = "".join(f"<tr><td>{n}</td><td>{WORDS}</td></tr>" for n in range(40))
    text, trees, ranges = parts_of(f"<table class='t'><tbody>{rows}</tbody></table>")
    check(text, trees, ranges)
    assert len(trees) > 2
    assert all(tree.find(f".//{xhtml('table')}").get("class") == "t" for tree in trees)


def test_a_block_is_never_cut():
    text, _, ranges = parts_of(f"<p>{WORDS * 100}</p><p>a</p>")
    assert [text[start:end] for start, end in ranges] == [WORDS * 100, "a"]


def test_lines_of_text_in_the_body_itself_are_cut_at_empty_lines_only():
    inside = "".join(f"<i>{n}</i> {WORDS}<br/>more {WORDS}<br/><br/>" for n in range(30))
    text, trees, ranges = parts_of(inside)
    check(text, trees, ranges)
    assert len(trees) > 3
    assert all(text[start].isdigit() for start, _ in ranges)
    assert all(tree.find(xhtml("body"))[0].tag == xhtml("i") for tree in trees)


_BLOCKS = st.recursive(
    st.sampled_from(
        ["<p>ab</p>", "<h2>c</h2>", "d", " \n", "<i>e</i>", "<br/>", "<img/>", "<p><b>f</b>g</p>"]
    ),
    lambda inside: st.builds(
        lambda tag, parts: f"<{tag}>{''.join(parts)}</{tag}>",
        st.sampled_from(["div", "section", "blockquote", "ol", "li", "table", "tr", "td"]),
        st.lists(inside, max_size=5),
    ),
    max_leaves=30,
)


@settings(max_examples=150, deadline=None)
@given(st.lists(_BLOCKS, max_size=12).map("".join), st.integers(1, 700))
def test_every_tree_in_parts_is_the_same_text(inside, part_bytes):
    check(*parts_of(inside, part_bytes))


def test_a_serialised_tree_is_a_page():
    markup = serialised(page("ü 😀"))
    assert markup.startswith(b"<!DOCTYPE html>\n<html ")
    assert "ü 😀" in markup.decode()
