"""The foot of an answer holds what the answer needs and nothing else."""

from __future__ import annotations

import dataclasses

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPushButton

from app.domain.conversation import Coverage, Question, QuoteCheck, QuoteVerdict
from app.ui.chat.answer_foot import AnswerFoot
from app.ui.chat.place_strip import PlaceMark
from app.ui.theme import load_theme
from tests.fakes.window_core import grounded_answer, not_found_answer

GROUNDED = grounded_answer(Question("Why?"))
MARKS = tuple(PlaceMark(one, 50, "") for one in GROUNDED.citations)


@pytest.fixture
def make_foot(qtbot, theme, appearance):
    def make(answer, marks=()):
        foot = AnswerFoot(answer, marks, theme)
        qtbot.addWidget(foot)
        foot.show()
        return foot

    return make


def words(foot):
    return [label.text() for label in foot.findChildren(QLabel) if label.isVisible()]


def test_a_grounded_answer_has_places_coverage_and_folded_details(make_foot):
    foot = make_foot(GROUNDED, MARKS)
    assert foot.strip.marks == MARKS
    assert foot.coverage_text == "3 of 3 sentences sourced · checked"
    assert foot.not_found is None
    assert foot.unsourced is None
    assert not foot.details.is_open
    assert words(foot) == ["Where in the book", foot.coverage_text]


def test_a_not_found_has_no_coverage_and_no_strip(make_foot):
    foot = make_foot(dataclasses.replace(not_found_answer(Question("?")), coverage=Coverage(1, 0)))
    assert foot.not_found is not None
    assert foot.strip is None
    assert not foot.coverage_text


def test_only_wrong_quotations_are_said_at_once(make_foot):
    checks = tuple(QuoteCheck(f"{one} words", one) for one in QuoteVerdict)
    foot = make_foot(dataclasses.replace(GROUNDED, quotes=checks))
    said = "\n".join(words(foot))
    assert "altered words" in said
    assert "absent words" in said
    assert "verbatim words" not in said


def test_copy_and_nearest_places_are_told(qtbot, make_foot):
    foot = make_foot(GROUNDED)
    copy = next(one for one in foot.findChildren(QPushButton) if one.text() == "Copy")
    with qtbot.waitSignal(foot.copy_asked):
        qtbot.mouseClick(copy, Qt.MouseButton.LeftButton)
    answer = not_found_answer(Question("?"))
    foot = make_foot(answer)
    with qtbot.waitSignal(foot.show_in_book) as shown:
        qtbot.mouseClick(foot.not_found.findChild(QPushButton), Qt.MouseButton.LeftButton)
    assert shown.args == [answer.nearest[0]]


def test_it_follows_the_theme(make_foot):
    foot = make_foot(GROUNDED, MARKS)
    before = foot.grab().toImage()
    foot.set_theme(load_theme("dark"))
    assert foot.grab().toImage() != before
