from __future__ import annotations

import os
import random
import signal
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from app.domain.book import BookMetadata, ImportState
from app.domain.document import MarkupPart, Resource
from app.domain.errors import PageUnreadable, StoreDamaged
from app.domain.position import Locator, Span
from app.ui.reader.reader_view import BookLink, ReaderSelection, WebLink
from app.ui.theme import load_theme
from tests.builders import BEYOND_ASCII, PNG
from tests.fakes.in_memory_epub import InMemoryEpub, paragraphs, whole_page

if TYPE_CHECKING:
    from app.ui.reader.reader_view import Viewpoint
    from tests.ui.reader.conftest import Driver

MIXED = (
    f'\n<p data-o="1">{BEYOND_ASCII}one<br/>two</p>\n'
    '<p data-o="{ruby}"><ruby>漢<rp>(</rp><rt>かん</rt>字<rt>じ</rt></ruby>の話。</p>\n'
    '<div hidden="hidden">unseen</div><p style="color:red; DISPLAY : none">unseen</p>'
    '<svg xmlns="http://www.w3.org/2000/svg"><title>unseen</title><text>drawn</text></svg>'
    '<table><tr><td data-o="{cell}">a</td><td>b</td></tr></table>'
    "<audio>unseen</audio><template>unseen</template>"
    '<p data-o="{last}">The e\u0301nd 😀.</p>'
)
HEAD = f"\n{BEYOND_ASCII}onetwo\n"
MIDDLE = f"{HEAD}漢字の話。\ndrawn"
MIXED_TEXT = f"{MIDDLE}abThe e\u0301nd 😀."


def long_book(documents: int = 4, count: int = 60) -> tuple[InMemoryEpub, list[str]]:
    """A book of several screens a document, and the text of each."""
    made = []
    texts = []
    for number in range(documents):
        markup, text = paragraphs(
            [
                f"{BEYOND_ASCII}{number}.{line} " + "words run on and on " * 14
                for line in range(count)
            ]
        )
        made.append((whole_page(markup), len(text)))
        texts.append(text)
    return InMemoryEpub.of_documents(*made), texts


def is_same_line(seen: Viewpoint | None, left: Viewpoint) -> bool:
    """Whether the same character stands at the same height, but for rounding to device pixels."""
    return (
        seen is not None
        and seen.locator == left.locator
        and abs(seen.inset_px - left.inset_px) < 0.6
    )


def test_text_read_back_is_the_canonical_text(driver: Driver) -> None:
    markup = MIXED.format(ruby=len(HEAD), cell=len(MIDDLE), last=len(MIDDLE) + 2)
    driver.show(InMemoryEpub.of_documents((whole_page(markup), len(MIXED_TEXT))))
    driver.go_to(Span(0, 0, len(MIXED_TEXT)), highlight=True)
    assert driver.highlighted() == MIXED_TEXT
    for start in range(len(MIXED_TEXT)):
        end = min(start + 3, len(MIXED_TEXT))
        driver.view.go_to(Span(0, start, end), highlight=True)
        assert driver.highlighted() == MIXED_TEXT[start:end]


def test_random_spans_across_documents_are_highlighted_exactly(driver: Driver) -> None:
    book, texts = long_book()
    driver.show(book)
    chance = random.Random(5)
    for _ in range(12):
        file_index = chance.randrange(len(texts))
        start = chance.randrange(len(texts[file_index]) - 200)
        span = Span(file_index, start, start + chance.randrange(1, 200))
        driver.go_to(span, highlight=True)
        assert driver.highlighted() == texts[file_index][span.start : span.end]


def test_a_span_lands_in_the_middle_third(driver: Driver) -> None:
    book, _ = long_book()
    driver.show(book)
    driver.go_to(Span(2, 9000, 9080), highlight=True)
    top, bottom = driver.run(
        "(() => { const slot = ibid.reader.slots[2]; "
        "return slot.extentOf(slot.map.rangeOf(9000, 9080)).all; })()"
    )
    assert 700 / 3 <= top < bottom <= 2 * 700 / 3


