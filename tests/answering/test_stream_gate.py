"""What leaves the gate: text and confirmed citations, the same for every cut of the stream."""

from __future__ import annotations

import random
import re
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.answering.stream_gate import Footnotes, StreamGate
from app.domain.book import Voice
from app.domain.conversation import Citation
from app.domain.evidence import IssuedPassage, Ledger
from app.domain.position import Span, reads_as_tag

ISSUED = [Span(1, 2, 3), Span(1, 5, 9), Span(12, 340, 560), Span(3, 10, 90)]
_OWN_MARK = re.compile(r"\[\^(\d+)\]")


def new_ledger():
    ledger = Ledger()
    for span in ISSUED:
        ledger.issue(IssuedPassage(span, "text", ("Chapter",), Voice.BODY, ""))
    return ledger


class Passed:
    """A stream after the gate."""

    def __init__(self, *chunks):
        footnotes = Footnotes()
        gate = StreamGate(new_ledger(), footnotes)
        self.pieces = [piece for chunk in chunks for piece in gate.feed(chunk)]
        self.before_end = list(self.pieces)
        self.pieces += gate.finish()
        self.text = "".join(piece for piece in self.pieces if isinstance(piece, str))
        self.markdown = "".join(
            piece if isinstance(piece, str) else f"[^{piece.number}]" for piece in self.pieces
        )
        self.citations = footnotes.all()
        self.cited = [piece.span for piece in self.pieces if isinstance(piece, Citation)]
        self.dropped = gate.dropped_tags


@pytest.mark.parametrize(
    ("stream", "markdown", "dropped"),
    [
        ("He left [f1-2-3].", "He left[^1].", 0),
        ("He left. [f1-2-3] She stayed.", "He left.[^1] She stayed.", 0),
        ("He left [f1-2-3, f1-5-9].", "He left[^1][^2].", 0),
        ("One [f1-2-3]. Two [f1-5-9]. One again [f1-2-3].", "One[^1]. Two[^2]. One again[^1].", 0),
        ("He left [f1-2-3][f1-2-3].", "He left[^1].", 0),
        ("He left [f9-9-99].", "He left.", 1),
        ("He left [f9-9-99] .", "He left.", 1),
        ("He left [f9-9-99] and came.", "He left and came.", 1),
        ("He left [f9-9-99], [f9-9-98].", "He left.", 2),
        ("He left [f9-9-99, f1-2-3].", "He left[^1].", 1),
        ("[f9-9-99] He left.", "He left.", 1),
        ("- [f9-9-99] He left.\n- She [f1-293]\n", "- He left.\n- She\n", 2),
        ("He left[f9-9-99].", "He left.", 1),
        ("「彼は去った【f1-2-3】。」", "「彼は去った[^1]。」", 0),
        ("Off by one [f1-2-4] or [f1-1-3].", "Off by one or.", 2),
        ("Two parts [f1-293] here.", "Two parts here.", 1),
        ("A mark of its own [^3].", "A mark of its own.", 1),
        ("Merged [f1-2-9].", "Merged.", 1),
        ("- [f1-2-3] He left.", "- [^1] He left.", 0),
        ("1. [f1-2-3] He left.", "1. [^1] He left.", 0),
        ("Open at the end [f1-2-", "Open at the end", 1),
        ("Just a bracket [", "Just a bracket [", 0),
        ("Words [like these] and (those) stay, *as* they `are`.",
         "Words [like these] and (those) stay, *as* they `are`.", 0),
        ("  two  spaces  stay  ", "  two  spaces  stay  ", 0),
        ("See [docs](https://example.org/a_(b)) and [x].",
         "See [docs](https://example.org/a_(b)) and [x].", 0),
    ],
)  # fmt: skip
def test_tags_become_footnotes_or_nothing(stream, markdown, dropped):
    passed = Passed(stream)
    assert (passed.markdown, passed.dropped) == (markdown, dropped)


@pytest.mark.parametrize(
    ("stream", "markdown"),
    [
        ("He `left [f1-2-3] now` then.", "He `left now`[^1] then."),
        ("``a ` [f1-2-3] b`` c", "``a `  b``[^1] c"),
        ("```\ncode [f1-2-3]\n```\nafter", "```\ncode\n```\n[^1]after"),
        ("~~~\ncode [f1-2-3]", "~~~\ncode\n~~~\n[^1]"),
        ("[the text [f1-2-3] here](https://example.org) so",
         "[the text here](https://example.org)[^1] so"),
        ("[text](https://example.org/[f1-2-3]/b) so", "[text](https://example.org//b)[^1] so"),
        ("`only` [f1-2-3]", "`only` [^1]"),
        ("`only`[f1-2-3]`x` y", "`only`[^1]`x` y"),
        ("`a [f1-2-3]`[f1-5-9]`x` y", "`a`[^1][^2]`x` y"),
        ("an open `[f1-2-3]", "an open `[^1]"),
        ("`[f1-2-3]` He left", "[^1] He left"),
        ("`unclosed [f1-2-3] code\n\nNext", "`unclosed code[^1]\n\nNext"),
        ("He [sic [f1-2-3]] left", "He [sic][^1] left"),
        ("[text](f1-2-3) so", "[text][^1] so"),
        ("one `a` two [f1-2-3] `b`", "one `a` two[^1] `b`"),
    ],
)  # fmt: skip
def test_a_footnote_never_stands_in_code_or_a_link(stream, markdown):
    assert re.sub(" +", " ", Passed(stream).markdown) == re.sub(" +", " ", markdown)


