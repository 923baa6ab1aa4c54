"""The program speaks the language of the question, and says the same in all of them."""

from __future__ import annotations

import string

import pytest

from app.answering.own_sentences import (
    language_name,
    language_of,
    languages,
    primary_language,
    sentence,
)

FILLED = {
    "not_found": set(),
    "not_found_scope": {"scope"},
    "languages": {"asked", "book"},
    "no_pages": {"label"},
    "page_unknown": {"label"},
    "greeting": set(),
    "thanks": set(),
    "only_quotes": set(),
}


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("key", FILLED)
def test_every_sentence_is_there_in_every_language(language, key):
    said = sentence(key, language, **{name: f"<{name}>" for name in FILLED[key]})
    assert said
    assert all(f"<{name}>" in said for name in FILLED[key])
    assert "{" not in said
    assert said[-1] in string.punctuation + "。"


@pytest.mark.parametrize("language", languages())
def test_every_language_has_a_name_of_its_own(language):
    assert language_name(language) != language


@pytest.mark.parametrize(
    ("question", "language"),
    [
        ("What does the cat say about being mad?", "en"),
        ("Was sagt die Katze über den Wahnsinn?", "de"),
        ("Que dit le chat de la folie ?", "fr"),
        ("¿Qué dice el gato sobre la locura?", "es"),
        ("Cosa dice il gatto della follia?", "it"),
        ("O que diz o gato sobre a loucura?", "pt"),
        ("Wat zegt de kat over de waanzin?", "nl"),
        ("Что говорит кот о безумии?", "ru"),
        ("猫は狂気について何と言っていますか。", "ja"),
        ("猫说了什么关于疯狂的话？", "zh"),
        ("고양이는 광기에 대해 뭐라고 합니까?", "ko"),
        ("מה אומר החתול על השיגעון?", "he"),
        ("ماذا يقول القط عن الجنون؟", "ar"),
        ("گربه درباره‌ی دیوانگی چه می‌گوید؟", "fa"),
        ("Τι λέει η γάτα για την τρέλα;", "el"),
        ("xyzzy", ""),
        ("", ""),
    ],
)
def test_the_language_of_a_question_is_told_by_script_and_small_words(question, language):
    assert language_of(question) == language


def test_an_unknown_language_is_answered_in_english():
    assert sentence("not_found", "tlh") == sentence("not_found", "en")
    assert sentence("not_found", "de-CH") == sentence("not_found", "de")


def test_only_the_primary_subtag_counts():
    assert [primary_language(tag) for tag in ("en-GB", "zh_Hant", " DE ", "")] == [
        "en", "zh", "de", "",
    ]  # fmt: skip
