"""The private scheme `book:`, the only thing that a page of a book can reach.

`register` must run before the application object exists; it also shuts the network to the web view.
`BookSchemeHandler` answers GET for the shell page, the parts of the book on the screen and the
book's own resources; everything else does not exist. A part is served under its document's path
inside the package, so that the relative addresses of its pictures and styles lead to them.

Source: https://doc.qt.io/qt-6/qwebengineurlscheme.html
"""

from __future__ import annotations

import logging
import os
import re
from typing import TYPE_CHECKING, Any, Protocol
from urllib.parse import quote, unquote

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QTimer, QUrl, QUrlQuery, Signal
from PySide6.QtWebEngineCore import (
    QWebEngineUrlRequestJob,
    QWebEngineUrlScheme,
    QWebEngineUrlSchemeHandler,
)

from app.domain.book import ImportState
from app.domain.errors import ReaderError
from app.paths import RESOURCES

if TYPE_CHECKING:
    from PySide6.QtCore import QObject

    from app.domain.book import Book, SpineDocument
    from app.domain.document import Resource

_log = logging.getLogger(__name__)

SCHEME = b"book"
HOST = "ibid"
SHELL = QUrl(f"book://{HOST}/shell.html")

# Scripts never run in a book; pictures, styles and fonts come from the book itself. `data:` is part
# of the document and makes no request.
_BOOK_POLICY = (
    "default-src 'none'; script-src 'none'; object-src 'none'; frame-src 'none'; "
    "connect-src 'none'; form-action 'none'; base-uri 'none'; img-src book: data:; "
    "media-src book: data:; font-src book: data:; style-src book: data: 'unsafe-inline'"
)
_SHELL_POLICY = (
    "default-src 'none'; script-src 'none'; style-src 'unsafe-inline'; frame-src book:; "
    "form-action 'none'; base-uri 'none'"
)
_MARKUP_TYPES = frozenset({"application/xhtml+xml", "text/html", "text/xml", "application/xml"})
_VIEW_UNITS = re.compile(rb"(?<![\w.#-])(\d+(?:\.\d+)?|\.\d+)(?:[sld]?vh|vmax)\b")
_FLAGS = "QTWEBENGINE_CHROMIUM_FLAGS"
_NO_NETWORK = '--host-resolver-rules="MAP * ~NOTFOUND"'
_RETRY_MS = 150
_RETRIES = 100  # 15 s, longer than the import of any picture of the corpus takes


def register() -> None:
    """Makes the scheme known to Qt and shuts the network; does nothing the second time."""
    _shut_network()
    if not QWebEngineUrlScheme.schemeByName(QByteArray(SCHEME)).name().isEmpty():
        return
    scheme = QWebEngineUrlScheme(QByteArray(SCHEME))
    scheme.setSyntax(QWebEngineUrlScheme.Syntax.Host)
    scheme.setFlags(QWebEngineUrlScheme.Flag.SecureScheme | QWebEngineUrlScheme.Flag.CorsEnabled)
    QWebEngineUrlScheme.registerScheme(scheme)


def _shut_network() -> None:
    """Lets no host be resolved in Qt WebEngine's processes, which need none.

    A `preconnect` of a page opens a connection that is no request: neither the policy nor an
    interceptor sees it. Measured with Qt 6.11: 1 connection with both of them, none with this.
    """
    flags = os.environ.get(_FLAGS, "")
    if _NO_NETWORK not in flags:
        os.environ[_FLAGS] = f"{flags} {_NO_NETWORK}".strip()


def book_path(generation: int) -> str:
    """The path under which a book's package is served; a new book never meets an old cache."""
    return f"/book/{generation}/"


def part_address(generation: int, name: str, file_index: int, part_index: int) -> str:
    """Where a part of a document is served."""
    path = quote(book_path(generation) + name)
    return f"book://{HOST}{path}?part={file_index}.{part_index}"


def is_part_address(url: QUrl) -> bool:
    """Whether `url` is one that a frame of the reading view may load."""
    return (
        url.scheme().encode() == SCHEME
        and url.host() == HOST
        and url.path().startswith("/book/")
        and QUrlQuery(url).hasQueryItem("part")
    )


def package_name(url: QUrl) -> str | None:
    """The path inside the package that an address of this scheme names, or None."""
    found = re.fullmatch(r"/book/\d+/(.+)", url.path(QUrl.ComponentFormattingOption.FullyDecoded))
    if url.scheme().encode() != SCHEME or url.host() != HOST or found is None:
        return None
    return found.group(1)


def without_view_units(style: bytes) -> bytes:
    """A style sheet in which `vh` means the reader's view, not a frame as tall as its text.

    Source: CSS Values 4 §6.1.3: `vh` is a hundredth of the frame's own height, which here follows
    from its content; left alone, `min-height: 100vh` would grow without end.
    """
    return _VIEW_UNITS.sub(rb"calc(\1 * var(--ibid-vh, 8px))", style)


