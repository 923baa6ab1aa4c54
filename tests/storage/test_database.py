import threading
import time
from contextlib import closing

import apsw
import pytest

from app.domain.errors import StoreDamaged, StoreUnwritable
from app.storage.database import Database, beside, choose_journal, faults_of, set_aside
from tests.fakes.threads import run_together


@pytest.fixture
def database(tmp_path):
    with Database(tmp_path / "library") as database:
        yield database


def place(connection, offset, book_id=1):
    connection.execute("INSERT INTO reading_positions VALUES (?, 0, ?, 0)", (book_id, offset))


def add_book(database, book_id=1):
    with database.write() as connection:
        connection.execute(
            "INSERT INTO books VALUES (?1, ?1, '', 'epub', '', '[]', '', '', 0, 0, NULL, 'ready',"
            " '', 1, 0, 0, '[]', 0, NULL)",
            (book_id,),
        )


def test_the_journal_is_a_write_ahead_log_and_foreign_keys_hold(database):
    assert database.connection().pragma("journal_mode") == "wal"
    with pytest.raises(apsw.ConstraintError), database.write() as connection:
        place(connection, 5, book_id=77)


def test_a_transaction_is_stored_whole(database):
    add_book(database)
    with database.write() as connection:
        place(connection, 5)
    with database.read() as connection:
        assert connection.execute("SELECT offset FROM reading_positions").get == 5


def test_a_transaction_that_fails_leaves_nothing(database):
    add_book(database)

    def work():
        with database.write() as connection:
            place(connection, 5)
            raise KeyError

    with pytest.raises(KeyError):
        work()
    assert database.connection().execute("SELECT count(*) FROM reading_positions").get == 0
    add_book(database, 2)  # and the connection is free for the next


def test_every_thread_has_its_own_connection(database):
    together = threading.Barrier(2)

    def own():
        together.wait()  # both threads live, so that neither can follow the other
        return database.connection()

    seen = {*run_together(own, own), database.connection()}
    assert len(seen) == 3
    assert database.connection() in seen


def test_many_writers_and_readers_never_fail(database):
    add_book(database)

    def write():
        for offset in range(40):
            with database.write() as connection:
                connection.execute("DELETE FROM reading_positions")
                place(connection, offset)

    def read():
        most = 0
        for _ in range(200):
            with database.read() as connection:
                count = connection.execute("SELECT count(*) FROM reading_positions").get
                most = max(most, count)
        return most

    seen = run_together(write, write, write, write, read, read, read, read)
    assert max(seen[4:]) <= 1  # nobody saw half a transaction


def test_a_writer_gets_in_between_the_short_steps_of_another(database):
    """The other one holds the lock 25 of every 29 ms, as an import does."""
    add_book(database)
    stop = threading.Event()
    waits = []

    def hold():
        while not stop.is_set():
            with database.write():
                stop.wait(0.025)
            stop.wait(0.004)

    def write():
        for offset in range(10):
            begun = time.monotonic()
            with database.write() as connection:
                connection.execute("DELETE FROM reading_positions")
                place(connection, offset)
            waits.append(time.monotonic() - begun)
        stop.set()

    run_together(hold, write)
    assert sorted(waits)[5] < 0.5


def test_a_file_that_is_no_database_is_damaged(tmp_path):
    path = tmp_path / "library"
    path.write_bytes(b"My diary. " * 1000)
    with pytest.raises(StoreDamaged):
        Database(path)
    assert path.read_bytes().startswith(b"My diary.")


def test_damage_is_found_after_an_unclean_end(tmp_path):
    path = tmp_path / "library"
    crashed = Database(path)
    add_book(crashed)
    # As a kill leaves it: the file with its journal, and no process that has it open.
    left = tmp_path / "left"
    left.write_bytes(path.read_bytes())
    beside(left, "wal").write_bytes(beside(path, "wal").read_bytes())
    crashed.close()
    with Database(left) as recovered:
        assert recovered.connection().execute("SELECT count(*) FROM books").get == 1
    size = left.stat().st_size
    with left.open("r+b") as file:
        for page in range(1, size // 4096):
            file.seek(page * 4096)
            file.write(b"\xa5" * 64)
    beside(left, "journal").write_bytes(b"x")
    with pytest.raises(StoreDamaged):
        Database(left)


def test_a_damaged_library_is_set_aside_with_its_journals(tmp_path):
    path = tmp_path / "library"
    for name in ("library", "library-wal", "library-shm", "library-damaged-1"):
        (tmp_path / name).write_text(name)
    aside = set_aside(path)
    assert aside.name == "library-damaged-2"
    assert aside.read_text() == "library"
    assert beside(aside, "wal").read_text() == "library-wal"
    assert not path.exists()
    assert not beside(path, "wal").exists()
    Database(path).close()


def test_a_folder_that_is_a_file_says_so(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreUnwritable):
        Database(tmp_path / "file" / "library")


def test_a_full_disk_says_so_and_loses_nothing(database):
    add_book(database)
    connection = database.connection()
    connection.pragma("max_page_count", connection.pragma("page_count"))
    with pytest.raises(StoreUnwritable) as refusal, database.write():
        connection.execute("INSERT INTO resources VALUES (1, 'a', '', zeroblob(9000000))")
    assert refusal.value.reason == "the disk is full"
    assert database.connection().execute("SELECT count(*) FROM books").get == 1


def test_a_lock_of_another_program_says_so(tmp_path):
    name = str(tmp_path / "file")
    with closing(apsw.Connection(name)) as one, closing(apsw.Connection(name)) as other:
        one.execute("BEGIN EXCLUSIVE")
        with pytest.raises(StoreUnwritable), faults_of(tmp_path):
            other.execute("BEGIN EXCLUSIVE")


class NetworkDrive:
    """A connection that grants the write-ahead log and fails at the first write (apsw#173)."""

    in_transaction = False

    def __init__(self):
        self.journal = "delete"

    def pragma(self, name, value=None):
        if name == "journal_mode" and value:
            self.journal = value
        return self.journal

    def execute(self, statement):
        if self.journal == "wal":
            raise apsw.IOError(statement)


def test_a_drive_without_shared_memory_gets_the_plain_journal():
    drive = NetworkDrive()
    choose_journal(drive)
    assert drive.journal == "delete"


def test_a_mistake_of_ours_is_no_fault_of_the_world(database):
    with pytest.raises(apsw.SQLError), database.read() as connection:
        connection.execute("SELECT nonsense")


def test_the_self_check_names_version_and_size(database):
    assert database.check().startswith(f"SQLite {apsw.sqlite_lib_version()}, version 1, ")


def test_closing_leaves_no_journal(tmp_path):
    database = Database(tmp_path / "library")
    add_book(database)
    database.close()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["library", "library-open"]
