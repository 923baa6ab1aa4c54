import pytest

from app.domain.book import BookFormat, ImportState, Voice
from app.domain.conversation import Question
from app.domain.passage import Passage
from app.domain.position import Locator, Span
from app.storage.conversations import Conversations
from app.storage.database import Database, beside
from app.storage.import_writer import ImportWriter
from app.storage.library import Library
from app.storage.reading_positions import ReadingPositions
from tests.fakes.documents import document

TABLES = (
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
    " AND name NOT LIKE 'search_words_%' AND name NOT IN ('search_places', 'search_vocabulary')"
)


@pytest.fixture
def library(database):
    return Library(database)


def imported(database, new_book, *arguments, **fields):
    writer = ImportWriter.begin(database, new_book(*arguments, **fields))
    writer.store_documents([document(["It was a quiet morning."])])
    writer.store_passages([Passage(Span(0, 0, 23), "It was a quiet morning.", Voice.BODY, 0)])
    writer.finish([])
    return writer.book_id


def rows(database):
    connection = database.connection()
    names = [row[0] for row in connection.execute(TABLES).fetchall()]
    counts = {name: connection.execute(f"SELECT count(*) FROM {name}").get for name in names}
    return {name: count for name, count in counts.items() if count}


def test_a_book_has_all_that_was_known_of_it(library, ready_book, new_book):
    book = library.book(ready_book)
    made = new_book()
    assert (book.content_hash, book.path, book.metadata) == ("a1", made.path, made.metadata)
    assert (book.book_format, book.state) == (BookFormat.EPUB, ImportState.READY)
    assert (book.text_rule, book.document_count, book.length_chars) == (1, 2, 0)
    assert library.cover_name(ready_book) == "cover.png"


def test_a_book_that_is_not_there_is_no_book(library):
    with pytest.raises(LookupError):
        library.book(1)
    assert library.find_by_hash("a1") is None
    assert library.importing("a1") is None
    assert library.cover_name(1) is None


def test_a_book_that_is_importing_is_found_but_not_listed(library, importing):
    assert library.books() == ()
    assert library.recent(10) == ()
    assert library.find_by_hash("a1").state is ImportState.IMPORTING
    assert library.importing("a1")[0] == importing.book_id
    assert library.documents_stored(importing.book_id) == (0, 2)
    importing.store_documents([document(["Text."])])
    assert library.documents_stored(importing.book_id) == (1, 2)


def test_recent_books_are_those_opened_last(library, database, new_book):
    first = imported(database, new_book, "a1", title="Emma")
    second = imported(database, new_book, "b2", title="Persuasion")
    assert [book.metadata.title for book in library.books()] == ["Emma", "Persuasion"]
    library.opened(second)
    library.opened(first)
    assert [book.book_id for book in library.recent(10)] == [first, second]
    assert [book.book_id for book in library.recent(1)] == [first]


def test_a_file_that_moved_is_known_at_its_new_place(library, ready_book, tmp_path):
    library.moved(ready_book, tmp_path / "elsewhere.epub")
    assert library.book(ready_book).path == tmp_path / "elsewhere.epub"


def test_nothing_stays_of_a_removed_book(library, database, new_book):
    kept = imported(database, new_book, "b2")
    with_one_book = rows(database)
    removed = imported(database, new_book, "a1")
    ReadingPositions(database).save(removed, Locator(0, 5))
    Conversations(database).add_question(removed, Question("Why?"))
    library.remove(removed)
    assert rows(database) == with_one_book
    assert [book.book_id for book in library.books()] == [kept]


def test_a_half_removal_is_ended_at_the_next_start(library, database, new_book):
    removed = imported(database, new_book)
    with database.write() as connection:  # as `remove` begins
        connection.execute("UPDATE books SET state = 'leaving'")
    assert library.books() == ()
    assert library.find_by_hash("a1") is None
    with pytest.raises(LookupError):
        library.book(removed)
    assert library.sweep_unfinished() == 1
    assert rows(database) == {}


def test_a_half_import_is_removed_unless_its_process_lives(library, database, importing, tmp_path):
    importing.store_documents([document(["It was a quiet morning."])])
    assert library.sweep_unfinished() == 0
    left = tmp_path / "left.sqlite3"  # the same library without the living process and its lock
    with database.read() as connection:
        connection.execute("VACUUM INTO ?", (str(left),))
    with Database(left) as found:
        assert Library(found).sweep_unfinished() == 1
        assert rows(found) == {}
    assert library.book(importing.book_id).state is ImportState.IMPORTING


def test_a_book_that_became_ready_meanwhile_is_not_abandoned(library, database, new_book):
    writer = ImportWriter.begin(database, new_book())
    book_id, importer = library.importing("a1")
    writer.finish([])
    assert not library.abandon(book_id, importer)
    assert library.book(book_id).state is ImportState.READY
    assert not beside(database.path, f"importing-{importer}").exists()
