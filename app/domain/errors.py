"""The world's faults, as values: what happened, with fields and without sentences.

    ReaderError
    ├── BookError
    │   ├── BookNotFound            path
    │   ├── BookUnreadable          path, reason
    │   ├── BookProtected           path, scheme
    │   ├── PasswordRequired        path
    │   ├── NothingToRead           path
    │   ├── UnsupportedFormat       path
    │   ├── PageUnreadable          page_index, reason
    │   ├── WorkerTimedOut          task, seconds
    │   └── WorkerDied              task
    ├── ModelError
    │   ├── ModelUnreachable        host, reason
    │   ├── ModelUnauthorised       host
    │   ├── ModelRefused            host, status, reason
    │   ├── ModelTimedOut           host, seconds
    │   ├── ModelBusy               host, retry_after_s
    │   ├── ModelStreamBroken       host, reason
    │   ├── ToolsUnsupported        host, model
    │   ├── PromptTooLong           tokens, limit_tokens
    │   ├── TooManyRounds           rounds
    │   └── ProviderUnknown         name
    ├── StoreError
    │   ├── StoreTooNew             path, version, known_version
    │   ├── StoreDamaged            path, reason
    │   └── StoreUnwritable         path, reason
    └── UsageError
        ├── ScopeUnknown            scope, reason
        ├── TagUnknown              tag, reason
        ├── PageLabelUnknown        label, has_labels
        └── QuestionsUnreadable     path

What is outside this tree is a fault of ours. The words for people are made in `app.ui.notices` and
`app.command_line`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


class ReaderError(Exception):
    """The root: something in the world, not in Ibid, is at fault."""


class BookError(ReaderError):
    """A book file, or the work on it."""


@dataclass(eq=False)
class BookNotFound(BookError):
    """There is no file at `path`."""

    path: Path


@dataclass(eq=False)
class BookUnreadable(BookError):
    """The file is damaged beyond what Ibid can read; `reason` is half a sentence."""

    path: Path
    reason: str


@dataclass(eq=False)
class BookProtected(BookError):
    """The text is encrypted by a copy protection, named in `scheme`."""

    path: Path
    scheme: str


@dataclass(eq=False)
class PasswordRequired(BookError):
    """The file opens with a password only."""

    path: Path


@dataclass(eq=False)
class NothingToRead(BookError):
    """The file opens but holds no document."""

    path: Path


@dataclass(eq=False)
class UnsupportedFormat(BookError):
    """The content is neither EPUB nor PDF."""

    path: Path


@dataclass(eq=False)
class PageUnreadable(BookError):
    """One page cannot be read or drawn."""

    page_index: int
    reason: str


@dataclass(eq=False)
class WorkerTimedOut(BookError):
    """The worker did not finish `task` within its time."""

    task: str
    seconds: float


@dataclass(eq=False)
class WorkerDied(BookError):
    """The worker process ended during `task`."""

    task: str


class ModelError(ReaderError):
    """A model server, or the way to it."""


@dataclass(eq=False)
class ModelUnreachable(ModelError):
    """No connection to `host`."""

    host: str
    reason: str


@dataclass(eq=False)
class ModelUnauthorised(ModelError):
    """The key was refused."""

    host: str


@dataclass(eq=False)
class ModelRefused(ModelError):
    """The server refused the request."""

    host: str
    status: int
    reason: str


@dataclass(eq=False)
class ModelTimedOut(ModelError):
    """The server said nothing for `seconds`."""

    host: str
    seconds: float


@dataclass(eq=False)
class ModelBusy(ModelError):
    """The server asks to come back later."""

    host: str
    retry_after_s: float


@dataclass(eq=False)
class ModelStreamBroken(ModelError):
    """The stream ended early or held an error."""

    host: str
    reason: str


@dataclass(eq=False)
class ToolsUnsupported(ModelError):
    """The model cannot call tools."""

    host: str
    model: str


@dataclass(eq=False)
class PromptTooLong(ModelError):
    """The prompt does not fit the model's window."""

    tokens: int
    limit_tokens: int


@dataclass(eq=False)
class TooManyRounds(ModelError):
    """The model went on calling tools past the limit."""

    rounds: int


@dataclass(eq=False)
class ProviderUnknown(ModelError):
    """No provider of this name is set up."""

    name: str


class StoreError(ReaderError):
    """The library's database."""


@dataclass(eq=False)
class StoreTooNew(StoreError):
    """The database was written by a newer Ibid."""

    path: Path
    version: int
    known_version: int


@dataclass(eq=False)
class StoreDamaged(StoreError):
    """The database is damaged."""

    path: Path
    reason: str


@dataclass(eq=False)
class StoreUnwritable(StoreError):
    """The database cannot be written: full disk, read-only folder."""

    path: Path
    reason: str


class UsageError(ReaderError):
    """A person asked for something that this book does not have."""


@dataclass(eq=False)
class ScopeUnknown(UsageError):
    """The scope names no part of this book."""

    scope: str
    reason: str


@dataclass(eq=False)
class TagUnknown(UsageError):
    """The tag names no place in this book."""

    tag: str
    reason: str


@dataclass(eq=False)
class PageLabelUnknown(UsageError):
    """No printed page has this label; `has_labels` is False where the edition has none at all."""

    label: str
    has_labels: bool


@dataclass(eq=False)
class QuestionsUnreadable(UsageError):
    """The file of questions cannot be read as UTF-8 text."""

    path: Path
