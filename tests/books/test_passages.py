import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.books.passages import MOST_CHARS, MOST_SENTENCES, PASSAGE_CHARS, cut_passages
from app.books.words import is_character_border
from app.domain.book import Voice
from app.domain.document import BlockKind, Break, DocumentText
from app.domain.position import Span
from tests.fakes.documents import document_text

SENTENCE = "The old sailor looked at the sea for a long while and said nothing at all."
PIECES = st.sampled_from(
    [
        SENTENCE,
        "Yes.",
        " ",
        "\u00a0",
        "\n",
        "東京は大きい。",
        "x" * 50,
        "Mr.",
        "—",
        "e\u0301",
        "😀",
        "שלום.",
        ", ",
    ]
)
BLOCKS = st.lists(
    st.tuples(
        st.lists(PIECES, min_size=1, max_size=40).map("".join),
        st.sampled_from(BlockKind),
    ),
    max_size=6,
)


def texts(blocks):
    return [passage.text for passage in cut_passages(document_text(blocks))]


@settings(max_examples=150)
@given(BLOCKS)
def test_passages_hold_all_text_once_within_their_block(blocks):
    content = document_text(blocks)
    passages = cut_passages(content)
    at = 0
    for passage in passages:
        span = passage.span
        assert not content.text[at : span.start].strip()
        assert content.text[span.start : span.end].strip() == content.text[span.start : span.end]
        assert any(block.start <= span.start and span.end <= block.end for block in content.blocks)
        at = span.end
    assert not content.text[at:].strip()


@settings(max_examples=150)
@given(BLOCKS)
def test_passages_are_short_and_made_of_whole_sentences(blocks):
    content = document_text(blocks)
    for passage in cut_passages(content):
        assert 0 < passage.span.end - passage.span.start <= MOST_CHARS
        assert passage.sentences[0][0] == passage.span.start
        assert passage.sentences[-1][1] == passage.span.end
        assert list(passage.sentences) == sorted(passage.sentences)
        for start, end in passage.sentences:
            assert start < end
            assert is_character_border(content.text, end)


@settings(max_examples=60)
@given(BLOCKS)
def test_each_block_with_text_begins_once(blocks):
    content = document_text(blocks)
    begun = [passage.span.start for passage in cut_passages(content) if passage.begins_block]
    held = [block for block in content.blocks if content.text[block.start : block.end].strip()]
    assert len(begun) == len(held)
    for start, block in zip(begun, held, strict=True):
        assert block.start <= start < block.end


def test_sentences_are_joined_up_to_three_and_about_three_hundred_characters():
    assert texts([" ".join(["Yes."] * 7)]) == ["Yes. Yes. Yes.", "Yes. Yes. Yes.", "Yes."]
    passages = cut_passages(document_text([" ".join([SENTENCE] * 9)]))
    assert [len(passage.sentences) for passage in passages] == [MOST_SENTENCES] * 3
    assert all(len(passage.text) <= PASSAGE_CHARS for passage in passages)


def test_a_short_last_sentence_is_not_left_alone():
    long = (
        f"{SENTENCE[:-1]}, {SENTENCE[:-1].lower()}, {SENTENCE[:-1].lower()}, and that was the end."
    )
    assert len(long) < PASSAGE_CHARS < len(f"{long} {SENTENCE[:55]}")
    assert texts([f"{long} It was so."]) == [f"{long} It was so."]
    assert len(texts([f"{long} {SENTENCE}"])) == 2


def test_a_passage_never_crosses_a_block():
    cells = [("12", BlockKind.CELL), ("13", BlockKind.CELL), ("A note.", BlockKind.PARAGRAPH)]
    assert texts(cells) == ["12", "13", "A note."]


def test_verse_and_code_are_cut_at_lines():
    verse = "\n".join(f"Line {number} of a long and winding poem of the sea" for number in range(9))
    cut = texts([(verse, BlockKind.VERSE)])
    assert "\n".join(cut) == verse
    assert len(cut) == 2
    code = "def f(x):\n    return x\n\n\n" * 20
    assert "".join(texts([(code, BlockKind.CODE)])).count("def f(x):\n    return x") == 20


def test_a_line_break_parts_sentences_unless_the_text_goes_on():
    (passage,) = cut_passages(document_text(["CHAPTER I\nThe Sea\nand the sky. Here"]))
    assert len(passage.sentences) == 3
    assert passage.text == "CHAPTER I\nThe Sea\nand the sky. Here"


def test_lines_of_a_page_are_no_lines_of_verse():
    page = document_text(["The first line of a para-\ngraph that goes on."])
    text = page.text[:25] + "\n" + page.text[25:]
    hyphen = Break(text.index("-"), 2, "")
    page = DocumentText(
        0, text, (type(page.blocks[0])(0, len(text), BlockKind.PARAGRAPH),), (hyphen,)
    )
    (passage,) = cut_passages(page)
    assert passage.text == "The first line of a paragraph that goes on."
    assert passage.sentences == ((0, len(text)),)


@pytest.mark.parametrize(
    ("piece", "ends"),
    [
        ("first one thing and then another; ", ";"),
        ("one thing, ", ","),
        ("word ", "d"),
        ("漢字、", "、"),
        ("漢字", "字漢"),
        ("e\u0301", "\u0301"),
    ],
)
def test_an_overlong_sentence_is_cut_where_it_pauses(piece, ends):
    passages = cut_passages(document_text([piece * (1500 // len(piece))]))
    assert len(passages) >= 3
    assert all(200 <= len(passage.text) <= MOST_CHARS for passage in passages)
    assert all(passage.text[-1] in ends for passage in passages)


def test_what_cannot_be_seen_is_no_passage():
    assert texts(["\u200b\u00ad", "Text."]) == ["Text."]


def test_a_passage_has_the_voice_of_its_block_and_its_document():
    content = document_text([("Notes", BlockKind.HEADING), "See there."], 7, Voice.NOTES)
    heading, note = cut_passages(content)
    assert (heading.voice, heading.is_heading, heading.span) == (Voice.NOTES, True, Span(7, 0, 5))
    assert (note.is_heading, note.begins_block) == (False, True)
