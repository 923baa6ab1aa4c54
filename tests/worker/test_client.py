import multiprocessing
import os
import select
import signal
import subprocess
import sys
import time
from multiprocessing import shared_memory
from pathlib import Path

import pytest

from app.books.pdf import PdfFile
from app.domain.book import ImportState
from app.domain.errors import (
    BookUnreadable,
    PageUnreadable,
    PasswordRequired,
    WorkerDied,
    WorkerTimedOut,
)
from app.domain.progress import BookKnown, Progress
from app.storage.database import Database
from app.storage.library import Library
from app.worker.client import ImportWorker, Limits, PageWorker
from tests.builders import Chapter, PdfPage, make_epub, make_pdf
from tests.fakes import worker_servers
from tests.fakes.threads import run_together
from tests.fakes.worker_servers import DEADLY, ENDLESS, FAULTY

TEXT = "It was a quiet morning.\nThe dog slept."
ROOT = Path(__file__).resolve().parent.parent.parent
SHORT = Limits(call=1.0, silence=0.5)


@pytest.fixture(scope="module")
def pdf(tmp_path_factory):
    """A PDF of two pages, the second one turned."""
    path = tmp_path_factory.mktemp("books") / "quiet.pdf"
    return make_pdf(path, [TEXT, PdfPage(TEXT, rotation=90)])


@pytest.fixture(scope="module")
def pages(pdf):
    """A worker that runs already."""
    with PageWorker(pdf) as worker:
        assert worker.page_count == 2
        yield worker


@pytest.fixture
def troubled():
    """A worker with pages that kill it, hang it or break it."""
    with PageWorker(Path("x.pdf"), limits=SHORT, serve=worker_servers.troubled_pages) as worker:
        yield worker


@pytest.fixture
def library(tmp_path):
    """An empty library; its worker has the same database."""
    with Database(tmp_path / "library.sqlite3") as database:
        yield Library(database)


def process_of(number):
    """The process of this number, or None where it has ended."""
    children = multiprocessing.active_children()
    return next((process for process in children if process.pid == number), None)


def imports_running():
    return [one for one in multiprocessing.active_children() if one.name == "ibid-import"]


# Pages


def test_a_page_is_drawn_with_ink_where_its_text_stands(pages):
    start = TEXT.index("dog")
    image = pages.render(0, 2)
    assert (image.width_px, image.height_px) == (840, 1190)
    assert len(image.data) == image.stride_bytes * image.height_px
    (rect,) = pages.rectangles(0, start, start + 3)
    assert ink(image, rect)
    characters = pages.characters(0)
    assert len(characters) == len(TEXT)
    middle = characters[start + 1].rect
    assert rect.contains((middle.x0 + middle.x1) / 2, (middle.y0 + middle.y1) / 2)


def ink(image, rect, scale=2):
    rows = range(int(rect.y0 * scale), int(rect.y1 * scale))
    left, right = int(rect.x0 * scale) * 3, int(rect.x1 * scale) * 3
    return any(
        min(image.data[row * image.stride_bytes + left : row * image.stride_bytes + right]) < 96
        for row in rows
    )


def test_a_turned_page_is_drawn_turned_and_can_be_turned_further(pages):
    assert pages.render(1, 1).width_px == 595
    assert pages.render(1, 1, rotation=90).width_px == 420


def test_a_larger_picture_than_the_last_arrives_whole(pages):
    small, large = pages.render(0, 0.2), pages.render(0, 3)
    assert len(small.data) < len(large.data)
    assert min(large.data) < 64
    assert pages.render(0, 0.2) == small


def test_a_page_that_is_not_there_is_unreadable(pages):
    with pytest.raises(PageUnreadable) as caught:
        pages.render(7, 1)
    assert caught.value.page_index == 7


def test_calls_from_many_threads_each_get_their_own_answer(troubled):
    wanted = [3, 4, 5, 6, 7, 8]
    works = [lambda page=page: [troubled.links(page) for _ in range(20)] for page in wanted]
    assert run_together(*works) == [[(page,)] * 20 for page in wanted]


def test_a_page_that_kills_the_process_costs_that_call_only(troubled):
    before = troubled.links(3), troubled.process_id
    started = time.monotonic()
    with pytest.raises(WorkerDied):
        troubled.links(DEADLY)
    assert time.monotonic() - started < SHORT.call
    assert troubled.process_id is None
    assert troubled.links(3) == before[0]
    assert troubled.process_id != before[1]


def test_a_page_that_never_ends_costs_its_time_limit_and_its_process(troubled):
    troubled.links(3)
    number = troubled.process_id
    with pytest.raises(WorkerTimedOut) as caught:
        troubled.links(ENDLESS)
    assert caught.value.seconds == SHORT.call
    assert process_of(number) is None
    assert troubled.links(4) == (4,)


def test_a_bug_costs_the_page_and_is_logged(troubled, caplog):
    with pytest.raises(PageUnreadable):
        troubled.links(FAULTY)
    assert "ZeroDivisionError: a bug" in caplog.text
    assert troubled.links(4) == (4,)


def test_a_process_that_was_killed_while_idle_is_not_missed(troubled):
    troubled.links(3)
    number = troubled.process_id
    process = process_of(number)
    os.kill(number, signal.SIGKILL)
    process.join()
    assert troubled.links(4) == (4,)
    assert troubled.process_id != number


def test_shared_memory_that_is_gone_is_not_missed(pages):
    picture = pages.render(0, 1)
    shared_memory.SharedMemory(pages._space.name).unlink()
    assert pages.render(0, 1) == picture
    assert pages.render(0, 3).width_px == 1260


