"""One sentence for each fault of the world, with what to do next, for a terminal.

The window has its own words in `app.ui.notices`, which are translated; these are for standard error.
"""

from __future__ import annotations

from app.domain import errors


def sentence(error: errors.ReaderError) -> str:
    """What happened and what to do next, in one line."""
    match error:
        case errors.BookError():
            return _of_book(error)
        case errors.ModelError():
            return _of_model(error)
        case errors.StoreError():
            return _of_store(error)
        case errors.UsageError():
            return _of_usage(error)
        case _:
            return f"{type(error).__name__}: run the command again with --verbose to see more."


def _of_book(error: errors.BookError) -> str:
    match error:
        case errors.BookNotFound(path):
            return f"There is no file {path}: check the name."
        case errors.UnsupportedFormat(path):
            return f"{path.name} is neither an EPUB nor a PDF: Ibid opens these two."
        case errors.BookProtected(path, scheme):
            return (
                f"{path.name} is protected by {scheme} and cannot be opened: "
                "open it with the seller's own program."
            )
        case errors.PasswordRequired(path):
            return (
                f"{path.name} opens with a password only: open it in the window, which asks for it."
            )
        case errors.NothingToRead(path):
            return f"{path.name} holds nothing to read: it may be damaged, so get a fresh copy."
        case errors.BookUnreadable(path, reason):
            return f"{path.name} cannot be read ({reason}): get a fresh copy."
        case errors.PageUnreadable(page_index, reason):
            return f"Page {page_index + 1} cannot be read ({reason}): the other pages can."
        case errors.WorkerTimedOut(task, seconds):
            return f"Ibid gave up on {task} after {seconds:.0f} seconds: the file may be damaged."
        case errors.WorkerDied(task):
            return f"The file made Ibid's reading process fail during {task}: it may be damaged."
        case _:
            return f"The book cannot be read ({type(error).__name__}): get a fresh copy."


def _of_model(error: errors.ModelError) -> str:
    match error:
        case errors.ModelUnreachable(host, reason):
            return f"No connection to {host} ({reason}): check the address and whether it runs."
        case errors.ModelUnauthorised(host):
            return f"{host} refused the key: check IBID_API_KEY or the provider's settings."
        case errors.ModelRefused(host, status, reason):
            return f"{host} refused the request ({status}: {reason}): check the model's name."
        case errors.ModelTimedOut(host, seconds):
            return f"{host} said nothing for {seconds:.0f} seconds: try again, or another model."
        case errors.ModelBusy(host, retry_after_s):
            return f"{host} is busy: try again in {max(1, round(retry_after_s))} seconds."
        case errors.ModelStreamBroken(host, reason):
            return f"The answer from {host} broke off ({reason}): ask again."
        case errors.ToolsUnsupported(host, model):
            return f"{model} at {host} cannot call tools: choose another model."
        case errors.PromptTooLong(tokens, limit_tokens):
            return (
                f"The question needs about {tokens} tokens and the model takes {limit_tokens}: "
                "choose a model with a larger window."
            )
        case errors.TooManyRounds(rounds):
            return f"The model went on searching after {rounds} rounds: ask a narrower question."
        case errors.ProviderUnknown(name):
            return f"No provider is called {name}: the settings list those that are set up."
        case _:
            return f"The model failed ({type(error).__name__}): ask again."


def _of_store(error: errors.StoreError) -> str:
    match error:
        case errors.StoreTooNew(path, version, known_version):
            return (
                f"The library {path} was written by a newer Ibid (schema {version}, this one knows "
                f"{known_version}): update Ibid, or name another folder with --data-dir."
            )
        case errors.StoreDamaged(path, reason):
            return f"The library {path} is damaged ({reason}): move it aside and import again."
        case errors.StoreUnwritable(path, reason):
            return (
                f"The library {path} cannot be written ({reason}): free space or check its folder."
            )
        case _:
            return f"The library failed ({type(error).__name__}): try again."


def _of_usage(error: errors.UsageError) -> str:
    match error:
        case errors.ScopeUnknown(scope, reason):
            return f"The scope {scope} names no part of this book: {reason}."
        case errors.TagUnknown(tag, reason):
            return f"The tag {tag} names no place in this book: {reason}."
        case errors.PageLabelUnknown(label, has_labels):
            if has_labels:
                return f"This edition has no printed page {label}: try a label from its page list."
            return "This edition has no printed page numbers: name a chapter or use find instead."
        case errors.QuestionsUnreadable(path):
            return f"The questions in {path} cannot be read: name a text file in UTF-8."
        case _:
            return f"This book does not have that ({type(error).__name__}): check the request."
