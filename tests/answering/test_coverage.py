"""A sentence that states something counts, and is sourced if a footnote is its own."""

from __future__ import annotations

import pytest

from app.answering.coverage import coverage, stated_sentences


@pytest.mark.parametrize(
    ("markdown", "sourced", "sentences"),
    [
        ("", 0, 0),
        ("He left[^1].", 1, 1),
        ("He left.[^1]", 1, 1),
        ("He left. [^1]", 1, 1),
        ("He left.[^1][^2] She stayed.", 1, 2),
        ("He left.[^1] She stayed.[^2]", 2, 2),
        ("He left. She stayed[^1].", 1, 2),
        ("“He left.”[^1] “She stayed.”", 1, 2),
        ("He left [^1] and she stayed.", 1, 1),
        ("# He left\n\nShe stayed[^1].", 1, 1),
        ("Who left? He left[^1].", 1, 1),
        ("There are two reasons:\n\n- He left[^1].\n- She stayed.", 1, 2),
        ("1. He left[^1].\n2. She stayed[^2].", 2, 2),
        ("> He left the house[^1].", 1, 1),
        ("```\nnot a sentence here.\n```\nHe left[^1].", 1, 1),
        ("**He left.**[^1]", 1, 1),
        ("彼は去った。[^1]彼女は残った。", 1, 2),
        ("Yes.", 0, 0),
        ("Yes[^1].", 1, 1),
        ("| a | b |\n|---|---|\n| he left[^1] | she stayed |", 1, 2),
    ],
)
def test_sentences_and_their_footnotes_are_counted(markdown, sourced, sentences):
    found = coverage(markdown)
    assert (found.sourced, found.sentences) == (sourced, sentences)


def test_sentences_are_given_without_their_marks():
    assert [one.text for one in stated_sentences("- He left.[^1] She *stayed*.")] == [
        "He left.", "She *stayed*.",
    ]  # fmt: skip
