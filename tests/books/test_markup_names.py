"""Names of markup."""

from __future__ import annotations

from app.books.markup_names import BLOCK_NAMES, VOID_NAMES, local_name, names, xhtml


def test_names_are_qualified_and_back():
    assert xhtml("p") == "{http://www.w3.org/1999/xhtml}p"
    assert local_name(xhtml("p")) == "p"
    assert local_name("p") == "p"


def test_listed_names_are_a_set():
    assert names(" a  b\n c ") == {"a", "b", "c"}


def test_blocks_and_voids_are_the_usual_ones():
    assert {"p", "div", "li", "td", "h1", "blockquote"} <= BLOCK_NAMES
    assert {"br", "img", "hr"} <= VOID_NAMES
    assert not BLOCK_NAMES & {"span", "a", "i", "img", "br"}
