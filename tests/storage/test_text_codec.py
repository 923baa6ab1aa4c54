import json

import apsw
from hypothesis import given
from hypothesis import strategies as st

from app.domain.book import Voice
from app.domain.document import Block, BlockKind, Break
from app.storage.text_codec import (
    decode_blocks,
    decode_breaks,
    decode_text,
    encode_blocks,
    encode_breaks,
    encode_text,
    storable,
)

ANY_TEXT = st.text(st.characters(exclude_categories=()))  # lone surrogates too
NUMBERS = st.integers(0, 10_000_000)
BLOCKS = st.builds(
    Block, NUMBERS, NUMBERS, st.sampled_from(BlockKind), st.integers(0, 6), st.sampled_from(Voice)
)
BREAKS = st.builds(Break, NUMBERS, NUMBERS, st.sampled_from(["", " ", "\n", "\n\n", "\t", "😀"]))


@given(ANY_TEXT)
def test_any_text_comes_back_as_it_was(text):
    assert decode_text(encode_text(text)) == text


@given(st.lists(BLOCKS))
def test_blocks_come_back_as_they_were(blocks):
    assert decode_blocks(encode_blocks(blocks)) == tuple(blocks)


@given(st.lists(BREAKS))
def test_breaks_come_back_as_they_were(breaks):
    assert decode_breaks(encode_breaks(breaks)) == tuple(breaks)


def test_a_block_takes_few_bytes():
    blocks = [Block(at, at + 90, BlockKind.PARAGRAPH) for at in range(0, 100_000, 100)]
    assert len(encode_blocks(blocks)) < 20 * len(blocks)
    assert json.loads(encode_blocks(blocks))[0] == ["paragraph", "body"]


@given(ANY_TEXT)
def test_storable_text_goes_into_sqlite_and_comes_back(text):
    stored = storable(text)
    assert apsw.Connection("").execute("SELECT ?", (stored,)).get == stored


def test_storable_keeps_what_is_a_character():
    assert storable("a 𠮷 e\u0301\n") == "a 𠮷 e\u0301\n"
    assert storable("\ud83d\ude00") == "😀"  # the two halves of one
    assert storable("a\ud800b\0") == "a\ufffdb\ufffd"
