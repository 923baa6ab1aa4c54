"""Whether a question asks for the whole book: an overview, its themes, its structure.

A closed list of wordings in several languages (`resources/words/overview_questions.toml`). A model
decides this for itself; the built-in one has nothing else to go by.
"""

from __future__ import annotations

import tomllib
from functools import cache

from app.paths import RESOURCES
from app.storage.search_words import holds_wording, wording


@cache
def _wordings() -> tuple[str, ...]:
    path = RESOURCES / "words" / "overview_questions.toml"
    listed: dict[str, list[str]] = tomllib.loads(path.read_text("utf-8"))
    return tuple(wording(one) for language in listed.values() for one in language)


def asks_for_overview(question: str) -> bool:
    """Whether a question contains a wording that asks for the whole book."""
    folded = wording(question)
    return any(holds_wording(folded, one) for one in _wordings())
