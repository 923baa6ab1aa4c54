"""Opens PDF files with MuPDF, and keeps what MuPDF says on its own off the screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pymupdf
from pymupdf import mupdf

from app.domain.errors import BookNotFound, BookUnreadable, NothingToRead, PasswordRequired

if TYPE_CHECKING:
    from pathlib import Path

FAULTS = (RuntimeError, mupdf.FzErrorBase)
"""What MuPDF raises for a faulty file; PyMuPDF's own checks raise RuntimeError."""

pymupdf.TOOLS.mupdf_display_errors(False)
pymupdf.TOOLS.mupdf_display_warnings(False)
pymupdf.set_messages(pylogging=True)


def open_document(path: Path, password: str | None = None) -> pymupdf.Document:
    """Opens a PDF that has at least one page.

    Args:
        path: the file; only read.
        password: for a file that asks for one. A file with an empty one opens without.

    Raises:
        BookNotFound: there is no such file.
        BookUnreadable: it is damaged beyond repair, or may not be read.
        PasswordRequired: it opens with a password only, and this is not it.
        NothingToRead: it has no pages.
    """
    if not path.exists():
        raise BookNotFound(path)
    try:
        document = pymupdf.open(path, filetype="pdf")
    except FAULTS as fault:
        raise BookUnreadable(path, "the file is damaged or is no PDF") from fault
    except OSError as fault:
        raise BookUnreadable(path, fault.strerror or "it cannot be read") from fault
    try:
        if document.needs_pass and not (password and document.authenticate(password)):
            fault_found: Exception | None = PasswordRequired(path)
        else:
            fault_found = None if document.page_count else NothingToRead(path)
    except FAULTS:
        fault_found = BookUnreadable(path, "its pages cannot be found")
    if fault_found is not None:
        document.close()
        raise fault_found
    return document
