"""Printed pages as places in the book: only what the edition itself lists."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.domain.book import PageLabel

if TYPE_CHECKING:
    from collections.abc import Iterable

    from app.domain.position import Locator


def page_labels_of(pages: Iterable[tuple[str, Locator | None]]) -> tuple[PageLabel, ...]:
    """Labels with a place, in the order given; white space in a label is collapsed.

    Args:
        pages: label as printed, and where the page begins or None where that is not known.
    """
    return tuple(
        PageLabel(label, place.file_index, place.offset)
        for printed, place in pages
        if place is not None and (label := " ".join(printed.split()))
    )
