"""Printed pages."""

from __future__ import annotations

from app.books.page_labels import page_labels_of
from app.domain.book import PageLabel
from app.domain.position import Locator


def test_pages_keep_their_order_and_their_printed_labels():
    pages = [("iv", Locator(0, 10)), (" 1 ", Locator(1, 0)), ("1", Locator(1, 900))]
    assert page_labels_of(pages) == (
        PageLabel("iv", 0, 10),
        PageLabel("1", 1, 0),
        PageLabel("1", 1, 900),
    )


def test_a_page_without_label_or_place_is_none():
    assert page_labels_of([("", Locator(0, 0)), ("7", None)]) == ()
