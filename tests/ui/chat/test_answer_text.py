"""Answer text as a person sees and handles it: chips, keyboard, copying."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QTextDocument

from app.ui.chat.answer_text import AnswerText
from app.ui.chat.markdown import join_blocks, parse_answer

MARKDOWN = "It strips away every comfort.[^1] He calls it 𠮷 and 😀 so.[^2]\n\nAnd again.[^1]"


@pytest.fixture
def text(qtbot, theme, appearance):
    piece = AnswerText(theme)
    qtbot.addWidget(piece)
    piece.resize(360, 200)
    piece.show()
    qtbot.waitExposed(piece)
    show(piece, MARKDOWN)
    return piece


def show(piece, markdown, opened=(), *, is_right_to_left=False):
    html = join_blocks(parse_answer(markdown, {1, 2}, opened))
    piece.set_content(html, is_right_to_left=is_right_to_left)


def test_a_click_on_a_number_chooses_its_footnote(qtbot, text):
    for index in (0, 1, 2):
        with qtbot.waitSignal(text.footnote_chosen) as chosen:
            qtbot.mouseClick(
                text.viewport(), Qt.MouseButton.LeftButton, pos=text.footnote_point(index)
            )
        assert chosen.args == [index]


@pytest.mark.no_qt_log  # QTest warns of a release that a text browser leaves to its parent
def test_a_click_beside_a_number_chooses_nothing(qtbot, text):
    told = []
    text.footnote_chosen.connect(told.append)
    point = text.footnote_point(0)
    point.setX(point.x() - 40)
    qtbot.mouseClick(text.viewport(), Qt.MouseButton.LeftButton, pos=point)
    assert told == []


def test_the_chip_is_painted_where_it_is_clicked(text, theme):
    show(text, MARKDOWN, opened={1})
    image = text.viewport().grab().toImage()
    for index, role in ((0, "chip"), (1, "accent")):
        point = text.footnote_point(index)
        near = {
            image.pixelColor(point.x() + dx, point.y() + dy).name()
            for dx in range(-6, 7)
            for dy in range(-6, 7)
        }
        assert theme.color(role) in near


def test_tab_goes_from_number_to_number_and_enter_chooses(qtbot, text):
    text.setFocus()
    chosen = []
    text.footnote_chosen.connect(chosen.append)
    for _ in range(3):
        qtbot.keyClick(text, Qt.Key.Key_Tab)
        qtbot.keyClick(text, Qt.Key.Key_Return)
    assert chosen == [0, 1, 2]


def test_it_is_as_tall_as_its_text(qtbot, text):
    wide = text.height()
    text.resize(180, text.height())
    qtbot.waitUntil(lambda: text.height() > wide)
    qtbot.waitUntil(lambda: text.verticalScrollBar().maximum() == 0)


def test_copied_text_has_its_footnotes_in_brackets(text):
    text.selectAll()
    copied = text.createMimeDataFromSelection().text()
    assert copied == (
        "It strips away every comfort.[1] He calls it 𠮷 and 😀 so.[2]\nAnd again.[1]"
    )
    assert text.plain_text() == copied


def test_a_selection_survives_text_that_is_appended(text):
    cursor = text.textCursor()
    cursor.setPosition(3)
    cursor.setPosition(9, cursor.MoveMode.KeepAnchor)
    text.setTextCursor(cursor)
    chosen = cursor.selectedText()
    show(text, MARKDOWN + "\n\nMore and more.")
    assert text.textCursor().selectedText() == chosen


def test_right_to_left_text_begins_on_the_right(text):
    show(text, "הים היה שקט.[^1]", is_right_to_left=True)
    assert text.footnote_point(0).x() < text.width() - 60
    option = text.document().defaultTextOption()
    assert option.textDirection() == Qt.LayoutDirection.RightToLeft


@pytest.mark.parametrize("name", ["http://example.org/x.png", "file:///etc/passwd", "/etc/passwd"])
def test_nothing_is_ever_loaded(text, name):
    kind = QTextDocument.ResourceType.ImageResource.value
    assert text.loadResource(kind, QUrl(name)) is None


def test_a_web_link_is_told_and_not_opened(qtbot, text):
    show(text, "[a](https://example.org/)")
    with qtbot.waitSignal(text.link_chosen) as chosen:
        text.setFocus()
        qtbot.keyClick(text, Qt.Key.Key_Tab)
        qtbot.keyClick(text, Qt.Key.Key_Return)
    assert chosen.args == ["https://example.org/"]
    assert text.plain_text() == "a"
