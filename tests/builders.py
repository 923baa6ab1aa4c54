"""Books built in code: small EPUB and PDF files that say exactly what a test needs.

Nothing here uses the code under test.
"""

from __future__ import annotations

from tests.epub_builder import PNG, Broken, Chapter, EpubOptions, make_epub
from tests.pdf_builder import PdfLine, PdfPage, make_pdf

BEYOND_ASCII = "😀 𠮷野家 e\u0301 q\u0302 👩\u200d👧 "
"""Emoji, a character outside the Basic Multilingual Plane, combining marks, a joined emoji."""

__all__ = [
    "BEYOND_ASCII",
    "PNG",
    "Broken",
    "Chapter",
    "EpubOptions",
    "PdfLine",
    "PdfPage",
    "make_epub",
    "make_pdf",
]
