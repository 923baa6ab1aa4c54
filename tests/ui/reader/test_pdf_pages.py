"""Which page is asked of the worker next, and what is kept."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QImage

from app.domain.book import Book, BookFormat, BookMetadata, ImportState
from app.domain.document import DocumentText
from app.domain.drawn_page import PageImage
from app.domain.errors import BookNotFound, PageUnreadable, WorkerDied
from app.ui.reader import pdf_pages
from app.ui.reader.pdf_ink import PdfInk
from app.ui.reader.pdf_pages import NearPages, PageWish, bearable_scale
from app.ui.theme import load_theme

SETTLE_MS = 5000


class Drawer:
    """Draws white squares; a page may have an error each time it is asked for."""

    def __init__(self):
        self.asked = []
        self.errors = {}
        self.side = 10

    def render(self, page_index, scale):
        self.asked.append((page_index, scale))
        errors = self.errors.get(page_index)
        if errors:
            raise errors.pop(0)
        return PageImage(self.side, self.side, 3 * self.side, b"\xff" * (3 * self.side**2))

    def rectangles(self, page_index, start, end):
        return ()

    def characters(self, page_index):
        return ()

    def links(self, page_index):
        return ()


class Content:
    def __init__(self, path):
        self.pages = Drawer()
        self.documents = ()
        self.book = Book(
            1, "0", path, BookFormat.PDF, BookMetadata("A book"), ImportState.READY, 1, 9, 0
        )

    def document_text(self, file_index):
        return DocumentText(file_index, "", (), ())


@pytest.fixture
def content(tmp_path):
    return Content(tmp_path / "a.pdf")


@pytest.fixture
def pages(jobs, content):
    made = NearPages(jobs, PdfInk.of_theme(load_theme("light")))
    made.open(content)
    yield made
    made.close()


def wishes(*indexes, scale=1.0):
    return [PageWish(index, scale, is_visible=True) for index in indexes]


def test_pages_that_are_wanted_no_longer_are_not_drawn(qtbot, pages, content):
    pages.want(wishes(*range(100)))
    pages.want(wishes(500))
    with qtbot.waitSignal(pages.measured, check_params_cb=lambda page: page == 500):
        pass
    assert [page for page, _ in content.pages.asked] == [0, 500]


def test_a_question_goes_before_the_pictures(qtbot, pages, content):
    pages.want(wishes(0, 1, 2))
    order = []
    pages.drawn.connect(order.append)
    pages.ask(lambda _: "answer", order.append)
    qtbot.waitUntil(lambda: len(order) == 4, timeout=SETTLE_MS)
    assert order == [0, "answer", 1, 2]


def test_an_old_picture_stays_until_the_new_one_is_there(qtbot, pages, content):
    with qtbot.waitSignal(pages.drawn):
        pages.want(wishes(0))
    old = pages.picture(0)
    pages.want(wishes(0, scale=2.0))
    assert pages.picture(0) is old
    with qtbot.waitSignal(pages.drawn):
        pass
    assert pages.picture(0) is not old
    with qtbot.waitSignal(pages.drawn):
        pages.set_ink(PdfInk.of_theme(load_theme("dark")))
    assert isinstance(pages.picture(0), QImage)
    assert pages.picture(0).pixelColor(0, 0).lightness() < 60


def test_an_unreadable_page_is_not_tried_again(qtbot, pages, content):
    content.pages.errors = {0: [PageUnreadable(0, "it is torn")]}
    with qtbot.waitSignal(pages.drawn):
        pages.want(wishes(0))
    assert isinstance(pages.error(0), PageUnreadable)
    with qtbot.waitSignal(pages.drawn, check_params_cb=lambda page: page == 2):
        pages.want(wishes(2))
    pages.want(wishes(0, 3))
    with qtbot.waitSignal(pages.drawn, check_params_cb=lambda page: page == 3):
        pass
    assert [page for page, _ in content.pages.asked].count(0) == 1


def test_a_page_that_kills_the_worker_twice_is_left_alone(qtbot, pages, content):
    content.pages.errors = {0: [WorkerDied("render"), WorkerDied("render")]}
    for other in (1, 2, 3):
        with qtbot.waitSignal(pages.drawn, check_params_cb=lambda page, o=other: page == o):
            pages.want(wishes(0, other))
        with qtbot.waitSignal(pages.drawn, check_params_cb=lambda page, o=other: page == o + 10):
            pages.want(wishes(other + 10))
    assert [page for page, _ in content.pages.asked].count(0) == 2


def test_a_file_that_is_gone_is_told_once(qtbot, pages, content, tmp_path):
    gone = BookNotFound(tmp_path / "a.pdf")
    content.pages.errors = {0: [gone], 1: [gone]}
    told = []
    pages.failed.connect(told.append)
    with qtbot.waitSignal(pages.drawn, check_params_cb=lambda page: page == 1):
        pages.want(wishes(0, 1))
    assert told == [gone]


def test_pictures_are_kept_within_their_limit(qtbot, pages, content):
    content.pages.side = 2000
    count = pdf_pages.PICTURES_BYTES // (4 * content.pages.side**2) + 3
    for index in range(count):
        with qtbot.waitSignal(pages.drawn):
            pages.want(wishes(index))
    assert pages.held_bytes <= pdf_pages.PICTURES_BYTES
    assert pages.picture(0) is None
    assert pages.picture(count - 1) is not None


def test_a_closed_book_leaves_nothing_and_reports_nothing(qtbot, pages, content, jobs):
    pages.want(wishes(0))
    seen = []
    pages.drawn.connect(seen.append)
    pages.close()
    qtbot.waitUntil(lambda: not jobs.is_busy, timeout=SETTLE_MS)
    assert seen == []
    assert pages.picture(0) is None


def test_a_huge_page_is_drawn_coarser():
    assert bearable_scale(2.0, 595, 842) == 2.0
    scale = bearable_scale(8.0, 2000, 3000)
    assert 2000 * 3000 * scale * scale <= 12_000_001
