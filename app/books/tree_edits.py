"""Small changes of an lxml tree that keep every word, though lxml hangs text on elements."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from lxml import etree

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lxml.etree import _Element


def new_element(tag: str, namespaces: Mapping[str | None, str] | None = None) -> _Element:
    """A new element.

    Args:
        tag: qualified name.
        namespaces: prefixes to declare on it; None is the default namespace.
    """
    return etree.Element(tag, nsmap=cast("Mapping[str, str] | None", namespaces))


def inner_text(element: _Element) -> str:
    """All text inside an element, by no rule but the tree's."""
    return "".join(cast("list[str]", list(element.itertext())))


def append_text(element: _Element, text: str) -> None:
    """Adds text at the end of an element, behind its last child."""
    if not text:
        return
    if len(element):
        element[-1].tail = (element[-1].tail or "") + text
    else:
        element.text = (element.text or "") + text


def remove(element: _Element) -> None:
    """Takes an element out with everything inside; the text after it stays."""
    parent = element.getparent()
    if parent is None:
        return
    _add_before(element, element.tail)
    element.tail = None
    parent.remove(element)


def unwrap(element: _Element) -> None:
    """Takes an element out and leaves what is inside in its place."""
    parent = element.getparent()
    if parent is None:
        return
    append_text(element, element.tail or "")
    element.tail = None
    _add_before(element, element.text)
    index = parent.index(element)
    children = list(element)
    parent.remove(element)
    for place, child in enumerate(children, index):
        parent.insert(place, child)


def replace(element: _Element, replacement: _Element) -> None:
    """Puts one element in the place of another; the text after it stays."""
    parent = element.getparent()
    if parent is None:
        return
    replacement.tail = element.tail
    parent.replace(element, replacement)


def _add_before(element: _Element, text: str | None) -> None:
    """Adds text in front of an element."""
    if not text:
        return
    previous = element.getprevious()
    if previous is not None:
        previous.tail = (previous.tail or "") + text
        return
    parent = element.getparent()
    if parent is not None:
        parent.text = (parent.text or "") + text
