from __future__ import annotations

import gc
import random
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QByteArray, QUrl
from PySide6.QtWebEngineCore import QWebEngineUrlScheme

from app.domain.document import Resource
from app.domain.position import Locator
from app.ui.reader import book_scheme
from app.ui.reader.book_scheme import (
    SCHEME,
    is_part_address,
    package_name,
    part_address,
    without_view_units,
)
from tests.fakes.in_memory_epub import InMemoryEpub, paragraphs, whole_page

if TYPE_CHECKING:
    from tests.ui.reader.conftest import Driver


@pytest.mark.usefixtures("qapp")
def test_the_scheme_is_registered_once_with_hosts() -> None:
    book_scheme.register()
    scheme = QWebEngineUrlScheme.schemeByName(QByteArray(SCHEME))
    assert scheme.syntax() is QWebEngineUrlScheme.Syntax.Host
    assert scheme.flags() & QWebEngineUrlScheme.Flag.SecureScheme
    assert not scheme.flags() & QWebEngineUrlScheme.Flag.ContentSecurityPolicyIgnored


@pytest.mark.parametrize("name", ["OPS/c1.xhtml", "OPS/第 一%20章#?.xhtml", "a&b=c.xhtml"])
def test_an_address_names_its_part_and_its_file(name: str) -> None:
    url = QUrl(part_address(3, name, 12, 4))
    assert url.isValid()
    assert is_part_address(url)
    assert package_name(url) == name
    assert url.query() == "part=12.4"


@pytest.mark.parametrize(
    "address",
    [
        "book://ibid/shell.html",
        "book://ibid/book/x/c.xhtml",
        "book://other/book/1/c.xhtml",
        "http://ibid/book/1/c.xhtml",
        "file:///book/1/c.xhtml",
    ],
)
def test_other_addresses_name_nothing_in_the_book(address: str) -> None:
    assert package_name(QUrl(address)) is None


@pytest.mark.parametrize(
    ("style", "served"),
    [
        (b"a{height:100vh}", b"a{height:calc(100 * var(--ibid-vh, 8px))}"),
        (b"a{margin:.5vh 2vw}", b"a{margin:calc(.5 * var(--ibid-vh, 8px)) 2vw}"),
        (b"a{height:calc(98svh - 3em)}", b"a{height:calc(calc(98 * var(--ibid-vh, 8px)) - 3em)}"),
        (b".a12vh{b:#1vh}", b".a12vh{b:#1vh}"),
    ],
)
def test_heights_of_the_view_mean_the_readers_view(style: bytes, served: bytes) -> None:
    assert without_view_units(style) == served


def answer(driver: Driver, address: str) -> str:
    """What a picture in the book gets from an address."""
    driver.run(
        "(() => { window.tried = ''; const i = new Image(); "
        f"i.onload = () => window.tried = 'served'; i.onerror = () => window.tried = 'refused'; "
        f"i.src = '{address}'; "
        "ibid.reader.slots[0].frame.contentDocument.body.append(i); })()"
    )
    driver.bot.waitUntil(lambda: driver.run("window.tried") != "")
    return str(driver.run("window.tried"))


def test_only_what_the_book_holds_is_served(driver: Driver) -> None:
    svg = b'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'
    book = InMemoryEpub.of_documents((whole_page('<p data-o="0">t</p>'), 1))
    book.resources["a.svg"] = Resource("a.svg", "image/svg+xml", svg)
    book.resources["page.xhtml"] = Resource("page.xhtml", "application/xhtml+xml", svg)
    driver.show(book)
    generation = driver.view._handler.generation
    assert answer(driver, f"book://ibid/book/{generation}/a.svg") == "served"
    for address in (
        f"book://ibid/book/{generation}/b.svg",
        f"book://ibid/book/{generation}/page.xhtml",
        f"book://ibid/book/{generation}/../../../../etc/passwd",
        f"book://ibid/book/{generation - 1}/a.svg",
        f"book://other/book/{generation}/a.svg",
        "file:///etc/passwd",
    ):
        assert answer(driver, address) == "refused"


def test_a_document_past_two_megabytes_is_shown(driver: Driver) -> None:
    markup, text = paragraphs(["A long document, longer than setHtml can take. " * 20] * 3000)
    assert len(markup) > 2_500_000
    driver.show(InMemoryEpub.of_documents((whole_page(markup), len(text))), Locator(0, 900))


def test_replies_outlive_the_garbage_collector(driver: Driver) -> None:
    markup, text = paragraphs(["Words of a chapter. " * 20] * 5)
    driver.show(InMemoryEpub.of_documents(*[(whole_page(markup), len(text))] * 120))
    chance = random.Random(3)
    for _ in range(15):
        driver.view.go_to(Locator(chance.randrange(120), 0))
        driver.run("1")
        gc.collect()
    driver.go_to(Locator(60, 0))
