"""The running program without its window: library, settings, providers and workers, wired."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING, Self

from app.assembly.open_book import OpenBook
from app.assembly.providers import Providers
from app.assembly.stores import Stores
from app.books.handbook import build_handbook
from app.domain.errors import BookNotFound, StoreUnwritable
from app.domain.provider import BUILT_IN
from app.domain.settings import ProviderSettings
from app.storage.key_store import KeyPlace, KeyStore
from app.storage.settings_file import SettingsFile
from app.worker.client import ImportWorker, PageWorker

if TYPE_CHECKING:
    from collections.abc import Generator, Mapping
    from pathlib import Path
    from types import TracebackType

    from app.domain.book import Book
    from app.domain.evidence import Ledger
    from app.domain.progress import BookKnown, Progress
    from app.domain.provider import ProviderInfo
    from app.domain.settings import SettingProblem, Settings
    from app.llm.chat_model import ChatModel
    from app.paths import Paths


class Assembly:
    """Ibid, built and wired.

    Args:
        paths: where everything is kept; the folders exist.
        environment: the process environment; the real one by default.
        key_store: where keys are kept; the system's by default.

    Raises:
        StoreError: the library cannot be opened.
    """

    def __init__(
        self,
        paths: Paths,
        environment: Mapping[str, str] | None = None,
        key_store: KeyStore | None = None,
    ) -> None:
        self.paths = paths
        self.settings_file = SettingsFile(paths.settings)
        self.key_store = KeyStore(paths.data) if key_store is None else key_store
        self.providers_now = Providers(
            lambda: self.settings,
            lambda name: self.key_store.key(name) or "",
            os.environ if environment is None else environment,
        )
        self._stores = Stores.open(paths.database)
        self._passwords: dict[int, str] = {}  # of this run, never written down
        self._stores.library.sweep_unfinished()

    def __enter__(self) -> Self:
        """Returns itself; leaving closes the library."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Closes the library."""
        self.close()

    def close(self) -> None:
        """Closes the library's database."""
        self._stores.database.close()

    @property
    def settings(self) -> Settings:
        """The settings as they are now."""
        return self.settings_file.settings

    @property
    def setting_problems(self) -> tuple[SettingProblem, ...]:
        """Settings of the file that could not be taken as they stand."""
        return self.settings_file.problems

    def save_settings(self, settings: Settings) -> None:
        """Keeps settings.

        Raises:
            StoreUnwritable: they cannot be written; they hold for this run.
        """
        self.settings_file.save(settings)

    @property
    def has_key_store(self) -> bool:
        """Whether this system has a key store for the keys of providers."""
        return self.key_store.has_system_store

    def save_provider(
        self, *, name: str, base_url: str, model: str, key: str, keeps_key_in_file: bool
    ) -> None:
        """Keeps a model server, makes it the one that answers, and keeps its key.

        Args:
            name: as the reader calls it; one of this name is replaced.
            base_url: of its OpenAI-compatible interface.
            model: the model's name at the server.
            key: "" leaves the key that is kept.
            keeps_key_in_file: where the system has no key store, keep the key in a file that only
                the reader can read; else it is kept for this run.

        Raises:
            StoreUnwritable: settings or key cannot be written.
        """
        saved = ProviderSettings(name, base_url, model)
        others = tuple(one for one in self.settings.providers if one.name != name)
        self.settings_file.save(
            replace(self.settings, providers=(*others, saved), default_provider=name)
        )
        if key:
            place = KeyPlace.FILE if keeps_key_in_file else KeyPlace.RUN
            self.key_store.keep(name, key, KeyPlace.SYSTEM if self.has_key_store else place)

    def remove_provider(self, name: str) -> None:
        """Forgets a model server and its key.

        Raises:
            StoreUnwritable: settings or key cannot be written.
        """
        others = tuple(one for one in self.settings.providers if one.name != name)
        default = self.settings.default_provider
        self.settings_file.save(
            replace(
                self.settings,
                providers=others,
                default_provider=BUILT_IN if default == name else default,
            )
        )
        self.key_store.forget(name)

    def providers(self) -> tuple[ProviderInfo, ...]:
        """Who can answer, the default first."""
        return self.providers_now.all()

    # Whether everything works

    def check_database(self) -> str:
        """Looks through the library for damage and says what it is.

        Raises:
            StoreDamaged: with what is wrong.
        """
        return self._stores.database.check()

    def check_key_store(self) -> str:
        """Says what keeps keys here."""
        return self.key_store.check()

    def check_worker(self) -> str:
        """Starts the process that reads books, on the handbook, and says what it did.

        Raises:
            BookError: it does not work.
        """
        work = self.import_book(self.handbook())
        while True:
            try:
                next(work)
            except StopIteration as finished:
                book: Book = finished.value
                return f"read “{book.metadata.title}” in {book.document_count} documents"

    # Books

    def handbook(self) -> Path:
        """Ibid's own handbook as a book file.

        Raises:
            StoreUnwritable: it cannot be written.
        """
        target = self.paths.data / "handbook.epub"
        try:
            return build_handbook(target)
        except OSError as error:
            raise StoreUnwritable(target, error.strerror or str(error)) from error

    def recent_books(self, limit: int = 12) -> tuple[Book, ...]:
        """The books read last, latest first."""
        return self._stores.library.recent(limit)

    def import_book(
        self, path: Path, password: str | None = None
    ) -> Generator[BookKnown | Progress, None, Book]:
        """Takes a file into the library, in the worker process.

        Args:
            path: the file; only read.
            password: for a file that asks for one.

        Yields:
            `BookKnown` as soon as it can be read, then progress.

        Returns:
            The book, ready to be asked.

        Raises:
            BookNotFound: there is no such file.
            BookError: the file cannot be read.
            StoreError: the library cannot be written.
        """
        try:
            is_file = path.is_file()
        except OSError as fault:  # a name longer than the system takes
            raise BookNotFound(path) from fault
        if not is_file:
            raise BookNotFound(path)
        worker = ImportWorker(self.paths.database)
        book_id = yield from worker.import_book(path.absolute(), password=password)
        if password is not None:
            self._passwords[book_id] = password
        return self._stores.library.book(book_id)

    def open(self, book_id: int) -> OpenBook:
        """Opens a book of the library and notes that it was opened."""
        self._stores.library.opened(book_id)
        return OpenBook(
            self._stores.library.book(book_id), self._stores, self._model_for, self._open_pages
        )

    def _model_for(self, book: OpenBook, provider: str | None, ledger: Ledger) -> ChatModel:
        name = provider or self.providers_now.default_name()
        return self.providers_now.server_model(name) or book.quoting_model(ledger)

    def _open_pages(self, book: Book) -> PageWorker:
        return PageWorker(book.path, password=self._passwords.get(book.book_id))
