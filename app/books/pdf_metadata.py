"""What a PDF says of itself: title, authors, language, direction.

Titles in PDF files are often what a program left there; such a one gives way to the largest line of
the first page, and that to the file's name.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from app.books.model_text import model_text
from app.books.pdf_outline import clean_title
from app.books.voices import voice_of_heading
from app.domain.book import BookMetadata

if TYPE_CHECKING:
    from pathlib import Path

    import pymupdf

    from app.books.pdf_blocks import BodyStyle
    from app.books.pdf_text import PageText

_LEFT_BY_PROGRAMS = re.compile(
    r"(?:untitled|unbenannt|sans titre|microsoft (?:word|powerpoint)|adobe|document\d*|slide 1"
    r"|[\d\W_]+)"
    r"|.*\.(?:dvi|tex|docx?|indd|qxd|ps|pdf|rtf|odt|fm|pmd|p65)",
    re.IGNORECASE,
)
_TITLE_RATIO = 1.2  # how much larger than running text a title on the first page is
_TITLE_CHARS = range(4, 201)
_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*")


def read_metadata(
    document: pymupdf.Document,
    path: Path,
    first_page: PageText | None,
    body: BodyStyle,
    *,
    is_right_to_left: bool,
) -> BookMetadata:
    """The metadata of an open PDF.

    Args:
        document: an open PDF.
        path: of the file.
        first_page: its text, or None where it cannot be read.
        body: how running text looks.
        is_right_to_left: most of its text is.
    """
    stated = document.metadata or {}
    title = clean_title(stated.get("title") or "")
    if (
        not title
        or _LEFT_BY_PROGRAMS.fullmatch(title)
        or title.lower().startswith("microsoft word")
    ):
        title = _title_on(first_page, body) or path.stem
    author = clean_title(stated.get("author") or "")
    language = _text_of(document, "Lang")
    return BookMetadata(
        title=title,
        authors=_authors(author),
        language=language if _LANGUAGE.fullmatch(language) else "",
        is_right_to_left=is_right_to_left
        or _text_of(document, "ViewerPreferences/Direction") == "/R2L",
    )


def _text_of(document: pymupdf.Document, key: str) -> str:
    kind, value = document.xref_get_key(document.pdf_catalog(), key)
    return "" if kind == "null" else clean_title(value)


def _title_on(page: PageText | None, body: BodyStyle) -> str:
    """The lines in the largest letters of a page."""
    if page is None or not body.size:
        return ""
    sizes = {
        line.start: max((run.size for run in line.runs if run.text.strip()), default=0.0)
        for block in page.blocks
        for line in block.lines
    }
    largest = max(sizes.values(), default=0.0)
    if largest < _TITLE_RATIO * body.size:
        return ""
    lines = [
        page.text[line.start : line.end]
        for block in page.blocks
        for line in block.lines
        if sizes[line.start] > 0.97 * largest
    ]
    title = " ".join(model_text(" ".join(lines)).split())
    is_title = (
        len(title) in _TITLE_CHARS
        and any(map(str.isalpha, title))
        and "\ufffd" not in title
        and voice_of_heading(title) is None
    )
    return title if is_title else ""


def _authors(stated: str) -> tuple[str, ...]:
    """Single names, where they are plainly a list."""
    names = [name.strip() for name in re.split(r"\s*;\s*|\s+(?:and|und|et)\s+", stated)]
    if len(names) == 1 and stated.count(",") > 1:
        parts = [name.strip() for name in stated.split(",")]
        names = parts if all(" " in name for name in parts) else names
    return tuple(name for name in names if name)
