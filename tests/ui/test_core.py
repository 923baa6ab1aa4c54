"""What the window reads of a book at once."""

from __future__ import annotations

from app.domain.position import Locator
from app.ui.core import read_opened


def test_an_opened_book_comes_with_its_conversation_and_place(core, moby):
    moby.start = Locator(2, 5)
    opened = read_opened(core, 1)
    assert (opened.book, opened.turns, opened.place) == (moby, (), Locator(2, 5))
