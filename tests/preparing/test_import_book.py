import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from app.books.canonical import TEXT_RULE
from app.domain.book import BookFormat, ImportState
from app.domain.errors import (
    BookNotFound,
    BookUnreadable,
    PasswordRequired,
    StoreUnwritable,
    UnsupportedFormat,
)
from app.domain.position import Locator, Span
from app.domain.progress import BookKnown, Progress
from app.preparing.import_book import hash_file, import_book
from app.storage.database import Database
from app.storage.library import Library
from app.storage.reading_positions import ReadingPositions
from app.storage.search_index import SearchIndex
from app.storage.summaries import Summaries
from app.storage.texts import Texts
from tests.builders import BEYOND_ASCII, PNG, Broken, Chapter, PdfLine, PdfPage, make_epub, make_pdf
from tests.fakes.threads import run_together

ROOT = Path(__file__).parents[2]
PROSE = "\n\n".join(
    f"In the year {number} the old harbour master counted {number * 7} ships. He wrote it down."
    for number in range(120)
)


@pytest.fixture
def database(tmp_path):
    with Database(tmp_path / "library.sqlite3") as database:
        yield database


@pytest.fixture
def library(database):
    return Library(database)


def run(path, database, **options):
    """Imports to the end; returns the events and the book's key."""
    events = []
    work = import_book(path, database, **options)
    while True:
        try:
            events.append(next(work))
        except StopIteration as end:
            return events, end.value


def row_counts(database):
    connection = database.connection()
    tables = ("books", "documents", "document_texts", "passages", "search_passages", "resources")
    return [connection.execute(f"SELECT count(*) FROM {name}").get for name in tables]


def test_an_epub_becomes_a_book_that_can_be_read_and_asked(tmp_path, database, library):
    path = make_epub(
        tmp_path / "a.epub",
        [Chapter(f"{BEYOND_ASCII}The whale swam.", "One"), Chapter(PROSE, "Two")],
        css="p { margin: 0 }",
        files={"cover.png": PNG},
        cover="cover.png",
    )
    events, book_id = run(path, database)
    book = library.book(book_id)
    texts = Texts(database)
    assert (book.state, book.book_format, book.text_rule) == (
        ImportState.READY,
        BookFormat.EPUB,
        TEXT_RULE,
    )
    assert (book.path, book.content_hash) == (path, hash_file(path))
    assert [entry.title for entry in texts.contents(book_id)] == ["One", "Two"]
    assert [segment.title for segment in texts.segments(book_id)] == ["One", "Two"]
    assert set(Summaries(database).summaries(book_id)) == {0, 1}
    assert texts.resource(book_id, library.cover_name(book_id)).content == PNG
    passage = texts.passages_of_segment(book_id, 0)[-1]
    text = texts.document_text(book_id, 0)
    assert text.readable_span(passage.span).endswith("The whale swam.")
    assert SearchIndex(database).book(book_id).positions("whale")
    assert isinstance(events[-1], Progress)


def test_a_pdf_becomes_a_book_of_pages(tmp_path, database, library):
    pages = [PdfPage([PdfLine(f"This is the text of page {number}.")]) for number in range(1, 4)]
    events, book_id = run(make_pdf(tmp_path / "a.pdf", pages), database)
    documents = Texts(database).documents(book_id)
    assert library.book(book_id).book_format is BookFormat.PDF
    assert len(documents) == 3
    assert all(document.width_pt > 0 and document.part_count == 0 for document in documents)
    assert Texts(database).document_text(book_id, 1).text.strip() == "This is the text of page 2."
    assert {event.unit for event in events if isinstance(event, Progress)} == {"pages", "sections"}


def test_the_first_document_can_be_read_before_the_rest_is(tmp_path, database, library):
    path = make_epub(
        tmp_path / "a.epub",
        ["One.", '<p id="here">Two</p><img src="a.png" alt=""/>', "Three."],
        css="p { margin: 0 }",
        files={"a.png": PNG, "b.png": PNG},
    )
    work = import_book(path, database, first_file_index=1)
    event = next(work)
    while not isinstance(event, BookKnown):
        event = next(work)
    texts = Texts(database)
    assert library.book(event.book_id).state is ImportState.IMPORTING
    lengths = [document.length_chars for document in texts.documents(event.book_id)]
    assert [length > 0 for length in lengths] == [False, True, False]
    assert b"Two" in texts.part(event.book_id, 1, 0)
    text = texts.document_text(event.book_id, 1).text
    assert text[texts.anchor(event.book_id, 1, "here") :].startswith("Two")
    assert texts.resource(event.book_id, "OEBPS/a.png").content == PNG
    assert texts.resource(event.book_id, "OEBPS/style.css") is not None
    assert texts.resource(event.book_id, "OEBPS/b.png") is None
    assert len(texts.contents(event.book_id)) == 3
    ReadingPositions(database).save(event.book_id, Locator(1, 1))  # the reader reads on
    list(work)
    assert texts.resource(event.book_id, "OEBPS/b.png") is not None
    assert ReadingPositions(database).position(event.book_id) == Locator(1, 1)


