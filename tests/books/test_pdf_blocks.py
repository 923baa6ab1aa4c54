import pytest

from app.books.pdf_blocks import BodyStyle, body_style, page_blocks, page_breaks
from app.books.pdf_text import read_page_text
from app.domain.document import BlockKind, Break, DocumentText
from tests.books.pdf_pages import page_with

BODY = BodyStyle(10.0)
PROSE = [
    "Some running text that stands on the page in",
    "the usual size and says nothing much at all.",
]


def read(draw):
    """Blocks and readable text of a page."""
    page = page_with(draw)
    found = read_page_text(page)
    blocks = page_blocks(found, BODY, page.rect.height)
    return DocumentText(0, found.text, blocks, page_breaks(found, blocks))


def kinds(draw):
    document = read(draw)
    return [(block.kind, block.level) for block in document.blocks]


def readable(*lines, size=10, font="helv"):
    """How a block of lines is read."""

    def draw(page):
        page.insert_text((50, 100), list(lines), fontsize=size, fontname=font)

    document = read(draw)
    return document.readable(0, len(document.text))


@pytest.mark.parametrize(
    ("size", "font", "expected"),
    [
        (20, "helv", (BlockKind.HEADING, 1)),
        (14, "helv", (BlockKind.HEADING, 2)),
        (12, "helv", (BlockKind.HEADING, 3)),
        (10, "hebo", (BlockKind.HEADING, 4)),
        (10, "helv", (BlockKind.PARAGRAPH, 0)),
        (9, "cour", (BlockKind.CODE, 0)),
        (18, "cour", (BlockKind.HEADING, 1)),
    ],
)
def test_what_a_line_is_shows_in_its_looks(size, font, expected):
    def draw(page):
        page.insert_text((50, 150), "Of Whales", fontsize=size, fontname=font)
        page.insert_text((50, 220), PROSE, fontsize=10)

    assert kinds(draw) == [expected, (BlockKind.PARAGRAPH, 0)]


@pytest.mark.parametrize(
    "text", ["This is bold, and it is a sentence.", "* * *", ["bold words and on and on"] * 5]
)
def test_not_all_that_is_bold_is_a_heading(text):
    def draw(page):
        page.insert_text((50, 150), text, fontsize=10, fontname="hebo")
        page.insert_text((50, 270), PROSE, fontsize=10)

    assert kinds(draw)[0][0] is not BlockKind.HEADING


@pytest.mark.parametrize("text", ["Figure 3: A whale.", "Table 12. Numbers of whales", "图 3 鲸"])
def test_captions_are_known_by_their_first_word(text):
    page = page_with(
        lambda page: page.insert_text((50, 200), text, fontsize=10, fontname="china-s")
    )
    found = read_page_text(page)
    assert page_blocks(found, BODY, 500)[0].kind is BlockKind.CAPTION


@pytest.mark.parametrize(
    "text", ["1) the first of them", "a. the first of them", "- the first of them"]
)
def test_list_items_are_known_by_their_mark(text):
    assert kinds(lambda page: page.insert_text((50, 200), text, fontsize=10)) == [
        (BlockKind.LIST_ITEM, 0)
    ]


def test_running_heads_and_page_numbers_are_no_text_of_the_page():
    def draw(page):
        page.insert_text((50, 30), "MOBY-DICK", fontsize=9)
        page.insert_text((300, 30), "42", fontsize=9)
        page.insert_text((50, 150), PROSE, fontsize=10)
        page.insert_text((200, 480), "- 42 -", fontsize=9)

    document = read(draw)
    assert [block.kind for block in document.blocks] == [
        BlockKind.OTHER,
        BlockKind.PARAGRAPH,
        BlockKind.OTHER,
    ]
    assert document.text.startswith("MOBY-DICK\n42")


def test_a_heading_at_the_top_of_a_page_is_no_running_head():
    def draw(page):
        page.insert_text((50, 50), "References", fontsize=10.5, fontname="hebo")
        page.insert_text((50, 64), PROSE, fontsize=10)

    assert kinds(draw)[0] == (BlockKind.HEADING, 4)


def test_a_line_at_the_edge_of_an_empty_page_is_its_text():
    assert kinds(lambda page: page.insert_text((50, 30), "For Ann", fontsize=10)) == [
        (BlockKind.PARAGRAPH, 0)
    ]


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["hyphen-", "ated words"], "hyphenated words"),
        (["the state-of-the-", "art method"], "the state-of-the-art method"),
        (["Anglo-", "Saxon kings"], "Anglo-Saxon kings"),
        (["from 1990-", "1995 on"], "from 1990-1995 on"),
        (["a dash -", "and more"], "a dash - and more"),
        (["two", "lines"], "two lines"),
    ],
)
def test_line_ends_are_read_as_a_reader_reads_them(lines, expected):
    assert readable(*lines) == expected


def test_line_ends_between_ideographs_are_nothing():
    assert (
        readable("鲸鱼是", "哺乳动物 and", "whales 鲸", "鱼", font="china-s")
        == "鲸鱼是哺乳动物 and whales 鲸鱼"
    )


def test_lines_of_code_stay_lines():
    assert readable("if x:", "    y()", size=9, font="cour") == "if x:\n    y()"


def test_rows_of_a_table_are_lines_with_tabs():
    def draw(page):
        for row in range(3):
            y = 150 + 12 * row
            page.insert_text((50, y), f"Item {row}", fontsize=10)
            page.insert_text((200, y), f"{row}00", fontsize=10)
            page.insert_text((300, y), f"{row}50", fontsize=10)

    document = read(draw)
    assert document.readable(0, len(document.text)) == (
        "Item 0\t000\t050\nItem 1\t100\t150\nItem 2\t200\t250"
    )


def test_the_number_of_a_section_and_its_title_are_one_line():
    def draw(page):
        page.insert_text((50, 150), "1.2", fontsize=14, fontname="hebo")
        page.insert_text((84, 150), "Whales", fontsize=14, fontname="hebo")

    document = read(draw)
    assert document.readable(0, len(document.text)) == "1.2 Whales"


def test_a_break_stands_at_every_border_of_blocks():
    def draw(page):
        page.insert_text((50, 150), PROSE, fontsize=10)
        page.insert_text((50, 250), "The end.", fontsize=10)

    document = read(draw)
    first, second = document.blocks
    assert Break(first.end, 2, "\n") in document.breaks
    assert second.start == first.end + 2


def test_running_text_is_what_most_letters_look_like():
    def draw(page):
        page.insert_text((50, 100), "Title", fontsize=30, fontname="hebo")
        page.insert_text((50, 200), PROSE, fontsize=9)

    assert body_style([read_page_text(page_with(draw))]) == BodyStyle(9.0)
    assert body_style([]) == BodyStyle()
