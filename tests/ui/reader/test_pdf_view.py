"""The PDF view on built books: cited ink, places, selection, links, and pages that fail."""

from __future__ import annotations

import pymupdf
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QGuiApplication, QMouseEvent

from app.domain.drawn_page import PageRect
from app.domain.position import Locator, Span
from app.ui.reader.pdf_view import PdfView
from app.ui.reader.reader_view import BookLink, WebLink
from app.ui.theme import load_theme
from app.worker.client import PageWorker
from tests.builders import make_pdf
from tests.fakes.in_memory_pdf import InMemoryPdf

SETTLE_MS = 10_000
WORDS = "cited words of the page"
TEXT = "\n".join(
    f"Line {row} says something plain." if row != 20 else f"Here stand the {WORDS} alone."
    for row in range(26)
)


@pytest.fixture
def make_book(tmp_path):
    books = []

    def make(pages, **options):
        books.append(InMemoryPdf(make_pdf(tmp_path / f"{len(books)}.pdf", pages, **options)))
        return books[-1]

    yield make
    for book in books:
        book.close()


@pytest.fixture
def view(qtbot, jobs):
    made = PdfView(load_theme("light"), jobs)
    qtbot.addWidget(made)
    made.resize(700, 600)
    made.show()
    yield made
    made.close()


@pytest.fixture
def show(qtbot, view):
    def show(book, start=None):
        with qtbot.waitSignal(view.shown, timeout=SETTLE_MS):
            view.show_book(book, start or Locator(0, 0))
        return book

    return show


@pytest.fixture
def go(qtbot, view):
    def go(place, **options):
        with qtbot.waitSignal(view.arrived, timeout=SETTLE_MS) as arrived:
            view.go_to(place, **options)
        assert arrived.args == [place]

    return go


def span_of(book, page, wording):
    start = book.document_text(page).text.index(wording)
    return Span(page, start, start + len(wording))


def text_under_highlight(qtbot, view):
    with qtbot.waitCallback(timeout=SETTLE_MS) as received:
        view.text_under_highlight(received)
    return received.args[0]


def cited_rects(view):
    canvas = view._canvas
    return [
        canvas.page_layout.in_column(page, rect).translated(-canvas.origin)
        for page, rects in canvas.cited
        for rect in rects
    ]


@pytest.fixture(params=[0, 90], ids=["upright", "turned"])
def three_pages(request, make_book):
    return make_book(["first", TEXT, "last"], rotation=request.param)


def test_the_highlight_covers_the_ink_of_the_cited_words(qtbot, view, show, go, three_pages):
    book = show(three_pages)
    go(span_of(book, 1, WORDS), highlight=True)
    assert text_under_highlight(qtbot, view) == WORDS
    middle = view.height() / 2
    (rect,) = cited_rects(view)
    assert abs(rect.center().y() - middle) <= view.height() / 6
    qtbot.waitUntil(lambda: view._pages.picture(1) is not None, timeout=SETTLE_MS)
    qtbot.waitUntil(lambda: not view._canvas.is_flashing, timeout=SETTLE_MS)
    image = view.grab().toImage()
    inner = rect.adjusted(1, 1, -1, -1).toAlignedRect()
    pixels = [
        image.pixelColor(x, y)
        for x in range(inner.left(), inner.right())
        for y in range(inner.top(), inner.bottom())
    ]
    assert any(pixel.lightness() < 90 for pixel in pixels), "the ink is still to be seen"
    honey = QColor(load_theme("light").color("highlight"))
    grounds = [pixel for pixel in pixels if pixel.blue() > honey.blue() - 3]
    assert len(grounds) > len(pixels) / 3
    assert all(pixel.blue() <= honey.blue() + 3 for pixel in grounds)
    # What is not cited on the same line is not marked.
    outside = image.pixelColor(inner.left() - 6, inner.center().y())
    assert outside.blue() > honey.blue() + 20 or outside.lightness() < 150


@pytest.mark.parametrize("name", ["light", "sepia", "dark"])
def test_a_page_wears_the_colours_of_the_theme(qtbot, view, show, make_book, name):
    theme = load_theme(name)
    view.set_theme(theme)
    show(make_book([TEXT]))
    image = view._pages.picture(0)
    paper, colour = image.pixelColor(2, 2), QColor(theme.color("page"))
    assert (
        max(
            abs(paper.red() - colour.red()),
            abs(paper.green() - colour.green()),
            abs(paper.blue() - colour.blue()),
        )
        <= 2
    )


