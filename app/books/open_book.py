"""Opens a book by what is in the file, whatever its name ends in."""

from __future__ import annotations

import zipfile
from typing import TYPE_CHECKING

from app.books.epub import EpubFile
from app.domain.book import BookFormat
from app.domain.errors import BookNotFound, BookUnreadable, UnsupportedFormat

if TYPE_CHECKING:
    from pathlib import Path

    from app.books.book_file import BookFile

FORMATS = (BookFormat.EPUB, BookFormat.PDF)

_HEAD_BYTES = 1024  # a PDF's `%PDF-` may follow that much of something else (ISO 32000-1, note 13)
_EPUB_TYPE = b"application/epub+zip"
_ZIP_STARTS = (b"PK\3\4", b"PK\5\6")


def open_book(path: Path, *, password: str | None = None) -> BookFile:
    """Opens a book file.

    Args:
        path: a file; never a folder.
        password: for a PDF that asks for one.

    Raises:
        BookNotFound: there is no such file.
        BookUnreadable: the file is empty, damaged, or may not be read.
        UnsupportedFormat: it is neither EPUB nor PDF.
        BookProtected: a copy protection encrypts its text.
        PasswordRequired: a PDF opens with a password only.
        NothingToRead: it holds no document.
    """
    if book_format(path) is BookFormat.EPUB:
        return EpubFile(path)
    # Imported when needed: MuPDF takes time to load, and an EPUB should not wait for it.
    from app.books.pdf import PdfFile  # noqa: PLC0415

    return PdfFile(path, password=password)


def book_format(path: Path) -> BookFormat:
    """What format a file is in, by its content.

    Args:
        path: the file.

    Raises:
        BookNotFound: there is no such file.
        BookUnreadable: it is empty, may not be read, or is the ruin of a zip archive.
        UnsupportedFormat: it is neither EPUB nor PDF.
    """
    if not path.exists():
        raise BookNotFound(path)
    if not path.is_file():
        raise UnsupportedFormat(path)
    try:
        with path.open("rb") as file:
            head = file.read(_HEAD_BYTES)
    except OSError as fault:
        raise BookUnreadable(path, fault.strerror or "it cannot be read") from fault
    if not head:
        raise BookUnreadable(path, "the file is empty")
    if zipfile.is_zipfile(path):
        if _is_epub(path):
            return BookFormat.EPUB
        raise UnsupportedFormat(path)
    if b"%PDF" in head:
        return BookFormat.PDF
    if head.startswith(_ZIP_STARTS):
        raise BookUnreadable(path, "the archive is damaged or incomplete")
    raise UnsupportedFormat(path)


def _is_epub(path: Path) -> bool:
    try:
        with zipfile.ZipFile(path) as archive:
            names = archive.namelist()
            if "mimetype" in names and archive.getinfo("mimetype").file_size < _HEAD_BYTES:
                is_declared = archive.read("mimetype").strip() == _EPUB_TYPE
            else:
                is_declared = False
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError, RuntimeError) as fault:
        raise BookUnreadable(path, "the archive is damaged or incomplete") from fault
    lowered = [name.lower() for name in names]
    return (
        is_declared
        or "meta-inf/container.xml" in lowered
        or any(name.endswith(".opf") for name in lowered)
    )
