"""What becomes of black, white and marks in each theme."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QColor, QImage, QPainter

from app.domain.drawn_page import PageImage
from app.ui.reader.pdf_ink import PdfInk
from app.ui.theme import THEME_NAMES, load_theme

BLACK_AND_WHITE = PageImage(2, 1, 8, bytes([0, 0, 0, 255, 255, 255, 9, 9]))


def are_alike(one, other, tolerance=2):
    pairs = zip(QColor(one).getRgb(), QColor(other).getRgb(), strict=True)
    return all(abs(first - second) <= tolerance for first, second in pairs)


@pytest.mark.parametrize("name", THEME_NAMES)
def test_white_becomes_the_page_and_black_stays_readable_on_it(name):
    theme = load_theme(name)
    image = PdfInk.of_theme(theme).picture(BLACK_AND_WHITE)
    black, white = image.pixelColor(0, 0), image.pixelColor(1, 0)
    assert are_alike(white, theme.color("page"))
    assert are_alike(black, theme.color("page_text") if theme.is_dark else "#000000")


@pytest.mark.parametrize("role", ["highlight", "flash", "selection"])
@pytest.mark.parametrize("name", THEME_NAMES)
def test_a_mark_on_bare_paper_has_the_theme_s_colour_and_leaves_the_ink(name, role):
    theme = load_theme(name)
    ink = PdfInk.of_theme(theme)
    image = ink.picture(BLACK_AND_WHITE).convertToFormat(QImage.Format.Format_RGB32)
    before = image.pixelColor(0, 0)
    painter = QPainter(image)
    painter.setCompositionMode(ink.marking_mode)
    painter.fillRect(image.rect(), ink.mark(QColor(theme.color(role))))
    painter.end()
    assert are_alike(image.pixelColor(1, 0), theme.color(role), tolerance=3)
    assert abs(image.pixelColor(0, 0).lightness() - before.lightness()) < 30
