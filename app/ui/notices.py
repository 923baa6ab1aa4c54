"""Errors to words: one sentence on what happened, one on what to do next, and a button for it.

The one door for alerts. A notice is shown where the fault happened; `show_fatal` is for the case
where nothing can go on.
"""

# ruff: noqa: PLR0911 - one `match` case, one return, for each kind of fault

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QMessageBox

from app import APP_NAME
from app.domain import errors

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget


class NoticeAction(StrEnum):
    """What a notice offers to do."""

    OPEN_ANOTHER = "open_another"
    ENTER_PASSWORD = "enter_password"  # noqa: S105 - the name of an action
    TRY_AGAIN = "try_again"
    OPEN_SETTINGS = "open_settings"


@dataclass(frozen=True, slots=True)
class Notice:
    """A fault in a person's words.

    Attributes:
        title: what happened, a sentence.
        advice: what to do next, a sentence.
        action: what a button offers, or None.
    """

    title: str
    advice: str
    action: NoticeAction | None = None


def tr(text: str) -> str:
    """Translates a sentence of this module."""
    return QCoreApplication.translate("notices", text)


def action_words(action: NoticeAction) -> str:
    """The words on a notice's button."""
    match action:
        case NoticeAction.OPEN_ANOTHER:
            return tr("Open another book…")
        case NoticeAction.ENTER_PASSWORD:
            return tr("Enter the password…")
        case NoticeAction.TRY_AGAIN:
            return tr("Try again")
        case NoticeAction.OPEN_SETTINGS:
            return tr("Open settings…")


def describe(error: errors.ReaderError) -> Notice:
    """The words for a fault of the world.

    Raises:
        LookupError: the error has no words, which a test rules out for every leaf.
    """
    match error:
        case errors.BookError():
            notice = _of_book(error)
        case errors.ModelError():
            notice = _of_model(error)
        case errors.StoreError():
            notice = _of_store(error)
        case errors.UsageError():
            notice = _of_usage(error)
        case _:
            notice = None
    if notice is None:
        raise LookupError(f"no words for {type(error).__name__}")
    return notice


def _of_book(error: errors.BookError) -> Notice | None:
    match error:
        case errors.BookNotFound(path):
            return Notice(
                tr("“{file}” is no longer at its place.").format(file=path.name),
                tr("It was {path}. Find the file and open it again.").format(path=path),
                NoticeAction.OPEN_ANOTHER,
            )
        case errors.BookUnreadable(path, reason):
            return Notice(
                tr("“{file}” cannot be read: {reason}.").format(file=path.name, reason=reason),
                tr("Get the file again from where it came from."),
                NoticeAction.OPEN_ANOTHER,
            )
        case errors.BookProtected(path, scheme):
            return Notice(
                tr("“{file}” is protected by {scheme} and cannot be opened.").format(
                    file=path.name, scheme=scheme
                ),
                tr("Read it in the seller's own program, or ask the seller for a free copy."),
                NoticeAction.OPEN_ANOTHER,
            )
        case errors.PasswordRequired(path):
            return Notice(
                tr("“{file}” opens with a password.").format(file=path.name),
                tr("The password is used once and not kept."),
                NoticeAction.ENTER_PASSWORD,
            )
        case errors.NothingToRead(path):
            return Notice(
                tr("“{file}” holds nothing to read.").format(file=path.name),
                tr("The file may be incomplete. Get it again from where it came from."),
                NoticeAction.OPEN_ANOTHER,
            )
        case errors.UnsupportedFormat(path):
            return Notice(
                tr("“{file}” is neither an EPUB nor a PDF.").format(file=path.name),
                tr("Ibid reads these two formats."),
                NoticeAction.OPEN_ANOTHER,
            )
        case errors.PageUnreadable(page_index, reason):
            return Notice(
                tr("Page {page} cannot be shown: {reason}.").format(
                    page=page_index + 1, reason=reason
                ),
                tr("The other pages are not affected."),
            )
        case errors.WorkerTimedOut(task, seconds):
            return Notice(
                tr("Reading the file took too long ({task}, {seconds} s).").format(
                    task=task, seconds=round(seconds)
                ),
                tr("Try again; if it happens twice, the file is probably damaged."),
                NoticeAction.TRY_AGAIN,
            )
        case errors.WorkerDied(task):
            return Notice(
                tr("The part of Ibid that reads files stopped ({task}).").format(task=task),
                tr("Nothing is lost. Try again; if it happens twice, the file is damaged."),
                NoticeAction.TRY_AGAIN,
            )
        case _:
            return None


