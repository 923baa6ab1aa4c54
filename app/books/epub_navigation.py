"""What a book says about its own order: contents, printed pages, landmarks.

The EPUB 3 navigation document is read first, the NCX where it has nothing; both give the same
values. Addresses stay as written: `contents` and `page_labels` resolve them.

Source: EPUB 3.3 §7 (navigation document); ANSI/NISO Z39.86-2005 §8 (NCX).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.books.markup_names import EPUB_TYPE, local_name, xhtml
from app.books.tree_edits import inner_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lxml.etree import _Element

MAX_LINES = 100_000  # a list of contents that is longer is not one


@dataclass(frozen=True, slots=True)
class NavigationLine:
    """One line of the contents or of the list of pages.

    Attributes:
        depth: 0 at the top.
        title: as written, white space collapsed; may be "".
        address: as written, or "" for a heading without a link.
    """

    depth: int
    title: str
    address: str


@dataclass(frozen=True, slots=True)
class Navigation:
    """A navigation document or NCX.

    Attributes:
        name: path of its file: addresses are relative to it.
        contents: lines of the contents, depth first.
        pages: lines of the list of printed pages, in order.
        landmarks: epub:type and address.
    """

    name: str
    contents: tuple[NavigationLine, ...] = ()
    pages: tuple[NavigationLine, ...] = ()
    landmarks: tuple[tuple[str, str], ...] = ()


def read_nav(root: _Element, name: str) -> Navigation:
    """Reads a navigation document.

    Args:
        root: its tree, as `parse_markup` makes it.
        name: its path inside the package.
    """
    contents: tuple[NavigationLine, ...] = ()
    pages: tuple[NavigationLine, ...] = ()
    landmarks: tuple[tuple[str, str], ...] = ()
    for nav in root.iter(xhtml("nav")):
        types = f"{nav.get(EPUB_TYPE, '')} {nav.get('role', '')}".split()
        if "toc" in types or "doc-toc" in types:
            contents = contents or tuple(_lines_of_list(nav))
        elif "page-list" in types or "doc-pagelist" in types:
            pages = pages or tuple(_lines_of_list(nav))
        elif "landmarks" in types:
            landmarks = landmarks or tuple(_landmarks(nav))
    if not contents:  # a nav without a type is still a list of links
        untyped = (nav for nav in root.iter(xhtml("nav")) if not nav.get(EPUB_TYPE))
        contents = next((lines for nav in untyped if (lines := tuple(_lines_of_list(nav)))), ())
    return Navigation(name, contents, pages, landmarks)


def read_ncx(root: _Element, name: str) -> Navigation:
    """Reads an NCX.

    Args:
        root: its tree, as `parse_package_xml` makes it.
        name: its path inside the package.
    """
    contents: list[NavigationLine] = []
    for nav_map in root.iter("{*}navMap"):
        contents.extend(_nav_points(nav_map))
    pages = [
        NavigationLine(0, _label(target) or target.get("value", ""), _source(target))
        for target in root.iter("{*}pageTarget")
    ]
    return Navigation(name, tuple(contents), tuple(pages))


def _lines_of_list(nav: _Element) -> Iterator[NavigationLine]:
    """Lines of the first list in a nav, walked without recursion: depth comes from strangers."""
    lists = [child for child in nav.iter(xhtml("ol"), xhtml("ul")) if child is not nav]
    if not lists:
        return
    stack = [(item, 0) for item in reversed(_items(lists[0]))]
    count = 0
    while stack and count < MAX_LINES:
        item, depth = stack.pop()
        nested: list[_Element] = []
        label: list[_Element] = []
        for child in item:
            (nested if local_name(child.tag) in {"ol", "ul"} else label).append(child)
        address = next(
            (
                href
                for part in label
                for link in part.iter(xhtml("a"))
                if (href := link.get("href"))
            ),
            "",
        )
        title = _collapsed(
            [item.text or ""] + [_text_of(part) + (part.tail or "") for part in label]
        )
        count += 1
        yield NavigationLine(depth, title, address.strip())
        for inner in reversed(nested):
            stack.extend((child, depth + 1) for child in reversed(_items(inner)))


def _items(element: _Element) -> list[_Element]:
    return [child for child in element if child.tag == xhtml("li")]


def _text_of(element: _Element) -> str:
    """Words of a label; a picture stands for its `alt`, an element for its `title` at need."""
    pieces: list[str] = []
    for part in element.iter("*"):
        if part.tag == xhtml("img"):
            pieces.append(part.get("alt", ""))
        elif local_name(part.tag) not in {"rt", "rp", "script", "style"} and part.text:
            pieces.append(part.text)
        if part is not element and part.tail:
            pieces.append(part.tail)
    return "".join(pieces) if "".join(pieces).strip() else element.get("title", "")


def _landmarks(nav: _Element) -> Iterator[tuple[str, str]]:
    for link in nav.iter(xhtml("a")):
        types, address = link.get(EPUB_TYPE, ""), link.get("href", "")
        if types and address:
            yield types, address


def _nav_points(nav_map: _Element) -> Iterator[NavigationLine]:
    stack = [(point, 0) for point in reversed(_points(nav_map))]
    count = 0
    while stack and count < MAX_LINES:
        point, depth = stack.pop()
        count += 1
        yield NavigationLine(depth, _label(point), _source(point))
        stack.extend((child, depth + 1) for child in reversed(_points(point)))


def _points(element: _Element) -> list[_Element]:
    return [child for child in element if local_name(child.tag) == "navPoint"]


def _label(element: _Element) -> str:
    label = element.find("{*}navLabel")
    return "" if label is None else _collapsed([inner_text(label)])


def _source(element: _Element) -> str:
    content = element.find("{*}content")
    return "" if content is None else content.get("src", "").strip()


def _collapsed(pieces: list[str]) -> str:
    return " ".join("".join(pieces).split())
