import pytest

from app.books.pdf_columns import in_reading_order
from app.books.pdf_text import read_page_text
from tests.books.pdf_pages import block, line, page_with, texts

LEFT = [f"left column, line number {row} of ten" for row in range(10)]
RIGHT = [f"right column, line number {row} of ten" for row in range(10)]
WIDTH = 500


def left(row):
    return line(LEFT[row], 40, 100 + 14 * row)


def right(row):
    return line(RIGHT[row], 270, 100 + 14 * row)


def flat(blocks):
    return [text for lines in texts(blocks) for text in lines]


def test_columns_written_across_the_page_are_read_down():
    blocks = [block(left(row), right(row)) for row in range(10)]
    assert flat(in_reading_order(blocks, WIDTH)) == LEFT + RIGHT


def test_a_line_across_the_gutter_ends_both_columns():
    title = line("A title that is set across both of the columns of this page", 90, 60)
    middle = line("A second title, set across both of the columns of this page", 90, 171)
    upper = [block(left(row), right(row)) for row in range(5)]
    lower = [
        block(line(LEFT[row], 40, 130 + 14 * row), line(RIGHT[row], 270, 130 + 14 * row))
        for row in range(5, 10)
    ]
    blocks = [block(title), *upper, block(middle), *lower]
    assert flat(in_reading_order(blocks, WIDTH)) == [
        title.text,
        *LEFT[:5],
        *RIGHT[:5],
        middle.text,
        *LEFT[5:],
        *RIGHT[5:],
    ]


def test_columns_in_order_are_left_alone():
    blocks = [block(*map(left, range(10))), block(*map(right, range(10)))]
    assert in_reading_order(blocks, WIDTH) is blocks


def test_a_table_is_read_across():
    blocks = [
        block(line(f"Item {row}", 40, 100 + 14 * row), line(f"{row},000", 300, 100 + 14 * row))
        for row in range(10)
    ]
    assert in_reading_order(blocks, WIDTH) is blocks


def test_paragraphs_of_a_column_stay_apart():
    rows = [block(left(row), right(row)) for row in range(10)]
    rows[5].lines[0].box = (60, *rows[5].lines[0].box[1:])
    found = texts(in_reading_order(rows, WIDTH))
    assert found[:2] == [LEFT[:5], LEFT[5:]]


@pytest.mark.parametrize("is_across", [True, False])
def test_a_page_of_two_columns_with_a_title_and_a_footnote(is_across):
    def draw(page):
        page.insert_text((60, 50), "The title of a paper in two columns", fontsize=16)
        cells = [(row, column) for row in range(12) for column in range(2)]
        if not is_across:
            cells.sort(key=lambda cell: cell[1])
        for row, column in cells:
            name = ("left", "right")[column]
            page.insert_text(
                (40 + 170 * column, 90 + 12 * row), f"the {name} column has line {row}", fontsize=9
            )
        page.insert_text((40, 470), "1 A footnote.", fontsize=7)

    text = read_page_text(page_with(draw)).text
    expected = [
        f"the {name} column has line {row}" for name in ("left", "right") for row in range(12)
    ]
    places = [text.index(words) for words in ["The title", *expected]]
    assert places == sorted(places)
