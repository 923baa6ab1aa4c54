import multiprocessing

import pytest

from app.domain.errors import PageUnreadable
from app.worker.messages import Broke, Call, Failed, Returned
from app.worker.server import serve_pages
from tests.builders import make_pdf

_processes = multiprocessing.get_context("spawn")


@pytest.fixture
def started():
    """Starts `serve_pages` for a file; the pipe's end and the process."""
    open_ones = []

    def start(path):
        ours, theirs = _processes.Pipe()
        process = _processes.Process(target=serve_pages, args=(theirs, path, None, 20.0))
        process.start()
        theirs.close()
        open_ones.append((ours, process))
        return ours, process

    yield start
    for ours, process in open_ones:
        ours.close()
        process.join()
        process.close()


def test_pages_are_served_until_the_pipe_is_closed(tmp_path, started):
    connection, process = started(make_pdf(tmp_path / "a.pdf", ["One", "Two"]))
    assert connection.recv() == Returned(2)
    connection.send(Call("links", (1,)))
    assert connection.recv() == Returned(())
    connection.send(Call("links", (2,)))
    assert connection.recv() == Failed(
        "PageUnreadable", vars(PageUnreadable(2, "there is no such page"))
    )
    connection.send(Call("unknown"))
    assert isinstance(connection.recv(), Broke)
    connection.close()
    process.join(5)
    assert process.exitcode == 0


def test_a_picture_takes_the_pipe_where_there_is_no_shared_memory(tmp_path, started):
    connection, _ = started(make_pdf(tmp_path / "a.pdf", ["One"]))
    connection.recv()
    for name in (None, "gone"):
        connection.send(Call("render", (0, 1.0, 0)))
        assert connection.recv() == Returned((420, 595, 1260))
        connection.send(Call("hand over", (0, name)))
        assert len(connection.recv().value) == 1260 * 595
    connection.send(Call("hand over", (0, None)))
    assert isinstance(connection.recv(), Failed)


def test_nothing_is_printed_where_results_go(tmp_path, started, capfd):
    broken = make_pdf(tmp_path / "a.pdf", ["One", "Two"])
    content = broken.read_bytes().replace(b"startxref", b"startxxxx")
    broken.write_bytes(content.replace(b"/Type/Page/", b"/Type/Pxge/"))
    connection, process = started(broken)
    connection.recv()
    connection.close()
    process.join(5)
    assert capfd.readouterr().out == ""
