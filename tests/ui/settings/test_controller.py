"""What a person decides in the settings is kept, and a fault is said in the dialog."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QDialog, QPushButton

from app.domain.errors import StoreUnwritable
from app.ui.settings.controller import SettingsController
from tests.fakes.person import answer_dialog


class InMemorySettings:
    """Keeps providers and keys; `error` is raised by the next change."""

    def __init__(self):
        self.settings = SimpleNamespace(providers=[])
        self.has_key_store = True
        self.keys = {}
        self.in_file = {}
        self.error = None

    def save_provider(self, *, name, base_url, model, key, keeps_key_in_file):
        if self.error:
            raise self.error
        self.remove_provider(name)
        self.settings.providers.append(SimpleNamespace(name=name, base_url=base_url, model=model))
        if key:
            self.keys[name] = key
            self.in_file[name] = keeps_key_in_file

    def remove_provider(self, name):
        self.settings.providers = [one for one in self.settings.providers if one.name != name]


@pytest.fixture
def settings():
    return InMemorySettings()


@pytest.fixture
def dialog(qtbot, window, settings, appearance):
    controller = SettingsController(settings, appearance)
    made = controller.make_dialog(window, window.choose_theme)
    qtbot.addWidget(made)
    made.show()
    return made


def press(qtbot, dialog, words):
    button = next(one for one in dialog.findChildren(QPushButton) if one.text() == words)
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


def fill(qtbot, dialog):
    qtbot.keyClicks(dialog.name_field, "Home")
    qtbot.keyClicks(dialog.url_field, "http://localhost:1/v1")
    qtbot.keyClicks(dialog.model_field, "qwen3")
    qtbot.keyClicks(dialog.key_field, "sk-1")
    press(qtbot, dialog, "Save this model")


def test_a_model_is_kept_with_its_key_and_said_to_be(qtbot, dialog, settings):
    fill(qtbot, dialog)
    (saved,) = settings.settings.providers
    assert (saved.name, saved.base_url, saved.model) == ("Home", "http://localhost:1/v1", "qwen3")
    assert settings.keys == {"Home": "sk-1"}
    assert settings.in_file == {"Home": False}
    assert "“Home” is set up" in dialog.message


def test_a_model_is_removed(qtbot, dialog, settings):
    fill(qtbot, dialog)
    press(qtbot, dialog, "Remove")
    assert settings.settings.providers == []
    assert "removed" in dialog.message


def test_a_fault_is_said_in_the_dialog(qtbot, dialog, settings):
    settings.error = StoreUnwritable(Path("/data/settings.toml"), "the disk is full")
    fill(qtbot, dialog)
    assert "the disk is full" in dialog.message
    assert settings.settings.providers == []


def test_a_theme_chosen_in_the_dialog_is_the_windows_theme(qtbot, dialog, appearance, core):
    assert dialog.theme_box.currentText() == "Light"
    qtbot.keyClick(dialog.theme_box, Qt.Key.Key_Down)
    assert appearance.theme.name == "sepia"
    assert core.settings.theme == "sepia"


def test_show_returns_when_the_dialog_is_closed(qtbot, window, settings, appearance):
    answer_dialog(QDialog, lambda box: box.accept())
    SettingsController(settings, appearance).show(window, window.choose_theme)
    assert QApplication.activeModalWidget() is None