def test_a_highlight_over_two_parts_survives_their_leaving(driver: Driver) -> None:
    first_markup, first = paragraphs(["Alpha runs on. " * 20] * 40)
    second_markup, second = paragraphs(["Omega runs on. " * 20] * 40)
    second_markup = second_markup.replace('data-o="', 'data-x="')
    shifted = second_markup.replace("<p ", f'<p data-o="{len(first)}" ', 1)
    parts = (
        MarkupPart(0, 0, len(first), whole_page(first_markup)),
        MarkupPart(1, len(first), len(first) + len(second), whole_page(shifted)),
    )
    filler, text = paragraphs(["Filler. " * 60] * 80)
    book = InMemoryEpub([parts, *[(MarkupPart(0, 0, len(text), whole_page(filler)),)] * 3])
    driver.show(book)
    span = Span(0, len(first) - 30, len(first) + 30)
    driver.go_to(span, highlight=True)
    expected = (first + second)[span.start : span.end]
    driver.bot.waitUntil(lambda: driver.highlighted() == expected)
    driver.go_to(Locator(3, 20_000))
    assert driver.run("ibid.reader.slots[0].frame === null")
    driver.go_to(span)
    driver.bot.waitUntil(lambda: driver.highlighted() == expected)


def test_coming_back_shows_the_very_same_line(driver: Driver) -> None:
    book, _ = long_book()
    driver.show(book)
    driver.go_to(Locator(1, 7000))
    driver.run("window.scrollBy(0, 137)")
    driver.bot.waitUntil(lambda: (driver.view.visible_place() or Locator(0, 0)).offset > 7000)
    left = driver.view.viewpoint()
    assert left is not None
    driver.go_to(Span(3, 200, 260), highlight=True)
    driver.go_to(left)
    assert is_same_line(driver.view.viewpoint(), left)


def test_a_saved_place_does_not_creep(driver: Driver) -> None:
    book, _ = long_book()
    driver.show(book, Locator(2, 6000))
    seen = driver.view.visible_place()
    assert seen is not None
    for _ in range(4):
        driver.show(book, seen)
        assert driver.view.visible_place() == seen


def test_the_first_visible_character_stays_when_the_window_changes(driver: Driver) -> None:
    book, _ = long_book()
    driver.show(book)
    driver.go_to(Locator(2, 8000))
    script = "ibid.reader.slots[2].extentOf(ibid.reader.slots[2].map.rangeOf(8000, 8001)).first[0]"
    at = driver.run(script)
    for width, scale in ((620, 1.0), (900, 1.5), (1100, 0.8)):
        driver.view.set_text_scale(scale)
        driver.view.resize(width, 700)
        driver.bot.waitUntil(
            lambda width=width, scale=scale: (
                abs(driver.run("window.innerWidth") - width / scale) < 2
            )
        )
        driver.bot.waitUntil(lambda: abs(driver.run(script) - at) <= 2)


def test_few_parts_are_live_at_any_time(driver: Driver) -> None:
    markup, text = paragraphs(["A short chapter. " * 40] * 3)
    book = InMemoryEpub.of_documents(*[(whole_page(markup), len(text))] * 300)
    driver.show(book)
    for file_index in (40, 150, 299, 3):
        driver.go_to(Locator(file_index, 0))
        assert driver.run("ibid.reader.slots.filter((s) => s.frame).length") < 40


def test_documents_that_arrive_later_do_not_move_the_place(driver: Driver) -> None:
    book, _ = long_book(4)
    late = list(book.parts)
    book.parts = [(), late[1], ()]
    driver.show(book, Locator(1, 4000))
    before = driver.view.viewpoint()
    book.parts = late
    driver.view.documents_added()
    driver.bot.waitUntil(lambda: driver.run("ibid.reader.slots.length") == 4)
    driver.go_to(Locator(3, 0))
    assert before is not None
    driver.go_to(before)
    assert is_same_line(driver.view.viewpoint(), before)


