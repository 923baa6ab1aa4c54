"""What travels through the pipe between the two processes, all of it picklable.

An exception of `app.domain.errors` travels as its name and its fields and is made again on the
other side. Anything else is a fault of ours, or of a library that a damaged file misled: it travels
as the text of its traceback, for the log.
"""

from __future__ import annotations

import traceback
from dataclasses import dataclass
from typing import Any

from app.domain import errors


@dataclass(frozen=True, slots=True)
class Call:
    """An order to the worker.

    Attributes:
        name: of the method.
        arguments: in order.
    """

    name: str
    arguments: tuple[Any, ...] = ()


@dataclass(frozen=True, slots=True)
class Happened:
    """An event of long work; more follows."""

    event: Any


@dataclass(frozen=True, slots=True)
class Returned:
    """The work is done."""

    value: Any


@dataclass(frozen=True, slots=True)
class Failed:
    """The world's fault: an exception of `app.domain.errors`.

    Attributes:
        name: of its class.
        fields: by name.
    """

    name: str
    fields: dict[str, Any]

    def error(self) -> errors.ReaderError:
        """The exception, made again."""
        kind = getattr(errors, self.name)
        error: errors.ReaderError = kind(**self.fields)
        return error


@dataclass(frozen=True, slots=True)
class Broke:
    """An exception outside the tree of `app.domain.errors`.

    Attributes:
        report: its traceback.
    """

    report: str


Answer = Happened | Returned | Failed | Broke


def failure(error: Exception) -> Failed | Broke:
    """How an exception travels."""
    name = type(error).__name__
    if isinstance(error, errors.ReaderError) and getattr(errors, name, None) is type(error):
        return Failed(name, dict(vars(error)))
    return Broke("".join(traceback.format_exception(error)))
