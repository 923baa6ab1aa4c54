"""Places on a drawn page."""

from __future__ import annotations

from app.domain.drawn_page import PageRect


def test_a_rectangle_contains_its_edges_and_nothing_beside_them():
    rect = PageRect(10, 20, 30, 40)
    assert rect.contains(10, 40)
    assert rect.contains(20, 30)
    assert not rect.contains(9.9, 30)
    assert not rect.contains(20, 40.1)
