from app.books.pdf_paragraphs import joined_paragraphs
from tests.books.pdf_pages import block, line, texts

FULL = "words enough to fill the whole line up to"  # 41 letters, 205 points at size 10


def test_a_hanging_indent_is_one_paragraph():
    first = line("Ahmadi, Lee, Papotti, and others with Mo-", 40, 100)
    rest = [line("hammed Saeed. 2019. Explainable checks.", 55, 112), line("A journal.", 55, 124)]
    other = line("Beltagy, Iz. 2020. Longformer, the long-", 40, 142)
    found = joined_paragraphs([block(first), block(*rest), block(other)])
    assert texts(found) == [[first.text, *(one.text for one in rest)], [other.text]]


def test_the_indent_of_a_new_paragraph_is_none():
    lines = [line(FULL, 40, 100), line("Then he left, and nobody saw him again,", 55, 112)]
    blocks = [block(one) for one in lines]
    assert texts(joined_paragraphs(blocks)) == [[one.text] for one in lines]


def test_a_sentence_goes_on_at_the_next_line():
    first = block(line(FULL, 40, 100), line(FULL, 40, 112))
    rest = block(line("Interstellar were born in Canada.", 40, 124))
    assert len(joined_paragraphs([first, rest])) == 1


def test_a_sentence_that_ended_does_not():
    first = block(line(FULL, 40, 100), line(FULL[:-1] + ".", 40, 112))
    rest = block(line("Another paragraph begins.", 40, 124))
    assert len(joined_paragraphs([first, rest])) == 2


def test_a_short_line_ends_its_paragraph():
    first = block(line(FULL, 40, 100), line("a short one", 40, 112))
    rest = block(line(FULL, 40, 124))
    assert len(joined_paragraphs([first, rest])) == 2


def test_a_heading_is_not_joined_to_its_text():
    heading = block(line("Of the whole line", 40, 100, bold=True))
    assert len(joined_paragraphs([heading, block(line(FULL, 40, 112))])) == 2
    larger = block(line("Of the whole line", 40, 100, size=14))
    assert len(joined_paragraphs([larger, block(line(FULL, 40, 116))])) == 2


def test_a_gap_ends_a_paragraph():
    first = block(line(FULL, 40, 100), line(FULL, 40, 112))
    assert len(joined_paragraphs([first, block(line(FULL, 40, 140))])) == 2


def test_rows_of_a_table_stay_apart():
    rows = [
        block(line("Net income and other", 40, y), line("2,371 and more", 180, y))
        for y in (100, 112)
    ]
    assert len(joined_paragraphs(rows)) == 2


def test_lines_with_wide_leading_become_paragraphs():
    rows = [FULL, FULL, "the end of it.", FULL + ".", "And this is the rest.", FULL, FULL]
    blocks = [
        block(line(row, 60 if index in {0, 3, 5} else 40, 100 + 24 * index))
        for index, row in enumerate(rows)
    ]
    assert texts(joined_paragraphs(blocks)) == [rows[:3], rows[3:5], rows[5:]]


def test_right_to_left_lines_with_wide_leading_too():
    full = "א" * 41
    rows = [(full, 40), (full, 40), ("אאאא", 225), (full, 20), (full, 40), ("אא", 235)]
    blocks = [block(line(text, x, 100 + 24 * index)) for index, (text, x) in enumerate(rows)]
    assert [len(lines) for lines in texts(joined_paragraphs(blocks))] == [3, 3]


def test_verse_with_wide_leading_keeps_its_lines():
    rows = [
        "Tell me not, in mournful numbers",
        "Life is but a dream",
        "For the soul is dead",
        "That slumbers",
    ]
    blocks = [block(line(row, 40, 100 + 24 * index)) for index, row in enumerate(rows * 2)]
    assert len(joined_paragraphs(blocks)) == len(blocks)


def test_a_heading_close_to_its_text_is_cut_off():
    lines = [line("A bold heading", 40, 100, bold=True), line(FULL, 40, 112), line(FULL, 40, 124)]
    assert texts(joined_paragraphs([block(*lines)])) == [[lines[0].text], [FULL, FULL]]
    lines = [line("A larger line", 40, 100, size=14), line(FULL, 40, 116)]
    assert texts(joined_paragraphs([block(*lines)])) == [[lines[0].text], [FULL]]


def test_a_sentence_that_begins_in_bold_is_not_cut():
    lines = [line(FULL, 40, 100, bold=True), line(FULL, 40, 112)]
    assert len(joined_paragraphs([block(*lines)])) == 1
