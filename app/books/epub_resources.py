"""Pictures, styles, fonts and sounds of an EPUB: what they are, and what they need in turn."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from app.books.decoding import decode_style
from app.books.epub_archive import EntryUnreadable, EpubArchive
from app.books.style_sheets import without_remote
from app.domain.document import Resource
from app.domain.errors import BookUnreadable

if TYPE_CHECKING:
    from collections.abc import Iterable

    from app.books.epub_package import Package
    from app.books.epub_protection import Protection

_BY_ENDING = {
    "css": "text/css",
    "png": "image/png",
    "jpg": "image/jpeg",
    "jpeg": "image/jpeg",
    "jpe": "image/jpeg",
    "gif": "image/gif",
    "svg": "image/svg+xml",
    "webp": "image/webp",
    "avif": "image/avif",
    "bmp": "image/bmp",
    "ttf": "font/ttf",
    "otf": "font/otf",
    "woff": "font/woff",
    "woff2": "font/woff2",
    "mp3": "audio/mpeg",
    "m4a": "audio/mp4",
    "ogg": "audio/ogg",
    "oga": "audio/ogg",
    "opus": "audio/ogg",
    "wav": "audio/wav",
    "mp4": "video/mp4",
    "m4v": "video/mp4",
    "webm": "video/webm",
    "ogv": "video/ogg",
}
_SIGNATURES = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF8", "image/gif"),
    (b"BM", "image/bmp"),
    (b"\0\1\0\0", "font/ttf"),
    (b"OTTO", "font/otf"),
    (b"wOFF", "font/woff"),
    (b"wOF2", "font/woff2"),
)
_SHOWN = ("image/", "font/", "audio/", "video/", "text/css", "application/font-")
_FONT_TYPES = frozenset(
    {"application/vnd.ms-opentype", "application/x-font-ttf", "application/x-font-otf"}
)
_SVG_START = re.compile(
    rb"\s*(?:<\?xml[^>]*>|<!--.*?-->|<!DOCTYPE[^>]*>|\s)*<(?:\w+:)?svg\b", re.DOTALL
)


def sniffed_type(content: bytes) -> str | None:
    """The media type that the first bytes prove, or None."""
    for start, media_type in _SIGNATURES:
        if content.startswith(start):
            return media_type
    if content.startswith(b"RIFF") and content[8:12] == b"WEBP":
        return "image/webp"
    return "image/svg+xml" if _SVG_START.match(content[:4096].lstrip(b"\xef\xbb\xbf")) else None


class EpubResources:
    """Everything of a book that is not text."""

    def __init__(self, archive: EpubArchive, package: Package, protection: Protection) -> None:
        self._archive = archive
        self._package = package
        self._protection = protection
        self._declared = {item.name: item.media_type for item in package.items}
        self._needs: dict[str, tuple[str, ...]] = {}

    def names(self) -> tuple[str, ...]:
        """All that can be shown or played, in the archive's order."""
        return tuple(name for name in self._archive.names if self._is_shown(name))

    def read(self, name: str) -> Resource:
        """One resource: fonts made readable, styles without addresses outside the book.

        Raises:
            BookUnreadable: there is none of this name, or it is damaged or encrypted.
        """
        if not self._archive.has(name):
            raise BookUnreadable(self._archive.path, f"there is no {name} in it")
        if self._protection.is_locked(name):
            raise BookUnreadable(self._archive.path, f"{name} is encrypted")
        try:
            content = self._archive.read(name)
        except EntryUnreadable as fault:
            raise BookUnreadable(self._archive.path, f"{name}: {fault}") from fault
        content = self._protection.opened(name, content, self._package)
        media_type = self.media_type(name, content)
        if media_type == "text/css":
            style = decode_style(content).text
            cleaned = without_remote(style)
            if cleaned.text != style:
                content = cleaned.text.encode("utf-8", "replace")
        return Resource(name, media_type, content)

    def media_type(self, name: str, content: bytes = b"") -> str:
        """What a file is: by its bytes, its ending, and only then by what the package says."""
        ending = name.rpartition(".")[2].lower()
        return (
            sniffed_type(content)
            or _BY_ENDING.get(ending)
            or self._declared.get(name)
            or "application/octet-stream"
        )

    def with_needs(self, names: Iterable[str]) -> tuple[str, ...]:
        """`names` and, behind each style sheet, what it imports and uses; each once."""
        found: dict[str, None] = {}
        waiting = list(names)[::-1]
        while waiting:
            name = waiting.pop()
            if name in found or not self._is_shown(name):
                continue
            found[name] = None
            if self.media_type(name) == "text/css":
                waiting.extend(reversed(self._needs_of(name)))
        return tuple(found)

    def _needs_of(self, name: str) -> tuple[str, ...]:
        if name not in self._needs:
            try:
                style = decode_style(self._archive.read(name)).text
            except EntryUnreadable:
                style = ""
            targets = (
                self._archive.resolver.resolve(name, address)
                for address in without_remote(style).addresses
            )
            self._needs[name] = tuple(target.name for target in targets if target is not None)
        return self._needs[name]

    def _is_shown(self, name: str) -> bool:
        if name.startswith("META-INF/") or not self._archive.has(name):
            return False
        media_type = self.media_type(name)
        return media_type.startswith(_SHOWN) or media_type in _FONT_TYPES
