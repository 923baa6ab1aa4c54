import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.books.words import goes_on, is_character_border, sentences, words


def cut(text):
    return [text[start:end] for start, end in sentences(text)]


@pytest.mark.parametrize(
    "expected",
    [
        ["Mr. Darcy came.", "Mrs. Bennet saw him."],
        ["Dr. Who?", "No. 5, vol. 3, p. 7."],
        ["J. K. Rowling wrote it.", "The U.S. Army read it at 5 p.m.", "It was late."],
        ["Not you and I.", "He left."],
        ["Er wohnt z. B. Am Markt, Nr. 7, bei Hrn. Maier.", "Gut."],
        ["M. de Tréville rit.", "Mme. Bonacieux aussi."],
        ["“What now?” she asked.", "“Nothing.”"],
        ["He said: “Hello!", "What now?”"],
        ["It cost 3.50 dollars… or less.", "Yes!"],
        ["Кто там?", "Это я.", "Ёж."],
        ["مرحبا بك.", "كيف حالك؟", "بخير."],
        ["שלום.", "מה שלומך?"],
        ["यह पहला वाक्य है।", "यह दूसरा है॥"],
    ],
)
def test_sentences_end_where_a_reader_ends_them(expected):
    assert cut(" ".join(expected)) == expected


@pytest.mark.parametrize(
    "expected",
    [
        ["彼は言った。", "「何ですか？」と。", "次。"],
        ["「はい。」", "「いいえ。」"],
        ["“你好。”他说。", "“再见！”"],
    ],
)
def test_sentences_need_no_spaces_between_them(expected):
    assert cut("".join(expected)) == expected


def test_a_line_end_ends_a_sentence():
    assert cut("CHAPTER I.\nIt was late") == ["CHAPTER I.", "It was late"]


@given(st.text())
def test_sentences_hold_all_but_white_space_once(text):
    at = 0
    for start, end in sentences(text):
        assert not text[at:start].strip()
        assert text[start:end] == text[start:end].strip() != ""
        at = end
    assert not text[at:].strip()


def test_words_are_those_of_any_script():
    text = "It's 3.5 yes—no! शब्द ספר 東京 😀"
    found = [text[start:end] for start, end in words(text)]
    assert found == ["It's", "3.5", "yes", "no", "शब्द", "ספר", "東", "京"]


def test_a_sentence_goes_on_with_a_small_letter_or_after_an_abbreviation():
    text = "Sent to Mr.\u2028Smith. And\u2028more"
    assert goes_on(text, 11, 12)
    assert not goes_on(text, 18, 19)
    assert goes_on(text, 22, 23)


def test_a_character_border_parts_no_accent_from_its_letter():
    text = "ae\u0301b"
    assert [is_character_border(text, at) for at in range(1, 5)] == [True, False, True, True]