def test_closing_ends_a_call_of_another_thread(tmp_path):
    begun = tmp_path / "begun"
    os.mkfifo(begun)
    limits = Limits(call=30)
    worker = PageWorker(begun, limits=limits, serve=worker_servers.troubled_pages)

    def ask():
        with pytest.raises(WorkerDied):
            worker.links(ENDLESS)

    def close():
        begun.read_bytes()  # the call is under way
        worker.close()
        return time.monotonic()

    _, closed = run_together(ask, close)
    assert time.monotonic() - closed < 1
    with pytest.raises(WorkerDied):
        worker.links(3)


def test_closing_leaves_no_process_and_no_shared_memory(pdf):
    worker = PageWorker(pdf)
    worker.render(0, 1)
    name = worker._space.name
    worker.close()
    worker.close()
    assert worker.process_id is None
    with pytest.raises(FileNotFoundError):
        shared_memory.SharedMemory(name)


def test_a_file_that_cannot_be_opened_says_why(tmp_path):
    locked = make_pdf(tmp_path / "locked.pdf", password="sesame")
    with PageWorker(locked) as worker, pytest.raises(PasswordRequired):
        worker.render(0, 1)
    with PageWorker(locked, password="sesame") as worker:
        assert worker.links(0) == ()
    junk = tmp_path / "junk.pdf"
    junk.write_bytes(b"%PDF-1.7\njunk")
    with PageWorker(junk) as worker, pytest.raises(BookUnreadable) as caught:
        _ = worker.page_count
    assert caught.value.path == junk


def test_a_file_that_kills_the_process_at_once_says_so():
    with (
        PageWorker(Path("x.pdf"), serve=worker_servers.dies_opening) as worker,
        pytest.raises(WorkerDied),
    ):
        _ = worker.page_count


@pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="only Linux lets us wait for it")
def test_the_process_ends_with_the_one_that_started_it(pdf):
    program = (
        "import sys; from pathlib import Path; from app.worker.client import PageWorker\n"
        "worker = PageWorker(Path(sys.argv[1])); worker.page_count\n"
        "print(worker.process_id, flush=True); sys.stdin.read()"
    )
    parent = subprocess.Popen(
        [sys.executable, "-c", program, str(pdf)],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    with parent:
        child = os.pidfd_open(int(parent.stdout.readline()))
        parent.kill()
        ended, _, _ = select.select([child], [], [], 5)
        os.close(child)
    assert ended


@pytest.mark.corpus
@pytest.mark.parametrize(
    ("name", "page_index", "cited"),
    [
        ("tracemonkey.pdf", 0, "Dynamic languages such as JavaScript"),
        ("acl2023-386.pdf", 0, "Fact-checking real-world claims"),
        ("debian-reference-zh-cn.pdf", 30, "系统"),
        ("prefilled_f1040.pdf", 0, "Individual Income Tax Return"),
    ],
)
def test_words_of_real_pages_are_spelled_by_what_they_cover(corpus, name, page_index, cited):
    path = corpus / name
    with PdfFile(path) as book, PageWorker(path) as worker:
        text = book.document(page_index).content.text
        start = text.index(cited)
        rects = worker.rectangles(page_index, start, start + len(cited))
        image = worker.render(page_index, 2)
        covered = [one for one in worker.characters(page_index) if is_covered(one.rect, rects)]
    assert "".join(text[one.offset] for one in covered) == cited
    assert all(ink(image, rect) for rect in rects)


def is_covered(box, rects):
    x, y = (box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2
    return box.x1 > box.x0 and any(rect.contains(x, y) for rect in rects)


# Import


def test_a_book_is_taken_in_and_its_progress_told(tmp_path, library):
    book = make_epub(tmp_path / "quiet.epub", [Chapter("It was a quiet morning.", "One")])
    work = ImportWorker(tmp_path / "library.sqlite3").import_book(book)
    events = []
    try:
        while True:
            events.append(next(work))
    except StopIteration as end:
        book_id = end.value
    assert library.book(book_id).state is ImportState.READY
    assert events[0] == BookKnown(book_id)
    assert all(isinstance(event, Progress) for event in events[1:])
    assert not imports_running()


def test_a_stopped_import_ends_its_process_and_leaves_no_book(tmp_path, library):
    chapters = [Chapter("It was a quiet morning. " * 2000, f"{number}") for number in range(40)]
    book = make_epub(tmp_path / "long.epub", chapters)
    work = ImportWorker(tmp_path / "library.sqlite3").import_book(book)
    next(work)
    work.close()
    assert not imports_running()
    assert library.books() == ()


def test_an_error_of_the_import_arrives(tmp_path, library):
    junk = tmp_path / "junk.epub"
    junk.write_bytes(b"PK\3\4 application/epub+zip junk")
    with pytest.raises(BookUnreadable) as caught:
        list(ImportWorker(tmp_path / "library.sqlite3").import_book(junk))
    assert caught.value.path == junk
    assert library.books() == ()


def test_an_import_that_dies_hangs_or_breaks_says_so(tmp_path, caplog):
    def outcome(serve):
        worker = ImportWorker(tmp_path / "none", limits=SHORT, serve=serve)
        return list(worker.import_book(tmp_path / "x.pdf"))

    with pytest.raises(WorkerDied):
        outcome(worker_servers.dies_importing)
    with pytest.raises(WorkerTimedOut):
        outcome(worker_servers.hangs_importing)
    with pytest.raises(BookUnreadable):
        outcome(worker_servers.breaks_importing)
    assert "ZeroDivisionError: a bug" in caplog.text
    assert not imports_running()
