import pytest

from app.domain.scope import WHOLE_BOOK
from app.storage.database import Database
from tests.fakes.indexed_book import IndexedBook

LONG_AGO = "Long ago it rained for many days and everybody stayed within their own four walls."


@pytest.fixture
def database(tmp_path):
    with Database(tmp_path / "library.sqlite3") as database:
        yield database


def texts(book, words, scope=WHOLE_BOOK):
    return [hit.passage.text for hit in book.ladder.search(words, scope, limit=50).hits]


def test_a_passage_with_more_of_the_question_comes_first(database):
    book = IndexedBook(database, [["The lamp stood there.", "The lamp was of copper."]])
    assert texts(book, "copper lamp")[0] == "The lamp was of copper."


def test_what_stands_before_a_passage_counts_for_it(database):
    book = IndexedBook(
        database,
        [
            ["The wood-cutter went up the hill.", "There he found a child."],
            [LONG_AGO, "There somebody found a coin."],
        ],
    )
    assert texts(book, "What did the wood-cutter find?")[1] == "There he found a child."


def test_function_words_do_not_decide_the_order(database):
    book = IndexedBook(
        database, [["What did he do, and why did he do what he did?"], ["The princess wept."]]
    )
    assert texts(book, "What did the princess do?") == ["The princess wept."]


def test_a_common_word_still_tells_places_apart(database):
    book = IndexedBook(
        database,
        [["Pierre laughed."] * 600 + ["Andrew saw the comet."], ["Pierre saw the comet."]],
    )
    assert texts(book, "Pierre comet")[0] == "Pierre saw the comet."


def test_scores_fall_from_hit_to_hit(database):
    book = IndexedBook(database, [["A cat.", "A cat and a dog.", "A dog.", LONG_AGO]])
    scores = [hit.score for hit in book.ladder.search("cat dog", WHOLE_BOOK, limit=9).hits]
    assert scores == sorted(scores, reverse=True)


def test_a_word_that_only_begins_alike_helps_the_order_and_is_no_hit(database):
    book = IndexedBook(
        database,
        [
            ["A box for the king."],
            [LONG_AGO],
            ["A box of photographs for the king.", "Photographs."],
        ],
    )
    found = book.ladder.search("photography king", WHOLE_BOOK, limit=50)
    assert [hit.passage.text for hit in found.hits] == [
        "A box of photographs for the king.",
        "A box for the king.",
    ]
    assert found.report.words_matched == 1
    assert found.report.rungs.word_forms == 0
