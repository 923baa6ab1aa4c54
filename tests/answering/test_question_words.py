import pytest

from app.answering.question_words import (
    asking_words,
    guess_language,
    languages_of_question,
    question_words,
    without_unspaced_question_words,
)


@pytest.mark.parametrize(
    ("language", "word"),
    [
        ("en", "what"),
        ("en-US", "did"),
        ("fr", "pourquoi"),
        ("de", "warum"),
        ("he", "מה"),
        ("nb", "hvor"),
        ("fa", "چرا"),
    ],
)
def test_closed_classes_are_listed_as_the_index_folds_them(language, word):
    assert word in question_words(language)


def test_an_unlisted_language_has_none():
    assert question_words("xx") == frozenset()
    assert asking_words("xx") == frozenset()


def test_words_about_books_are_no_closed_class():
    assert "author" in asking_words("en")
    assert "author" not in question_words("en")


def test_strings_that_ask_are_cut_out_of_writing_without_spaces():
    cut = without_unspaced_question_words("パッケージリストとは何ですか", ["ja"])
    assert cut.split() == ["パッケージリスト"]
    cut = without_unspaced_question_words("量子色动力学是什么？", ["zh"])
    assert cut.split() == ["量子色动力学", "?"]


def test_strings_about_books_are_cut_out_on_request():
    question = "本書は恐竜について何と述べていますか"
    assert "本書" in without_unspaced_question_words(question, ["ja"])
    assert "本書" not in without_unspaced_question_words(question, ["ja"], with_asking=True)


def test_a_question_brings_its_own_language():
    assert languages_of_question("Who is the king?", "fr") == ("fr", "en")
    assert languages_of_question("パッケージとは", "") == ("ja",)
    assert languages_of_question("什么是开源", "en") == ("en", "zh")
    assert languages_of_question("whale", "en") == ("en",)


def test_the_language_of_a_book_is_guessed_from_its_frequent_words():
    assert guess_language({"der": 40, "und": 39, "die": 38, "in": 20}) == "de"
    assert guess_language({"zzz": 3}) == ""