def test_a_selection_is_a_span_in_code_points(driver: Driver) -> None:
    markup, text = paragraphs([f"{BEYOND_ASCII}first words.", "Second 𠮷 paragraph here."])
    driver.show(InMemoryEpub.of_documents((whole_page(markup), len(text))))
    start = text.index("words")
    end = text.index("paragraph")
    corners = driver.run(
        "(() => { const slot = ibid.reader.slots[0]; "
        f"const a = slot.toView(slot.map.rangeOf({start}, {start + 1}).getBoundingClientRect()); "
        f"const b = slot.toView(slot.map.rangeOf({end - 1}, {end}).getBoundingClientRect()); "
        "return [a.left + 1, a.top + a.height / 2, b.left + 1, b.top + b.height / 2]; })()"
    )
    area = driver.view._web.focusProxy()
    with driver.bot.waitSignal(driver.view.selection_changed, timeout=5000) as selected:
        QTest.mousePress(area, Qt.MouseButton.LeftButton, pos=QPoint(*map(int, corners[:2])))
        QTest.mouseMove(area, QPoint(*map(int, corners[2:])))
        QTest.mouseRelease(area, Qt.MouseButton.LeftButton, pos=QPoint(*map(int, corners[2:])))
    driver.bot.waitUntil(
        lambda: driver.in_frame(0, "return view.getSelection().toString().includes('Second');")
    )
    assert isinstance(selected.args[0], ReaderSelection)
    with driver.bot.waitSignal(driver.view.selection_changed, timeout=5000) as last:
        driver.in_frame(0, "view.getSelection().collapseToEnd();")
    assert last.args[0] is None


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        (
            '<a href="c1.xhtml#n1" epub:type="noteref">x</a>',
            BookLink("OPS/text/c1.xhtml", "n1", 0, True),
        ),
        ('<a href="#here">x</a>', BookLink("OPS/text/c0.xhtml", "here", 0, False)),
        ('<a href="../%E4%BA%8C.xhtml">x</a>', BookLink("OPS/二.xhtml", "", 0, False)),
        ('<a href="https://example.org/a?b=c#d"><b>x</b></a>', WebLink("https://example.org/a?b=c#d")),
        ('<a href="mailto:a@example.org">x</a>', WebLink("mailto:a@example.org")),
    ],
)  # fmt: skip
def test_a_click_on_a_link_is_told_and_goes_nowhere(
    driver: Driver, markup: str, expected: BookLink | WebLink
) -> None:
    driver.show(InMemoryEpub.of_documents((whole_page(f'<p data-o="0">{markup}</p>'), 1)))
    with driver.bot.waitSignal(driver.view.link_activated, timeout=5000) as link:
        driver.in_frame(0, "doc.querySelector('a').lastChild.parentElement.click();")
    assert link.args[0] == expected
    assert driver.in_frame(0, "return doc.querySelectorAll('a').length;") == 1


def test_style_and_picture_come_from_the_book(driver: Driver) -> None:
    head = '<link rel="stylesheet" href="../css/a.css"/>'
    body = '<p data-o="0" class="x">t</p><img src="../img/%E7%94%BB.png" alt=""/>'
    book = InMemoryEpub.of_documents((whole_page(body, head), 1))
    book.resources = {
        "OPS/css/a.css": Resource("OPS/css/a.css", "text/css", b".x { text-indent: 40px }"),
        "OPS/img/画.png": Resource("OPS/img/画.png", "image/png", PNG),
    }
    driver.show(book)
    indent = "return view.getComputedStyle(doc.querySelector('p')).textIndent;"
    assert driver.in_frame(0, indent) == "40px"
    driver.bot.waitUntil(
        lambda: driver.in_frame(0, "return doc.querySelector('img').naturalWidth;") == 1
    )


