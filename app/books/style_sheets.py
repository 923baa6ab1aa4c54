"""Style sheets of a book without addresses outside the book.

Not a CSS parser: it finds `@import` and `url(…)` by the token rules and empties those that leave
the book. Everything else stays as it is, also what is wrong in it. An address hidden by escapes
in the word `url` itself is not found here; the reading view's policy stops its request.

Source: CSS Syntax 3 §4.3 (url tokens, escapes, comments).
"""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass

from app.books.package_paths import is_remote

_TOKEN = re.compile(
    r"""/\*.*?(?:\*/|\Z)"""
    r"""|@import\s+(?:url\(\s*)?(?P<iq>["']?)(?P<import>[^"'()\s;]*)(?P=iq)\s*\)?[^;{}]*(?:;|\Z)"""
    r"""|(?:url|src)\(\s*(?P<uq>["']?)(?P<url>[^"')]*?)(?P=uq)\s*\)"""
    r"""|image-set\(\s*["'](?P<set>[^"']*)["']""",
    re.IGNORECASE | re.DOTALL,
)
_ESCAPE = re.compile(r"\\(?:([0-9A-Fa-f]{1,6})\s?|(.))", re.DOTALL)


@dataclass(frozen=True, slots=True)
class CleanStyle:
    """A style sheet and where it leads.

    Attributes:
        text: the sheet without remote addresses.
        addresses: relative addresses in it, in order.
    """

    text: str
    addresses: tuple[str, ...]


def without_remote(text: str) -> CleanStyle:
    """Empties every address in `text` that leaves the book; `data:` stays."""
    addresses: list[str] = []

    def replaced(found: re.Match[str]) -> str:
        address = found["import"] or found["url"] or found["set"]
        if not address:
            return found[0]
        address = _ESCAPE.sub(_unescaped, address).strip()
        if address.lower().startswith("data:"):
            return found[0]
        if not is_remote(address):
            addresses.append(address)
            return found[0]
        if found["import"]:
            return ""
        return 'url("")' if found["url"] else 'image-set(""'

    return CleanStyle(_TOKEN.sub(replaced, text), tuple(addresses))


def _unescaped(found: re.Match[str]) -> str:
    if found[1]:
        code = int(found[1], 16)
        return chr(code) if 0 < code <= sys.maxunicode else "\ufffd"
    return found[2]
