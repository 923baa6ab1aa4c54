"""The table of contents as places in the book, given by the book or made from its headings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.domain.book import ContentsEntry

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from app.domain.position import Locator


@dataclass(frozen=True, slots=True)
class ContentsLine:
    """A line before it has its place in the tree.

    Attributes:
        depth: 0 at the top; may jump by more than one.
        title: may be "".
        place: where it leads, or None.
    """

    depth: int
    title: str
    place: Locator | None


def contents_of(
    lines: Iterable[ContentsLine], *, is_made: bool = False
) -> tuple[ContentsEntry, ...]:
    """The tree of entries for lines in reading order, depth first.

    A line deeper than its parent by more than one level becomes its child, so that no level is
    empty. A line without title and without place says nothing and is left out.

    Args:
        lines: as the book, or its headings, give them.
        is_made: the lines come from headings, not from a table of contents.
    """
    entries: list[ContentsEntry] = []
    open_lines: list[tuple[int, int]] = []  # given depth and index of the lines above
    for line in lines:
        if not line.title and line.place is None:
            continue
        while open_lines and open_lines[-1][0] >= line.depth:
            open_lines.pop()
        entries.append(
            ContentsEntry(
                entry_index=len(entries),
                parent_index=open_lines[-1][1] if open_lines else None,
                depth=len(open_lines),
                title=line.title,
                file_index=None if line.place is None else line.place.file_index,
                start=None if line.place is None else line.place.offset,
                is_made=is_made,
            )
        )
        open_lines.append((line.depth, len(entries) - 1))
    return tuple(entries)


def first_titles(entries: Sequence[ContentsEntry]) -> dict[int, str]:
    """For each document that an entry leads to, the title of the first one that has one."""
    titles: dict[int, str] = {}
    for entry in entries:
        if entry.file_index is not None and entry.title:
            titles.setdefault(entry.file_index, entry.title)
    return titles
