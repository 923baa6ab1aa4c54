"""The settings: how Ibid looks, and the models that the reader connected.

Shows values and reports what a person decided; it knows neither the settings file nor the key
store.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QFormLayout,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.ui.elided_label import ElidedLabel
from app.ui.theme import FOLLOW_SYSTEM

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True, slots=True)
class ConnectedModel:
    """A model server as the reader sets it up.

    Attributes:
        name: what the reader calls it; its key in the settings.
        base_url: address of an OpenAI-compatible endpoint, such as http://localhost:11434/v1.
        model: the model's name at the server.
    """

    name: str
    base_url: str
    model: str


@dataclass(frozen=True, slots=True)
class ModelChange:
    """A model server to be kept.

    Attributes:
        model: the server.
        key: its key, or "" where none was typed: a key that is kept stays.
        keeps_key_in_file: without a key store, the reader allowed a file only they can read.
    """

    model: ConnectedModel
    key: str
    keeps_key_in_file: bool


class SettingsDialog(QDialog):
    """The settings.

    Signals:
        theme_chosen: name of a theme, or `FOLLOW_SYSTEM`.
        model_saved: a `ModelChange`.
        model_removed: name of a model server.
    """

    theme_chosen = Signal(str)
    model_saved = Signal(object)
    model_removed = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Settings"))
        self.setMinimumWidth(560)
        self.theme_box = QComboBox()
        self.theme_box.setAccessibleName(self.tr("Theme"))
        for name, words in (
            (FOLLOW_SYSTEM, self.tr("Follow the system")),
            ("light", self.tr("Light")),
            ("sepia", self.tr("Sepia")),
            ("dark", self.tr("Dark")),
        ):
            self.theme_box.addItem(words, name)
        self.theme_box.activated.connect(
            lambda _index: self.theme_chosen.emit(self.theme_box.currentData())
        )
        self._models = QVBoxLayout()
        self._models.setSpacing(6)
        self.name_field = QLineEdit()
        self.url_field = QLineEdit()
        self.model_field = QLineEdit()
        self.key_field = QLineEdit()
        self.key_field.setEchoMode(QLineEdit.EchoMode.Password)
        self.file_box = QCheckBox(self.tr("Keep the key in a file that only I can read"))
        self.save_button = QPushButton(self.tr("Save this model"))
        self.save_button.setProperty("kind", "primary")
        self.save_button.clicked.connect(self._on_save)
        self._message = QLabel()
        self._message.setWordWrap(True)
        self._message.setProperty("kind", "muted")
        self._lay_out()
        self.show_key_store(is_present=True)

    def _lay_out(self) -> None:
        form = QFormLayout()
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        form.setVerticalSpacing(9)
        form.setHorizontalSpacing(14)
        self.name_field.setPlaceholderText(self.tr("Any name, such as “Home server”"))
        self.url_field.setPlaceholderText("http://localhost:11434/v1")
        self.model_field.setPlaceholderText("qwen3:8b")
        self.key_field.setPlaceholderText(self.tr("Only if the server asks for one"))
        for words, field in (
            (self.tr("Name"), self.name_field),
            (self.tr("Address"), self.url_field),
            (self.tr("Model"), self.model_field),
            (self.tr("Key"), self.key_field),
        ):
            field.setAccessibleName(words)
            form.addRow(words, field)
        privacy = QLabel(
            self.tr(
                "Without a model, Ibid answers with sentences of the book and nothing leaves "
                "this computer. With one, your question and passages of the book are sent to "
                "its address."
            )
        )
        privacy.setWordWrap(True)
        privacy.setProperty("kind", "muted")
        done = QPushButton(self.tr("Done"))
        done.clicked.connect(self.accept)
        done.setAutoDefault(False)
        foot = QHBoxLayout()
        foot.addWidget(self._message, 1)
        foot.addWidget(self.save_button)
        foot.addWidget(done)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(28, 24, 28, 22)
        layout.setSpacing(12)
        layout.addWidget(_heading(self.tr("Appearance")))
        look = QFormLayout()
        look.addRow(self.tr("Theme"), self.theme_box)
        layout.addLayout(look)
        layout.addSpacing(10)
        layout.addWidget(_heading(self.tr("Models")))
        layout.addWidget(privacy)
        layout.addLayout(self._models)
        layout.addSpacing(4)
        layout.addWidget(_heading(self.tr("Connect a model"), kind="overline"))
        layout.addLayout(form)
        layout.addWidget(self.file_box)
        layout.addSpacing(6)
        layout.addLayout(foot)

    @property
    def message(self) -> str:
        """What the dialog says about the last thing done."""
        return self._message.text()

    def show_theme_choice(self, choice: str) -> None:
        """Shows which theme is chosen."""
        self.theme_box.setCurrentIndex(max(0, self.theme_box.findData(choice)))

    def show_key_store(self, *, is_present: bool) -> None:
        """Says what becomes of a key: without a key store the reader decides."""
        self.file_box.setVisible(not is_present)
        self.key_field.setToolTip(
            self.tr("Kept in the system's key store.")
            if is_present
            else self.tr("This system has no key store: the key is used for this run only.")
        )

    def show_models(self, models: Sequence[ConnectedModel]) -> None:
        """Shows the model servers that are set up."""
        while (item := self._models.takeAt(0)) is not None:
            if (old := item.widget()) is not None:
                old.hide()
                old.deleteLater()
        for model in models:
            self._models.addWidget(self._row(model))

    def show_message(self, words: str, *, is_error: bool = False) -> None:
        """Says what became of the last thing done."""
        self._message.setText(words)
        self._message.setProperty("kind", "error" if is_error else "muted")
        self._message.style().unpolish(self._message)
        self._message.style().polish(self._message)

    def _row(self, model: ConnectedModel) -> QWidget:
        row = QFrame()
        row.setObjectName("libraryCard")
        words = ElidedLabel(f"{model.name} · {model.model} · {model.base_url}")
        edit = QPushButton(self.tr("Change"))
        edit.clicked.connect(lambda: self._edit(model))
        remove = QPushButton(self.tr("Remove"))
        remove.clicked.connect(lambda: self.model_removed.emit(model.name))
        across = QHBoxLayout(row)
        across.setContentsMargins(14, 6, 8, 6)
        across.addWidget(words, 1)
        for button in (edit, remove):
            button.setProperty("kind", "quiet")
            button.setAutoDefault(False)
            across.addWidget(button)
        return row

    def _edit(self, model: ConnectedModel) -> None:
        self.name_field.setText(model.name)
        self.url_field.setText(model.base_url)
        self.model_field.setText(model.model)
        self.key_field.clear()
        self.url_field.setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_save(self) -> None:
        base_url = self.url_field.text().strip().rstrip("/")
        model = self.model_field.text().strip()
        if not base_url.startswith(("http://", "https://")):
            self.show_message(
                self.tr("The address begins with http:// or https://."), is_error=True
            )
            self.url_field.setFocus(Qt.FocusReason.OtherFocusReason)
            return
        if not model:
            self.show_message(self.tr("Name the model, as the server calls it."), is_error=True)
            self.model_field.setFocus(Qt.FocusReason.OtherFocusReason)
            return
        name = self.name_field.text().strip() or model
        self.model_saved.emit(
            ModelChange(
                ConnectedModel(name, base_url, model),
                self.key_field.text().strip(),
                self.file_box.isVisible() and self.file_box.isChecked(),
            )
        )
        self.key_field.clear()


def _heading(words: str, kind: str = "heading") -> QLabel:
    label = QLabel(words)
    label.setProperty("kind", kind)
    return label
