"""Values in a person's words."""

from __future__ import annotations

import dataclasses

import pytest

from app.domain.book import Voice
from app.domain.conversation import AnswerState, Coverage, Question, QuoteCheck, QuoteVerdict
from app.domain.provider import BUILT_IN, ProviderInfo
from app.domain.scope import Scope, ScopeKind
from app.ui.chat import sentences
from tests.fakes.window_core import cite, grounded_answer, report


def test_a_place_names_chapter_page_and_a_foreign_voice():
    citation = cite(1, "Hark!")
    assert sentences.place_words(citation) == "Chapters › 42 The Whiteness of the Whale · p. 204"
    note = dataclasses.replace(
        citation, voice=Voice.FOREWORD, contents_path=("Foreword",), page_label=""
    )
    assert sentences.place_words(note) == "Foreword · foreword"
    assert not sentences.place_words(dataclasses.replace(citation, contents_path=(), page_label=""))


def test_a_search_says_all_its_counts_zeros_included_and_none_that_did_not_run():
    words = sentences.report_words(report("white", "whale", phrase=0, all_words=3))
    assert words == (
        "“white whale” – exact wording: 0, all words together: 3, some of the words: 0, "
        "other forms: 0"
    )
    partial = dataclasses.replace(
        report("whale"), rungs=dataclasses.replace(report("whale").rungs, word_forms=None)
    )
    assert "other forms" not in sentences.report_words(partial)


def test_a_narrow_search_says_where():
    scope = Scope(ScopeKind.CHAPTER, "Chapter 3", ())
    assert "(Chapter 3)" in sentences.report_words(report("whale", scope=scope))


@pytest.mark.parametrize("kind", ScopeKind)
def test_every_scope_has_words(kind):
    assert sentences.scope_words(Scope(kind, "Chapter 3", ()))


def test_coverage_is_said_only_where_something_is_stated():
    assert sentences.coverage_words(Coverage(8, 7)) == "7 of 8 sentences sourced · checked"
    assert not sentences.coverage_words(Coverage(0, 0))


def test_every_unusual_end_is_said():
    said = {state: sentences.state_words(state) for state in AnswerState}
    assert not said.pop(AnswerState.COMPLETE)
    assert all(said.values())
    assert len(set(said.values())) == len(said)


def test_quote_checks_give_the_books_own_wording():
    altered = QuoteCheck("the white wale", QuoteVerdict.ALTERED, None, "the white whale")
    assert "the white whale" in sentences.quote_words(altered)
    for verdict in QuoteVerdict:
        assert "wale" in sentences.quote_words(dataclasses.replace(altered, verdict=verdict))


def test_details_hold_searches_dropped_tags_and_cost():
    lines = sentences.detail_lines(grounded_answer(Question("why?")))
    text = "\n".join(lines)
    assert "Searched “whiteness whale” – exact wording: 1" in text
    assert "1 citation of a place that was not read was left out." in text
    assert "2 passages of the book were read." in text
    assert "Answered by qwen3." in text
    assert "4210 tokens sent" in text


def test_a_provider_says_where_it_runs_and_what_leaves_the_machine():
    local = ProviderInfo("home", "qwen3", "localhost:11434", True)
    remote = ProviderInfo("far", "big", "api.example.org", False)
    built_in = ProviderInfo(BUILT_IN, "quoting", "", True)
    assert sentences.provider_words(local) == "qwen3 · local"
    assert sentences.provider_words(remote) == "big · api.example.org"
    assert sentences.provider_words(built_in) == "Built-in · quotes only"
    assert "api.example.org" in sentences.provider_advice(remote)
    for one in (local, built_in):
        assert "Nothing leaves" in sentences.provider_advice(one)
