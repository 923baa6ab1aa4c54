from __future__ import annotations

from types import FunctionType
from typing import TYPE_CHECKING

import pytest

from app.domain.position import Locator, Span
from app.ui.reader.epub_view import EpubView
from app.ui.reader.reader_view import ReaderView, Viewpoint

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

ORDERS = [
    name
    for name, item in vars(ReaderView).items()
    if isinstance(item, FunctionType) and not name.startswith("_") and name != "visible_place"
]


def test_a_view_that_does_nothing_says_so(qtbot: QtBot) -> None:
    view = ReaderView()
    qtbot.addWidget(view)
    with pytest.raises(NotImplementedError):
        view.go_to(Span(0, 1, 2))
    with pytest.raises(NotImplementedError):
        view.visible_place()


def test_the_visible_place_is_that_of_the_viewpoint(qtbot: QtBot) -> None:
    class Still(ReaderView):
        def viewpoint(self) -> Viewpoint | None:
            return Viewpoint(Locator(1, 2), 3.0)

    view = Still()
    qtbot.addWidget(view)
    assert view.visible_place() == Locator(1, 2)


@pytest.mark.parametrize("order", ORDERS)
def test_the_epub_view_follows_every_order(order: str) -> None:
    assert getattr(EpubView, order) is not getattr(ReaderView, order)
