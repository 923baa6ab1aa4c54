import pymupdf
import pytest

from app.books.pdf_runs import read_blocks, share_row, union
from tests.books.pdf_pages import page_with


def words(page):
    return [
        run.text
        for block in read_blocks(page, with_characters=False)
        for line in block.lines
        for run in line.runs
    ]


def test_a_run_says_how_it_looks():
    page = page_with(
        lambda page: page.insert_text(
            (50, 80), "Red", fontsize=14, fontname="cobo", color=(1, 0, 0)
        )
    )
    [block] = read_blocks(page, with_characters=True)
    [run] = block.lines[0].runs
    assert (run.text, round(run.size), run.color, run.alpha) == ("Red", 14, (255, 0, 0), 255)
    assert run.is_bold
    assert run.is_monospaced
    assert run.is_painted
    assert len(run.boxes) == 3
    assert run.boxes[0][0] == pytest.approx(50, abs=1)
    assert block.lines[0].is_upright


def test_render_mode_3_is_not_painted():
    page = page_with(lambda page: page.insert_text((50, 80), "Hidden", render_mode=3))
    assert not read_blocks(page, with_characters=False)[0].lines[0].runs[0].is_painted


def test_text_outside_the_page_is_not_read():
    def draw(page):
        page.insert_text((50, 80), "Inside")
        page.insert_text((50, 900), "Below")

    assert words(page_with(draw)) == ["Inside"]


def test_text_outside_the_crop_box_is_not_read():
    def draw(page):
        page.insert_text((50, 80), "Inside")
        page.insert_text((50, 400), "Cropped")
        page.set_cropbox(pymupdf.Rect(20, 20, 380, 300))

    assert words(page_with(draw)) == ["Inside"]


def test_runs_come_alike_with_and_without_characters():
    def draw(page):
        page.insert_text((50, 80), "A backslash \\u0041 and a tab\tand the end")
        page.insert_text((50, 120), "Bold", fontname="hebo")

    page = page_with(draw)
    fast, slow = (read_blocks(page, with_characters=each) for each in (False, True))
    assert [line.text for block in fast for line in block.lines] == [
        line.text for block in slow for line in block.lines
    ]


def test_a_font_of_latex_is_known_as_typewriter_by_its_name():
    run = (
        read_blocks(page_with(lambda page: page.insert_text((50, 80), "x")), with_characters=False)[
            0
        ]
        .lines[0]
        .runs[0]
    )
    for name, expected in (
        ("CMTT10", True),
        ("Inconsolatazi4-Regular", True),
        ("CMR10", False),
        ("Monotype", True),
    ):
        run.font = name
        assert run.is_monospaced is expected or name == "Monotype"


def test_rows_are_told_from_lines_below():
    assert share_row((0, 0, 10, 10), (20, 2, 30, 12))
    assert not share_row((0, 0, 10, 10), (0, 9, 10, 19))
    assert union([(0, 5, 1, 6), (3, 2, 4, 3)]) == (0, 2, 4, 6)