def test_a_first_document_that_is_not_there_is_the_last(tmp_path, database):
    _, book_id = run(make_epub(tmp_path / "a.epub", ["One.", "Two."]), database, first_file_index=9)
    assert Texts(database).passage_count(book_id) == 2


def test_a_file_is_in_the_library_once_wherever_it_lies(tmp_path, database, library):
    path = make_epub(tmp_path / "a.epub")
    _, first = run(path, database)
    moved = Path(shutil.copy(path, tmp_path / "b.epub"))
    events, second = run(moved, database)
    assert (events, second) == ([BookKnown(first)], first)
    assert [book.path for book in library.books()] == [moved]


def test_two_books_of_one_identifier_are_two_books(tmp_path, database, library):
    run(make_epub(tmp_path / "a.epub", ["One."]), database)
    run(make_epub(tmp_path / "b.epub", ["Two."]), database)
    assert len(library.books()) == 2


def test_a_book_read_by_an_older_rule_is_read_again(tmp_path, database, library):
    path = make_epub(tmp_path / "a.epub")
    _, old = run(path, database)
    ReadingPositions(database).save(old, Locator(0, 3))
    with database.write() as connection:
        connection.execute("UPDATE books SET text_rule = 0")
    _, new = run(path, database)
    assert [book.book_id for book in library.books()] == [new]
    assert library.book(new).text_rule == TEXT_RULE
    assert ReadingPositions(database).position(new) == Locator(0, 3)


def test_a_missing_picture_is_a_warning(tmp_path, database, library):
    path = make_epub(tmp_path / "a.epub", ["One.", "Two."], broken=Broken.CHAPTER_MISSING)
    _, book_id = run(path, database)
    documents = Texts(database).documents(book_id)
    assert library.book(book_id).warnings or any(document.warnings for document in documents)
    assert len(documents) == 2


@pytest.mark.parametrize(
    ("make", "error"),
    [
        (lambda folder: folder / "none.epub", BookNotFound),
        (lambda folder: folder, BookUnreadable),
        (lambda folder: make_epub(folder / "a", broken=Broken.CUT_OFF), BookUnreadable),
        (lambda folder: Path(shutil.copy(__file__, folder / "a.epub")), UnsupportedFormat),
        (lambda folder: make_pdf(folder / "a.pdf", password="secret"), PasswordRequired),
    ],
)
def test_a_file_that_cannot_be_read_leaves_nothing(tmp_path, database, make, error):
    with pytest.raises(error):
        run(make(tmp_path), database)
    assert row_counts(database) == [0] * 6


def test_a_password_opens_a_pdf(tmp_path, database):
    path = make_pdf(tmp_path / "a.pdf", password="secret")
    _, book_id = run(path, database, password="secret")
    assert Texts(database).passage_count(book_id) > 0


def test_a_stopped_import_leaves_nothing(tmp_path, database):
    path = make_epub(tmp_path / "a.epub", [PROSE] * 3, files={"a.png": PNG})
    count = len(run(path, database)[0])
    Library(database).remove(1)
    for stop_after in range(1, count):
        work = import_book(path, database)
        for _ in range(stop_after):
            next(work)
        work.close()
        assert row_counts(database) == [0] * 6


def test_a_full_disk_leaves_the_library_as_it_was(tmp_path, database, library):
    _, kept = run(make_epub(tmp_path / "a.epub", ["One."]), database)
    big = make_epub(tmp_path / "b.epub", [PROSE] * 30)
    connection = database.connection()
    connection.pragma("max_page_count", connection.pragma("page_count") + 60)
    with pytest.raises(StoreUnwritable):
        run(big, database)
    connection.pragma("max_page_count", 2**31)
    assert [book.book_id for book in library.books()] == [kept]
    assert row_counts(database)[:2] == [1, 1]


def test_the_same_file_taken_in_twice_at_once_is_one_book(tmp_path, database, library):
    path = make_epub(tmp_path / "a.epub", [PROSE] * 4)

    def take_in():
        with Database(database.path) as own:
            return run(path, own)[1]

    first, second = run_together(take_in, take_in)
    assert first == second
    assert [book.book_id for book in library.books()] == [first]
    assert row_counts(database)[0] == 1


