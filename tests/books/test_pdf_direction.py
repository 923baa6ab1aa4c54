import pytest

from app.books.pdf_direction import (
    has_right_to_left,
    is_mainly_right_to_left,
    logical_order,
    with_brackets,
)

WIDTH = 5


def drawn(visual, order=None):
    """Characters as they stand from left to right, in the order in which the file has them."""
    places = [(letter, (WIDTH * at, 0, WIDTH * (at + 1), 10)) for at, letter in enumerate(visual)]
    return places if order is None else [places[at] for at in order]


def read(characters, *, is_right_to_left=True):
    ordered = logical_order(characters, 10, is_right_to_left=is_right_to_left)
    return "".join(one.text for one in with_brackets([ordered])[0])


SHALOM_OLAM = "םלוע םולש"  # as it looks from left to right


@pytest.mark.parametrize("order", [range(9), range(8, -1, -1), [4, *range(4), *range(8, 4, -1)]])
def test_hebrew_comes_out_as_it_is_read_whatever_the_order_in_the_file(order):
    assert read(drawn(SHALOM_OLAM, order)) == "שלום עולם"


def test_numbers_and_latin_words_in_it_keep_their_own_direction():
    assert read(drawn("12.50 ריחמ")) == "מחיר 12.50"
    assert read(drawn(".MS Word תנכות")) == "תוכנת MS Word."
    assert read(drawn("f(x) היצקנופ")) == "פונקציה f(x)"


def test_a_hebrew_word_in_an_english_line_is_turned_alone():
    assert read(drawn("The word םולש means peace."), is_right_to_left=False) == (
        "The word שלום means peace."
    )
    assert read(drawn("See םלוע םולש."), is_right_to_left=False) == "See שלום עולם."


def test_words_that_only_a_gap_separates_get_a_space():
    characters = drawn("םלוע") + [
        (letter, (25 + WIDTH * at, 0, 30 + WIDTH * at, 10)) for at, letter in enumerate("םולש")
    ]
    assert read(characters) == "שלום עולם"
    assert all(
        one.box[2] >= one.box[0] for one in logical_order(characters, 10, is_right_to_left=True)
    )


def test_brackets_kept_by_their_looks_are_turned():
    assert read(drawn("(םלוע) םולש")) == "שלום (עולם)"


def test_brackets_kept_by_their_meaning_stay():
    assert read(drawn(")םלוע( םולש")) == "שלום (עולם)"


def test_brackets_of_a_block_are_judged_together():
    rows = [logical_order(drawn(row), 10, is_right_to_left=True) for row in ("םולש) ילש", "(םלוע")]
    assert ["".join(one.text for one in row) for row in with_brackets(rows)] == [
        "שלי (שלום",
        "עולם)",
    ]


def test_letters_of_one_glyph_stay_together():
    lam_alef = [("ل", (10, 0, 16, 10)), ("ا", (16, 0, 16, 10))]
    assert read([("س", (16, 0, 22, 10)), *lam_alef, ("م", (5, 0, 10, 10))]) == "سلام"


def test_a_glyph_with_letters_of_both_directions_shows_that_the_file_is_in_order():
    mixed = [
        ("ح", (0, 0, 8, 10)),
        ("ب", (8, 0, 8, 10)),
        ("h", (8, 0, 8, 10)),
        ("a", (8, 0, 14, 10)),
    ]
    assert read(mixed) == "حبha"


def test_marks_stay_with_the_letter_they_stand_on():
    letters = [("ב", (20, 0, 25, 10)), ("\u05b8", (21, 8, 24, 10)), ("א", (25, 0, 30, 10))]
    assert read(letters) == "אב\u05b8"
    before = [("\u05b8", (21, 8, 24, 10)), ("א", (25, 0, 30, 10)), ("ב", (20, 0, 25, 10))]
    assert read(before) == "אב\u05b8"


def test_the_direction_of_a_block_is_that_of_its_letters():
    assert has_right_to_left("abc ש")
    assert not has_right_to_left("abc é 漢 ﬁ")
    assert is_mainly_right_to_left("תוכנת MS Word עובדת")
    assert not is_mainly_right_to_left("The word שלום means peace.")
    assert not is_mainly_right_to_left("12.50")
