import apsw.unicode
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.storage.search_words import (
    MOST_WORD_CHARS,
    fold,
    has_unspaced,
    holds_word,
    holds_wording,
    index_words,
    query_words,
    typed_words,
    wording,
)


@pytest.mark.parametrize(
    ("written", "words"),
    [
        ("Pierre's l’homme don't", ("pierre", "s", "l", "homme", "don", "t")),
        ("state-of-the-art", ("state", "of", "the", "art")),
        (
            "U.S. main.py foo_bar 3.14 1,000,000",
            ("u", "s", "main", "py", "foo", "bar", "3.14", "1000000"),
        ),
        ("ÉLAN Straße Łódź Öl", ("elan", "strasse", "lodz", "ol")),
        ("ｆｕｌｌ ﬁnd", ("full", "find")),
        ("الكِتَابُ", ("الکتاب",)),
        ("کتاب‌ها", ("کتاب", "ها")),
        ("שָׁלוֹם צה״ל", ("שלום", "צהל")),
        ("कर्म", ("कर्म",)),
        ("部署方案", ("部署", "署方", "方案")),
        ("猫", ("猫",)),
        ("データ が", ("デー", "ータ", "が")),
        ("Debian の本", ("debian", "の本")),
        ("?! … —", ()),
    ],
)
def test_words_of_a_query(written, words):
    assert query_words(written) == words


def test_a_run_without_spaces_gives_one_word_for_each_character():
    words, folded = index_words("部署方案 v2")
    assert words == ["部署", "署方", "方案", "案", "v2"]
    assert folded == "部署方案 v2"


def test_spellings_that_a_reader_calls_the_same_fold_alike():
    assert fold("Café") == fold("CAFE\u0301") == fold("cafe")
    assert fold("soft\u00adhyphen") == "softhyphen"


def test_a_wording_ignores_punctuation_and_line_breaks():
    assert wording("“Well,\nPrince — so Genoa!”") == " well prince so genoa"


def test_a_wording_is_found_from_word_to_word_only():
    text = wording("The whalers sail")
    assert holds_word(text, "the")
    assert not holds_word(text, "whale")
    assert not holds_wording(text, wording("the whale"))
    assert holds_word(wording("東京都"), "京都")
    assert holds_word(wording("GitHub是"), "github")


def test_typed_words_keep_their_spelling():
    assert typed_words("What did Pierre's what say?") == ("What", "did", "Pierre", "s", "say")
    assert typed_words("パッケージとは何 Debian?") == ("パッケージとは何", "Debian")


@given(st.text())
def test_every_query_word_of_a_text_is_indexed_with_it(text):
    indexed = set(index_words(text)[0])
    for word in query_words(text):
        assert word in indexed or any(one.startswith(word) for one in indexed)


@given(st.text(), st.text())
def test_wordings_of_neighbours_join(one, other):
    assert wording(one) + wording(other) == wording(one + "\n" + other)


@settings(max_examples=300)
@given(st.text(st.characters(max_codepoint=0x2030) | st.sampled_from("a1.,;'’—“” ½²ª·é")))
def test_the_words_of_latin_text_are_those_of_unicode(text):
    if not has_unspaced(fold(text)):
        expected = [word[:MOST_WORD_CHARS] for word in apsw.unicode.word_iter(fold(text))]
        assert index_words(text)[0] == expected
