"""Paths inside an EPUB, and the one resolver that turns every address in a book into one of them.

Manifest, contents, links, pictures and styles are written by different tools with different ideas
of what an address is. All of them are resolved here, so that what opens in one place opens in all.
Nothing here touches the disk: a path that is not in the archive's own index does not exist.
"""

from __future__ import annotations

import posixpath
import re
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

_PERCENT = re.compile(rb"%([0-9A-Fa-f]{2})")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]*:")
_DRIVE = re.compile(r"[A-Za-z]:[\\/]")
_UNQUOTED = frozenset(
    b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/!$&'()*+,;=@"
)


def percent_decoded(text: str) -> str:
    """`text` with its percent escapes read as UTF-8; `+` stays, as in every path."""
    if "%" not in text:
        return text
    raw = _PERCENT.sub(lambda found: bytes((int(found[1], 16),)), text.encode("utf-8", "replace"))
    return raw.decode("utf-8", "replace")


def percent_encoded(path: str) -> str:
    """`path` as it stands in an address: everything but plain characters and `/` escaped."""
    raw = path.encode("utf-8", "replace")
    return "".join(chr(byte) if byte in _UNQUOTED else f"%{byte:02X}" for byte in raw)


def is_remote(address: str) -> bool:
    """Whether an address names another machine, a file of this one, or any scheme at all."""
    address = address.strip()
    return address.startswith(("//", "\\\\")) or _SCHEME.match(address) is not None


def is_safe_name(name: str) -> bool:
    """Whether an archive's entry name stays inside the archive: no root, no drive, no way up."""
    return not (
        not name
        or name.startswith(("/", "\\"))
        or _DRIVE.match(name)
        or "\0" in name
        or ".." in name.replace("\\", "/").split("/")
    )


def relative_address(from_name: str, to_name: str, fragment: str = "") -> str:
    """The relative address, percent-encoded, that leads from one document to another entry."""
    path = posixpath.relpath(to_name, posixpath.dirname(from_name) or ".")
    address = percent_encoded(path)
    return f"{address}#{fragment}" if fragment else address


@dataclass(frozen=True, slots=True)
class Target:
    """Where an address leads.

    Attributes:
        name: path inside the package, exactly as the archive spells it.
        fragment: percent-decoded, or "".
        is_exact: a browser that only joins and decodes would find the same entry.
    """

    name: str
    fragment: str
    is_exact: bool


class PathResolver:
    """Finds the entry that an address means.

    In this order: the address taken literally; without its fragment and query, decoded; the same
    as written; then each again without regard to case, to composed or decomposed letters, and to
    backslashes.
    """

    def __init__(self, names: Iterable[str]) -> None:
        self._names = frozenset(names)
        self._folded: dict[str, str] = {}
        for name in sorted(self._names):
            self._folded.setdefault(_folded(name), name)
        self._found: dict[tuple[str, str], tuple[str, bool] | None] = {}

    def resolve(self, base_name: str, address: str) -> Target | None:
        """Where `address`, written in the document `base_name`, leads; None for out of the book.

        Args:
            base_name: path of the document that holds the address.
            address: as written: relative, with or without escapes, fragment and query.
        """
        address = address.strip()
        folder = posixpath.dirname(base_name)
        literal = _joined(folder, address)
        if "#" not in address and literal in self._names:
            return Target(literal, "", is_exact="%" not in address and "?" not in address)
        if is_remote(address):
            return None
        path, _, fragment = address.partition("#")
        fragment = percent_decoded(fragment)
        if not path:
            return Target(base_name, fragment, is_exact=True)
        key = (folder, path)
        if key not in self._found:
            self._found[key] = self._find(folder, path)
        found = self._found[key]
        if found is None and literal in self._names:
            return Target(literal, "", is_exact=False)
        return None if found is None else Target(found[0], fragment, found[1])

    def _find(self, folder: str, path: str) -> tuple[str, bool] | None:
        bare = path.partition("?")[0]
        decoded = _joined(folder, percent_decoded(bare))
        if decoded in self._names:
            return decoded, True
        for candidate in (decoded, _joined(folder, bare), _joined(folder, path)):
            if candidate in self._names:
                return candidate, False
            if (name := self._folded.get(_folded(candidate))) is not None:
                return name, False
        return None


def _joined(folder: str, path: str) -> str:
    """`path` from `folder`; a way up past the top stays at the top, as in a browser."""
    path = path.replace("\\", "/")
    whole = path if path.startswith("/") else posixpath.join(folder, path)
    whole = posixpath.normpath(whole).lstrip("/")
    while whole.startswith("../"):
        whole = whole[3:]
    return whole


def _folded(name: str) -> str:
    return unicodedata.normalize("NFC", name.replace("\\", "/")).casefold()
