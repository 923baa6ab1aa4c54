"""The source card: what it shows, its keys, its buttons."""

from __future__ import annotations

import dataclasses

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QPushButton

from app.domain.book import Voice
from app.ui.chat.source_card import SourceCard, SourceCardContent
from tests.fakes.window_core import cite

CITATION = cite(3, "It is a colorless, all-color of atheism.")
CONTENT = SourceCardContent(CITATION, "the universe? ", CITATION.text, " And so on")


@pytest.fixture
def card(qtbot, theme):
    made = SourceCard(CONTENT, theme)
    qtbot.addWidget(made)
    made.show()
    return made


def press(qtbot, card, words):
    button = next(one for one in card.findChildren(QPushButton) if one.text() == words)
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


def test_it_shows_number_chapter_page_and_the_source_between_its_neighbours(card):
    assert card.shown_place == "3 · Chapters › 42 The Whiteness of the Whale · p. 204"
    assert card.shown_text == ("…the universe? It is a colorless, all-color of atheism. And so on…")


def test_only_the_cited_sentence_is_undimmed(card, theme):
    html = card._text.text()
    muted = theme.color("muted")
    for words in ("the universe?", "And so on"):
        assert f"color:{muted}" in html[: html.index(words)].rpartition("<span")[2]
    cited = html[: html.index(CITATION.text)].rpartition("<span")[2]
    assert f"color:{theme.color('text')}" in cited


@pytest.mark.parametrize(
    ("parts", "shown"),
    [
        (
            ("said the Cat: “", "we’re all mad here", ". I’m mad."),
            "…said the Cat: “we’re all mad here. I’m mad.",
        ),
        (("窓の外は", "雪だった。", "彼は"), "…窓の外は雪だった。彼は…"),
        (("end.\n", "Next.", "\nMore."), "…end.\nNext.\nMore."),
    ],
)
def test_neighbours_join_as_they_stand_in_the_book(qtbot, theme, parts, shown):
    before, text, after = parts
    citation = dataclasses.replace(CITATION, text=text)
    card = SourceCard(SourceCardContent(citation, before, text, after), theme)
    qtbot.addWidget(card)
    assert card.shown_text == shown


def test_long_neighbours_are_cut_between_words(qtbot, theme):
    long = "neighbour " * 60
    card = SourceCard(SourceCardContent(CITATION, long, CITATION.text, f" {long}"), theme)
    qtbot.addWidget(card)
    shown = card.shown_text
    assert len(shown) < len(CITATION.text) + 340
    assert shown.startswith("…neighbour ")
    assert shown.endswith(" neighbour…")


def test_another_voice_than_the_body_is_named(qtbot, theme):
    citation = dataclasses.replace(CITATION, voice=Voice.NOTES, page_label="")
    card = SourceCard(SourceCardContent(citation, "", citation.text, ""), theme)
    qtbot.addWidget(card)
    assert card.shown_place == "3 · Chapters › 42 The Whiteness of the Whale · notes"


def test_enter_and_the_button_show_the_place(qtbot, card):
    with qtbot.waitSignal(card.show_in_book) as shown:
        qtbot.keyClick(card, Qt.Key.Key_Return)
    assert shown.args == [CITATION]
    with qtbot.waitSignal(card.show_in_book):
        press(qtbot, card, "Show in book")


def test_escape_closes(qtbot, card):
    with qtbot.waitSignal(card.closed):
        qtbot.keyClick(card, Qt.Key.Key_Escape)


def test_copy_takes_the_source_and_its_place(qtbot, card):
    press(qtbot, card, "Copy")
    assert QGuiApplication.clipboard().text() == (
        f"{CITATION.text}\n(Chapters › 42 The Whiteness of the Whale · p. 204)"
    )


def test_a_text_that_has_changed_since_is_said(qtbot, theme):
    card = SourceCard(SourceCardContent(CITATION, "", "Other words.", ""), theme)
    qtbot.addWidget(card)
    card.show()
    assert card._warning.isVisible()
    assert "changed" in card._warning.text()


def test_markup_in_a_book_is_text(qtbot, theme):
    text = "<b>bold</b> & <img src=x>"
    citation = dataclasses.replace(CITATION, text=text, contents_path=("<i>x</i>",))
    card = SourceCard(SourceCardContent(citation, text, text, text), theme)
    qtbot.addWidget(card)
    assert card.shown_text == f"…{text}{text}{text}…"
    assert "<i>x</i>" in card.shown_place
