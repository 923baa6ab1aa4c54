import pytest

from app.answering.asked_words import BookWords
from app.domain.scope import WHOLE_BOOK
from app.storage.database import Database
from tests.fakes.indexed_book import IndexedBook


@pytest.fixture
def database(tmp_path):
    with Database(tmp_path / "library.sqlite3") as database:
        yield database


def read(book, question, scope=WHOLE_BOOK):
    return {word.word: word for word in book.ladder.book_words.read(question, scope)}


def test_words_that_ask_weigh_nothing_and_are_still_words(database):
    book = IndexedBook(database, [["The princess wept.", "What a day it was."]])
    asked = read(book, "What did the princess do?")
    assert list(asked) == ["what", "did", "the", "princess", "do"]
    assert [word for word, one in asked.items() if one.weight > 0] == ["princess"]


def test_a_question_of_nothing_but_such_words_gives_them_weight(database):
    book = IndexedBook(database, [["To be, or not to be."], ["Whales."]])
    assert all(word.weight > 0 for word in read(book, "to be or not to be").values())


def test_forms_of_a_word_are_found_with_it(database):
    book = IndexedBook(database, [["A whale.", "Two whales."]])
    whale = read(book, "whale")["whale"]
    assert whale.exact == (1,)
    assert whale.any_form == (1, 3)
    assert whale.passage_count == 2


def test_a_rare_word_weighs_more_than_a_frequent_one(database):
    book = IndexedBook(database, [["A whale and a ship."] * 3 + ["A whale and a harpoon."]])
    asked = read(book, "harpoon whale")
    assert asked["harpoon"].weight > asked["whale"].weight


def test_a_scope_hides_the_places_outside_it(database):
    book = IndexedBook(database, [["A whale."], ["A whale and a harpoon."]])
    asked = read(book, "whale harpoon", book.scope_of(0))
    assert asked["whale"].passage_count == 1
    assert asked["harpoon"].passage_count == 0
    assert asked["harpoon"].any_form == ()


def test_words_about_saying_are_not_what_is_asked_about(database):
    book = IndexedBook(database, [["The author says whales are fish."]])
    asked = read(book, "What does the author say about whales?")
    assert [word for word, one in asked.items() if one.is_subject] == ["whales"]
    asked = read(book, "Who is the author?")
    assert [word for word, one in asked.items() if one.is_subject] == ["author"]


def test_names_that_stand_together_are_one_run(database):
    book = IndexedBook(database, [["Harry met a potter in Rome."]])
    asked = read(book, "Did Harry Potter see Rome?")
    assert asked["harry"].name_run == asked["potter"].name_run > 0
    assert asked["rome"].name_run not in {0, asked["harry"].name_run}
    assert asked["did"].name_run == asked["see"].name_run == 0


def test_kana_weighs_less_than_what_it_joins(database):
    book = IndexedBook(database, [["猫はねずみを見た。"]], "ja")
    asked = read(book, "猫見ねず")
    assert asked["ねず"].weight < asked["猫見"].weight


def test_a_common_word_is_not_followed_through_the_book(database):
    book = IndexedBook(database, [["Pierre laughed."] * 600 + ["Pierre saw a comet."]])
    asked = read(book, "Pierre comet")
    assert asked["pierre"].is_common
    assert asked["pierre"].any_form == ()
    assert not asked["comet"].is_common
    assert not read(book, "Pierre")["pierre"].is_common


def test_the_language_is_guessed_where_the_book_names_none(database):
    book = IndexedBook(database, [["Der Wal und die See.", "Die Wale in der See."]])
    assert BookWords(book.search, "").language == "de"
    assert BookWords(book.search, "fr").language == "fr"


def test_only_a_rare_word_that_is_no_grammar_tells_what_a_passage_is_about(database):
    book = IndexedBook(database, [["Ahab said no."] * 40 + ["Ahab kept a compass."]])
    asked = read(book, "Who kept the compass of Ahab?")
    assert [word for word, one in asked.items() if one.is_telling] == ["kept", "compass"]
    assert not any(one.is_telling for one in read(book, "Who is he?").values())
