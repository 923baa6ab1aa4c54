"""Whether a message is about the book, decided by a closed list and never by a model.

A greeting, thanks, or an explicit request to leave the book aside is not; everything else is
searched. The lists are in `resources/words/small_talk.toml`.
"""

from __future__ import annotations

import tomllib
from enum import StrEnum
from functools import cache

from app.paths import RESOURCES
from app.storage.search_words import holds_wording, wording


class Talk(StrEnum):
    """What a message that is not about the book is."""

    GREETING = "greetings"
    THANKS = "thanks"
    LEAVE_ASIDE = "leave_aside"


@cache
def _listed(talk: Talk) -> frozenset[str]:
    path = RESOURCES / "words" / "small_talk.toml"
    listed: dict[str, list[str]] = tomllib.loads(path.read_text(encoding="utf-8"))
    return frozenset(wording(one) for one in listed[talk.value])


def read_talk(message: str) -> Talk | None:
    """What a message is if it is not about the book; None for everything that is searched.

    A greeting or thanks must be the whole message; the request to leave the book aside may stand
    anywhere in it.
    """
    folded = wording(message)
    if not folded:
        return None
    for talk in (Talk.GREETING, Talk.THANKS):
        if folded in _listed(talk):
            return talk
    if any(holds_wording(folded, one) for one in _listed(Talk.LEAVE_ASIDE)):
        return Talk.LEAVE_ASIDE
    return None
