"""A terminal does the window's job where the window cannot open."""

from __future__ import annotations

import pytest

from app.command_line.conversation import converse, question_from, window_obstacle
from app.domain.book import Voice
from app.domain.evidence import Rung, RungCounts, SearchHit, SearchReport, SearchResult
from app.domain.passage import Passage, Segment
from app.domain.position import Span
from app.domain.scope import WHOLE_BOOK


class InMemoryBook:
    """Segments by title, each with one passage; a search finds the passages that hold its words."""

    def __init__(self, texts, voice=Voice.BODY):
        self._passages = [
            Passage(Span(index, 0, len(text)), text, voice, index)
            for index, text in enumerate(texts.values())
        ]
        self._segments = [
            Segment(index, (title,), (), len(text), len(text), len(text), voice)
            for index, (title, text) in enumerate(texts.items())
        ]

    def segments(self):
        return self._segments

    def passages_of_segment(self, segment_index):
        return [self._passages[segment_index]]

    def find(self, words, scope, *, limit):
        hits = [
            SearchHit(passage, Rung.ALL_WORDS, 1.0)
            for passage in self._passages
            if all(word.lower() in passage.text.lower() for word in words.split())
        ]
        return SearchResult(
            SearchReport(WHOLE_BOOK, tuple(words.split()), RungCounts(), 0, 0), tuple(hits[:limit])
        )


@pytest.mark.parametrize(
    ("environment", "platform", "is_root", "words"),
    [
        ({}, "linux", False, "no screen"),
        ({"DISPLAY": ":0"}, "linux", False, ""),
        ({"WAYLAND_DISPLAY": "wayland-0"}, "linux", False, ""),
        ({"QT_QPA_PLATFORM": "offscreen"}, "linux", False, ""),
        ({"DISPLAY": ":0"}, "linux", True, "administrator"),
        ({"DISPLAY": ":0", "QTWEBENGINE_DISABLE_SANDBOX": "1"}, "linux", True, ""),
        ({"QTWEBENGINE_DISABLE_SANDBOX": "1"}, "linux", True, "no screen"),
        ({}, "darwin", False, ""),
        ({}, "win32", False, ""),
    ],
)
def test_the_window_opens_where_there_is_a_screen_and_no_root(
    environment, platform, is_root, words
):
    obstacle = window_obstacle(environment, platform, is_root=is_root)
    assert words in obstacle
    assert bool(words) == bool(obstacle)
    assert not obstacle or "For the window, run" in obstacle


def test_without_a_person_the_first_question_is_the_only_one():
    written = []
    converse("Why?", answer=str.upper, write=written.append, read_question=None)
    assert written == ["\nQuestion: Why?\n\nWHY?"]


def test_a_person_asks_until_there_is_nothing_more_to_ask():
    typed = iter(["Who?", " ", "never asked"])
    written = []
    converse("Why?", answer=str.upper, write=written.append, read_question=lambda: next(typed))
    assert written == ["\nQuestion: Why?\n\nWHY?", "\nQuestion: Who?\n\nWHO?"]


def test_a_person_has_the_first_word_where_no_question_is_given():
    typed = iter(["Who?", ""])
    written = []
    converse("", answer=str.upper, write=written.append, read_question=lambda: next(typed))
    assert written == ["\nQuestion: Who?\n\nWHO?"]


def test_a_book_is_asked_about_a_chapter_that_its_text_speaks_of():
    book = InMemoryBook(
        {
            "An entirely unrelated heading": "Nothing of the sort.",
            "The Pool of Tears": "Alice swam in the pool of tears that she had wept when tall.",
        }
    )
    assert question_from(book) == "The Pool of Tears"


def test_a_book_without_titles_is_asked_about_its_longest_parts_beginning():
    book = InMemoryBook({"": "Short.", "I": "One two three four five six seven eight nine ten."})
    assert question_from(book) == "One two three four five six seven eight"


def test_a_heading_or_a_page_number_is_not_asked_about():
    book = InMemoryBook({"Down": ""})
    prose = "Alice was beginning to get very tired of sitting by her sister on the bank, and of it."
    book.passages_of_segment = lambda index: [
        Passage(Span(0, 0, len(text)), text, Voice.BODY, index)
        for text in ("529", "Down the Rabbit-Hole", prose)
    ]
    assert question_from(book) == "Alice was beginning to get very tired of"


def test_text_without_spaces_is_cut_by_length():
    assert len(question_from(InMemoryBook({"": "あ" * 500}))) == 60


def test_a_licence_is_not_asked_about():
    assert question_from(InMemoryBook({"The Licence": "All of it."}, Voice.LICENCE)) == ""
