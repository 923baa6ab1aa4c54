"""The canonical text of an EPUB document: the one text that is shown, indexed, sent and cited.

The rule (version `TEXT_RULE`), which the page's script `resources/page/positions.js` follows too:

- The text is the bare concatenation of all text nodes (CDATA included) below the first `body`, in
  document order. Nothing is trimmed, joined or added.
- Left out, with everything inside: elements whose local name, in any namespace, is `script`,
  `style`, `template`, `rt`, `rp`, `annotation`, `annotation-xml`, `audio` or `video`; `title`,
  `desc` and `metadata` in the SVG namespace; an element with the attribute `hidden`, whatever its
  value; an element whose `style` attribute holds the declaration `display: none` (`NOT_SHOWN`).
  Style sheets and classes do not count.
- Offsets count Unicode code points.
- The rule reads the *stored* tree, after `parse_markup` and `clean_tree`: comments and processing
  instructions are gone, references are resolved, white space in formulas is collapsed.
- A block element (`BLOCK_NAMES`, and `text` in SVG) that holds text of its own, not only inside
  further blocks, carries `data-o`: the number of code points before its first text node.

`tree_walk.read_tree` applies the rule while it finds blocks, breaks and anchors; `tree_text` here
applies nothing but the rule, and checks what was stored.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, cast

from lxml import etree

from app.books.markup_names import SVG

if TYPE_CHECKING:
    from lxml.etree import _Element

TEXT_RULE = 1  # raised whenever the same file would give another text or other offsets

LEFT_OUT_NAMES = frozenset(
    {"script", "style", "template", "rt", "rp", "annotation", "annotation-xml", "audio", "video"}
)
LEFT_OUT_IN_SVG = frozenset({"title", "desc", "metadata"})
NOT_SHOWN = re.compile(
    r"(?:^|;)\s*display\s*:\s*none\s*(?:!\s*important\s*)?(?:;|$)", re.IGNORECASE
)
MARK = "data-o"

# `clean_tree` writes these names in lower case: they are found without a look at every name.
_LEFT_OUT_TAGS = (
    *(f"{{*}}{name}" for name in sorted(LEFT_OUT_NAMES)),
    *(f"{{{SVG}}}{name}" for name in sorted(LEFT_OUT_IN_SVG)),
)
_MAY_BE_HIDDEN = etree.XPath("descendant::*[@hidden or @style]")


def tree_text(body: _Element) -> str:
    """The canonical text of a stored `body`, by the rule alone."""
    if is_all_text(body):
        return plain_text(body)
    pieces = [body.text or ""]
    walk = etree.iterwalk(body, events=("start", "end"))
    next(walk)
    for event, element in walk:
        if event == "end":
            if element.tail and element is not body:
                pieces.append(element.tail)
        elif is_left_out_name(element.tag) or is_hidden(element):
            walk.skip_subtree()
        elif element.text:
            pieces.append(element.text)
    return "".join(pieces)


def is_left_out_name(tag: str) -> bool:
    """Whether the rule leaves out every element of this qualified name."""
    namespace, _, name = tag.rpartition("}")
    lowered = name.lower()
    return lowered in LEFT_OUT_NAMES or (lowered in LEFT_OUT_IN_SVG and namespace == f"{{{SVG}")


def is_hidden(element: _Element) -> bool:
    """Whether the rule leaves out this element for its own attributes."""
    if element.get("hidden") is not None:
        return True
    style = element.get("style")
    return style is not None and NOT_SHOWN.search(style) is not None


def is_all_text(element: _Element) -> bool:
    """Whether the rule leaves out nothing inside `element`; a quick look, in C."""
    if next(element.iter(*_LEFT_OUT_TAGS), None) is not None:
        return False
    return not any(is_hidden(marked) for marked in cast("list[_Element]", _MAY_BE_HIDDEN(element)))


def plain_text(element: _Element) -> str:
    """All text inside an element of which `is_all_text` is true."""
    return etree.tostring(element, method="text", encoding="unicode", with_tail=False)
