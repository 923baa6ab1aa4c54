import json

from hypothesis import given, settings
from hypothesis import strategies as st

from app.domain.book import Voice
from app.domain.conversation import (
    Answer,
    AnswerState,
    Citation,
    Coverage,
    Lane,
    Question,
    QuoteCheck,
    QuoteVerdict,
    TokenUsage,
)
from app.domain.evidence import RungCounts, SearchReport
from app.domain.position import Span
from app.domain.scope import Scope, ScopeKind
from app.storage.answer_json import decode_answer, decode_scope, encode_answer, encode_scope

TEXT = st.text(st.characters(exclude_categories=()), max_size=20)  # lone surrogates too
NUMBER = st.integers(0, 1_000_000)
TEXTS = st.lists(TEXT, max_size=3).map(tuple)
SPAN = st.builds(Span, NUMBER, NUMBER, NUMBER)
SPANS = st.lists(SPAN, max_size=3).map(tuple)
SCOPE = st.builds(Scope, st.sampled_from(ScopeKind), TEXT, st.none() | SPANS)
CITATION = st.builds(Citation, NUMBER, SPAN, TEXT, TEXTS, st.sampled_from(Voice), TEXT)
CITATIONS = st.lists(CITATION, max_size=2).map(tuple)
COUNT = st.none() | NUMBER
REPORT = st.builds(
    SearchReport, SCOPE, TEXTS, st.builds(RungCounts, COUNT, COUNT, COUNT, COUNT), NUMBER, NUMBER
)
QUOTE = st.builds(QuoteCheck, TEXT, st.sampled_from(QuoteVerdict), st.none() | SPAN, TEXT)
ANSWER = st.builds(
    Answer,
    question=st.builds(Question, TEXT, SCOPE),
    lane=st.sampled_from(Lane),
    state=st.sampled_from(AnswerState),
    markdown=TEXT,
    citations=CITATIONS,
    searches=st.lists(REPORT, max_size=2).map(tuple),
    evidence=SPANS,
    quotes=st.lists(QUOTE, max_size=2).map(tuple),
    coverage=st.builds(Coverage, NUMBER, NUMBER),
    dropped_tags=NUMBER,
    unsourced=TEXT,
    nearest=CITATIONS,
    usage=st.builds(TokenUsage, NUMBER, NUMBER, NUMBER),
    provider=TEXT,
    model=TEXT,
)


@settings(max_examples=60)
@given(ANSWER)
def test_an_answer_comes_back_whole(answer):
    stored = encode_answer(answer)
    assert stored.isascii()
    assert decode_answer(stored) == answer


@given(SCOPE)
def test_a_scope_comes_back_whole(scope):
    assert decode_scope(encode_scope(scope)) == scope


def test_an_answer_of_an_earlier_version_may_lack_what_has_a_default():
    kept = json.loads(encode_answer(Answer(Question("Why?"), Lane.NOT_FOUND, AnswerState.CUT, "")))
    kept["citations"] = [{
        "number": 1, "span": {"file_index": 0, "start": 1, "end": 2}, "text": "a",
        "contents_path": ["I"], "voice": "body", "page_label": "",
    }]  # fmt: skip
    del kept["model"]
    answer = decode_answer(json.dumps(kept))
    assert answer.model == ""
    assert answer.citations[0].span == Span(0, 1, 2)
