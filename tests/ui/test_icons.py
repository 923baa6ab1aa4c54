"""Icons: every file draws something, in the ink it is given."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QColor

from app.ui.actions import ACTIONS
from app.ui.icons import ICONS, icon, pixmap

NAMES = sorted(path.stem for path in ICONS.glob("*.svg"))


@pytest.mark.parametrize("name", NAMES)
def test_an_icon_is_drawn_in_its_ink(qapp, name):
    image = pixmap(name, "#3050a0", 24, 2.0).toImage()
    assert (image.width(), image.height()) == (48, 48)
    inks = [
        image.pixelColor(x, y)
        for x in range(48)
        for y in range(48)
        if image.pixelColor(x, y).alpha() == 255
    ]
    assert inks
    if name != "ibid":
        ink = QColor("#3050a0")  # drawing rounds by one
        assert all(abs(one.red() - ink.red()) + abs(one.blue() - ink.blue()) <= 2 for one in inks)


def test_every_action_with_an_icon_has_its_drawing():
    assert {spec.icon for spec in ACTIONS if spec.icon} <= set(NAMES)


def test_a_disabled_icon_has_another_ink(qapp):
    made = icon("back", "#000000", disabled_color="#aaaaaa")
    normal = made.pixmap(20, 20).toImage()
    disabled = made.pixmap(20, 20, made.Mode.Disabled).toImage()
    assert normal != disabled


def test_an_unknown_icon_is_an_error(qapp):
    with pytest.raises(FileNotFoundError):
        pixmap("no-such-icon", "#000000", 20)
