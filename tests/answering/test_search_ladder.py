import random

import pytest

from app.domain.book import Voice
from app.domain.evidence import Rung, RungCounts
from app.domain.scope import WHOLE_BOOK, Scope, ScopeKind
from app.storage.database import Database
from tests.fakes.indexed_book import IndexedBook, document

FAR = " ".join(["meanwhile"] * 60) + "."


@pytest.fixture
def database(tmp_path):
    with Database(tmp_path / "library.sqlite3") as database:
        yield database


@pytest.fixture
def whales(database):
    return IndexedBook(
        database,
        [
            ["Ahab hunts the white whale.", "The whale was white, they say.", FAR],
            ["White sails and two whales.", FAR, "Whaling is a trade."],
        ],
    )


def search(book, words, scope=WHOLE_BOOK, limit=50):
    return book.ladder.search(words, scope, limit=limit)


def test_every_rung_is_counted_and_labels_what_a_hit_carries(whales):
    found = search(whales, "white whale")
    assert found.report.rungs == RungCounts(phrase=1, all_words=2, most_words=1, word_forms=1)
    assert (found.report.words_matched, found.report.words_asked) == (2, 2)
    assert {hit.passage.text: hit.rung for hit in found.hits} == {
        "Ahab hunts the white whale.": Rung.PHRASE,
        "The whale was white, they say.": Rung.ALL_WORDS,
        "White sails and two whales.": Rung.MOST_WORDS,
        "Whaling is a trade.": Rung.WORD_FORMS,
    }


def test_the_exact_wording_comes_first(database):
    book = IndexedBook(
        database,
        [["White whale whale white white whale whales."], ["It was the white whale, a sight."]],
    )
    hits = search(book, "the white whale").hits
    assert hits[0].rung is Rung.PHRASE
    assert hits[0].passage.text == "It was the white whale, a sight."


def test_a_wording_across_passages_marks_both(database):
    book = IndexedBook(database, [["The white", "whale swims."]])
    assert [hit.rung for hit in search(book, "white whale").hits] == [Rung.PHRASE, Rung.PHRASE]


def test_the_demand_is_lowered_to_what_some_place_carries(whales):
    report = search(whales, "Ahab sells the white whale cheaply").report
    assert report.rungs.phrase == report.rungs.all_words == 0
    assert report.rungs.most_words == 1
    assert (report.words_matched, report.words_asked) == (4, 6)


def test_a_search_that_found_nothing_says_so_with_zeros(whales):
    found = search(whales, "quantum chromodynamics")
    assert found.hits == ()
    assert found.report.rungs == RungCounts(0, 0, 0, 0)
    assert found.report.found_nothing
    assert found.report.words == ("quantum", "chromodynamics")


def test_words_far_apart_or_in_two_documents_are_not_near_each_other(database):
    book = IndexedBook(database, [["Ahab came.", FAR, "A whale came."], ["A ship came."]])
    assert search(book, "Ahab whale").report.words_matched == 1
    assert search(book, "whale ship").report.words_matched == 1


def test_nothing_outside_the_scope_is_a_hit_or_counted(whales):
    found = search(whales, "white whale", whales.scope_of(1))
    assert found.report.rungs == RungCounts(phrase=0, all_words=0, most_words=1, word_forms=1)
    assert {hit.passage.span.file_index for hit in found.hits} == {1}


def test_an_empty_scope_holds_nothing(whales):
    found = search(whales, "white whale", Scope(ScopeKind.READ, "read", ()))
    assert found.hits == ()
    assert found.report.found_nothing


def test_a_limit_cuts_hits_but_not_counts(whales):
    found = search(whales, "whale", limit=1)
    assert len(found.hits) == 1
    assert found.report.rungs.phrase == 2


def test_contents_and_licence_come_after_evidence(database):
    book = IndexedBook(
        database,
        [document(0, ["The white whale"], Voice.CONTENTS), ["A whale, and it was white."]],
    )
    hits = search(book, "the white whale").hits
    assert [hit.passage.voice for hit in hits] == [Voice.BODY, Voice.CONTENTS]
    assert hits[1].rung is Rung.PHRASE


@pytest.mark.parametrize(
    ("language", "text", "words", "rung"),
    [
        ("zh", "本章介绍部署方案和测试。", "部署", Rung.PHRASE),
        ("zh", "本章介绍部署方案和测试。", "方案 部署", Rung.ALL_WORDS),
        ("ja", "パッケージの一覧を作る。", "一覧", Rung.PHRASE),
        ("ja", "猫がいる。", "猫", Rung.PHRASE),
        ("ar", "قرأتُ الكِتَابَ أمس.", "الكتاب", Rung.PHRASE),
        ("ar", "قرأت الكتاب أمس.", "كتاب", Rung.WORD_FORMS),
        ("he", "הַשַּׁיִט בים", "השיט", Rung.PHRASE),
        ("fr", "C’est l’homme.", "homme", Rung.PHRASE),
        ("en", "It is Pierre’s hat.", "Pierre", Rung.PHRASE),
        ("sa", "कर्मण्येवाधिकारस्ते मा फलेषु", "फलेषु", Rung.PHRASE),
        ("en", "He went home.", "go", Rung.WORD_FORMS),
    ],
)
def test_scripts_and_forms(database, language, text, words, rung):
    book = IndexedBook(database, [[text]], language)
    assert [hit.rung for hit in search(book, words).hits] == [rung]


def test_vowel_signs_tell_words_apart(database):
    book = IndexedBook(database, [["कर्म"]], "hi")
    assert search(book, "करम").hits == ()


def test_no_text_of_a_reader_is_a_query_language(whales):
    chance = random.Random(5)
    letters = "whale AND NOT NEAR( \"'*^:-+{}[]%_;-- \0\n\\ 猫 كتاب 😀 é"
    for _ in range(1000):
        words = "".join(chance.choices(letters, k=chance.randrange(30)))
        report = search(whales, words, limit=3).report
        assert 0 <= report.words_matched <= report.words_asked


def test_operators_are_words(whales):
    assert search(whales, 'white AND "whale"').report.words_asked == 3
    assert search(whales, "state-of-the-art don't").report.words_asked == 6


def test_a_word_typed_twice_is_one_word_and_another_wording(whales):
    report = search(whales, "whale whale").report
    assert report.rungs.phrase == 0
    assert report.rungs.all_words == 2
    assert report.words_asked == 1


def test_words_that_only_ask_are_no_find(whales):
    found = search(whales, "What is the chromodynamics of it?")
    assert found.hits == ()
    assert found.report.found_nothing


def test_a_hit_of_common_words_alone_tells_nothing(database):
    said = [f"He said it was the {place} of the world." for place in ("end", "edge", "middle")]
    book = IndexedBook(database, [[*said * 15, "The compass lay there."]])
    hits = search(book, "Where was it said that the world had a compass?").hits
    assert {hit.passage.text for hit in hits if hit.is_telling} == {"The compass lay there."}
    assert any(not hit.is_telling for hit in hits)