def test_text_streams_without_waiting_for_its_end():
    gate = StreamGate(new_ledger(), Footnotes())
    assert gate.feed("The cat ") == ["The cat"]
    assert gate.feed("sat [f1-2") == [" sat"]
    assert gate.feed("-3]. ")[0].span == ISSUED[0]
    assert gate.finish() == [" "]


def test_a_long_bracket_does_not_hold_the_stream():
    passed = Passed("[" + "f1-2-3, " * 300 + "x")
    assert set(passed.cited) == {ISSUED[0]}
    assert len(passed.before_end) > 1


def test_numbers_without_end_are_not_held_either():
    passed = Passed("[f1-2-", *["3"] * 2_000, "] and on")
    assert passed.text.replace("]", "").strip() == "and on"
    assert passed.cited == []


@pytest.mark.parametrize(
    "stream",
    ["[f1-[f9-9-9]2-3]", "f1-[f9-9-9]2-3", "[f[f9-9-9] 1-2-3]", "[f1-[f1-2-3]2-3]", "[f9-9-9^1]",
     "[[f9-9-9]^1]", "[^[f9-9-9]1]", "[te[f1-2-3]^7](u)", r"[f1\-[f9-9-9]2-3]"],
)  # fmt: skip
def test_what_is_cut_out_leaves_no_tag_and_no_mark_behind(stream):
    passed = Passed(stream)
    assert not reads_as_tag(passed.text)
    assert not reads_as_tag(passed.markdown)
    assert set(_OWN_MARK.findall(passed.markdown)) == {str(one.number) for one in passed.citations}


ATOMS = [
    *"[]()`*fF1235-–—, \n;^\\", "12", "340", "560", "the", " cat.", " said", "\u200b",
    "](http://a/b)", "[^3]", "[^",
    "[f1-2-3]", "[f12-340-560]", "f3-10-90", "【f1-5-9】", r"\[f1-2-3\]", "[f1-2-3, f1-5-9]",
    "[f7-7-8]", "[f1-293]", "[f1-2-4]", "[f12-341-560]", "【f9-1-2】", "(f8-1-2)", "`[f1-5-8]`",
    "[f1-2-9]",
    "\n\n", "```\n", "~~~\n", "``", "**", "。",
]  # fmt: skip
streams = st.lists(st.sampled_from(ATOMS), max_size=25).map("".join)


@settings(max_examples=400)
@given(streams, st.data())
def test_any_cut_of_a_stream_gives_the_same_answer(stream, data):
    whole = Passed(stream)
    cuts = data.draw(st.lists(st.integers(0, len(stream)), max_size=6).map(sorted))
    edges = [0, *cuts, len(stream)]
    parts = [stream[a:b] for a, b in pairwise(edges)]
    for other in (Passed(*parts), Passed(*stream)):
        assert other.markdown == whole.markdown
        assert other.citations == whole.citations
        assert other.dropped == whole.dropped


def assert_clean(stream):
    """Nothing that was not issued, nothing that reads as a tag, no footnote but our own."""
    passed = Passed(*re.findall(r"(?s).{1,7}", stream))
    assert set(passed.cited) <= set(ISSUED), stream
    assert not reads_as_tag(passed.text), stream
    assert not reads_as_tag(passed.markdown), stream
    own = {str(citation.number) for citation in passed.citations}
    assert set(_OWN_MARK.findall(passed.markdown)) == own, stream
    assert not _OWN_MARK.search(passed.text), stream


def test_ten_thousand_hostile_streams_show_no_tag_that_was_not_issued():
    chance = random.Random(20)
    for _ in range(10_000):
        assert_clean("".join(chance.choices(ATOMS, k=chance.randint(1, 16))))


@settings(max_examples=300)
@given(st.text("f0123459-–[]()【】\\`*^ \n", max_size=50))
def test_no_text_of_any_kind_shows_a_tag_that_was_not_issued(stream):
    assert_clean(stream)


@given(
    st.text(st.characters(exclude_characters="[]()【】〔〖〚⟦（{<`*\\fFｆＦ［］~^"), max_size=80)
)
def test_text_without_tags_is_unchanged(text):
    assert Passed(*text).markdown == text
