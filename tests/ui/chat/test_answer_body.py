"""An answer with cards: the card stands under its paragraph, and leaves the rest as it was."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt

from app.ui.chat.answer_body import AnswerBody
from app.ui.chat.source_card import SourceCardContent
from app.ui.theme import load_theme
from tests.fakes.window_core import cite

ONE = cite(1, "It was the whiteness of the whale that above all things appalled me.")
TWO = cite(2, "It is a colorless, all-color of atheism.")
MARKDOWN = "First.[^1] Still first.[^2]\n\n- item one[^1]\n- item two\n\nLast.[^2]"


@pytest.fixture
def body(qtbot, theme, appearance):
    made = AnswerBody(theme)
    qtbot.addWidget(made)
    made.resize(360, 500)
    made.source_wanted.connect(
        lambda index: made.open_card(
            index,
            SourceCardContent(
                made.citation_of(index), "before", made.citation_of(index).text, "after"
            ),
        )
    )
    made.set_answer(MARKDOWN, {1: ONE, 2: TWO})
    made.show()
    qtbot.waitExposed(made)
    return made


def column(body):
    """What stands in the answer from top to bottom."""
    parts = sorted([*body.pieces, *body.cards], key=lambda part: part.y())
    return [
        part.plain_text() if part in body.pieces else part.content.citation.number for part in parts
    ]


def click(qtbot, body, index):
    piece = next(piece for piece in body.pieces if piece.has_footnote(index))
    qtbot.mouseClick(piece.viewport(), Qt.MouseButton.LeftButton, pos=piece.footnote_point(index))


def test_without_cards_the_answer_is_one_text(body):
    assert column(body) == ["First.[1] Still first.[2]\nitem one[1]\nitem two\nLast.[2]"]


def test_the_first_click_opens_the_card_under_its_paragraph_the_second_closes_it(qtbot, body):
    click(qtbot, body, 0)
    qtbot.waitUntil(
        lambda: column(body) == ["First.[1] Still first.[2]", 1, "item one[1]\nitem two\nLast.[2]"]
    )
    click(qtbot, body, 0)
    qtbot.waitUntil(lambda: len(column(body)) == 1)
    assert body.cards == ()


def test_a_card_of_a_list_item_parts_the_list(qtbot, body):
    click(qtbot, body, 2)
    qtbot.waitUntil(
        lambda: column(body) == ["First.[1] Still first.[2]\nitem one[1]", 1, "item two\nLast.[2]"]
    )


def test_several_cards_stand_in_the_order_of_the_text(qtbot, body):
    for index in (3, 0, 1):
        click(qtbot, body, index)
    qtbot.waitUntil(
        lambda: (
            column(body)
            == ["First.[1] Still first.[2]", 1, 2, "item one[1]\nitem two\nLast.[2]", 2]
        )
    )


def test_a_card_has_the_keyboard_and_escape_gives_it_back_to_the_number(qtbot, body):
    body.activateWindow()
    piece = body.pieces[0]
    piece.setFocus()
    qtbot.waitUntil(piece.hasFocus)
    qtbot.keyClick(piece, Qt.Key.Key_Tab)
    qtbot.keyClick(piece, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: bool(body.cards) and body.cards[0].hasFocus())
    qtbot.keyClick(body.cards[0], Qt.Key.Key_Escape)
    qtbot.waitUntil(body.pieces[0].hasFocus)
    qtbot.keyClick(body.pieces[0], Qt.Key.Key_Return)
    assert [card.content.citation for card in body.cards] == [ONE]


def test_a_card_stays_open_while_the_answer_grows(qtbot, body):
    click(qtbot, body, 0)
    card = body.cards[0]
    body.set_answer(MARKDOWN + "\n\nMore.", {1: ONE, 2: TWO})
    assert body.cards == (card,)
    assert body.pieces[-1].plain_text().endswith("More.")


def test_a_card_goes_with_text_that_was_taken_back(qtbot, body):
    click(qtbot, body, 3)
    body.set_answer("Anew.[^1]", {1: ONE})
    assert body.cards == ()
    assert body.plain_text() == "Anew.[1]"


def test_the_card_tells_which_place_to_show(qtbot, body):
    click(qtbot, body, 1)
    with qtbot.waitSignal(body.show_in_book) as shown:
        qtbot.keyClick(body.cards[0], Qt.Key.Key_Return)
    assert shown.args == [TWO]


def test_an_unknown_mention_is_an_error(body):
    with pytest.raises(KeyError):
        body.citation_of(99)


def test_colours_follow_the_theme(qtbot, body):
    click(qtbot, body, 0)
    dark = load_theme("dark")
    body.set_theme(dark)
    assert dark.color("muted") in body.cards[0]._text.text()
