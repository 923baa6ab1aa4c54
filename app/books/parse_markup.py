"""Text of a document becomes a tree in the right namespaces: strictly, else tolerantly.

Before parsing, what would make a strict parser refuse a sound page is settled in the text itself:
entities without their DTD, bare ampersands, characters that XML forbids, anything before the
markup. A page that is still not well-formed goes through a tolerant HTML parser, whose result is
moved into the XHTML, SVG and MathML namespaces. Cleaning the tree is `clean_tree`'s work.
"""

from __future__ import annotations

import html.entities
import re
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lxml import etree

from app.books.markup_names import (
    MATHML,
    OPS,
    SVG,
    VOID_NAMES,
    XHTML,
    XLINK,
    XML,
    local_name,
    names,
    xhtml,
)
from app.books.tree_edits import append_text, new_element

if TYPE_CHECKING:
    from lxml.etree import _Element

_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_XML_DECLARATION = re.compile(r"\s*<\?xml\b.*?\?>", re.DOTALL)
_START = re.compile(r"<\?xml\b|<!DOCTYPE\b|<html\b", re.IGNORECASE)
_DOCTYPE = re.compile(
    r"""<!DOCTYPE(?>[^\[>"']|"[^"]*"|'[^']*')*+"""
    r"""(?:\[(?P<subset>(?>"[^"]*"|'[^']*'|<!--.*?-->|[^\]"'])*+)\]\s*)?>""",
    re.IGNORECASE | re.DOTALL,
)
_ENTITY = re.compile(r"""<!ENTITY\s+([\w.:-]+)\s+(?:"([^"<%]{0,500})"|'([^'<%]{0,500})')\s*>""")
# What is not a reference to one of XML's own five names; CDATA and comments pass untouched.
_REFERENCE = re.compile(
    r"<!\[CDATA\[.*?\]\]>|<!--.*?-->|&(?!(?:amp|lt|gt|quot|apos);)(?:#(\d{1,9}|[xX][0-9A-Fa-f]{1,8});|([\w.:-]+);)?",
    re.DOTALL,
)
_CDATA = re.compile(r"<!\[CDATA\[(.*?)\]\]>", re.DOTALL)
_SELF_CLOSED = re.compile(
    r"<([A-Za-z][\w:.-]*)((?:\s(?>[^<>\"']|\"[^\"]*\"|'[^']*')*+)?)(?<=[\s\"'\w])/>"
)
_UNDECLARED = re.compile(r"Namespace prefix ([\w.-]+)")
_HTML_TAG = re.compile(r"<(?:[\w.-]+:)?html\b", re.IGNORECASE)
_XML_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.\-]*")
_KNOWN_PREFIXES = {
    "epub": OPS,
    "ops": OPS,
    "xlink": XLINK,
    "svg": SVG,
    "m": MATHML,
    "mml": MATHML,
    "math": MATHML,
    "xhtml": XHTML,
    "html": XHTML,
    "h": XHTML,
}
_NAMESPACES = {None: XHTML, "epub": OPS, "svg": SVG, "m": MATHML, "xlink": XLINK}
_UNKNOWN_NAMESPACE = "urn:undeclared:"
_PREFIX_TRIES = 6  # prefixes that a page may use without declaring them
# An HTML parser lowers names that SVG writes with capitals (HTML §13.2.6.1 and §13.2.6.5).
_SVG_NAMES = {
    name.lower(): name
    for name in names(
        """animateMotion animateTransform clipPath feBlend feColorMatrix feComponentTransfer
        feComposite feConvolveMatrix feDiffuseLighting feDisplacementMap feDistantLight
        feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur feImage feMerge
        feMergeNode feMorphology feOffset fePointLight feSpecularLighting feSpotLight
        feTile feTurbulence foreignObject linearGradient radialGradient textPath
        clipPathUnits gradientTransform gradientUnits maskContentUnits maskUnits
        markerHeight markerUnits markerWidth pathLength patternContentUnits
        patternTransform patternUnits preserveAspectRatio primitiveUnits spreadMethod
        startOffset stdDeviation textLength viewBox"""
    )
}
_WINDOWS_CONTROLS = range(0x80, 0xA0)  # HTML §13.2.5.80: &#151; means what Windows-1252 has there


@dataclass(frozen=True, slots=True)
class ParsedMarkup:
    """A tree whose root is an XHTML `html` with one `head` and one `body`.

    Attributes:
        root: the root element.
        is_repaired: the page was not well-formed, and a tolerant parser had to decide.
    """

    root: _Element
    is_repaired: bool


def parse_markup(text: str) -> ParsedMarkup:
    """Parses a document of a book. Anything, even an empty text, becomes a tree.

    Args:
        text: decoded, with or without declaration and DOCTYPE.
    """
    source = _prepared(text)
    root = _parsed_strictly(source)
    is_repaired = root is None
    if root is None:
        root = _parsed_tolerantly(source)
    if root.tag != xhtml("html") or is_repaired:
        root = _moved_into_xhtml(root)
    return ParsedMarkup(_with_head_and_body(root), is_repaired)


