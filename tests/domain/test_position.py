"""One grammar: canonical tags exactly, and what models write with its typography forgiven."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.position import (
    Span,
    find_tag_start,
    find_tags,
    neutralise_tags,
    parse_tag,
    read_tags,
    reads_as_tag,
    tag_dashes,
    where_it_joins,
)

A, B = Span(1, 2, 3), Span(1, 5, 9)


def read(text):
    """The reading of a text that ends, and how much of it was read."""
    start = find_tag_start(text, 0)
    if start == len(text):
        return (), 0, ""
    reading = read_tags(text, start, is_final=True)
    return reading.spans, reading.malformed, text[start : reading.end]


spans = st.builds(
    lambda index, start, length: Span(index, start, start + length),
    st.integers(0, 9_999_999),
    st.integers(0, 10**9),
    st.integers(1, 10**6),
)


@given(spans)
def test_a_tag_is_read_back_as_its_span(span):
    assert parse_tag(span.tag) == span
    assert read(f"x {span.tag} y") == ((span,), 0, span.tag)


@pytest.mark.parametrize(
    "text",
    [
        "[f1-2]",
        "[f1-2-2]",
        "[f1-3-2]",
        "[f01-2-3]",
        "[F1-2-3]",
        "f1-2-3",
        "[f1-2-3] x",
        "[f١-٢-٣]",
        "",
    ],
)
def test_the_canonical_reader_takes_nothing_else(text):
    with pytest.raises(ValueError, match="position tag"):
        parse_tag(text)


@pytest.mark.parametrize(
    "text",
    [
        "[f1-2-3]", "【f1-2-3】", "［f1-2-3］", "〔f1-2-3〕", r"\[f1-2-3\]", r"\\[f1-2-3\\]",
        "[ f1‑2‑3 ]",
        "[f1–2—3]", "[f1−2－3]", "[f\u00a01-2-3]", "[f1\u200b-2-\ufeff3]", "[f1-\n2-3]",
        "[f1-2-\r\n   3]",
        "[F1-2-3]", "[ｆ1-2-3]", "[f１-２-３]", "[f१-२-३]", "(f1-2-3)", "（f1-2-3）", "{f1-2-3}",
        "<f1-2-3>",
        "`[f1-2-3]`", "```[f1-2-3]```", "`f1-2-3`", "**[f1-2-3]**", "*[f1-2-3]*", "[[f1-2-3]]",
        "([f1-2-3])",
        "[f1-2-3](#f1-2-3)", "[f1-2-3](https://example.org/x)", "[^f1-2-3]", r"[f1\-2\-3]",
        "[f1-2-3】", "f1-2-3",
    ],
)  # fmt: skip
def test_typography_is_forgiven(text):
    assert read(text) == ((A,), 0, text)


@pytest.mark.parametrize(
    "text",
    [
        "[f1-2-3, f1-5-9]", "[f1-2-3,f1-5-9]", "[f1-2-3; f1-5-9]", "[f1-2-3、f1-5-9]",
        "[f1-2-3][f1-5-9]",
        "[f1-2-3] [f1-5-9]", "[f1-2-3], [f1-5-9]", "([f1-2-3], [f1-5-9])", "f1-2-3, f1-5-9",
        "[f1-2-3–f1-5-9]", "[f1-2-3 - f1-5-9]", "[f1-2-3 & f1-5-9]", "`[f1-2-3]`, `[f1-5-9]`",
    ],
)  # fmt: skip
def test_several_tags_are_read_together_and_a_dash_between_them_is_no_range(text):
    assert read(text) == ((A, B), 0, text)


@pytest.mark.parametrize(
    "text",
    [
        "[f1-293]", "[f1-2-3-4]", "[f1-2-3a]", "[f1-2-x]", "[f01-2-3]", "[f1-3-2]", "[f1-3-3]",
        "[f1-2-3f1-5-9]",
        "[f12345678901-2-3]", "[f1-2-99999999999999999999]", "[^3]", "［^12］", r"\[^3\]",
        "f1-2-3-4",
    ],
)  # fmt: skip
def test_a_near_miss_is_nothing(text):
    assert read(text) == ((), 1, text)


def test_what_follows_a_whole_tag_in_short_is_no_tag():
    assert read("[f1-2-3, 5-9]") == ((A,), 1, "[f1-2-3, 5-9]")


@pytest.mark.parametrize(
    "text",
    [
        "plain", "[x]", "[ ]", "[F12]", "[f1-score]", "(for example)", "[2020-10-12]", "f-1",
        "if 1-2-3", "pdf1-2-3",
        "F1-20 engines", "**bold**", "`code`", "* item", "[docs](https://example.org)",
        "[see page 3]", "a_f1-2-3",
        "[", "(", "`", "[[[[[[[[", "[^a]", "\\",
    ],
)  # fmt: skip
def test_other_text_is_no_tag(text):
    found, malformed, taken = read(text)
    assert (found, malformed, taken) == ((), 0, "")


@pytest.mark.parametrize("text", ["[f", "[f1", "[f1-2", "[f1-2-", "[f1-2-3", "(f1-2-3", "f1-2-"])
def test_a_tag_that_the_end_cuts_off_is_dropped(text):
    assert read(text) == ((), 1, text)
    assert read_tags(text, 0, is_final=False) is None


def test_a_tag_before_a_cut_one_still_counts():
    assert read("[f1-2-3, f1-5") == ((A,), 1, "[f1-2-3, f1-5")


def test_a_bare_tag_at_the_end_is_one():
    assert read("f1-2-3") == ((A,), 0, "f1-2-3")


def test_words_beside_a_tag_in_brackets_stay():
    assert read("[f1-2-3: the cat]") == ((), 0, "")
    text = "[see f1-2-3]"
    at = find_tag_start(text, 1)
    assert read_tags(text, at, is_final=True).spans == (A,)


@given(st.text("[]()`*f1-\n ,;^\\【】", max_size=60))
def test_reading_never_goes_back_and_never_fails(text):
    at = 0
    while (at := find_tag_start(text, at)) < len(text):
        reading = read_tags(text, at, is_final=True)
        assert at <= reading.end <= len(text)
        assert reading.spans or reading.malformed or reading.end == at
        at = max(reading.end, at + 1)


@pytest.mark.parametrize(
    "hostile", ["(" * 3_000, "`" * 3_000, "[f1-2-3, " * 400, "[f" + "1" * 3_000, "[f1-" * 900]
)
def test_looking_ahead_is_bounded(hostile):
    at = steps = 0
    while (at := find_tag_start(hostile, at)) < len(hostile):
        reading = read_tags(hostile[at : at + 600], 0, is_final=True)
        at += max(1, reading.end)
        steps += 1
    assert steps <= len(hostile)


@pytest.mark.parametrize(
    ("text", "neutral"),
    [
        ("see [f5-10-42].", "see [f5/10/42]."),
        ("f 5 – 10 – 42", "f 5/10/42"),
        ("F1-20 and if 1-2-3", "F1-20 and if 1-2-3"),
        ("[f5-10]", "[f5-10]"),
    ],
)
def test_a_tag_in_a_book_is_neutralised(text, neutral):
    assert neutralise_tags(text) == neutral


@given(st.text("f0123456789-–[] \u200b", max_size=60))
def test_nothing_neutralised_reads_as_a_tag(text):
    neutral = neutralise_tags(text)
    assert not reads_as_tag(neutral)
    assert neutralise_tags(neutral) == neutral


@given(st.text("f0123456789-–[] \u200b", max_size=60))
def test_a_text_reads_as_no_tag_without_the_dashes_of_its_tags(text):
    dashes = tag_dashes(text)
    assert bool(dashes) == reads_as_tag(text)
    assert all(text[at] in "-–" for at in dashes)
    assert not reads_as_tag("".join("/" if at in dashes else one for at, one in enumerate(text)))


def test_tags_of_our_own_text_are_found_where_they_stand():
    text = f"He left {A.tag}. She {B.tag}{A.tag} [f9-9-9]"
    assert [(text[start:end], span) for start, end, span in find_tags(text)] == [
        (A.tag, A), (B.tag, B), (A.tag, A),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("before", "after", "where"),
    [
        ("[f1-", "2-3]", 0),
        ("[f1-2", "-3]", 0),
        ("f", " 1-2-3", 1),
        ("f1-", "\u200b", 1),
        ("of", "1-2-3", None),
        ("cat", "2-3", None),
        ("[f1-", "x", None),
    ],
)
def test_text_on_both_sides_of_a_cut_can_join_to_a_tag(before, after, where):
    assert where_it_joins(before, after) == where


def test_spans_know_what_they_contain_and_overlap():
    whole = Span(1, 0, 10)
    assert whole.contains(A)
    assert not A.contains(whole)
    assert not whole.contains(Span(2, 2, 3))
    assert whole.overlaps(Span(1, 9, 20))
    assert not whole.overlaps(Span(1, 10, 20))
