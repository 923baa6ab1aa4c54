"""Blocks, breaks, anchors and marks of a tree."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from app.books.canonical import MARK, tree_text
from app.books.markup_names import XHTML
from app.books.tree_walk import TreeText, read_tree
from app.domain.book import Voice
from app.domain.document import BlockKind, DocumentText


def body(inside: str) -> etree._Element:
    return etree.fromstring(
        f'<body xmlns="{XHTML}" xmlns:epub="http://www.idpf.org/2007/ops" '
        f'xmlns:s="http://www.w3.org/2000/svg" xmlns:m="http://www.w3.org/1998/Math/MathML">{inside}</body>'
    )


def read(inside: str) -> TreeText:
    return read_tree(body(inside))


def readable(inside: str) -> str:
    found = read(inside)
    content = DocumentText(0, found.text, tuple(found.blocks), tuple(found.breaks))
    return content.readable(0, len(found.text))


@pytest.mark.parametrize(
    ("inside", "expected"),
    [
        ("<p>a</p><p>b</p>", "a\nb"),
        ("\n<p> a </p>\n\n<p>b</p>\n", "a\nb"),
        ("<p>a<br/>b</p>", "a\nb"),
        ("<p>a<br/>\n<br/>b</p>", "a\n\nb"),
        ("a<hr/>b", "a\nb"),
        ("<div>a<p>b</p>c</div>", "a\nb\nc"),
        ("<ul><li>a</li><li><p>b</p></li></ul>", "a\nb"),
        ("<table><tr><td>a</td><td>b</td></tr><tr><td>c</td><td>d</td></tr></table>", "a\tb\nc\td"),
        (
            "<table>\n<tr>\n<th><p>a</p></th>\n<td><p>b</p><p>c</p></td>\n</tr>\n<tr><td>d</td></tr></table>e",
            "a\tb\nc\nd\ne",
        ),
        ("<table><tr><td/><td>a</td></tr></table>", "a"),
        ("<p>one <i>two</i> three</p>", "one two three"),
        ("<pre>a\n  b\n\nc</pre>d", "a\n  b\n\nc\nd"),
        ("<s:svg><s:text>a</s:text><s:text>b</s:text></s:svg>", "a\nb"),
        ("<p><ruby>吾<rt>われ</rt></ruby>輩<br/>は</p>", "吾輩\nは"),
        ("<div class='linegroup'>\n<div>a b</div>\n<div>c d</div>\n</div><p>e</p>", "a b\nc d\ne"),
    ],
)
def test_readable_text_is_never_glued(inside, expected):
    assert readable(inside) == expected


@pytest.mark.parametrize(
    ("inside", "kinds"),
    [
        ("<p>a</p>b", [BlockKind.PARAGRAPH, BlockKind.PARAGRAPH]),
        (
            "<h3>a</h3><div role='heading' aria-level='1'>b</div>",
            [BlockKind.HEADING, BlockKind.HEADING],
        ),
        ("<ul><li><p>a</p></li></ul><dl><dt>b</dt><dd>c</dd></dl>", [BlockKind.LIST_ITEM] * 3),
        (
            "<table><caption>a</caption><tr><td>b</td></tr></table>",
            [BlockKind.CAPTION, BlockKind.CELL],
        ),
        (
            "<pre>a</pre><table><tr><td><pre>b</pre></td></tr></table>",
            [BlockKind.CODE, BlockKind.CODE],
        ),
        ("<figure><img/><figcaption>a</figcaption></figure>", [BlockKind.CAPTION]),
        ("<div class='poem'><h2>a</h2><p>b</p></div>", [BlockKind.HEADING, BlockKind.VERSE]),
        ("<section epub:type='z3998:verse'><p>a</p></section>", [BlockKind.VERSE]),
        ("<p>Shall I compare thee<br/>to a summer’s day?</p>", [BlockKind.VERSE]),
        (f"<p>{'long prose ' * 30}<br/>more</p>", [BlockKind.PARAGRAPH]),
        ("<div class='stanza'><p>a</p><p>b</p></div>", [BlockKind.VERSE]),
    ],
)
def test_blocks_know_what_they_are(inside, kinds):
    assert [block.kind for block in read(inside).blocks] == kinds


def test_headings_have_a_level():
    assert [block.level for block in read("<h1>a</h1><h6>b</h6><p>c</p>").blocks] == [1, 6, 0]


def test_blocks_leave_out_white_space_at_their_ends():
    found = read("<p>\n one\xa0two \n</p> <p>&#160;</p>")
    assert [found.text[block.start : block.end] for block in found.blocks] == ["one\xa0two"]


def test_an_empty_line_parts_blocks_and_a_line_end_does_not():
    found = read("<div>a<br/>b<br/><br/>c</div>")
    assert [found.text[block.start : block.end] for block in found.blocks] == ["ab", "c"]


def test_anchors_are_the_offsets_where_their_elements_begin():
    found = read(
        'ab<p id="x">c<i id="y">d</i><a name="z"/></p><p hidden="" id="h">e</p><i id="x"/>'
    )
    assert found.anchors == {"x": 2, "y": 3, "z": 4, "h": 4}


def test_anchors_inside_a_formula_are_found():
    assert read('<p>a<m:math><m:mi>b</m:mi><m:mi id="e">c</m:mi></m:math></p>').anchors == {"e": 2}


def test_offsets_count_code_points():
    found = read('<p>😀𠮷e\u0301</p><p id="x">b</p>')
    assert found.anchors == {"x": 4}
    assert [(block.start, block.end) for block in found.blocks] == [(0, 4), (4, 5)]


def test_every_block_with_text_of_its_own_is_marked_with_its_offset():
    tree = body("<div> <p>ab</p>\n<ul><li>c</li></ul><div><p>d</p>e</div></div>")
    read_tree(tree)
    marks = {
        element.tag.rpartition("}")[2]: element.get(MARK)
        for element in tree.iter()
        if element.get(MARK)
    }
    assert marks == {"p": "5", "li": "4", "div": "5"}
    assert tree[0].get(MARK) is None
    assert tree[0][0].get(MARK) == "1"


@pytest.mark.parametrize(
    ("inside", "voices"),
    [
        ("<p>a</p>", [None]),
        ("<aside epub:type='footnote'><p>a</p></aside><p>b</p>", [Voice.NOTES, None]),
        ("<section role='doc-preface'><p>a</p></section>", [Voice.PREFACE]),
        ("<div class='footnote'>a</div>", [Voice.NOTES]),
        (
            "<section epub:type='endnotes'><h2>a</h2><ol><li>b</li></ol></section>",
            [Voice.NOTES] * 2,
        ),
        ("<div id='pg-header' class='pg-boilerplate'>a</div>b", [Voice.LICENCE, None]),
        (
            "<div epub:type='chapter'><p>a</p><p epub:type='footnote'>b</p></div>",
            [Voice.BODY, Voice.NOTES],
        ),
    ],
)
def test_blocks_have_the_voice_that_the_markup_says(inside, voices):
    found = read(inside)
    said = zip(found.blocks, found.has_voice, strict=True)
    assert [block.voice if has_voice else None for block, has_voice in said] == voices


def test_a_heading_speaks_for_the_element_that_holds_it_and_more():
    found = read(
        "<h1>a</h1><section><header><h2>b</h2><p>c</p></header><p>d</p></section><div><h3>e</h3></div>f"
    )
    assert found.heading_ends == {1: 4}


_INLINE = st.sampled_from(["i", "span", "a", "ruby", "rt", "b"])
_BLOCK = st.sampled_from(["p", "div", "li", "td", "tr", "table", "h2", "pre", "ul", "section"])
_WORDS = st.text(alphabet="ab \n\t\xa0😀𠮷\u0301", max_size=6)
_ATTRIBUTES = st.sampled_from(
    ["", " hidden=''", " style='display:none'", " id='x'", " class='poem'"]
)


def _element(inside: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.builds(
        lambda name, attribute, parts: f"<{name}{attribute}>{''.join(parts)}</{name}>",
        st.one_of(_INLINE, _BLOCK),
        _ATTRIBUTES,
        st.lists(inside, max_size=4),
    )


_TREES = st.lists(
    st.recursive(st.one_of(_WORDS, st.just("<br/>"), st.just("<hr/>")), _element, max_leaves=20),
    max_size=6,
).map("".join)


@settings(max_examples=150, deadline=None)
@given(_TREES)
def test_every_tree_is_covered_by_its_blocks(inside):
    tree = body(inside)
    found = read_tree(tree)
    assert found.text == tree_text(tree)
    ends = [0]
    for block in found.blocks:
        assert not found.text[ends[-1] : block.start].strip()
        words = found.text[block.start : block.end]
        assert words
        assert words == words.strip()
        ends.append(block.end)
    assert not found.text[ends[-1] :].strip()
    offsets = [item.offset for item in found.breaks]
    assert offsets == sorted(set(offsets))
    borders = [block.start for block in found.blocks[1:]]
    parted = [
        any(last <= o <= border for o in offsets)
        for last, border in zip(ends[1:], borders, strict=False)
    ]
    assert all(parted)
    marks = [int(element.get(MARK)) for element in tree.iter() if element.get(MARK)]
    assert marks == sorted(marks)
