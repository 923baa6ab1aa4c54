"""The little book that servers are asked about, and how a test asks it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.builders import BEYOND_ASCII, Chapter, make_epub
from tests.fakes.scripted_server import ScriptedReply, ScriptedServer, called

if TYPE_CHECKING:
    from pathlib import Path

    from app.assembly import OpenBook
    from app.domain.position import Span

FACT = "The lighthouse keeper buried the silver compass under the third stair."
LATER = "The compass was green when the keeper found it again."
OTHER = "Nobody looked at the grey sea for a whole week."


def finish(work):
    """Runs work to its end; returns its events and its result."""
    events = []
    while True:
        try:
            events.append(next(work))
        except StopIteration as end:
            return events, end.value


def compass_epub(folder: Path) -> Path:
    chapters = [
        Chapter(f"<h1>Morning</h1><p>{BEYOND_ASCII}{FACT}</p><p>{LATER}</p>", title="Morning"),
        Chapter(f"<h1>Evening</h1><p>{OTHER}</p>", title="Evening"),
    ]
    return make_epub(folder / "compass.epub", chapters=chapters, title="The Compass")


def serve(environment: dict[str, str], server: ScriptedServer) -> None:
    """Makes a server the one that answers."""
    environment.update(IBID_BASE_URL=server.base_url, IBID_MODEL="inventor")


def span_of(book: OpenBook, words: str) -> Span:
    return next(
        passage.span
        for segment in book.segments()
        for passage in book.passages_of_segment(segment.segment_index)
        if words in passage.text
    )


def search_call(question: str) -> ScriptedReply:
    return called("get_related_segment_summaries", question=question)
