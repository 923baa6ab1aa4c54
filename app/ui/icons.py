"""Icons drawn by us, as SVG files in one ink that takes the theme's colour."""

from __future__ import annotations

from functools import lru_cache

from PySide6.QtCore import QByteArray, QRectF, QSize, Qt
from PySide6.QtGui import QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from app.paths import RESOURCES

ICONS = RESOURCES / "icons"
_SCALES = (1.0, 2.0, 3.0)


def icon(name: str, color: str, *, disabled_color: str | None = None, size_px: int = 20) -> QIcon:
    """An icon by file name in a colour, sharp on screens of up to three times the density.

    Args:
        name: file name in `resources/icons` without its ending.
        color: `#rrggbb` of the ink.
        disabled_color: ink while the action cannot be used.
        size_px: side in device-independent pixels.
    """
    made = QIcon()
    for scale in _SCALES:
        made.addPixmap(pixmap(name, color, size_px, scale))
        if disabled_color is not None:
            made.addPixmap(pixmap(name, disabled_color, size_px, scale), QIcon.Mode.Disabled)
    return made


@lru_cache(maxsize=256)
def pixmap(name: str, color: str, size_px: int, scale: float = 1.0) -> QPixmap:
    """One picture of an icon; see `icon`.

    Raises:
        FileNotFoundError: there is no such icon.
    """
    drawing = (ICONS / f"{name}.svg").read_text(encoding="utf-8").replace("currentColor", color)
    renderer = QSvgRenderer(QByteArray(drawing.encode()))
    side = round(size_px * scale)
    made = QPixmap(QSize(side, side))
    made.fill(Qt.GlobalColor.transparent)
    painter = QPainter(made)
    renderer.render(painter, QRectF(0, 0, side, side))
    painter.end()
    made.setDevicePixelRatio(scale)
    return made
