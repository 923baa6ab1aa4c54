"""One sentence for each fault of the world, with what to do next, for a terminal.

The window has its own words in `app.ui.notices`, which are translated; these are for standard
error.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from app.domain import errors

_SENTENCES: dict[type[errors.ReaderError], str] = {
    errors.BookNotFound: "There is no book file at {path}: check the name.",
    errors.UnsupportedFormat: "{name} is neither an EPUB nor a PDF: Ibid opens these two.",
    errors.BookProtected: "{name} is protected by {scheme} and cannot be opened: "
    "open it with the seller's own program.",
    errors.PasswordRequired: "{name} opens with a password only: "
    "open it in the window, which asks for it.",
    errors.NothingToRead: "{name} holds nothing to read: it may be damaged, so get a fresh copy.",
    errors.BookUnreadable: "{name} cannot be read ({reason}): get a fresh copy.",
    errors.PageUnreadable: "Page {page_number} cannot be read ({reason}): the other pages can.",
    errors.WorkerTimedOut: "Ibid gave up on {task} after {seconds:.0f} seconds: "
    "the file may be damaged.",
    errors.WorkerDied: "The file made Ibid's reading process fail during {task}: "
    "it may be damaged.",
    errors.ModelUnreachable: "No connection to {host} ({reason}): "
    "check the address and whether it runs.",
    errors.ModelUnauthorised: "{host} refused the key: "
    "check IBID_API_KEY or the provider's settings.",
    errors.ModelRefused: "{host} refused the request ({status}: {reason}): check the model's name.",
    errors.ModelTimedOut: "{host} said nothing for {seconds:.0f} seconds: "
    "try again, or another model.",
    errors.ModelBusy: "{host} is busy: try again in {retry_after_s:.0f} seconds.",
    errors.ModelStreamBroken: "The answer from {host} broke off ({reason}): ask again.",
    errors.ToolsUnsupported: "{model} at {host} cannot call tools: choose another model.",
    errors.PromptTooLong: "The question needs about {tokens} tokens and the model takes "
    "{limit_tokens}: choose a model with a larger window.",
    errors.TooManyRounds: "The model went on searching after {rounds} rounds: "
    "ask a narrower question.",
    errors.ProviderUnknown: "No provider is called {name}: the settings list those that are set "
    "up.",
    errors.StoreTooNew: "The library {path} was written by a newer Ibid (schema {version}, this "
    "one knows {known_version}): update Ibid, or name another folder with --data-dir.",
    errors.StoreDamaged: "The library {path} is damaged ({reason}): "
    "move it aside and import again.",
    errors.StoreUnwritable: "The library {path} cannot be written ({reason}): "
    "free space or check its folder.",
    errors.ScopeUnknown: "The scope {scope} names no part of this book: {reason}.",
    errors.TagUnknown: "The tag {tag} names no place in this book: {reason}.",
    errors.PageLabelUnknown: "This edition has no printed page {label}: "
    "try a label from its page list.",
    errors.QuestionsUnreadable: "The questions in {path} cannot be read: "
    "name a text file in UTF-8.",
}
_NO_PAGES = "This edition has no printed page numbers: name a chapter or use find instead."


def sentence(error: errors.ReaderError) -> str:
    """What happened and what to do next, in one line."""
    if isinstance(error, errors.PageLabelUnknown) and not error.has_labels:
        return _NO_PAGES
    template = _SENTENCES.get(type(error))
    if template is None:
        return f"Ibid met a fault ({type(error).__name__}): run it with --verbose to see more."
    return " ".join(template.format(**_fields(error)).split())


def _fields(error: errors.ReaderError) -> dict[str, Any]:
    """The fields of an error, with a file's name and a page's number as people say them."""
    fields = dict(vars(error))
    if isinstance(fields.get("path"), Path):
        fields["name"] = fields["path"].name
    if "page_index" in fields:
        fields["page_number"] = fields["page_index"] + 1
    return fields
