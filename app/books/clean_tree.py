"""A book's tree without anything that runs, sends, or reaches outside the book.

Scripts, event handlers, forms and foreign frames go; what makes a page look and read as it should
stays. Words inside something that goes stay where a reader would have seen them. The tree that is
left is what is shown, indexed and cited: it is changed here and never again.

This is one of two walls: the reading view also forbids scripts and requests by its policy.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from lxml import etree

from app.books.canonical import LEFT_OUT_IN_SVG, LEFT_OUT_NAMES, NOT_SHOWN
from app.books.markup_names import (
    EPUB_TYPE,
    MATHML,
    OPS,
    SVG,
    XHTML,
    XLINK_HREF,
    XML,
    XML_LANG,
    names,
    xhtml,
)
from app.books.package_paths import PathResolver, is_remote, relative_address
from app.books.style_sheets import without_remote
from app.books.tree_edits import inner_text, new_element, remove, replace, unwrap

if TYPE_CHECKING:
    from lxml.etree import _Element

# Gone with everything inside: nothing in them is text that a reader sees.
_GONE = names(
    """script iframe frame embed applet bgsound noembed noframes param template base input
    select textarea button datalist keygen isindex"""
)
# Gone, but what is inside stays: it is what a reader without them would see.
_UNWRAPPED = frozenset({"form", "noscript", "object", "canvas", "portal", "fencedframe"})
_REMOVED = frozenset(
    {xhtml(name) for name in _GONE}
    | {f"{{{SVG}}}script", f"{{{SVG}}}iframe", f"{{{OPS}}}trigger", f"{{{SVG}}}handler"}
)
_OPENED = frozenset({xhtml(name) for name in _UNWRAPPED})
_ANIMATIONS = frozenset(f"{{{SVG}}}{name}" for name in ("set", "animate", "animateMotion"))
_REMOVED_ATTRIBUTES = frozenset(
    {
        "data-o",  # ours
        f"{{{XML}}}base",
        "action",
        "autofocus",
        "contenteditable",
        "formaction",
        "ping",
        "srcdoc",
    }
)
_HARMLESS_ATTRIBUTES = frozenset({"class", "id", EPUB_TYPE, XML_LANG, "lang", "mathvariant"})
_LINKS = frozenset({xhtml("a"), xhtml("area"), f"{{{SVG}}}a"})
_ADDRESSES = frozenset({"src", "href", "poster", "background", "data", "altimg", XLINK_HREF})
_RUNNING = re.compile(r"[\s\x00-\x1f]*(?:javascript|vbscript|data\s*:\s*text/html)", re.IGNORECASE)
_PICTURE_NAME = re.compile(r"\.(?:svg|png|jpe?g|gif|webp|avif|bmp)$", re.IGNORECASE)
_SPACES = re.compile(r"[ \t\n\r]+")
_LONG_SPACE = re.compile(r"[\t\n\r]|  ")
_MATH = f"{{{MATHML}}}math"


def clean_tree(root: _Element, name: str, resolver: PathResolver) -> tuple[str, ...]:
    """Cleans a tree in place.

    Args:
        root: an XHTML `html` element as `parse_markup` makes it.
        name: path of the document inside the package.
        resolver: of the package; addresses that a browser would not find are written anew.

    Returns:
        Names of the pictures, styles and sounds that the tree refers to, in order, each once.
    """
    cleaning = _Cleaning(name, resolver)
    _clean_head(root)
    _show(root)
    cleaning.clean(root)
    _collapse_math(root)
    return tuple(cleaning.resources)


def _clean_head(root: _Element) -> None:
    """Leaves title, styles and the description of the page; nothing that acts."""
    head = root.find(xhtml("head"))
    for element in [] if head is None else list(head):
        tag = element.tag
        is_plain_meta = tag == xhtml("meta") and element.get("http-equiv") is None
        is_named = tag in {xhtml("title"), xhtml("style")}
        if not (is_named or is_plain_meta or _is_style_link(element)):
            remove(element)


def _show(root: _Element) -> None:
    """A page that hides all of itself until a script runs is shown."""
    for element in (root, root.find(xhtml("body"))):
        if element is not None:
            if element.get("hidden") is not None:
                del element.attrib["hidden"]
            if NOT_SHOWN.search(element.get("style", "")):
                del element.attrib["style"]


def _spelled(tag: str) -> str:
    """The tag with names that mean something in lower case written so, as `<P>` in XHTML."""
    namespace, _, name = tag.rpartition("}")
    lowered = name.lower()
    is_lowered = namespace in {"", f"{{{XHTML}"} or lowered in LEFT_OUT_NAMES | LEFT_OUT_IN_SVG
    return f"{namespace}}}{lowered}" if namespace and is_lowered else tag


class _Cleaning:
    """The work on one tree."""

    def __init__(self, name: str, resolver: PathResolver) -> None:
        self._name = name
        self._resolver = resolver
        self.resources: dict[str, None] = {}
        self._tags: dict[str, str] = {}  # as written, and as it should be

    def clean(self, root: _Element) -> None:
        """Cleans everything below `root`."""
        leaving: list[_Element] = []
        special: list[_Element] = []
        for element in root.iter(etree.Element):
            tag = element.tag
            if tag not in self._tags:
                self._tags[tag] = _spelled(tag)
            if self._tags[tag] != tag:
                tag = element.tag = self._tags[tag]
            if tag in _REMOVED:
                leaving.append(element)
                continue
            if element.attrib:
                self._clean_attributes(element, tag)
            if tag in _SPECIAL:
                special.append(element)
        for element in leaving:
            remove(element)
        for element in reversed(special):
            self._clean_special(element)

    def _clean_attributes(self, element: _Element, tag: str) -> None:
        attributes = element.attrib
        for name in attributes:
            key = name if isinstance(name, str) else name.decode()
            if key in _HARMLESS_ATTRIBUTES:
                continue
            if key[:2].lower() == "on" or key in _REMOVED_ATTRIBUTES:
                del attributes[key]
            elif key in _ADDRESSES:
                self._clean_address(element, tag, key)
            elif key == "style":
                value = element.get(key, "")
                if "(" in value or "@" in value:
                    attributes[key] = self._style(value)
            elif key in {"srcset", "imagesrcset"}:
                self._clean_srcset(element, key)

    def _clean_address(self, element: _Element, tag: str, key: str) -> None:
        value = element.get(key, "")
        if value.startswith("#"):
            return
        if _RUNNING.match(value):
            del element.attrib[key]
            return
        is_link = tag in _LINKS
        target = self._resolver.resolve(self._name, value)
        if target is None:
            if not is_link and is_remote(value) and not value.strip().lower().startswith("data:"):
                del element.attrib[key]
            return
        if not is_link:
            self.resources[target.name] = None
        if not target.is_exact:
            element.attrib[key] = relative_address(self._name, target.name, target.fragment)

    def _clean_srcset(self, element: _Element, key: str) -> None:
        addresses = [part.split()[0] for part in element.get(key, "").split(",") if part.split()]
        if any(is_remote(address) for address in addresses):
            del element.attrib[key]
            return
        for address in addresses:
            if (target := self._resolver.resolve(self._name, address)) is not None:
                self.resources[target.name] = None

    def _style(self, text: str) -> str:
        cleaned = without_remote(text)
        for address in cleaned.addresses:
            if (target := self._resolver.resolve(self._name, address)) is not None:
                self.resources[target.name] = None
        return cleaned.text

    def _clean_special(self, element: _Element) -> None:
        tag = element.tag
        if tag in _OPENED:
            image = _picture_of(element) if tag == xhtml("object") else None
            if image is None:
                unwrap(element)
            else:
                replace(element, image)
        elif tag in _STYLES:
            element.text = self._style(inner_text(element))
            for child in list(element):
                element.remove(child)
        elif tag == xhtml("details"):
            element.set("open", "open")  # a closed one hides text that can be cited
        elif tag == xhtml("dialog"):
            element.tag = xhtml("div")
        elif tag == f"{{{OPS}}}switch":
            _choose(element)
        elif _is_misplaced(element):
            remove(element)


def _picture_of(element: _Element) -> _Element | None:
    """An `object` that only shows a picture, as the picture."""
    address = element.get("data", "")
    is_picture = element.get("type", "").lower().startswith("image/")
    if not address or not (is_picture or _PICTURE_NAME.search(address.partition("#")[0])):
        return None
    image = new_element(xhtml("img"))
    image.set("src", address)
    image.set("alt", " ".join(inner_text(element).split()))
    for key in ("id", "class", "style", "width", "height", EPUB_TYPE):
        if (value := element.get(key)) is not None:
            image.set(key, value)
    return image


_STYLES = frozenset({xhtml("style"), f"{{{SVG}}}style"})
_SPECIAL = (
    _OPENED
    | _ANIMATIONS
    | _STYLES
    | frozenset(xhtml(name) for name in ("details", "dialog", "title", "meta", "link"))
    | {f"{{{OPS}}}switch"}
)


def _is_misplaced(element: _Element) -> bool:
    """Whether head matter is not in the head, or an animation changes an address."""
    if element.tag in _ANIMATIONS:
        return element.get("attributeName", "").lower().endswith("href")
    parent = element.getparent()
    is_in_head = parent is not None and parent.tag == xhtml("head")
    return not is_in_head and not _is_style_link(element)


def _is_style_link(element: _Element) -> bool:
    return element.tag == xhtml("link") and "stylesheet" in element.get("rel", "").lower()


def _choose(switch: _Element) -> None:
    """Leaves the content of the case that can be drawn: MathML or SVG, else the default.

    Source: EPUB 3.0.1 Content Documents §2.3.3 (deprecated, still in books).
    """
    default = switch.find(f"{{{OPS}}}default")
    chosen = default
    for case in switch.findall(f"{{{OPS}}}case"):
        if case.get("required-namespace", "").strip() in {MATHML, SVG, XHTML}:
            chosen = case
            break
    for child in list(switch):
        if child is not chosen:
            switch.remove(child)
    switch.text = None
    if chosen is not None:
        chosen.tail = None
        unwrap(chosen)
    unwrap(switch)


def _collapse_math(root: _Element) -> None:
    """Runs of white space in formulas become one space; MathML gives them no meaning (§2.1.7)."""
    for math in root.iter(_MATH):
        for element in math.iter(etree.Element):
            text, tail = element.text, element.tail
            if text and _LONG_SPACE.search(text):
                element.text = _SPACES.sub(" ", text)
            if tail and element is not math and _LONG_SPACE.search(tail):
                element.tail = _SPACES.sub(" ", tail)
