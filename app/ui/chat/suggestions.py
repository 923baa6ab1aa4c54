"""Questions to begin with, from a book's own contents: such that the book can answer them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

MOST = 3
_LENGTHS = range(6, 49)
_NUMBERING = re.compile(
    r"^(?:(?:chapter|book|part|section|chapitre|kapitel|cap[ií]tulo)\s+(?:[ivxlcdm]+|\d+)(?!\w)"
    r"|(?-i:[IVXLCDM]+)(?=[.:—–-])|\d+(?:\.\d+)*(?=[.\s])|第.{1,4}[章节節])[\s.:—–-]*",
    re.IGNORECASE,
)
_FRAME = re.compile(
    r"^(?:contents|index|title ?page|imprint|colophon|uncopyright|copyright|cover|notes|endnotes|"
    r"bibliography|references|acknowledge?ments?|appendix|summary|introduction|"
    r"conclusions?|preface|foreword|epigraphs?|dedication|glossary|license|dramatis personae|"
    r"abstract|table of .*|list of .*|.*project gutenberg.*)$",
    re.IGNORECASE,
)


def suggested_titles(titles: Iterable[str], book_title: str) -> tuple[str, ...]:
    """Up to `MOST` things that a book speaks of by its own contents, spread over the book.

    Args:
        titles: of the contents, in order.
        book_title: left out, as is what only frames a book: contents, index, licence.

    Returns:
        Titles without their numbering; fewer, or none, where the contents name nothing.
    """
    found: dict[str, str] = {}
    for title in titles:
        bare = _NUMBERING.sub("", " ".join(title.split()), count=1).strip()
        if len(bare) in _LENGTHS and not _FRAME.match(bare) and not _same(bare, book_title):
            found.setdefault(bare.casefold(), bare)
    kept = list(found.values())
    if len(kept) <= MOST:
        return tuple(kept)
    step = len(kept) / MOST
    return tuple(kept[int(step * (place + 0.5))] for place in range(MOST))


def _same(one: str, other: str) -> bool:
    return (
        "".join(filter(str.isalnum, one)).casefold()
        == "".join(filter(str.isalnum, other)).casefold()
    )
