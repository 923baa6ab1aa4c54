"""MuPDF is not thread-safe; its process is asked by several threads at once and never notices."""

import pytest

from app.worker.client import PageWorker
from tests.builders import PdfPage, make_pdf
from tests.fakes.threads import run_together

_THREADS, _ROUNDS = 4, 17  # 3 calls a round: 204 calls


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    path = tmp_path_factory.mktemp("books") / "mixed.pdf"
    written = [
        PdfPage(f"Page {number}\nof a book.", rotation=90 * (number % 4)) for number in range(8)
    ]
    with PageWorker(make_pdf(path, written, size=(200, 300))) as worker:
        assert worker.page_count == 8
        yield worker


def asked(pages, thread):
    """Pictures, places and characters in an order of this thread's own."""
    answers = []
    for step in range(_ROUNDS):
        page = (3 * thread + 5 * step) % 8
        answers += [
            (page, pages.render(page, 1.0 + 0.25 * (step % 3))),
            (page, pages.rectangles(page, 0, 6)),
            (page, pages.characters(page)),
        ]
    return answers


def test_two_hundred_mixed_calls_give_the_same_bytes_as_one_after_another(pages):
    alone = [asked(pages, thread) for thread in range(_THREADS)]
    works = [lambda thread=thread: asked(pages, thread) for thread in range(_THREADS)]
    assert run_together(*works) == alone
