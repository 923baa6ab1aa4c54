"""What the window needs of the program; the joining is done by `app.assembly`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from app.ui.chat.controller import AskedBook
from app.ui.library.controller import Shelf
from app.ui.reader.controller import ReadBook

if TYPE_CHECKING:
    from app.domain.conversation import Answer
    from app.domain.position import Locator
    from app.domain.provider import ProviderInfo
    from app.domain.settings import SettingProblem, Settings


class OpenedBook(ReadBook, AskedBook, Protocol):
    """A book that can be read and asked; `app.assembly.OpenBook` is one."""

    def reading_position(self) -> Locator | None:
        """Where the reader left off, or None for a new book."""
        ...

    def close(self) -> None:
        """Ends what the book started."""
        ...


class Core(Shelf, Protocol):
    """What the window needs of the program; `app.assembly.Assembly` is one."""

    def open(self, book_id: int) -> OpenedBook:
        """Opens a book of the library."""
        ...

    def providers(self) -> tuple[ProviderInfo, ...]:
        """Who can answer, the default first."""
        ...

    @property
    def settings(self) -> Settings:
        """The settings as they are now."""
        ...

    @property
    def setting_problems(self) -> tuple[SettingProblem, ...]:
        """Settings that could not be taken as they stand in their file."""
        ...

    def save_settings(self, settings: Settings) -> None:
        """Keeps settings."""
        ...


@dataclass(frozen=True, slots=True)
class Opened:
    """A book read from the library on a lane's thread, ready to be shown.

    Attributes:
        book: the book.
        turns: its saved conversation.
        place: where the reader left off, or None.
    """

    book: OpenedBook
    turns: tuple[Answer, ...]
    place: Locator | None


def read_opened(core: Core, book_id: int) -> Opened:
    """Opens a book and reads what the window shows of it at once; for a lane's thread."""
    book = core.open(book_id)
    return Opened(book, book.turns(), book.reading_position())
