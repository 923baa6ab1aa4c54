"""The zip archive of an EPUB, read entry by entry and never unpacked to disk.

An archive from anywhere may be a bomb, or name entries that point out of it: its declared sizes
are checked before anything is read, and only harmless names exist.
"""

from __future__ import annotations

import stat
import zipfile
import zlib
from typing import TYPE_CHECKING

from app.books.package_paths import PathResolver, is_safe_name
from app.domain.errors import BookUnreadable

if TYPE_CHECKING:
    from pathlib import Path

# The largest book of the corpus: 2,020 entries, 36 MB, one entry of 2 MB. Illustrated and audio
# books reach hundreds of MB. Deflate cannot pass 1,032:1; text of real books stays below 60:1.
MAX_ENTRIES = 60_000
MAX_TOTAL_BYTES = 4 * 1024**3
MAX_ENTRY_BYTES = 512 * 1024**2
MAX_RATIO = 250
_RATIO_MATTERS_BYTES = 16 * 1024**2

_DAMAGE = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    NotImplementedError,  # a compression method that zipfile does not know
    RuntimeError,  # an entry encrypted by the zip format itself
    OSError,
    ValueError,
)


class EntryUnreadable(Exception):
    """One entry of the archive is missing or damaged; its text says how."""


class EpubArchive:
    """An open archive.

    Attributes:
        path: the user's file.
        names: entries that are files with harmless names, in the archive's order.
        resolver: finds what an address in the book means.
    """

    def __init__(self, path: Path, *, max_entries: int = MAX_ENTRIES) -> None:
        """Opens the archive.

        Args:
            path: a file; never a folder.
            max_entries: an archive that lists more is refused.

        Raises:
            BookUnreadable: it is no zip archive, is damaged at its end, or is larger than a book.
        """
        self.path = path
        self._max_entries = max_entries
        try:
            self._zip = zipfile.ZipFile(path)
        except (*_DAMAGE, UnicodeDecodeError) as fault:
            raise BookUnreadable(path, "the archive is damaged or incomplete") from fault
        try:
            self._entries = self._checked_entries()
        except BookUnreadable:
            self._zip.close()
            raise
        self.names = tuple(self._entries)
        self.resolver = PathResolver(self.names)

    def has(self, name: str) -> bool:
        """Whether there is an entry of exactly this name."""
        return name in self._entries

    def read(self, name: str) -> bytes:
        """The bytes of an entry.

        Raises:
            EntryUnreadable: there is none, or it is damaged.
        """
        entry = self._entries.get(name)
        if entry is None:
            raise EntryUnreadable("it is missing")
        try:
            return self._zip.read(entry)
        except (*_DAMAGE, KeyError) as fault:
            raise EntryUnreadable("it is damaged") from fault

    def close(self) -> None:
        """Closes the file."""
        self._zip.close()

    def _checked_entries(self) -> dict[str, zipfile.ZipInfo]:
        listed = self._zip.infolist()
        if len(listed) > self._max_entries:
            raise BookUnreadable(self.path, f"the archive lists {len(listed):,} files")
        entries: dict[str, zipfile.ZipInfo] = {}
        total = 0
        for entry in listed:
            total += entry.file_size
            is_bomb = (
                entry.file_size > _RATIO_MATTERS_BYTES
                and entry.file_size > MAX_RATIO * entry.compress_size
            )
            if is_bomb or entry.file_size > MAX_ENTRY_BYTES or total > MAX_TOTAL_BYTES:
                raise BookUnreadable(self.path, "the archive would unpack to an unreasonable size")
            is_link = stat.S_ISLNK(entry.external_attr >> 16)
            name = _spelled(entry)
            if not entry.is_dir() and not is_link and is_safe_name(name):
                entries[name.replace("\\", "/")] = entry
        return entries


def _spelled(entry: zipfile.ZipInfo) -> str:
    """The entry's name; old tools write UTF-8 without the flag that says so."""
    if entry.flag_bits & 0x800:
        return entry.filename
    try:
        return entry.filename.encode("cp437").decode("utf-8")
    except (UnicodeEncodeError, UnicodeDecodeError):
        return entry.filename
