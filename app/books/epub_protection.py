"""Encryption in an EPUB: which books cannot be read, and which only hide their fonts.

`META-INF/encryption.xml` lists encrypted files. Fonts obfuscated by the IDPF or Adobe method are
no copy protection: their keys stand in the book. Encrypted text is, and is never touched.

Source: EPUB OCF 3.3 §4.2.6.3.2 and §4.4 (font obfuscation); Adobe's method as described by
the EPUB 3 working group (https://www.w3.org/publishing/epub/epub-ocf.html, history).
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from app.books.decoding import decode_markup
from app.books.epub_archive import EntryUnreadable, EpubArchive
from app.books.parse_markup import parse_package_xml

if TYPE_CHECKING:
    from app.books.epub_package import Package

_ENCRYPTION = "META-INF/encryption.xml"
IDPF_FONTS = "http://www.idpf.org/2008/embedding"
ADOBE_FONTS = "http://ns.adobe.com/pdf/enc#RC"
_OBFUSCATED_BYTES = {IDPF_FONTS: 1040, ADOBE_FONTS: 1024}
_UUID = re.compile(r"[0-9a-fA-F]{32}")
_SCHEMES = (  # a file of the archive that only this scheme has
    ("META-INF/license.lcpl", "Readium LCP"),
    ("META-INF/sinf.xml", "Apple FairPlay"),
    ("META-INF/rights.xml", "Adobe ADEPT"),
)
_WORDS = (  # what encryption.xml says where there is no such file
    ("readium.org/2014/01/lcp", "Readium LCP"),
    ("itunes.apple.com", "Apple FairPlay"),
    ("ns.adobe.com/adept", "Adobe ADEPT"),
    ("kindle", "Kindle"),
    ("amazon", "Kindle"),
    ("marlin", "Marlin"),
)


@dataclass(frozen=True, slots=True)
class Protection:
    """What is encrypted in a book.

    Attributes:
        algorithms: path inside the package to the algorithm's name.
        scheme: the copy protection, for people; "" where only fonts are obfuscated.
    """

    algorithms: dict[str, str] = field(default_factory=dict)
    scheme: str = ""

    def is_locked(self, name: str) -> bool:
        """Whether this file is encrypted by a copy protection."""
        algorithm = self.algorithms.get(name)
        return algorithm is not None and algorithm not in _OBFUSCATED_BYTES

    def opened(self, name: str, content: bytes, package: Package) -> bytes:
        """A file's bytes with the obfuscation of a font undone; others as they are.

        Args:
            name: path inside the package.
            content: as the archive has it.
            package: whose identifiers the keys are made of.
        """
        algorithm = self.algorithms.get(name, "")
        length = _OBFUSCATED_BYTES.get(algorithm)
        if length is None:
            return content
        keys = _idpf_keys(package) if algorithm == IDPF_FONTS else _adobe_keys(package)
        for key in keys:
            opened = _mixed(content, key, length)
            if _is_font(opened):
                return opened
        return content


def read_protection(archive: EpubArchive) -> Protection:
    """Reads what the archive says about encryption; a broken statement protects nothing."""
    if not archive.has(_ENCRYPTION):
        return Protection()
    try:
        text = decode_markup(archive.read(_ENCRYPTION)).text
        root = parse_package_xml(text)
    except (EntryUnreadable, ValueError):
        return Protection()
    algorithms: dict[str, str] = {}
    for data in root.iter("{*}EncryptedData"):
        method = data.find("{*}EncryptionMethod")
        algorithm = "" if method is None else method.get("Algorithm", "")
        for reference in data.iter("{*}CipherReference"):
            target = archive.resolver.resolve("", reference.get("URI", ""))
            if target is not None:
                algorithms[target.name] = algorithm
    if all(algorithm in _OBFUSCATED_BYTES for algorithm in algorithms.values()):
        return Protection(algorithms)
    return Protection(algorithms, _scheme(archive, text))


def _scheme(archive: EpubArchive, text: str) -> str:
    for name, scheme in _SCHEMES:
        if archive.has(name):
            return scheme
    lowered = text.lower()
    return next((scheme for word, scheme in _WORDS if word in lowered), "an unknown scheme")


def _idpf_keys(package: Package) -> list[bytes]:
    ordered = sorted(package.identifiers, key=lambda item: item[0] != package.unique_id)
    return [
        hashlib.sha1(re.sub(r"[ \t\r\n]", "", value).encode(), usedforsecurity=False).digest()
        for _, value in ordered
    ]


def _adobe_keys(package: Package) -> list[bytes]:
    digits = (value.strip().replace("-", "").rpartition(":")[2] for _, value in package.identifiers)
    return [bytes.fromhex(value) for value in digits if _UUID.fullmatch(value)]


def _mixed(content: bytes, key: bytes, length: int) -> bytes:
    head = bytes(byte ^ key[index % len(key)] for index, byte in enumerate(content[:length]))
    return head + content[length:]


def _is_font(content: bytes) -> bool:
    return content.startswith((b"\0\1\0\0", b"OTTO", b"true", b"ttcf", b"wOFF", b"wOF2", b"typ1"))
