import pytest

from app.answering.word_forms import WordForms


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", ["whale", "whales"]),
        ("en-GB", ["go", "went", "gone", "goes", "going"]),
        ("en", ["child", "children"]),
        ("fr", ["parlait", "parlaient"]),
        ("de", ["haus", "hauser"]),
        ("ru", ["королева", "королевы"]),
        ("ar", ["کتاب", "الکتاب"]),
        ("fa", ["کتاب", "کتابها"]),
        ("he", ["שיט", "השיט"]),
        ("he", ["ספינה", "ספינות"]),
    ],
)
def test_forms_of_a_word_share_a_stem(language, words):
    assert len(set(WordForms(language).stems(words))) == 1


def test_a_language_without_rules_leaves_words_as_they_are():
    assert WordForms("xx").stems(["whales", "whale"]) == ["whales", "whale"]
    assert WordForms("").stems(["パッ"]) == ["パッ"]


def test_a_vocabulary_is_grouped_by_stem():
    grouped = WordForms("en").grouped(["whale", "whales", "ship"])
    assert sorted(map(sorted, grouped.values())) == [["ship"], ["whale", "whales"]]
