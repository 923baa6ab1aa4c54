"""The column of pages by keyboard and wheel, and the sentence in place of a page."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QGuiApplication, QWheelEvent
from PySide6.QtWidgets import QWidget

from app.domain.drawn_page import PageRect
from app.ui.reader.pdf_canvas import PdfCanvas
from app.ui.reader.pdf_ink import PdfInk
from app.ui.reader.pdf_pages import NearPages
from app.ui.theme import load_theme


@pytest.fixture
def holder(qtbot):
    made = QWidget()
    qtbot.addWidget(made)
    made.resize(700, 600)
    return made


@pytest.fixture
def canvas(holder, jobs):
    theme = load_theme("light")
    made = PdfCanvas(NearPages(jobs, PdfInk.of_theme(theme), holder), theme, holder)
    made.resize(700, 600)
    holder.show()
    made.set_pages([(400, 600)] * 2415)
    return made


def test_keys_move_through_the_book(qtbot, canvas):
    for key, least, most in (
        (Qt.Key.Key_Down, 20, 80),
        (Qt.Key.Key_Up, 0, 0),
        (Qt.Key.Key_Space, 480, 600),
        (Qt.Key.Key_PageUp, 0, 0),
        (Qt.Key.Key_PageDown, 480, 600),
        (Qt.Key.Key_Home, 0, 0),
    ):
        qtbot.keyClick(canvas, key)
        assert least <= canvas.origin.y() <= most, key
    qtbot.keyClick(canvas, Qt.Key.Key_End)
    assert canvas.page_layout.page_at(canvas.origin.y() + 590) == 2414


def test_no_page_is_a_widget(canvas):
    assert len(canvas.findChildren(QWidget)) < 12


def test_a_narrower_view_keeps_what_is_at_its_top(canvas):
    canvas.scroll_to(canvas.page_layout.rect(1200).y() + 111)
    before = canvas.page_layout.on_page(1200, canvas.origin).y()
    canvas.resize(420, 600)
    assert abs(canvas.page_layout.on_page(1200, canvas.origin).y() - before) < 1


def test_control_and_wheel_ask_for_another_size_under_the_pointer(qtbot, canvas):
    with qtbot.waitSignal(canvas.zoom_asked) as asked:
        turn_wheel(canvas, Qt.KeyboardModifier.ControlModifier)
    factor, fixed = asked.args
    assert factor > 1
    assert fixed == QPointF(100, 120)
    assert canvas.origin.y() == 0
    turn_wheel(canvas, Qt.KeyboardModifier.NoModifier, down=True)
    assert canvas.origin.y() > 0


def test_overlapping_rectangles_are_marked_once(canvas):
    canvas.set_cited(((0, (PageRect(10, 10, 60, 40), PageRect(10, 30, 60, 60))),))
    image = canvas.grab().toImage()
    seen = {
        image.pixelColor(where.toPoint()).name()
        for where in (
            canvas.page_layout.in_column(0, PageRect(30, y, 31, y + 1)).center()
            for y in (20, 35, 50)
        )
    }
    assert len(seen) == 1
    honey = QColor(load_theme("light").color("highlight"))
    assert abs(QColor(seen.pop()).blue() - honey.blue()) <= 3


def turn_wheel(canvas, modifiers, *, down=False):
    at = QPointF(100, 120)
    event = QWheelEvent(
        at,
        canvas.viewport().mapToGlobal(at),
        QPoint(),
        QPoint(0, -120 if down else 120),
        Qt.MouseButton.NoButton,
        modifiers,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QGuiApplication.sendEvent(canvas.viewport(), event)
