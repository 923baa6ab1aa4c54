from contextlib import closing

import apsw
import pytest

from app.domain.errors import StoreTooNew
from app.storage.database import Database, beside
from app.storage.migrations import MIGRATIONS
from tests.fakes.threads import run_together


def add_shelf(connection):
    connection.execute("CREATE TABLE shelves (name TEXT)")
    connection.execute("INSERT INTO shelves SELECT title FROM books")


def fail_half_way(connection):
    add_shelf(connection)
    connection.execute("INSERT INTO no_such_table VALUES (1)")


def with_a_book(path):
    with Database(path) as database, database.write() as connection:
        connection.execute(
            "INSERT INTO books (content_hash, path, format, title, authors, language, identifier,"
            " is_right_to_left, is_fixed_layout, state, importer, text_rule, document_count,"
            " length_chars, warnings, added_at)"
            " VALUES ('h', '/b', 'epub', 'Emma', '[]', '', '', 0, 0, 'ready', '', 1, 0, 0, '[]', 0)"
        )


def test_a_new_file_gets_every_table_and_its_version(tmp_path):
    with Database(tmp_path / "library") as database:
        assert database.version == len(MIGRATIONS)
        tables = database.connection().execute("SELECT name FROM sqlite_schema").fetchall()
    assert {("books",), ("passages",), ("turns",), ("search_words",)} <= set(tables)


def test_a_step_keeps_what_is_there_and_a_copy_of_the_file_as_it_was(tmp_path):
    path = tmp_path / "library"
    with_a_book(path)
    with Database(path, (*MIGRATIONS, add_shelf)) as database:
        assert database.version == len(MIGRATIONS) + 1
        assert database.connection().execute("SELECT name FROM shelves").get == "Emma"
    with closing(
        apsw.Connection(str(beside(path, f"before-version-{len(MIGRATIONS) + 1}")))
    ) as copy:
        assert copy.pragma("user_version") == len(MIGRATIONS)
        assert copy.execute("SELECT title FROM books").get == "Emma"


def test_a_step_that_fails_leaves_nothing_behind(tmp_path):
    path = tmp_path / "library"
    with_a_book(path)
    with pytest.raises(apsw.SQLError):
        Database(path, (*MIGRATIONS, fail_half_way))
    with Database(path, (*MIGRATIONS, add_shelf)) as database:
        assert database.connection().execute("SELECT name FROM shelves").fetchall() == [("Emma",)]


def test_a_newer_file_is_refused_untouched(tmp_path):
    path = tmp_path / "library"
    Database(path, (*MIGRATIONS, add_shelf)).close()
    before = path.read_bytes()
    with pytest.raises(StoreTooNew) as refusal:
        Database(path)
    assert refusal.value.version == len(MIGRATIONS) + 1
    assert refusal.value.known_version == len(MIGRATIONS)
    assert path.read_bytes() == before


def test_a_step_is_taken_once_when_two_open_the_file_at_once(tmp_path):
    path = tmp_path / "library"
    with_a_book(path)

    def open_it():
        with Database(path, (*MIGRATIONS, add_shelf)) as database:
            shelves = database.connection().execute("SELECT count(*) FROM shelves").get
            return database.version, shelves

    assert run_together(open_it, open_it) == [(len(MIGRATIONS) + 1, 1)] * 2
