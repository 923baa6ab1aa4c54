"""A notice in its place."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton

from app.ui.notice_bar import NoticeBar
from app.ui.notices import Notice, NoticeAction


def buttons(bar):
    return {one.text(): one for one in bar.findChildren(QPushButton) if one.isVisible()}


def test_a_notice_says_what_happened_and_offers_its_action(qtbot):
    bar = NoticeBar()
    qtbot.addWidget(bar)
    assert not bar.isVisible()
    bar.show_notice(Notice("It broke.", "Mend it.", NoticeAction.TRY_AGAIN))
    assert (bar.title, bar.advice) == ("It broke.", "Mend it.")
    with qtbot.waitSignal(bar.action_chosen) as chosen:
        qtbot.mouseClick(buttons(bar)["Try again"], Qt.MouseButton.LeftButton)
    assert chosen.args == [NoticeAction.TRY_AGAIN]
    assert not bar.isVisible()


def test_a_notice_without_action_can_only_be_closed(qtbot):
    bar = NoticeBar()
    qtbot.addWidget(bar)
    bar.show_notice(Notice("It broke.", "Nothing else is affected."))
    assert set(buttons(bar)) == {"Close"}
    with qtbot.waitSignal(bar.dismissed):
        qtbot.mouseClick(buttons(bar)["Close"], Qt.MouseButton.LeftButton)
    assert not bar.isVisible()


def test_markup_in_a_notice_is_text(qtbot):
    bar = NoticeBar()
    qtbot.addWidget(bar)
    bar.show_notice(Notice("<img src='http://x/y'>", "<b>no</b>"))
    assert bar.title == "<img src='http://x/y'>"