def parse_package_xml(text: str) -> _Element:
    """Parses a package file (container, OPF, NCX, encryption); recovers what a broken one holds.

    Args:
        text: decoded.

    Raises:
        ValueError: there is not one element in it.
    """
    source = _prepared(text).encode("utf-8")
    parser = etree.XMLParser(
        encoding="utf-8",
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        huge_tree=True,
        recover=True,
        remove_comments=True,
        remove_pis=True,
    )
    try:
        root = etree.fromstring(source, parser)
    except etree.XMLSyntaxError as fault:
        raise ValueError(str(fault)) from fault
    if root is None:
        raise ValueError("no element")
    return root


def reparsed(markup: bytes) -> _Element:
    """Parses serialised markup as strictly as a browser does.

    Raises:
        ValueError: it is not well-formed.
    """
    try:
        return etree.fromstring(markup, _strict_parser())
    except etree.XMLSyntaxError as fault:
        raise ValueError(str(fault)) from fault


def _strict_parser() -> etree.XMLParser:
    return etree.XMLParser(
        encoding="utf-8",
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        huge_tree=True,
        remove_comments=True,
        remove_pis=True,
    )


def _prepared(text: str) -> str:
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if _FORBIDDEN.search(text):
        text = _FORBIDDEN.sub("\ufffd", text)
    start = _START.search(text)
    if start is not None and "<" not in text[: start.start()]:
        text = text[start.start() :]
    declaration = _XML_DECLARATION.match(text)
    if declaration is not None:
        text = text[declaration.end() :]
    entities: dict[str, str] = {}
    doctype = _DOCTYPE.search(text, 0, 100_000)
    if doctype is not None:
        entities = _own_entities(doctype["subset"] or "")
        text = text[: doctype.start()] + text[doctype.end() :]
    if "&" in text:
        text = _REFERENCE.sub(lambda found: _resolved(found, entities), text)
    return text


def _own_entities(subset: str) -> dict[str, str]:
    """Plain text entities of an internal subset; never nested, never from outside."""
    found: dict[str, str] = {}
    for name, double, single in _ENTITY.findall(subset):
        found.setdefault(name, html.unescape(double or single))
    return found


def _resolved(found: re.Match[str], entities: dict[str, str]) -> str:
    number, name = found[1], found[2]
    if number is not None:
        code = int(number[1:], 16) if number[0] in "xX" else int(number)
        if code in _WINDOWS_CONTROLS:
            return bytes((code,)).decode("cp1252", "replace")
        if code > sys.maxunicode or _FORBIDDEN.fullmatch(chr(code)):
            return "\ufffd"
        return found[0]
    if name is not None:
        value = entities.get(name) or html.entities.html5.get(f"{name};")
        if value is None:
            return f"&amp;{name};"
        value = _FORBIDDEN.sub("\ufffd", value)
        return (
            value.replace("&", "&amp;")
            .replace("<", "&lt;")
            .replace('"', "&quot;")
            .replace("'", "&#39;")
        )
    return "&amp;" if found[0] == "&" else found[0]


def _parsed_strictly(source: str) -> _Element | None:
    """The tree of a well-formed page with an `html` root, else None."""
    for _ in range(_PREFIX_TRIES):
        try:
            root = etree.fromstring(source.encode("utf-8"), _strict_parser())
        except etree.XMLSyntaxError as fault:
            undeclared = _UNDECLARED.search(fault.msg or "")
            tag = _HTML_TAG.search(source)
            if undeclared is None or tag is None:
                return None
            prefix = undeclared[1]
            namespace = _KNOWN_PREFIXES.get(prefix, _UNKNOWN_NAMESPACE + prefix)
            source = f'{source[: tag.end()]} xmlns:{prefix}="{namespace}"{source[tag.end() :]}'
            continue
        return root if local_name(root.tag).lower() == "html" else None
    return None


def _parsed_tolerantly(source: str) -> _Element:
    source = _CDATA.sub(lambda found: _escaped(found[1]), source)
    source = _SELF_CLOSED.sub(_opened_and_closed, source)
    parser = etree.HTMLParser(
        encoding="utf-8", no_network=True, huge_tree=True, remove_comments=True, remove_pis=True
    )
    try:
        root = etree.fromstring(source.encode("utf-8"), parser)
    except etree.XMLSyntaxError:
        root = None
    if root is None:  # a text without a single element
        return new_element("html")
    for element in root.iter(etree.Element):
        _drop_braces(element)
    return root


def _drop_braces(element: _Element) -> None:
    """Drops attributes whose name begins with a brace: lxml would take it for a namespace's."""
    attributes = [(str(name), value) for name, value in element.items()]
    kept = [(name, value) for name, value in attributes if not name.startswith("{")]
    if len(kept) < len(attributes):
        element.attrib.clear()
        for name, value in kept:
            qualified = _qualified_attribute(name)
            if qualified is not None:
                element.set(qualified, value)


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;")


