"""The colours of a drawn page in a theme: pictures of pages are black on white whatever the theme.

Safe on any thread: only `QImage` is painted on.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtGui import QColor, QImage, QPainter

if TYPE_CHECKING:
    from app.domain.drawn_page import PageImage
    from app.ui.reader.reader_view import ReadingTheme

_Mode = QPainter.CompositionMode


@dataclass(frozen=True, slots=True)
class PdfInk:
    """What white and black become.

    Attributes:
        page: `#rrggbb` for white.
        text: `#rrggbb` for black, where `is_dark`; else black stays.
        is_dark: light text on a dark page.
    """

    page: str
    text: str
    is_dark: bool

    @classmethod
    def of_theme(cls, theme: ReadingTheme) -> PdfInk:
        """The ink of a theme."""
        return cls(theme.color("page"), theme.color("page_text"), theme.is_dark)

    def mark(self, color: QColor) -> QColor:
        """The colour to lay over a page so that bare paper under it gets just `color`."""
        paper = QColor(self.page)
        return QColor(
            self._over(paper.red(), color.red()),
            self._over(paper.green(), color.green()),
            self._over(paper.blue(), color.blue()),
        )

    def _over(self, paper: int, wanted: int) -> int:
        """One channel of `mark`: what `marking_mode` makes `wanted` of, on `paper`."""
        if self.is_dark:
            return 255 - min(255, round(255 * (255 - wanted) / max(1, 255 - paper)))
        return min(255, round(255 * wanted / max(1, paper)))

    @property
    def marking_mode(self) -> QPainter.CompositionMode:
        """How a mark is laid over a page so that the ink under it stays visible."""
        return _Mode.CompositionMode_Screen if self.is_dark else _Mode.CompositionMode_Multiply

    def picture(self, drawn: PageImage) -> QImage:
        """A drawn page in these colours."""
        raw = QImage(
            drawn.data,
            drawn.width_px,
            drawn.height_px,
            drawn.stride_bytes,
            QImage.Format.Format_RGB888,
        )
        # A copy: the picture owns its pixels, and this format is what painters are fastest with.
        image = raw.convertToFormat(QImage.Format.Format_RGB32)
        page = QColor(self.page)
        if not self.is_dark:
            _lay_over(image, page, _Mode.CompositionMode_Multiply)
            return image
        text = QColor(self.text)
        image.invertPixels()
        # page + (text - page) * inverted: white paper becomes the page, black ink the text.
        reach = QColor(
            max(0, text.red() - page.red()),
            max(0, text.green() - page.green()),
            max(0, text.blue() - page.blue()),
        )
        _lay_over(image, reach, _Mode.CompositionMode_Multiply)
        _lay_over(image, page, _Mode.CompositionMode_Plus)
        return image


def _lay_over(image: QImage, color: QColor, mode: QPainter.CompositionMode) -> None:
    painter = QPainter(image)
    painter.setCompositionMode(mode)
    painter.fillRect(image.rect(), color)
    painter.end()
