"""Changes of a tree keep every word."""

from __future__ import annotations

import pytest
from lxml import etree

from app.books.tree_edits import append_text, inner_text, new_element, remove, replace, unwrap


def _tree(markup: str) -> etree._Element:
    return etree.fromstring(markup)


def _markup(root: etree._Element) -> str:
    return etree.tostring(root, encoding="unicode")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("<p>a<x>gone</x>b</p>", "<p>ab</p>"),
        ("<p><i>a</i>b<x/>c<i>d</i></p>", "<p><i>a</i>bc<i>d</i></p>"),
        ("<p><x/></p>", "<p/>"),
    ],
)
def test_removing_keeps_the_text_after(before, after):
    root = _tree(before)
    remove(root.find("x"))
    assert _markup(root) == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("<p>a<x>b</x>c</p>", "<p>abc</p>"),
        ("<p>a<x>b<i>c</i>d<b/>e</x>f</p>", "<p>ab<i>c</i>d<b/>ef</p>"),
        ("<p><u/>a<x><i/></x>b<u/></p>", "<p><u/>a<i/>b<u/></p>"),
        ("<p><x/></p>", "<p/>"),
    ],
)
def test_unwrapping_keeps_everything_inside_in_place(before, after):
    root = _tree(before)
    unwrap(root.find("x"))
    assert _markup(root) == after


def test_replacing_keeps_the_text_after():
    root = _tree("<p>a<x>b</x>c</p>")
    replace(root.find("x"), new_element("y"))
    assert _markup(root) == "<p>a<y/>c</p>"


def test_text_is_added_behind_everything():
    root = _tree("<p>a<x/>b</p>")
    append_text(root, "c")
    append_text(root.find("x"), "d")
    append_text(root, "")
    assert _markup(root) == "<p>a<x>d</x>bc</p>"
    assert inner_text(root) == "adbc"


def test_a_root_is_left_alone():
    root = _tree("<p>a</p>")
    for change in (remove, unwrap, lambda element: replace(element, new_element("y"))):
        change(root)
    assert _markup(root) == "<p>a</p>"


def test_a_new_element_declares_its_namespaces():
    assert _markup(new_element("{urn:a}x", {None: "urn:a", "b": "urn:b"})) == (
        '<x xmlns="urn:a" xmlns:b="urn:b"/>'
    )
