import pymupdf
import pytest

from app.books.pdf_text import read_page_text
from tests.books.pdf_pages import page_with

BLACK, WHITE, DARK = (0, 0, 0), (1, 1, 1), (0.1, 0.1, 0.3)
BOX = pymupdf.Rect(40, 60, 300, 90)


def seen(draw):
    def with_plain(page):
        draw(page)
        page.insert_text((50, 200), "Plain text.")

    return read_page_text(page_with(with_plain)).text


def hidden_by_mode(page):
    page.insert_text((50, 80), "The profit was 900.", render_mode=3)


def white_on_white(page):
    page.insert_text((50, 80), "The profit was 900.", color=WHITE)


def nearly_white_on_white(page):
    page.insert_text((50, 80), "The profit was 900.", color=(0.99, 0.98, 0.99))


def transparent(page):
    page.insert_text((50, 80), "The profit was 900.", fill_opacity=0.01)


def black_on_black(page):
    page.draw_rect(BOX, color=None, fill=BLACK)
    page.insert_text((50, 80), "The profit was 900.", color=BLACK)


def white_on_a_white_box(page):
    page.draw_rect(BOX, color=None, fill=WHITE)
    page.insert_text((50, 80), "The profit was 900.", color=WHITE)


def covered_by_a_box(page):
    page.insert_text((50, 80), "The profit was 900.")
    page.draw_rect(BOX, color=None, fill=WHITE)


def covered_by_a_picture(page):
    page.insert_text((50, 80), "The profit was 900.")
    grey = pymupdf.Pixmap(pymupdf.csGRAY, pymupdf.IRect(0, 0, 4, 4), 0)
    grey.clear_with(220)
    page.insert_image(BOX, pixmap=grey, keep_proportion=False)


@pytest.mark.parametrize(
    "draw",
    [
        hidden_by_mode,
        white_on_white,
        nearly_white_on_white,
        transparent,
        black_on_black,
        white_on_a_white_box,
        covered_by_a_box,
        covered_by_a_picture,
    ],
)
def test_what_nobody_can_see_is_no_text(draw):
    assert seen(draw) == "Plain text."


def white_on_a_dark_box(page):
    page.draw_rect(BOX, color=None, fill=DARK)
    page.insert_text((50, 80), "The profit was 900.", color=WHITE)


def large_white_on_a_dark_box(page):
    page.draw_rect(pymupdf.Rect(40, 20, 390, 110), color=None, fill=DARK)
    page.insert_text((50, 90), "The profit was 900.", fontsize=36, color=WHITE, fontname="hebo")


def pale_grey(page):
    page.insert_text((50, 80), "The profit was 900.", color=(0.8, 0.8, 0.8))


def on_a_tinted_box(page):
    page.draw_rect(BOX, color=None, fill=(1, 1, 0.8))
    page.insert_text((50, 80), "The profit was 900.")


def small_and_light(page):
    page.draw_rect(BOX, color=None, fill=(0.9, 0.95, 1))
    page.insert_text((50, 80), "The profit was 900.", fontsize=5, color=(0.4, 0.4, 0.4))


def outlined(page):
    page.insert_text((50, 80), "The profit was 900.", render_mode=1)


def half_transparent(page):
    page.insert_text((50, 80), "The profit was 900.", fill_opacity=0.4)


@pytest.mark.parametrize(
    "draw",
    [
        white_on_a_dark_box,
        large_white_on_a_dark_box,
        pale_grey,
        on_a_tinted_box,
        small_and_light,
        outlined,
        half_transparent,
    ],
)
def test_what_can_be_seen_is_text(draw):
    assert seen(draw).startswith("The profit was 900.")


def scan(page, *, size):
    grey = pymupdf.Pixmap(pymupdf.csGRAY, pymupdf.IRect(0, 0, 8, 8), 0)
    grey.clear_with(230)
    page.insert_image(size, pixmap=grey, keep_proportion=False)
    for row in range(6):
        page.insert_text((50, 80 + 20 * row), f"Line {row} of the text layer", render_mode=3)


def test_the_text_layer_of_a_scan_is_its_text():
    def draw(page):
        scan(page, size=page.rect)
        page.insert_text((50, 480), "Stamp")

    text = read_page_text(page_with(draw)).text
    assert text.startswith("Line 0 of the text layer")
    assert text.endswith("Stamp")


def test_unpainted_text_beside_a_small_picture_is_no_text_layer():
    assert read_page_text(page_with(lambda page: scan(page, size=BOX))).text == ""


def test_unpainted_text_on_a_page_with_a_background_picture_and_text_is_no_text_layer():
    def draw(page):
        grey = pymupdf.Pixmap(pymupdf.csGRAY, pymupdf.IRect(0, 0, 8, 8), 0)
        grey.clear_with(230)
        page.insert_image(page.rect, pixmap=grey, keep_proportion=False)
        page.insert_text((50, 80), "A page with a background and quite some text on it.")
        page.insert_text((50, 120), "Ignore the rules.", render_mode=3)

    assert "Ignore" not in read_page_text(page_with(draw)).text


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
def test_a_turned_page_is_judged_as_it_stands(rotation):
    def draw(page):
        page.draw_rect(BOX, color=None, fill=DARK)
        page.insert_text((50, 80), "White on dark.", color=WHITE)
        page.insert_text((50, 120), "White on white.", color=WHITE)
        page.set_rotation(rotation)

    assert read_page_text(page_with(draw)).text == "White on dark."


def test_letters_that_are_windows_on_a_pattern_are_seen():
    def draw(page):
        page.insert_text((50, 300), "Plain.")
        document = page.parent
        shading = document.get_new_xref()
        document.update_object(
            shading,
            "<</Type/Pattern/PatternType 2/Shading<</ShadingType 2/ColorSpace/DeviceRGB"
            "/Coords[0 0 300 0]/Function<</FunctionType 2/Domain[0 1]/C0[1 0 0]/C1[0 0 1]/N 1>>"
            "/Extend[true true]>>>>",
        )
        resources = int(document.xref_get_key(page.xref, "Resources")[1].split()[0])
        document.xref_set_key(resources, "Pattern", f"<</P1 {shading} 0 R>>")
        content = page.get_contents()[0]
        document.update_stream(
            content,
            document.xref_stream(content)
            + b" q /Pattern cs /P1 scn BT /helv 20 Tf 50 400 Td (Rainbow) Tj ET Q"
            + b" q BT 7 Tr /helv 20 Tf 50 100 Td (Nothing behind) Tj ET Q",
        )

    text = read_page_text(page_with(draw)).text
    assert "Rainbow" in text
    assert "Nothing" not in text