def test_a_picture_still_being_imported_appears_when_it_is_stored(driver: Driver) -> None:
    book = InMemoryEpub.of_documents((whole_page('<p data-o="0">t</p><img src="p.png"/>'), 1))
    book.state = ImportState.IMPORTING
    driver.show(book)
    assert "OPS/text/p.png" in book.asked_for
    book.resources["OPS/text/p.png"] = Resource("OPS/text/p.png", "image/png", PNG)
    driver.bot.waitUntil(
        lambda: driver.in_frame(0, "return doc.querySelector('img').naturalWidth;") == 1
    )


@pytest.mark.parametrize("theme", ["light", "sepia", "dark"])
def test_text_is_readable_in_every_theme(driver: Driver, theme: str) -> None:
    body = (
        '<div style="background:#fff"><p data-o="0" style="color:#000">black</p>'
        '<p><font color="black" style="background-color:white">boxed</font></p></div>'
    )
    driver.show(InMemoryEpub.of_documents((whole_page(body), 10)))
    driver.view.set_theme(load_theme(theme))
    driver.bot.waitUntil(
        lambda: (
            driver.in_frame(0, "return view.getComputedStyle(doc.documentElement).colorScheme;")
            == ("dark" if theme == "dark" else "light")
        )
    )
    for element in ("p", "font"):
        ink, paper = driver.in_frame(
            0,
            f"const e = doc.querySelector('{element}'); const clear = 'rgba(0, 0, 0, 0)'; "
            "let at = e, paper = clear; while (at && paper === clear) { "
            "paper = view.getComputedStyle(at).backgroundColor; at = at.parentElement; } "
            "return [view.getComputedStyle(e).color, paper === clear ? "
            "getComputedStyle(document.documentElement).backgroundColor : paper];",
        )
        assert contrast(ink, paper) >= 4.5


def contrast(ink: str, paper: str) -> float:
    """WCAG 2.2 contrast ratio of two `rgb(…)` colours."""

    def luminance(color: str) -> float:
        parts = [int(part) / 255 for part in color.strip("rgb()").split(",")[:3]]
        linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    one, other = sorted((luminance(ink), luminance(paper)))
    return (other + 0.05) / (one + 0.05)


def test_media_queries_follow_the_readers_theme(driver: Driver) -> None:
    head = (
        "<style>p { text-indent: 1px } "
        "@media all and (prefers-color-scheme: dark) { p { text-indent: 2px } }</style>"
    )
    driver.show(InMemoryEpub.of_documents((whole_page('<p data-o="0">t</p>', head), 1)))
    indent = "return view.getComputedStyle(doc.querySelector('p')).textIndent;"
    for theme, expected in (("dark", "2px"), ("light", "1px")):
        driver.view.set_theme(load_theme(theme))
        driver.bot.waitUntil(lambda expected=expected: driver.in_frame(0, indent) == expected)


def test_heights_in_view_units_do_not_grow_without_end(driver: Driver) -> None:
    markup, text = paragraphs(["Some words. " * 30] * 20)
    head = '<link rel="stylesheet" href="a.css"/>'
    book = InMemoryEpub.of_documents((whole_page(f"<section>{markup}</section>", head), len(text)))
    style = b"section { min-height: 100vh; padding-top: 50vh } html, body { height: 100% }"
    book.resources["OPS/text/a.css"] = Resource("OPS/text/a.css", "text/css", style)
    driver.show(book)
    height = driver.run("ibid.reader.slots[0].size")
    driver.go_to(Locator(0, len(text) - 10))
    assert driver.run("ibid.reader.slots[0].size") == height < 5000


