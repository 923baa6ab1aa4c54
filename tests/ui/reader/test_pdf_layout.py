"""Where pages of a PDF stand in their column."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPointF

from app.domain.drawn_page import PageRect
from app.ui.reader.pdf_layout import MARGIN_PX, PdfLayout

sides = st.floats(50, 2000)
sizes = st.lists(st.tuples(sides, sides), min_size=1, max_size=30)


@given(sizes, st.floats(200, 3000), st.floats(0.4, 4))
def test_pages_stand_one_under_the_other_as_wide_as_the_column(sizes, width, zoom):
    layout = PdfLayout(sizes, width, zoom)
    rects = [layout.rect(page) for page in range(len(sizes))]
    for above, below in pairwise(rects):
        assert abs(below.top() - above.bottom() - MARGIN_PX) < 0.01
        assert above.width() == below.width()
    for page, rect in enumerate(rects):
        assert layout.page_at(rect.center().y()) == page
        assert rect.left() >= MARGIN_PX - 0.01
        assert rect.right() <= layout.width_px


@given(sizes, st.floats(0, 50), st.floats(0, 50))
def test_a_point_of_a_page_is_found_where_it_is_shown(sizes, x, y):
    layout = PdfLayout(sizes, 900, 1)
    page = len(sizes) - 1
    shown = layout.in_column(page, PageRect(x, y, x + 1, y + 1)).topLeft()
    back = layout.on_page(page, shown)
    assert abs(back.x() - x) < 0.01
    assert abs(back.y() - y) < 0.01


def test_a_wide_view_does_not_make_lines_too_long_to_read():
    assert PdfLayout([(400, 600)], 3000, 1).rect(0).width() < 1000


def test_only_what_is_in_view_is_counted():
    layout = PdfLayout([(400, 600)] * 2415, 900, 1)
    page = layout.rect(1000)
    assert layout.pages_between(page.top(), page.bottom()) == range(1000, 1001)
    assert layout.page_at(QPointF(0, -50).y()) == 0
    assert PdfLayout([], 900, 1).pages_between(0, 100) == range(0)
