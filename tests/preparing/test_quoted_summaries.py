import re

from app.books.passages import cut_passages
from app.domain.document import BlockKind
from app.domain.passage import SummaryKind
from app.domain.position import Span, parse_tag
from app.preparing.quoted_summaries import MOST_CHARS, MOST_SENTENCES, QuotedSummaries
from tests.fakes.documents import document_text

HARPOON = "Oh! A harpoon flew from the boat toward the white whale, and the whale dived below."
WHALES = [
    ("Of whales", BlockKind.HEADING),
    "The white whale swam before the ship and the harpooners saw the whale at once. It was cold.",
    HARPOON,
    "The cook made soup for the men. Nobody slept that night on the ship because of the whale.",
    "The harpooners of the ship waited for the whale until the morning came over the sea.",
]
BREAD = [
    "Bread is made of flour, water, salt and time. The oven must be hot before the bread goes in.",
    "Flour of rye makes a dark bread. A baker trusts the oven and the nose more than the clock.",
]
TAG = re.compile(r"\[f[^\]]*\]")


def summaries(*segments):
    """Summaries of segments, each of one document."""
    texts = {index: document_text(blocks, index) for index, blocks in enumerate(segments)}
    quoter = QuotedSummaries(texts)
    for index, text in texts.items():
        for cut in cut_passages(text):
            quoter.add(cut, index)
    return [quoter.summary(index) for index in texts], texts


def test_a_summary_quotes_central_sentences_with_their_tags():
    (whales, bread), texts = summaries(WHALES, BREAD)
    assert (whales.segment_index, whales.kind, whales.model) == (0, SummaryKind.QUOTED, "")
    assert "harpoon" in whales.text
    assert "soup" not in whales.text
    assert "oven" in bread.text
    for summary in (whales, bread):
        quotes = TAG.split(summary.text)
        spans = [parse_tag(tag) for tag in TAG.findall(summary.text)]
        assert 2 <= len(spans) <= MOST_SENTENCES
        assert spans == sorted(spans)
        assert sum(map(len, quotes)) <= MOST_CHARS + len(quotes) * 2
        for quote, span in zip(quotes, spans, strict=False):
            assert quote.strip() == texts[span.file_index].readable_span(span)


def test_a_quoted_sentence_lies_within_one_passage():
    (whales, _), texts = summaries(WHALES, BREAD)
    spans = [cut.span for cut in cut_passages(texts[0])]
    for tag in TAG.findall(whales.text):
        assert any(span.contains(parse_tag(tag)) for span in spans)


def test_exclamations_and_repetitions_say_little():
    (summary, _), _ = summaries([*WHALES, WHALES[1]], BREAD)
    assert "Oh!" not in summary.text
    assert summary.text.count("saw the whale at once") == 1


def test_a_lone_heading_is_quoted_whole():
    (heading, *_), _ = summaries([("PART ONE: 1805", BlockKind.HEADING)], BREAD)
    assert heading.text == f"PART ONE: 1805 {Span(0, 0, 14).tag}"


def test_writing_without_spaces_is_summed_up_too():
    japanese = [
        "白鯨が船の前を泳いだ。船員は白鯨を見た。料理人はスープを作った。",
        "白鯨は船を沈めた。夜は長かった。",
    ]
    (summary, _), _ = summaries(japanese, BREAD)
    assert "白鯨" in summary.text
    assert "[f0-" in summary.text


def test_text_that_looks_like_a_tag_is_not_quoted():
    trick = "The whale [f9-1-2] swam before the ship, and the whale was white as the whale of old."
    (summary, _), _ = summaries([trick, *WHALES], BREAD)
    assert "[f9-" not in summary.text
    assert all(parse_tag(tag).file_index == 0 for tag in TAG.findall(summary.text))


def test_the_fingerprint_tells_when_the_text_has_changed():
    (one, _), _ = summaries(WHALES, BREAD)
    (same, _), _ = summaries(WHALES, WHALES)
    (other, _), _ = summaries(WHALES[:-1], BREAD)
    assert one.fingerprint == same.fingerprint != other.fingerprint
    assert len(one.fingerprint) == 16