def test_vertical_text_flows_sideways_and_is_marked(driver: Driver) -> None:
    markup, text = paragraphs(["春の宵𠮷は値千金。" * 30] * 30)
    head = "<style>html { writing-mode: vertical-rl }</style>"
    book = InMemoryEpub.of_documents(*[(whole_page(markup, head), len(text))] * 3)
    book.metadata = BookMetadata("縦書き", language="ja", is_right_to_left=True)
    driver.show(book)
    driver.go_to(Span(1, 4000, 4020), highlight=True)
    assert driver.highlighted() == text[4000:4020]
    left, right, width = driver.run(
        "(() => { const slot = ibid.reader.slots[1]; const r = slot.toView("
        "slot.map.rangeOf(4000, 4020).getBoundingClientRect()); "
        "return [r.left, r.right, document.documentElement.clientWidth]; })()"
    )
    assert width / 4 < left < right < width * 3 / 4
    seen = driver.view.viewpoint()
    assert seen is not None
    driver.view.page_forward()
    driver.bot.waitUntil(lambda: driver.view.visible_place() > seen.locator)
    driver.go_to(seen)
    assert is_same_line(driver.view.viewpoint(), seen)


def test_a_fixed_page_fits_the_width(driver: Driver) -> None:
    page = whole_page('<p data-o="0" style="margin:0;width:1200px">page</p>')
    book = InMemoryEpub.of_documents((page, 4), (page, 4), (page, 4))
    book.metadata = BookMetadata("Pages", language="en", is_fixed_layout=True)
    book.page_size_pt = (1200, 1600)
    driver.show(book)
    driver.go_to(Locator(1, 0))
    assert driver.view.visible_place() == Locator(1, 0)
    left, right, width = driver.run(
        "(() => { const r = ibid.reader.slots[1].frame.getBoundingClientRect(); "
        "return [r.left, r.right, document.documentElement.clientWidth]; })()"
    )
    assert 0 <= left < right <= width
    driver.go_to(Span(2, 0, 4), highlight=True)
    assert driver.highlighted() == "page"


def test_the_page_comes_back_once_after_its_process_died(driver: Driver) -> None:
    book, texts = long_book()
    driver.show(book)
    span = Span(2, 5000, 5050)
    driver.go_to(span, highlight=True)
    with driver.bot.waitSignal(driver.view.arrived, timeout=15_000):
        os.kill(driver.view._page.renderProcessPid(), signal.SIGKILL)
    assert driver.highlighted() == texts[2][span.start : span.end]
    with driver.bot.waitSignal(driver.view.failed, timeout=15_000) as failed:
        os.kill(driver.view._page.renderProcessPid(), signal.SIGKILL)
    assert isinstance(failed.args[0], PageUnreadable)
    driver.show(book)


def test_a_part_that_cannot_be_read_is_told_and_the_rest_is_shown(driver: Driver) -> None:
    class Damaged(InMemoryEpub):
        def part(self, file_index: int, part_index: int) -> bytes:
            if file_index == 1:
                raise StoreDamaged(Path("library"), "a page of it is torn")
            return super().part(file_index, part_index)

    markup, text = paragraphs(["Some words. " * 30] * 3)
    book = Damaged.of_documents(*[(whole_page(markup), len(text))] * 3)
    with driver.bot.waitSignal(driver.view.failed, timeout=5000) as failed:
        driver.show(book)
    assert isinstance(failed.args[0], StoreDamaged)
    driver.go_to(Span(2, 5, 15), highlight=True)
    assert driver.highlighted() == text[5:15]


def test_a_place_in_space_that_is_not_drawn_leads_to_the_text_after_it(driver: Driver) -> None:
    lines = ["Some words run on. " * 20] * 60
    markup = "".join(f'<p data-o="{n * 381}">{line}</p>\n' for n, line in enumerate(lines))
    text = "".join(f"{line}\n" for line in lines)
    driver.show(InMemoryEpub.of_documents((whole_page(markup), len(text))))
    space = text.index("\n", 9000)
    driver.go_to(Locator(0, space))
    assert driver.view.visible_place() == Locator(0, space + 1)
    driver.go_to(Span(0, space, space + 1), highlight=True)
    assert driver.highlighted() == "\n"
    seen = driver.view.visible_place()
    assert seen is not None
    assert space - 2500 < seen.offset < space


