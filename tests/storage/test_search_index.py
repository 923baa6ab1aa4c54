import pytest

from app.domain.position import Span
from app.storage.database import Database
from app.storage.search_index import DOCUMENT_GAP, SearchIndex, remove_book
from app.storage.search_words import wording
from tests.fakes.indexed_book import IndexedBook


@pytest.fixture
def database(tmp_path):
    with Database(tmp_path / "library.sqlite3") as database:
        yield database


def test_passages_stand_in_reading_order_with_a_gap_between_documents(database):
    search = IndexedBook(database, [["One two three."], ["Four five."]]).search
    assert search.places.spans == (Span(0, 0, 14), Span(1, 0, 10))
    assert list(search.places.first_words) == [0, 3 + DOCUMENT_GAP]
    assert list(search.places.behind_words) == [3, 5 + DOCUMENT_GAP]
    assert search.places.average_words == 2.5


def test_a_word_is_found_at_all_its_positions(database):
    search = IndexedBook(database, [["The cat sat.", "A dog and the cat."]]).search
    assert search.positions("cat") == [(0, 1), (1, 7)]
    assert search.positions("bird") == []


def test_a_single_character_without_spaces_is_found_within_pairs_and_alone(database):
    search = IndexedBook(database, [["東京都と猫"]], "ja").search
    assert search.positions("京") == [(0, 1)]
    assert search.positions("猫") == [(0, 4)]
    assert search.positions("東京") == [(0, 0)]


def test_the_vocabulary_counts_passages(database):
    search = IndexedBook(database, [["Cat cat cat.", "Cat dog."]]).search
    assert search.vocabulary == {"cat": 2, "dog": 1}


def test_a_wording_is_found_across_passages_but_not_across_documents(database):
    search = IndexedBook(database, [["The white", "whale swims."], ["The end."]]).search
    assert search.wording_places(wording("white whale")) == [(0, 1)]
    assert search.wording_places(wording("swims the end")) == []
    assert search.wording_places(wording("white whal")) == []
    assert search.wording_places("") == []


def test_a_hit_is_the_stored_passage(database):
    book = IndexedBook(database, [["The cat sat.", "A dog."]])
    assert book.search.passages([1, 0]) == [book.passages[1], book.passages[0]]


def test_books_do_not_see_each_other(database):
    one = IndexedBook(database, [["A cat."]])
    other = IndexedBook(database, [["A dog."]])
    assert one.search.positions("dog") == []
    assert set(one.search.vocabulary) == {"a", "cat"}
    assert set(other.search.vocabulary) == {"a", "dog"}


def test_a_removed_book_leaves_nothing_in_the_index(database):
    one = IndexedBook(database, [["A cat."]])
    other = IndexedBook(database, [["A cat."]])
    with database.write() as connection:
        remove_book(connection, one.book_id)
    emptied = SearchIndex(database).book(one.book_id)
    assert emptied.vocabulary == {}
    assert emptied.positions("cat") == []
    assert emptied.places.spans == ()
    assert SearchIndex(database).book(other.book_id).positions("cat") == [(0, 1)]


def test_punctuation_within_words_does_not_shift_positions(database):
    search = IndexedBook(database, [["a;b c^d {e} 3.14% x|y «q» 'z' \"w\" end"]]).search
    [(_, position)] = search.positions("end")
    assert position == search.places.behind_words[0] - 1
