"""A label that gives way."""

from __future__ import annotations

from app.ui.elided_label import ElidedLabel


def test_a_long_text_ends_in_dots_and_its_tip_says_the_whole(qtbot):
    label = ElidedLabel("word " * 50)
    qtbot.addWidget(label)
    label.resize(120, 20)
    label.show()
    assert label.text().endswith("…")
    assert label.toolTip() == label.full_text == " ".join(["word"] * 50)
    assert label.minimumSizeHint().width() < 60


def test_a_text_that_fits_is_whole_and_has_no_tip(qtbot):
    label = ElidedLabel("short")
    qtbot.addWidget(label)
    label.resize(300, 20)
    label.show()
    assert label.text().endswith("short")
    assert not label.toolTip()


def test_line_ends_and_markup_are_plain_text(qtbot):
    label = ElidedLabel("<b>one</b>\n two")
    qtbot.addWidget(label)
    label.resize(400, 20)
    label.show()
    assert label.full_text == "<b>one</b> two"
    assert label.text().endswith("<b>one</b> two")
