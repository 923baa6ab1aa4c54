"""Takes files into the library and tells when a book can be read, then asked."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog, QInputDialog, QLineEdit

from app.domain.book import BookFormat, ImportState
from app.domain.errors import PasswordRequired, ReaderError
from app.domain.progress import BookKnown, Progress
from app.jobs import LaneName
from app.ui.library.start_page import BookRow
from app.ui.notices import NoticeAction, describe

if TYPE_CHECKING:
    from collections.abc import Generator

    from app.domain.book import Book
    from app.ui.jobs import Job, JobRunner
    from app.ui.library.start_page import StartPage
    from app.ui.notices import Notice


class Shelf(Protocol):
    """The library; `app.assembly.Assembly` is one."""

    def recent_books(self) -> tuple[Book, ...]:
        """The books read last, latest first."""
        ...

    def import_book(
        self, path: Path, password: str | None = None
    ) -> Generator[BookKnown | Progress, None, Book]:
        """Takes a file into the library in steps."""
        ...

    def handbook(self) -> Path:
        """Ibid's own handbook as a book file."""
        ...


@dataclass(frozen=True, slots=True)
class ImportStep:
    """How far the import of a book is.

    Attributes:
        book_id: the book, or None before it can be read.
        progress: how far it is.
    """

    book_id: int | None
    progress: Progress


class LibraryController(QObject):
    """Joins the start page to the library.

    Args:
        page: the start page.
        shelf: the library.
        jobs: where imports run.
        parent: the window.

    Signals:
        readable: id of a book that can be read from now on; its import may go on.
        ready: the `Book`, which can be asked from now on.
        progressed: an `ImportStep` of a book that can already be read.
        failed: a `Notice`; the start page shows it too.
        stopped: the import was stopped.
    """

    readable = Signal(int)
    ready = Signal(object)
    progressed = Signal(object)
    failed = Signal(object)
    stopped = Signal()

    def __init__(
        self, page: StartPage, shelf: Shelf, jobs: JobRunner, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._page = page
        self._shelf = shelf
        self._jobs = jobs
        self._job: Job | None = None
        self._path: Path | None = None
        self._has_password = False
        self._book_id: int | None = None
        self._books: dict[int, Book] = {}
        page.open_asked.connect(self.choose_file)
        page.handbook_asked.connect(self.open_handbook)
        page.book_chosen.connect(self.open_known)
        page.stop_asked.connect(self.stop)
        page.notice.action_chosen.connect(self.act)

    @property
    def is_importing(self) -> bool:
        """Whether an import runs."""
        return self._job is not None

    def refresh(self) -> None:
        """Shows the books read last."""
        try:
            books = self._shelf.recent_books()
        except ReaderError as error:
            self._fail(describe(error))
            return
        self._books = {book.book_id: book for book in books}
        self._page.set_books(tuple(_row(book) for book in books))

    @property
    def has_books(self) -> bool:
        """Whether any book was read before."""
        return bool(self._books)

    def choose_file(self) -> None:
        """Asks for a file and opens it."""
        name, _ = QFileDialog.getOpenFileName(
            self._page.window(),
            self.tr("Open a book"),
            "",
            self.tr("Books ({patterns})").format(
                patterns=" ".join(f"*{one.suffix}" for one in BookFormat)
            )
            + ";;"
            + self.tr("All files (*)"),
        )
        if name:
            self.open_file(Path(name))

    def open_file(self, path: Path, password: str | None = None) -> None:
        """Takes a file into the library and opens it as soon as it can be read."""
        self.stop()
        self._page.notice.clear()
        self._path = path
        self._has_password = password is not None
        self._book_id = None
        job = self._jobs.start(self._shelf.import_book(path, password), lane=LaneName.NETWORK)
        self._job = job
        self._page.show_import(self.tr("Opening “{file}”…").format(file=path.name))
        job.happened.connect(lambda event: self._on_event(job, event))
        job.finished.connect(lambda book: self._on_imported(job, book))
        job.failed.connect(lambda error: self._on_failed(job, error))
        job.ended.connect(lambda: self._on_ended(job))

    def open_known(self, book_id: int) -> None:
        """Opens a book of the library; one whose import never ended is taken in again."""
        book = self._books[book_id]
        if book.state is ImportState.READY:
            self.readable.emit(book_id)
            self.ready.emit(book)
        else:
            self.open_file(book.path)

    def open_handbook(self) -> None:
        """Opens Ibid's own handbook."""
        try:
            path = self._shelf.handbook()
        except ReaderError as error:
            self._fail(describe(error))
            return
        self.open_file(path)

    def stop(self) -> None:
        """Stops the import; what was read in of an unfinished book is not kept."""
        if self._job is not None:
            self._job.stop()
            self._job = None
            self._page.show_import("")
            self.stopped.emit()

    def act(self, action: NoticeAction) -> None:
        """Does what a notice of this controller offers."""
        if action is NoticeAction.OPEN_ANOTHER:
            self.choose_file()
        elif self._path is not None and action is NoticeAction.TRY_AGAIN:
            self.open_file(self._path)
        elif self._path is not None and action is NoticeAction.ENTER_PASSWORD:
            self._ask_password(self._path)

    def _ask_password(self, path: Path, *, is_again: bool = False) -> None:
        words = self.tr("Password of “{file}”:")
        if is_again:
            words = self.tr("This password does not open “{file}”. Try another:")
        password, is_given = QInputDialog.getText(
            self._page.window(),
            self.tr("Password"),
            words.format(file=path.name),
            QLineEdit.EchoMode.Password,
        )
        if is_given:
            self.open_file(path, password)

    def _on_event(self, job: Job, event: BookKnown | Progress) -> None:
        if job is not self._job:
            return
        match event:
            case BookKnown(book_id):
                self._book_id = book_id
                self.readable.emit(book_id)
            case Progress() as progress:
                if self._book_id is None and self._path is not None:
                    words = self.tr("Opening “{file}”…").format(file=self._path.name)
                    self._page.show_import(words, progress.done, progress.total)
                self.progressed.emit(ImportStep(self._book_id, progress))

    def _on_imported(self, job: Job, book: Book) -> None:
        if job is not self._job:
            return
        if self._book_id is None:
            self.readable.emit(book.book_id)
        self.ready.emit(book)

    def _on_failed(self, job: Job, error: ReaderError) -> None:
        if job is not self._job:
            return
        notice = describe(error)
        self._fail(notice)
        if isinstance(error, PasswordRequired):
            self._ask_password(error.path, is_again=self._has_password)

    def _fail(self, notice: Notice) -> None:
        self._page.notice.show_notice(notice)
        self.failed.emit(notice)

    def _on_ended(self, job: Job) -> None:
        if job is self._job:
            self._job = None
            self._page.show_import("")


def _row(book: Book) -> BookRow:
    return BookRow(
        book_id=book.book_id,
        title=book.metadata.title,
        authors=", ".join(book.metadata.authors),
        kind=book.book_format.value.upper(),
        identity=book.content_hash,
    )
