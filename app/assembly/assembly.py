"""The running program without its window: library, settings, providers and workers, wired."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from app.assembly.open_book import OpenBook
from app.assembly.providers import Providers
from app.assembly.stores import Stores
from app.domain.errors import BookNotFound
from app.storage.key_store import KeyStore
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
    from app.domain.settings import Settings
    from app.llm.chat_model import ChatModel
    from app.paths import Paths


class Assembly:
    """Ibid, built and wired.

    Args:
        paths: where everything is kept; the folders exist.
        environment: the process environment; the real one by default.

    Raises:
        StoreError: the library cannot be opened.
    """

    def __init__(self, paths: Paths, environment: Mapping[str, str] | None = None) -> None:
        self.paths = paths
        self.settings_file = SettingsFile(paths.settings)
        self.key_store = KeyStore(paths.data)
        self.providers_now = Providers(
            lambda: self.settings,
            lambda name: self.key_store.key(name) or "",
            os.environ if environment is None else environment,
        )
        self._stores = Stores.open(paths.database)
        self._stores.library.sweep_unfinished()

    def __enter__(self) -> Assembly:
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

    def providers(self) -> tuple[ProviderInfo, ...]:
        """Who can answer, the default first."""
        return self.providers_now.all()

    # Books

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
            BookError: the file cannot be read.
            StoreError: the library cannot be written.
        """
        if not path.is_file():
            raise BookNotFound(path)
        worker = ImportWorker(self.paths.database)
        book_id = yield from worker.import_book(path.absolute(), password=password)
        return self._stores.library.book(book_id)

    def open(self, book_id: int) -> OpenBook:
        """Opens a book of the library and notes that it was opened."""
        self._stores.library.opened(book_id)
        return OpenBook(
            self._stores.library.book(book_id), self._stores, self._model_for, _open_pages
        )

    def _model_for(self, book: OpenBook, provider: str | None, ledger: Ledger) -> ChatModel:
        name = provider or self.providers_now.default_name()
        return self.providers_now.server_model(name) or book.quoting_model(ledger)
