"""Shows the settings and does what a person decided there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QObject

from app.domain.errors import ReaderError
from app.ui.notices import describe
from app.ui.settings.settings_dialog import ConnectedModel, SettingsDialog

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtWidgets import QWidget

    from app.ui.settings.settings_dialog import ModelChange
    from app.ui.theme import Appearance


class SavedProvider(Protocol):
    """A model server of the settings."""

    @property
    def name(self) -> str:
        """Its key in the settings."""
        ...

    @property
    def base_url(self) -> str:
        """Address of its OpenAI-compatible endpoint."""
        ...

    @property
    def model(self) -> str:
        """The model's name at the server."""
        ...


class SavedSettings(Protocol):
    """The settings as they are."""

    @property
    def providers(self) -> Sequence[SavedProvider]:
        """The model servers that are set up."""
        ...


class SettingsCore(Protocol):
    """What keeps settings and keys; `app.assembly.Assembly` is one."""

    @property
    def settings(self) -> SavedSettings:
        """The settings as they are now."""
        ...

    @property
    def has_key_store(self) -> bool:
        """Whether this system has a key store."""
        ...

    def save_provider(
        self, *, name: str, base_url: str, model: str, key: str, keeps_key_in_file: bool
    ) -> None:
        """Keeps a model server and its key; an empty key leaves the one that is kept."""
        ...

    def remove_provider(self, name: str) -> None:
        """Forgets a model server and its key."""
        ...


class SettingsController(QObject):
    """Joins the settings dialog to what keeps settings and keys.

    Args:
        core: what keeps them.
        appearance: the theme.
    """

    def __init__(self, core: SettingsCore, appearance: Appearance) -> None:
        super().__init__(appearance)
        self._core = core
        self._appearance = appearance

    def show(self, window: QWidget, choose_theme: Callable[[str], None]) -> None:
        """Shows the dialog over a window and returns when it is closed.

        Args:
            window: what it stands over.
            choose_theme: applies a theme by name and keeps the choice.
        """
        dialog = self.make_dialog(window, choose_theme)
        dialog.exec()
        dialog.deleteLater()

    def make_dialog(self, window: QWidget, choose_theme: Callable[[str], None]) -> SettingsDialog:
        """The dialog, filled and wired; closing it is the caller's."""
        dialog = SettingsDialog(window)
        dialog.show_theme_choice(self._appearance.choice)
        dialog.show_key_store(is_present=self._core.has_key_store)
        self._show_models(dialog)
        dialog.theme_chosen.connect(choose_theme)
        dialog.model_saved.connect(lambda change: self._save(dialog, change))
        dialog.model_removed.connect(lambda name: self._remove(dialog, name))
        return dialog

    def _save(self, dialog: SettingsDialog, change: ModelChange) -> None:
        model = change.model
        try:
            self._core.save_provider(
                name=model.name,
                base_url=model.base_url,
                model=model.model,
                key=change.key,
                keeps_key_in_file=change.keeps_key_in_file,
            )
        except ReaderError as error:
            self._say(dialog, error)
            return
        self._show_models(dialog)
        dialog.show_message(
            self.tr("“{name}” is set up and answers from now on.").format(name=model.name)
        )

    def _remove(self, dialog: SettingsDialog, name: str) -> None:
        try:
            self._core.remove_provider(name)
        except ReaderError as error:
            self._say(dialog, error)
            return
        self._show_models(dialog)
        dialog.show_message(self.tr("“{name}” was removed.").format(name=name))

    def _show_models(self, dialog: SettingsDialog) -> None:
        dialog.show_models(
            [
                ConnectedModel(saved.name, saved.base_url, saved.model)
                for saved in self._core.settings.providers
            ]
        )

    @staticmethod
    def _say(dialog: SettingsDialog, error: ReaderError) -> None:
        notice = describe(error)
        dialog.show_message(f"{notice.title} {notice.advice}", is_error=True)
