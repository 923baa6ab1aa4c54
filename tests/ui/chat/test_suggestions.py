"""What a book is asked first comes from its own contents."""

from __future__ import annotations

from app.ui.chat.suggestions import suggested_titles


def test_titles_lose_their_numbering_and_what_frames_a_book_is_left_out():
    titles = [
        "Titlepage",
        "CHAPTER I. Down the Rabbit-Hole",
        "3.2 Trace Trees",
        "XII",
        "Moby-Dick",
        "Index",
    ]
    assert suggested_titles(titles, "Moby Dick") == ("Down the Rabbit-Hole", "Trace Trees")


def test_they_are_spread_over_a_long_book():
    titles = [f"The story of day {day}" for day in range(30)]
    assert suggested_titles(titles, "Days") == (
        "The story of day 5",
        "The story of day 15",
        "The story of day 25",
    )


def test_contents_that_name_nothing_suggest_nothing():
    assert suggested_titles(["I", "II", "III", "Endnotes"], "A Book") == ()


def test_a_title_that_begins_like_a_roman_numeral_keeps_its_words():
    assert suggested_titles(["Civil Disobedience", "Mixed Company"], "") == (
        "Civil Disobedience",
        "Mixed Company",
    )