class EpubContent(Protocol):
    """A stored EPUB, as far as it has been imported. Called on the window's thread."""

    @property
    def book(self) -> Book:
        """The book; its state tells whether more is to come."""
        ...

    @property
    def documents(self) -> tuple[SpineDocument, ...]:
        """The documents stored so far, in spine order."""
        ...

    def part_ranges(self, file_index: int) -> tuple[tuple[int, int], ...]:
        """Start and end, in code points of the document, of each of its markup parts."""
        ...

    def part(self, file_index: int, part_index: int) -> bytes:
        """One markup part: a whole XHTML document, UTF-8."""
        ...

    def resource(self, name: str) -> Resource | None:
        """A picture, style sheet or font by its path inside the package; None where unknown."""
        ...


class BookSchemeHandler(QWebEngineUrlSchemeHandler):
    """Serves the shell page and the one book that is on the screen.

    Signals:
        part_failed: (file index, part index, `ReaderError`) of a part that cannot be had.
    """

    part_failed = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._content: EpubContent | None = None
        self._generation = 0

    @property
    def generation(self) -> int:
        """Which book is served; part of every address."""
        return self._generation

    def serve(self, content: EpubContent | None) -> None:
        """Serves another book, or none; addresses of the last one no longer exist."""
        self._content = content
        self._generation += 1

    def requestStarted(self, job: QWebEngineUrlRequestJob) -> None:
        """Answers a request. An exception here would leave the page waiting, so none gets out."""
        try:
            self._answer(job, _RETRIES)
        except Exception:  # noqa: BLE001 - Qt calls this; the fault is logged and the request fails
            _log.exception("a request of the reading view failed")
            job.fail(QWebEngineUrlRequestJob.Error.RequestFailed)

    def _answer(self, job: QWebEngineUrlRequestJob, retries: int) -> None:
        url = job.requestUrl()
        if bytes(job.requestMethod().data()) != b"GET":
            job.fail(QWebEngineUrlRequestJob.Error.RequestDenied)
        elif url == SHELL:
            shell = (RESOURCES / "page" / "shell.html").read_bytes()
            _reply(job, "text/html", shell, _SHELL_POLICY)
        elif is_part_address(url):
            self._answer_part(job, url)
        else:
            self._answer_resource(job, url, retries)

    def _answer_part(self, job: QWebEngineUrlRequestJob, url: QUrl) -> None:
        place = re.fullmatch(r"(\d{1,7})\.(\d{1,5})", QUrlQuery(url).queryItemValue("part"))
        if self._content is None or place is None or not self._is_current(url):
            job.fail(QWebEngineUrlRequestJob.Error.UrlNotFound)
            return
        file_index, part_index = int(place.group(1)), int(place.group(2))
        try:
            markup = self._content.part(file_index, part_index)
        except ReaderError as error:
            job.fail(QWebEngineUrlRequestJob.Error.RequestFailed)
            self.part_failed.emit((file_index, part_index, error))
            return
        _reply(job, "application/xhtml+xml", markup, _BOOK_POLICY)

    def _answer_resource(self, job: QWebEngineUrlRequestJob, url: QUrl, retries: int) -> None:
        name = package_name(url)
        if self._content is None or name is None or not self._is_current(url):
            job.fail(QWebEngineUrlRequestJob.Error.UrlNotFound)
            return
        resource = self._content.resource(unquote(name)) or self._content.resource(name)
        if resource is not None:
            _reply_resource(job, resource)
        elif retries and self._content.book.state is ImportState.IMPORTING:
            # Parented to the job: a job that is gone takes its timer with it.
            timer = QTimer(job, singleShot=True, interval=_RETRY_MS)
            timer.timeout.connect(lambda: self._try_again(job, retries - 1))
            timer.start()
        else:
            job.fail(QWebEngineUrlRequestJob.Error.UrlNotFound)

    def _try_again(self, job: QWebEngineUrlRequestJob, retries: int) -> None:
        try:
            self._answer_resource(job, job.requestUrl(), retries)
        except Exception:  # noqa: BLE001 - a slot; see requestStarted
            _log.exception("a request of the reading view failed")
            job.fail(QWebEngineUrlRequestJob.Error.RequestFailed)

    def _is_current(self, url: QUrl) -> bool:
        return url.path().startswith(book_path(self._generation))


def _reply_resource(job: QWebEngineUrlRequestJob, resource: Resource) -> None:
    """A document of the book is not a resource: only parts, which were cleaned, are shown."""
    media_type = resource.media_type.partition(";")[0].strip().lower()
    if media_type in _MARKUP_TYPES:
        job.fail(QWebEngineUrlRequestJob.Error.RequestDenied)
        return
    content = resource.content
    if media_type == "text/css" or resource.name.lower().endswith(".css"):
        media_type = "text/css"
        content = without_view_units(content)
    _reply(job, media_type or "application/octet-stream", content, _BOOK_POLICY)


def _reply(job: QWebEngineUrlRequestJob, media_type: str, content: bytes, policy: str) -> None:
    # PySide6 takes lists of values (a header may come twice); its stub says otherwise.
    headers: Any = {
        b"Content-Security-Policy": [policy.encode()],
        b"Referrer-Policy": [b"no-referrer"],
        b"Cache-Control": [b"max-age=86400, immutable"],
    }
    job.setAdditionalResponseHeaders(headers)
    # The job owns the buffer: it is read after this function has returned.
    buffer = QBuffer(job)
    buffer.setData(QByteArray(content))
    buffer.open(QIODevice.OpenModeFlag.ReadOnly)
    job.reply(QByteArray(media_type.encode()), buffer)