def test_drawings_in_black_ink_are_seen_on_a_dark_page(driver: Driver) -> None:
    svg = '<svg xmlns="http://www.w3.org/2000/svg" width="99" height="99"><path d="{}"/></svg>'
    ink = svg.format("M9 9h80v20z").encode()
    full = svg.format("M0 0h99v99H0z").encode()
    body = '<p data-o="0">t</p><img id="ink" src="ink.svg"/><img id="full" src="full.svg"/>'
    book = InMemoryEpub.of_documents((whole_page(body), 1))
    for name, picture in (("ink", ink), ("full", full)):
        path = f"OPS/text/{name}.svg"
        book.resources[path] = Resource(path, "image/svg+xml", picture)
    driver.view.set_theme(load_theme("dark"))
    driver.show(book)
    drawn = "return view.getComputedStyle(doc.getElementById('%s')).filter;"
    driver.bot.waitUntil(lambda: "invert(1)" in driver.in_frame(0, drawn % "ink"))
    assert "invert" not in driver.in_frame(0, drawn % "full")


@pytest.mark.corpus
@pytest.mark.parametrize(
    "name",
    [
        "github-roam-zh",
        "idpf-childrens-literature",
        "idpf-israelsailing-he",
        "idpf-kusamakura-vertical-ja",
        "jaune-fr-epub2",
        "se-hamlet",
    ],
)
def test_spans_of_a_real_book_read_back_as_its_text(
    driver: Driver, corpus: Path, name: str
) -> None:
    book, texts = InMemoryEpub.of_file(corpus / f"{name}.epub")
    driver.show(book)
    chance = random.Random(name)
    long = [file_index for file_index, text in enumerate(texts) if len(text) > 99]
    for file_index in chance.sample(long, min(3, len(long))):
        for _ in range(7):
            start = chance.randrange(len(texts[file_index]) - 1)
            end = min(len(texts[file_index]), start + chance.randrange(1, 300))
            driver.go_to(Span(file_index, start, end), highlight=True)
            expected = texts[file_index][start:end]
            # The rest of a span over two parts is drawn when the second one is there.
            driver.bot.waitUntil(lambda expected=expected: driver.highlighted() == expected)


def test_a_jump_into_what_is_still_being_imported_waits_for_it(driver: Driver) -> None:
    book, texts = long_book(3)
    stored = list(book.parts)
    book.state = ImportState.IMPORTING
    book.parts = [stored[0], (), ()]
    driver.show(book)
    driver.view.go_to(Span(2, 4000, 4050), highlight=True)
    assert driver.highlighted() == ""
    book.parts = stored
    with driver.bot.waitSignal(driver.view.arrived, timeout=5000):
        driver.view.documents_added()
    assert driver.highlighted() == texts[2][4000:4050]


def test_two_thousand_documents_are_taken_in_slices(driver: Driver) -> None:
    markup, text = paragraphs(["A short chapter. " * 20] * 2)
    book = InMemoryEpub.of_documents(*[(whole_page(markup), len(text))] * 2000)
    driver.show(book, Locator(1000, 0))
    driver.go_to(Span(1999, 10, 20), highlight=True)
    assert driver.highlighted() == text[10:20]
    driver.bot.waitUntil(lambda: driver.run("ibid.reader.slots.length") == 2000)
    assert driver.highlighted() == text[10:20]
    assert driver.run("ibid.reader.slots.every((slot, n) => slot.file === n)")
    at = "ibid.reader.slots[1999].extentOf(ibid.reader.slots[1999].map.rangeOf(10, 20)).all"
    start, end = driver.run(at)
    assert 0 < start < end < 700
