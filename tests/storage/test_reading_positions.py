import time

from app.domain.position import Locator
from app.storage.database import Database
from app.storage.reading_positions import ReadingPositions


def test_a_book_that_was_never_read_has_no_position(database, ready_book):
    positions = ReadingPositions(database)
    assert positions.position(ready_book) is None
    assert positions.updated_at(ready_book) is None


def test_the_last_position_is_kept_and_outlives_the_program(database, ready_book):
    before = time.time()
    ReadingPositions(database).save(ready_book, Locator(0, 7))
    ReadingPositions(database).save(ready_book, Locator(3, 1_000_000))
    with Database(database.path) as again:
        positions = ReadingPositions(again)
        assert positions.position(ready_book) == Locator(3, 1_000_000)
        assert before <= positions.updated_at(ready_book) <= time.time()
