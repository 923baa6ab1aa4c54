"""Draws pages of a PDF and finds the links on them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pymupdf

from app.books.pdf_opening import FAULTS
from app.domain.drawn_page import PageImage, PageLink, PageRect
from app.domain.errors import PageUnreadable

if TYPE_CHECKING:
    from collections.abc import Iterator

_MOST_PIXELS = 16_000_000  # of a picture: 48 MB; containers often have 64 MB of shared memory
_FAR_PT = 1e6  # MuPDF gives infinite or absurd numbers for a height that a link does not name


def draw_page(page: pymupdf.Page, scale: float, *, rotation: int = 0) -> PageImage:
    """Draws a page, with its notes and form fields.

    Args:
        page: of an open PDF.
        scale: pixels a point; lowered where the picture would be larger than 16 megapixels.
        rotation: further degrees clockwise, a multiple of 90.

    Raises:
        PageUnreadable: it cannot be drawn.
    """
    area = max(page.rect.width * page.rect.height, 1.0)
    scale = min(scale, (_MOST_PIXELS / area) ** 0.5)
    matrix = pymupdf.Matrix(scale, scale).prerotate(rotation)
    try:
        drawn = page.get_pixmap(matrix=matrix, colorspace=pymupdf.csRGB, alpha=False)
        return PageImage(drawn.width, drawn.height, drawn.stride, bytes(drawn.samples_mv))
    except (*FAULTS, ValueError) as fault:
        raise PageUnreadable(page.number, "it cannot be drawn") from fault


def page_links(document: pymupdf.Document, page: pymupdf.Page) -> tuple[PageLink, ...]:
    """The links of a page; those that lead nowhere are left out.

    Raises:
        PageUnreadable: they are damaged.
    """
    try:
        return tuple(_links(document, page))
    except FAULTS as fault:
        raise PageUnreadable(page.number, "its links are damaged") from fault


def _links(document: pymupdf.Document, page: pymupdf.Page) -> Iterator[PageLink]:
    link = page.first_link
    while link is not None:
        rect = PageRect(*link.rect)
        uri = link.uri or ""
        if link.is_external:
            yield PageLink(rect, uri=uri)
        elif uri:
            location, x, y = document.resolve_link(uri)
            index = location[1] if isinstance(location, tuple) else location
            if 0 <= index < document.page_count:
                yield PageLink(rect, index, _near(x), _near(y))
        link = link.next


def _near(value: float | None) -> float | None:
    return value if value is not None and abs(value) < _FAR_PT else None
