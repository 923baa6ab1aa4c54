"""The grammar of position tags."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from app.domain.position import Span, parse_tag

OFFSETS = st.integers(0, 9_999_999_999)


@given(st.integers(0, 9_999_999), OFFSETS, OFFSETS)
def test_a_tag_reads_back_as_its_span(file_index, start, end):
    assume(start < end)
    span = Span(file_index, start, end)
    assert parse_tag(span.tag) == span


@pytest.mark.parametrize(
    "text",
    [
        "[f1-293]",
        "[f1-5-5]",
        "[f1-9-5]",
        "[f01-5-9]",
        "[f1-05-9]",
        "[f1--5-9]",
        "[f-1-5-9]",
        "f1-5-9",
        "[f1-5-9",
        "[f1-5-9] and more",
        "[f1-5-９]",
        "[p1-5-9]",
        "",
    ],
)
def test_anything_else_is_no_tag(text):
    with pytest.raises(ValueError, match="position tag"):
        parse_tag(text)


@pytest.mark.parametrize(
    ("other", "contained", "overlapping"),
    [
        (Span(1, 10, 20), True, True),
        (Span(1, 12, 15), True, True),
        (Span(1, 5, 11), False, True),
        (Span(1, 19, 30), False, True),
        (Span(1, 5, 10), False, False),
        (Span(1, 20, 30), False, False),
        (Span(2, 12, 15), False, False),
    ],
)
def test_spans_contain_and_overlap_within_one_document(other, contained, overlapping):
    span = Span(1, 10, 20)
    assert span.contains(other) is contained
    assert span.overlaps(other) is overlapping
    assert other.overlaps(span) is overlapping