def _opened_and_closed(found: re.Match[str]) -> str:
    """`<a id="x"/>` is one empty element in XHTML; an HTML parser would leave it open."""
    name = found[1]
    if name.lower() in VOID_NAMES:
        return found[0]
    return f"<{name}{found[2]}></{name}>"


def _moved_into_xhtml(root: _Element) -> _Element:
    """The same tree with every element in the namespace that its name belongs to."""
    moved = new_element(xhtml("html"), _NAMESPACES)
    moved.text = root.text
    _copy_attributes(root, moved)
    moved.extend(list(root))
    if local_name(root.tag).lower() != "html":
        return moved
    namespaces = {moved: XHTML}
    for element in moved.iterdescendants(etree.Element):
        parent = element.getparent()
        inherited = namespaces.get(parent, XHTML) if parent is not None else XHTML
        if parent is not None and local_name(parent.tag) in {"foreignObject", "annotation-xml"}:
            inherited = XHTML
        namespaces[element] = _namespaced(element, inherited)
        _rename_attributes(element)
    return moved


def _namespaced(element: _Element, inherited: str) -> str:
    """Gives an element its qualified name; returns the namespace that its children inherit."""
    tag = element.tag
    if tag.startswith("{"):
        namespace, _, name = tag[1:].partition("}")
        if namespace in {XHTML, SVG, MATHML, OPS}:
            return namespace
    else:
        name = tag
    prefix, _, name = name.rpartition(":")
    namespace = _KNOWN_PREFIXES.get(prefix.lower(), "") if prefix else ""
    lowered = name.lower()
    if not namespace:
        namespace = {"svg": SVG, "math": MATHML}.get(lowered, inherited)
        if prefix and namespace == XHTML:
            lowered = "span"  # `o:p` and its kind: words inside are kept
    if _XML_NAME.fullmatch(lowered) is None:
        lowered = "span"
    element.tag = (
        f"{{{namespace}}}{_SVG_NAMES.get(lowered, lowered) if namespace == SVG else lowered}"
    )
    return namespace


def _rename_attributes(element: _Element) -> None:
    for name, value in element.items():
        key = name if isinstance(name, str) else name.decode()
        qualified = _qualified_attribute(key)
        if qualified != key:
            del element.attrib[key]
            if qualified is not None:
                element.set(qualified, value)


def _qualified_attribute(key: str) -> str | None:
    """What a tolerant parser's `xml:lang` or `epub:type` means; None for a name XML cannot hold."""
    if key == "xmlns":
        return None
    if key.startswith("{") or _XML_NAME.fullmatch(key):
        return _SVG_NAMES.get(key, key)
    prefix, _, name = key.partition(":")
    namespace = {"xml": XML, "epub": OPS, "ops": OPS, "xlink": XLINK}.get(prefix.lower())
    if namespace is None or _XML_NAME.fullmatch(name) is None:
        return None
    return f"{{{namespace}}}{name}"


def _copy_attributes(source: _Element, target: _Element) -> None:
    for name, value in source.items():
        qualified = _qualified_attribute(name if isinstance(name, str) else name.decode())
        if qualified is not None:
            target.set(qualified, value)


def _with_head_and_body(root: _Element) -> _Element:
    """Leaves `html` with one `head` and one `body`, which takes in whatever lay beside it."""
    head = root.find(xhtml("head"))
    if head is None:
        head = new_element(xhtml("head"))
        root.insert(0, head)
    bodies = root.findall(xhtml("body"))
    body = bodies[0] if bodies else etree.SubElement(root, xhtml("body"))
    before: list[_Element] = []
    after: list[_Element] = []
    for child in list(root):
        if child is head or child is body:
            continue
        (after if body in child.itersiblings(preceding=True) else before).append(child)
    _take_in(body, before, after, (root.text or "").strip(), (head.tail or "").strip())
    root.text = "\n"
    head.tail = "\n"
    if root[0] is not head:
        root.insert(0, head)
    if body.tail and body.tail.strip():
        append_text(body, body.tail)
    body.tail = "\n"
    return root


def _take_in(
    body: _Element, before: list[_Element], after: list[_Element], *stray_texts: str
) -> None:
    for child in reversed(before):
        body.insert(0, child)
        child.tail = (child.tail or "") + (body.text or "")
        body.text = None
    stray = " ".join(text for text in stray_texts if text)
    if stray:
        body.text = stray + (body.text or "")
    for child in after:
        if child.tag == xhtml("body"):
            append_text(body, child.text or "")
            tail = child.tail
            body.extend(list(child))
            append_text(body, tail or "")
            root = child.getparent()
            if root is not None:
                root.remove(child)
        else:
            body.append(child)
