import pytest

from app.domain.book import BookFormat, BookMetadata
from app.storage.database import Database
from app.storage.import_writer import ImportWriter, NewBook


@pytest.fixture
def database(tmp_path):
    """An empty library."""
    with Database(tmp_path / "library.sqlite3") as database:
        yield database


@pytest.fixture
def new_book(tmp_path):
    """Makes the values of a book that is to be imported."""

    def make(content_hash="a1", document_count=2, text_rule=1, title="Emma"):
        return NewBook(
            content_hash,
            tmp_path / f"{title}.epub",
            BookFormat.EPUB,
            BookMetadata(title, ("Jane Austen",), "en", "urn:x", is_right_to_left=True),
            text_rule,
            document_count,
            cover_name="cover.png",
        )

    return make


@pytest.fixture
def importing(database, new_book):
    """The writer of a book that is being imported; given up at the end of the test."""
    writer = ImportWriter.begin(database, new_book())
    yield writer
    writer.abandon()


@pytest.fixture
def ready_book(database, new_book):
    """The key of a ready book of two empty documents."""
    writer = ImportWriter.begin(database, new_book())
    writer.finish([])
    return writer.book_id