def test_another_living_import_is_followed_until_it_ends(tmp_path, database, library):
    path = make_epub(tmp_path / "a.epub", [PROSE] * 2)
    first = import_book(path, database)
    next(first)
    second = import_book(path, database)
    seen = [next(second) for _ in range(3)]
    assert BookKnown(1) in seen
    assert Progress(1, 2, "documents") in seen
    first.close()  # the other gives up: this one goes on by itself
    events = list(second)
    assert BookKnown(2) in events
    assert [book.book_id for book in library.books()] == [2]


def test_what_a_dead_import_left_is_taken_away_first(tmp_path, database):
    path = make_epub(tmp_path / "a.epub", [PROSE])
    work = import_book(path, database)
    next(work)
    left = tmp_path / "left.sqlite3"  # the same library without the living process and its lock
    database.connection().execute("VACUUM INTO ?", (str(left),))
    work.close()
    with Database(left) as found:
        assert row_counts(found)[0] == 1
        _, book_id = run(path, found)
        assert [book.book_id for book in Library(found).books()] == [book_id]
        assert row_counts(found)[0] == 1


KILLED = """
import sys
from pathlib import Path
from app.preparing.import_book import import_book
from app.storage.database import Database

class Loud(Database):
    def write(self):
        print("step", flush=True)
        return super().write()

for event in import_book(Path(sys.argv[1]), Loud(Path(sys.argv[2]))):
    print("step", flush=True)
"""


@pytest.mark.parametrize("steps", [3, 6, 9, 12, 15, 18])
def test_a_kill_at_any_moment_leaves_no_half_book(tmp_path, steps):
    path = make_epub(tmp_path / "a.epub", [PROSE] * 8, files={"a.png": PNG})
    library_path = tmp_path / "library.sqlite3"
    with subprocess.Popen(
        [sys.executable, "-c", KILLED, str(path), str(library_path)],
        stdout=subprocess.PIPE,
        cwd=ROOT,
    ) as process:
        for _ in range(steps):
            process.stdout.readline()
        process.kill()
    with Database(library_path) as database:
        connection = database.connection()
        assert connection.execute("PRAGMA integrity_check").get == "ok"
        library = Library(database)
        library.sweep_unfinished()
        ready = library.books()
        if not ready:
            assert row_counts(database) == [0] * 6
        _, book_id = run(path, database)
        assert [book.book_id for book in library.books()] == [book_id]
        assert Texts(database).passage_count(book_id) == 8 * 120


def test_a_running_import_of_another_process_is_not_swept(tmp_path, database, library):
    work = import_book(make_epub(tmp_path / "a.epub", [PROSE]), database)
    next(work)
    assert library.sweep_unfinished() == 0
    list(work)
    assert len(library.books()) == 1


def test_other_writers_never_wait_long(tmp_path, database):
    path = make_epub(tmp_path / "a.epub", [PROSE] * 40)
    _, other = run(make_epub(tmp_path / "b.epub"), database)
    waits = []
    done = []

    def take_in():
        with Database(database.path) as own:
            run(path, own)
        done.append(True)

    def read_on():
        positions = ReadingPositions(database)
        while not done:
            begun = time.monotonic()
            positions.save(other, Locator(0, len(waits)))
            waits.append(time.monotonic() - begun)

    run_together(take_in, read_on)
    assert len(waits) > 10
    assert sorted(waits)[len(waits) * 9 // 10] < 0.5


@pytest.mark.corpus
@pytest.mark.parametrize(
    ("name", "segments"),
    [
        ("pg11-alice.epub", 17),
        ("live-manual-ja.epub", 42),
        ("idpf-israelsailing-he.epub", 11),
        ("tracemonkey.pdf", 1),
    ],
)
def test_a_real_book_can_be_asked(corpus, database, name, segments):
    _, book_id = run(corpus / name, database)
    texts = Texts(database)
    assert len(texts.segments(book_id)) >= segments
    for document in texts.documents(book_id):
        text = texts.document_text(book_id, document.file_index)
        whole = Span(document.file_index, 0, max(1, document.length_chars))
        at = 0
        for passage in texts.passages_in(book_id, whole):
            assert not text.text[at : passage.span.start].strip()
            at = passage.span.end
        assert len(text.text) == document.length_chars


def test_a_lock_is_not_left_behind(tmp_path, database):
    run(make_epub(tmp_path / "a.epub"), database)
    assert list(tmp_path.glob("*importing*")) == []