def test_back_leads_to_the_very_same_place(qtbot, view, show, go, make_book):
    show(make_book([TEXT] * 8))
    view._canvas.scroll_to(1333)
    here = view.viewpoint()
    go(Locator(5, 0))
    assert view.viewpoint().locator.file_index == 5
    go(here)
    assert view._canvas.origin.y() == 1333


def test_a_kept_place_is_shown_again(qtbot, view, show, make_book):
    book = make_book([TEXT] * 5)
    offset = book.document_text(2).text.index("Line 15")
    places = []
    view.place_changed.connect(places.append)
    show(book, Locator(2, offset))
    qtbot.waitUntil(lambda: bool(places) and places[-1] == Locator(2, offset), timeout=SETTLE_MS)


def test_a_page_far_away_is_reached_without_drawing_those_between(qtbot, view, show, go, make_book):
    book = show(make_book(["few"] * 150, size=(200, 300)))
    go(Locator(140, 0))
    qtbot.waitUntil(lambda: view._pages.picture(140) is not None, timeout=SETTLE_MS)
    assert len(book.pages.drawn) < 20


def test_dragging_selects_and_control_c_copies(qtbot, view, show, make_book):
    book = show(make_book([TEXT]))
    qtbot.waitUntil(lambda: view._pages.text(0) is not None, timeout=SETTLE_MS)
    span = span_of(book, 0, "says something")
    first, last = view._pages.text(0).boxes[span.start], view._pages.text(0).boxes[span.end - 1]
    layout, canvas = view._canvas.page_layout, view._canvas
    begin = layout.in_column(0, first.rect).translated(-canvas.origin)
    end = layout.in_column(0, last.rect).translated(-canvas.origin)
    seen = []
    view.selection_changed.connect(seen.append)
    port = canvas.viewport()
    qtbot.mousePress(port, Qt.MouseButton.LeftButton, pos=at(begin.left() + 1, begin))
    drag(port, at(end.right() - 1, end))
    qtbot.mouseRelease(port, Qt.MouseButton.LeftButton, pos=at(end.right() - 1, end))
    assert seen[-1].span == span
    assert seen[-1].text == "says something"
    qtbot.keyClick(canvas, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == "says something"
    view.clear_selection()
    assert seen[-1] is None


def test_a_double_click_selects_the_word(qtbot, view, show, make_book):
    book = show(make_book([TEXT]))
    qtbot.waitUntil(lambda: view._pages.text(0) is not None, timeout=SETTLE_MS)
    span = span_of(book, 0, "something")
    box = view._pages.text(0).boxes[span.start + 3]
    rect = view._canvas.page_layout.in_column(0, box.rect).translated(-view._canvas.origin)
    seen = []
    view.selection_changed.connect(seen.append)
    qtbot.mouseDClick(
        view._canvas.viewport(), Qt.MouseButton.LeftButton, pos=rect.center().toPoint()
    )
    assert [one.span for one in seen if one] == [span]


def test_a_page_that_kills_the_worker_is_tried_again_at_its_next_view(
    qtbot, view, show, go, make_book
):
    book = make_book([TEXT] * 9)
    book.pages.dying = {0: 1, 6: 2}
    show(book)
    assert view._pages.error(0) is not None
    go(Locator(6, 0))
    qtbot.waitUntil(lambda: view._pages.error(6) is not None, timeout=SETTLE_MS)
    go(Locator(0, 0))
    qtbot.waitUntil(lambda: view._pages.picture(0) is not None, timeout=SETTLE_MS)
    assert view._pages.error(0) is None


def test_pages_that_come_later_are_waited_for(qtbot, view, show, make_book):
    book = make_book([TEXT] * 8)
    whole, documents = book.book, book.documents
    book.with_pages(2)
    show(book)
    view.go_to(span_of(book, 6, WORDS), highlight=True)
    with qtbot.waitSignal(view.arrived, timeout=SETTLE_MS):
        book.book, book.documents = whole, documents
        view.documents_added()
    assert text_under_highlight(qtbot, view) == WORDS


def test_the_keyboard_moves_by_screens(qtbot, view, show, make_book):
    show(make_book([TEXT] * 5))
    canvas = view._canvas
    qtbot.keyClick(canvas, Qt.Key.Key_Space)
    assert 0.8 * view.height() < canvas.origin.y() < view.height()
    qtbot.keyClick(canvas, Qt.Key.Key_PageUp)
    assert canvas.origin.y() == 0
    qtbot.keyClick(canvas, Qt.Key.Key_End)
    assert view.viewpoint().locator.file_index == 4
    qtbot.keyClick(canvas, Qt.Key.Key_Home)
    assert canvas.origin.y() == 0


def test_larger_pages_keep_the_text_in_sight(qtbot, view, show, make_book):
    show(make_book([TEXT] * 4))
    view._canvas.scroll_to(1500)
    fixed = QPointF(300, 200)
    layout = view._canvas.page_layout
    page = layout.page_at(1700)
    before = layout.on_page(page, view._canvas.origin + fixed)
    view._canvas.zoom_asked.emit(1.5, fixed)
    after = view._canvas.page_layout.on_page(page, view._canvas.origin + fixed)
    assert abs(after.y() - before.y()) < 1
    assert view._canvas.zoom == 1.5


def test_a_click_on_a_link_leads_to_the_height_it_names(qtbot, view, show, tmp_path):
    path = make_pdf(tmp_path / "linked.pdf", [TEXT] * 4)
    with pymupdf.open(path) as file:
        area, far = pymupdf.Rect(72, 60, 300, 76), pymupdf.Rect(72, 80, 300, 94)
        goal = {"kind": pymupdf.LINK_GOTO, "page": 2, "to": pymupdf.Point(0, 300), "zoom": 0}
        file[0].insert_link({"from": area, **goal})
        web = {"kind": pymupdf.LINK_URI, "from": far, "uri": "https://example.org/"}
        file[0].insert_link(web)
        file.saveIncr()
    book = show(InMemoryPdf(path))
    qtbot.waitUntil(lambda: view._pages.text(0) is not None, timeout=SETTLE_MS)
    seen = []
    view.link_activated.connect(seen.append)
    view.link_activated.connect(
        lambda link: view.go_to(Locator(2, 0)) if isinstance(link, BookLink) else None
    )
    port, layout = view._canvas.viewport(), view._canvas.page_layout

    def click(rect):
        where = layout.in_column(0, PageRect(*rect)).translated(-view._canvas.origin).center()
        qtbot.mouseMove(port, where.toPoint() + QPoint(1, 1))
        qtbot.mouseMove(port, where.toPoint())
        qtbot.mouseClick(port, Qt.MouseButton.LeftButton, pos=where.toPoint())

    click(far)
    click(area)
    assert seen == [WebLink("https://example.org/"), BookLink("page 3", "", 0, False)]
    shown = layout.on_page(2, view._canvas.origin).y()
    assert 280 < shown < 300
    book.close()


def test_marks_stay_beside_the_cited_text(qtbot, view, show, go, make_book):
    book = show(make_book([TEXT] * 2))
    marked = span_of(book, 0, "Line 3 says")
    view.set_highlights((marked,))
    go(span_of(book, 1, WORDS), highlight=True)
    view.clear_highlight()
    assert view._canvas.cited == ()
    assert [page for page, rects in view._canvas.marked if rects] == [0]
    view.set_highlights(())
    assert view._canvas.marked == ()


@pytest.mark.corpus
def test_a_real_book_is_drawn_by_the_worker_process(qtbot, view, corpus):
    path, page, wording = corpus / "tracemonkey.pdf", 1, "TraceMonkey supports all the JavaScript"
    book = InMemoryPdf(path)
    with PageWorker(path) as book.pages:
        with qtbot.waitSignal(view.shown, timeout=SETTLE_MS):
            view.show_book(book, Locator(page, 0))
        span = span_of(book, page, wording)
        with qtbot.waitSignal(view.arrived, timeout=SETTLE_MS):
            view.go_to(span, highlight=True)
        assert text_under_highlight(qtbot, view) == wording
        view.close_book()
    book.close()


def at(x, rect):
    return QPoint(round(x), round(rect.center().y()))


def drag(widget, position):
    event = QMouseEvent(
        QEvent.Type.MouseMove,
        QPointF(position),
        widget.mapToGlobal(QPointF(position)),
        Qt.MouseButton.NoButton,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
    QGuiApplication.sendEvent(widget, event)