def _of_model(error: errors.ModelError) -> Notice | None:
    match error:
        case errors.ModelUnreachable(host, reason):
            return Notice(
                tr("{host} cannot be reached: {reason}.").format(host=host, reason=reason),
                tr("Check that the server runs and that its address is right."),
                NoticeAction.TRY_AGAIN,
            )
        case errors.ModelUnauthorised(host):
            return Notice(
                tr("{host} did not accept the key.").format(host=host),
                tr("Enter the key again in the settings."),
                NoticeAction.OPEN_SETTINGS,
            )
        case errors.ModelRefused(host, status, reason):
            return Notice(
                tr("{host} refused the question: {reason} ({status}).").format(
                    host=host, reason=reason, status=status
                ),
                tr("Check the model's name in the settings, or choose another model."),
                NoticeAction.OPEN_SETTINGS,
            )
        case errors.ModelTimedOut(host, seconds):
            return Notice(
                tr("{host} said nothing for {seconds} seconds.").format(
                    host=host, seconds=round(seconds)
                ),
                tr("It may be overloaded. Try again, or choose another model."),
                NoticeAction.TRY_AGAIN,
            )
        case errors.ModelBusy(host, retry_after_s):
            return Notice(
                tr("{host} is busy.").format(host=host),
                tr("Try again in {seconds} seconds.").format(seconds=max(1, round(retry_after_s))),
                NoticeAction.TRY_AGAIN,
            )
        case errors.ModelStreamBroken(host, reason):
            return Notice(
                tr("The answer of {host} broke off: {reason}.").format(host=host, reason=reason),
                tr("What arrived is kept. Ask again for the rest."),
                NoticeAction.TRY_AGAIN,
            )
        case _:
            return _of_model_use(error)


def _of_model_use(error: errors.ModelError) -> Notice | None:
    match error:
        case errors.ToolsUnsupported(host, model):
            return Notice(
                tr("{model} at {host} cannot search the book by itself.").format(
                    model=model, host=host
                ),
                tr("Choose another model for this question."),
                NoticeAction.OPEN_SETTINGS,
            )
        case errors.PromptTooLong(tokens, limit_tokens):
            return Notice(
                tr("The question with its passages is too long for this model.")
                + " "
                + tr("It has about {tokens} tokens, the model takes {limit}.").format(
                    tokens=tokens, limit=limit_tokens
                ),
                tr("Ask about one chapter, or choose a model with a larger window."),
                NoticeAction.TRY_AGAIN,
            )
        case errors.TooManyRounds(rounds):
            return Notice(
                tr("The model searched {rounds} times without coming to an answer.").format(
                    rounds=rounds
                ),
                tr("Ask more narrowly, or choose another model."),
                NoticeAction.TRY_AGAIN,
            )
        case errors.ProviderUnknown(name):
            return Notice(
                tr("No model is set up under the name “{name}”.").format(name=name),
                tr("Choose another one above, or set it up in the settings."),
                NoticeAction.OPEN_SETTINGS,
            )
        case _:
            return None


def _of_store(error: errors.StoreError) -> Notice | None:
    match error:
        case errors.StoreTooNew(path, version, known_version):
            return Notice(
                tr(
                    "The library was written by a newer Ibid ({version}; this one knows {known})."
                ).format(version=version, known=known_version),
                tr("Update Ibid. The library {path} was not touched.").format(path=path),
            )
        case errors.StoreDamaged(path, reason):
            return Notice(
                tr("The library is damaged: {reason}.").format(reason=reason),
                tr("Move {path} aside and start Ibid again; your books are not affected.").format(
                    path=path
                ),
            )
        case errors.StoreUnwritable(path, reason):
            return Notice(
                tr("The library cannot be written: {reason}.").format(reason=reason),
                tr("Make room on the disk, or allow writing to {path}.").format(path=path),
                NoticeAction.TRY_AGAIN,
            )
        case _:
            return None


def _of_usage(error: errors.UsageError) -> Notice | None:
    match error:
        case errors.ScopeUnknown(scope, reason):
            return Notice(
                tr("“{scope}” is no part of this book: {reason}.").format(
                    scope=scope, reason=reason
                ),
                tr("Choose another part to ask about."),
            )
        case errors.TagUnknown(tag, reason):
            return Notice(
                tr("{tag} is no place in this book: {reason}.").format(tag=tag, reason=reason),
                tr("The book may have been replaced by another edition."),
            )
        case errors.PageLabelUnknown(label, True):
            return Notice(
                tr("This edition has no printed page {label}.").format(label=label),
                tr("Type a page number as this edition prints it."),
            )
        case errors.PageLabelUnknown(_, _):
            return Notice(
                tr("This edition has no printed page numbers."),
                tr("Use the contents instead."),
            )
        case errors.QuestionsUnreadable(path):
            return Notice(
                tr("The questions in {path} cannot be read.").format(path=path),
                tr("Save the file as plain text in UTF-8."),
            )
        case _:
            return None


def show_fatal(error: errors.ReaderError, parent: QWidget | None = None) -> None:
    """Says in a dialog that nothing can go on, and why; returns when it is closed."""
    notice = describe(error)
    box = QMessageBox(QMessageBox.Icon.Warning, APP_NAME, notice.title, parent=parent)
    box.setInformativeText(notice.advice)
    box.exec()
