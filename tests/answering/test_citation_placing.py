"""A citation inside code or a link is placed behind it; text is never changed or held for long."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.answering.citation_placing import CitationPlacer
from app.domain.book import Voice
from app.domain.conversation import Citation
from app.domain.position import Span

CITATION = Citation(1, Span(0, 0, 1), "text", (), Voice.BODY, "")


def placed(text):
    """The text with `@` as the citation, before and after placing."""
    placer = CitationPlacer()
    pieces = []
    for character in text:
        pieces += placer.place(CITATION if character == "@" else character)
    pieces += placer.finish()
    return "".join("@" if piece is CITATION else piece for piece in pieces)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a @ b", "a @ b"),
        ("`a@b` c", "`ab`@ c"),
        ("``a`@b`` c", "``a`b``@ c"),
        ("`a\n@b` c", "`a\nb`@ c"),
        ("`a@\n\nb", "`a@\n\nb"),
        ("[a@b](c) d", "[ab](c)@ d"),
        ("[a](b@c) d", "[a](bc)@ d"),
        ("[a](b(@)c) d", "[a](b()c)@ d"),
        ("[a@b] d", "[ab]@ d"),
        ("[a [b@] c](d) e", "[a [b] c](d)@ e"),
        (r"\[a@b\](c)", r"\[a@b\](c)"),
        (r"\`a@b` c", r"\`a@b` c"),
        ("```\na@b\n```\nc", "```\nab\n```\n@c"),
        ("```\na@b\n```", "```\nab\n```\n@"),
        ("~~~\na@", "~~~\na\n~~~\n@"),
        ("x ``` a@ ``` b", "x ``` a ```@ b"),
        ("````\n```\n@\n````\nb", "````\n```\n\n````\n@b"),
        ("@@`a@`", "@@`a`@"),
    ],
)
def test_a_citation_stands_behind_code_and_links(text, expected):
    assert placed(text) == expected


@given(st.text("`~[]()\\ \nab@", max_size=40))
def test_only_the_place_of_citations_changes(text):
    after = placed(text)
    assert after.count("@") == text.count("@")
    without = after.replace("@", "")
    assert without.startswith(text.replace("@", ""))
    added = without[len(text.replace("@", "")) :]
    assert not added.strip("\n`~")


def test_text_passes_on_at_once():
    placer = CitationPlacer()
    assert placer.place("`code ") == ["`code "]
    assert placer.place(CITATION) == []
    assert placer.place("more`") == ["more`"]
    assert placer.place(" then") == [CITATION, " then"]
