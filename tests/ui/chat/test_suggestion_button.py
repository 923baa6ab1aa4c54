"""A long question is cut to the width of the panel."""

from __future__ import annotations

from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.ui.chat.suggestion_button import SuggestionButton

LONG = "What does it say about “Geographical Distribution of the Inhabitants of Islands”?"


def test_a_long_question_is_cut_and_told_whole(qtbot, appearance):
    panel = QWidget()
    qtbot.addWidget(panel)
    layout = QVBoxLayout(panel)
    long, short = SuggestionButton(LONG), SuggestionButton("Why?")
    layout.addWidget(long)
    layout.addWidget(short)
    panel.resize(300, 120)
    panel.show()
    assert panel.minimumSizeHint().width() < 300
    assert long.text().endswith("…")
    assert long.fontMetrics().horizontalAdvance(long.text()) < long.width()
    assert long.toolTip() == long.accessibleName() == LONG
    assert (short.text(), short.toolTip()) == ("Why?", "")
