"""The handbook is a sound EPUB 3, always the same bytes, and answers what newcomers ask."""

from __future__ import annotations

import hashlib
import re
import zipfile
from typing import TYPE_CHECKING

import pytest
from ebooklib import epub
from lxml import etree

from app.books import handbook
from app.books.handbook import build_handbook
from app.command_line.arguments import COMMANDS
from app.ui.actions import ACTIONS

if TYPE_CHECKING:
    from pathlib import Path

XHTML = "{http://www.w3.org/1999/xhtml}"
KEYS = re.compile(
    r"\b(?:Ctrl|Alt)(?:\+(?:Shift|Alt|Page Up|Page Down|Left|Right|[A-Z0-9,.]))+|\bF\d+"
)
SOURCES = sorted(handbook._SOURCES.glob("*.md"))


@pytest.fixture(scope="module")
def built(tmp_path_factory) -> Path:
    return build_handbook(tmp_path_factory.mktemp("handbook") / "handbook.epub")


@pytest.fixture(scope="module")
def pages(built) -> dict[str, etree._Element]:
    """The chapters, parsed strictly, by name."""
    with zipfile.ZipFile(built) as book:
        return {
            name.removeprefix("OEBPS/"): etree.fromstring(book.read(name))
            for name in book.namelist()
            if name.endswith(".xhtml")
        }


def test_an_independent_parser_reads_it(built):
    book = epub.read_epub(built)
    assert (book.title, book.language) == ("The Ibid Handbook", "en")
    assert len(book.spine) == len(SOURCES)
    assert book.toc[0][0].title == "Welcome to Ibid"


def test_the_media_type_stands_first_and_uncompressed(built):
    assert built.read_bytes()[30:58] == b"mimetypeapplication/epub+zip"


def test_the_same_text_gives_the_same_bytes(built, tmp_path):
    again = build_handbook(tmp_path / "handbook.epub")
    digests = {hashlib.sha256(path.read_bytes()).hexdigest() for path in (built, again)}
    assert len(digests) == 1
    assert [path.name for path in tmp_path.iterdir()] == ["handbook.epub"]


def test_every_line_of_the_contents_leads_somewhere(pages):
    links = [link.get("href") for link in pages["nav.xhtml"].iter(f"{XHTML}a")]
    assert len(links) > 3 * len(SOURCES)
    for link in links:
        name, _, anchor = link.partition("#")
        assert not anchor or len(pages[name].xpath("//*[@id=$anchor]", anchor=anchor)) == 1


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.stem)
def test_a_chapter_has_one_title_and_is_short(source):
    text = source.read_text(encoding="utf-8")
    assert len(re.findall(r"^# ", text, re.MULTILINE)) == 1
    assert 100 < len(text.split()) < 500


@pytest.mark.parametrize(
    "answer",
    [
        "To check a footnote, click its number",
        "Nothing leaves your machine while the built-in model answers.",
        "To connect a model, open the settings",
        "To open a book, press Ctrl+O",
        "To ask a question, press Ctrl+K",
        "To stop an answer, press Ctrl+. or click Stop.",
    ],
)
def test_what_newcomers_ask_is_answered_in_one_sentence(pages, answer):
    texts = [" ".join("".join(page.itertext()).split()) for page in pages.values()]
    assert sum(answer in text for text in texts) == 1


def test_it_names_every_command_of_the_command_line(pages):
    text = "".join(pages["11-command-line.xhtml"].itertext())
    assert [command for command in COMMANDS if f"ibid {command}" not in text] == []


def test_its_keys_are_those_of_the_actions(pages):
    known = {shortcut for action in ACTIONS for shortcut in action.shortcuts}
    text = "".join("".join(page.itertext()) for page in pages.values())
    named = {key.replace("Page ", "Pg") for key in KEYS.findall(text)}
    assert len(named) > 10
    assert named - known == set()
