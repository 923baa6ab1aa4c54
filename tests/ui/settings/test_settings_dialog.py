"""The settings dialog: theme, models, keys."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QLineEdit, QPushButton

from app.ui.elided_label import ElidedLabel
from app.ui.settings.settings_dialog import ConnectedModel, ModelChange, SettingsDialog

HOME = ConnectedModel("Home", "http://localhost:11434/v1", "qwen3:8b")


@pytest.fixture
def dialog(qtbot, appearance):
    made = SettingsDialog()
    qtbot.addWidget(made)
    made.show()
    return made


def press(qtbot, dialog, words):
    button = next(
        one for one in dialog.findChildren(QPushButton) if one.text() == words and one.isVisible()
    )
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


def write(qtbot, dialog, **fields):
    for name, text in fields.items():
        field = getattr(dialog, f"{name}_field")
        field.clear()
        qtbot.keyClicks(field, text)


def test_a_theme_is_chosen(qtbot, dialog):
    dialog.show_theme_choice("sepia")
    assert dialog.theme_box.currentText() == "Sepia"
    with qtbot.waitSignal(dialog.theme_chosen) as chosen:
        qtbot.keyClick(dialog.theme_box, Qt.Key.Key_Down)
    assert chosen.args == ["dark"]


def test_a_model_is_saved_with_its_key_which_is_not_shown(qtbot, dialog):
    assert dialog.key_field.echoMode() == QLineEdit.EchoMode.Password
    write(qtbot, dialog, name="Home", url=HOME.base_url + "/", model=HOME.model, key="sk-1")
    with qtbot.waitSignal(dialog.model_saved) as saved:
        press(qtbot, dialog, "Save this model")
    assert saved.args == [ModelChange(HOME, "sk-1", False)]
    assert not dialog.key_field.text()


def test_a_model_without_a_name_is_called_by_its_model(qtbot, dialog):
    write(qtbot, dialog, url=HOME.base_url, model="qwen3:8b")
    with qtbot.waitSignal(dialog.model_saved) as saved:
        press(qtbot, dialog, "Save this model")
    assert saved.args[0].model.name == "qwen3:8b"


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"url": "localhost:11434", "model": "m"}, "http://"),
        ({"url": "ftp://x", "model": "m"}, "http://"),
        ({"url": HOME.base_url, "model": " "}, "Name the model"),
    ],
)
def test_what_cannot_work_is_said_at_once_and_not_saved(qtbot, dialog, fields, words):
    told = []
    dialog.model_saved.connect(told.append)
    write(qtbot, dialog, **fields)
    press(qtbot, dialog, "Save this model")
    assert words in dialog.message
    assert told == []


def test_models_are_listed_changed_and_removed(qtbot, dialog):
    dialog.show_models([HOME])
    qtbot.waitUntil(lambda: any(one.isVisible() for one in dialog.findChildren(ElidedLabel)))
    line = next(one for one in dialog.findChildren(ElidedLabel) if "Home" in one.full_text)
    assert line.full_text == "Home · qwen3:8b · http://localhost:11434/v1"
    press(qtbot, dialog, "Change")
    assert dialog.url_field.text() == HOME.base_url
    assert not dialog.key_field.text()
    with qtbot.waitSignal(dialog.model_removed) as removed:
        press(qtbot, dialog, "Remove")
    assert removed.args == ["Home"]
    dialog.show_models([])
    assert not [one for one in dialog.findChildren(ElidedLabel) if one.isVisible()]


def test_without_a_key_store_the_reader_decides_about_the_file(qtbot, dialog):
    assert not dialog.file_box.isVisible()
    dialog.show_key_store(is_present=False)
    assert dialog.file_box.isVisible()
    write(qtbot, dialog, url=HOME.base_url, model="m", key="k")
    dialog.file_box.setChecked(True)
    with qtbot.waitSignal(dialog.model_saved) as saved:
        press(qtbot, dialog, "Save this model")
    assert saved.args[0].keeps_key_in_file


def test_what_leaves_the_computer_is_said(dialog):
    words = " ".join(label.text() for label in dialog.findChildren(QLabel))
    assert "nothing leaves this computer" in words
