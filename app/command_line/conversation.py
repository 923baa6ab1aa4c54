"""The conversation in a terminal, where the window cannot open: ask, answer, sources.

Decides whether the window can open, and finds a first question in a book that nobody has asked yet.
It does not answer: that is handed in.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from app.domain.evidence import Rung
from app.domain.scope import WHOLE_BOOK

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from app.domain.evidence import SearchResult
    from app.domain.passage import Passage, Segment
    from app.domain.scope import Scope

HANDBOOK_QUESTION = "How do I check a footnote?"
_NO_SCREEN = (
    "There is no screen here, so Ibid answers in the terminal. For the window, run the same "
    "command on a desktop, or set DISPLAY."
)
_ROOT = (
    "You are the administrator (root), for whom drawing pages is not safe, so Ibid answers in the "
    "terminal. For the window, run the same command as an ordinary user. To open it all the same, "
    "without that safety, set QTWEBENGINE_DISABLE_SANDBOX=1."
)
_TITLE_CHARS = (6, 40)
_TITLES_TRIED = 8
_OPENING_WORDS, _OPENING_CHARS = 8, 60
_PROSE_CHARS = 80


class AskableBook(Protocol):
    """What a first question is found in; `app.assembly.OpenBook` fits."""

    def segments(self) -> Sequence[Segment]:
        """All segments in reading order."""

    def passages_of_segment(self, segment_index: int) -> Sequence[Passage]:
        """The passages of one segment in reading order."""

    def find(self, words: str, scope: Scope, *, limit: int) -> SearchResult:
        """Searches the book; hits are passages, best first."""


def window_obstacle(environment: Mapping[str, str], platform: str, *, is_root: bool) -> str:
    """Why the window cannot open and how to get it, or "" where it can.

    Args:
        environment: of the process.
        platform: `sys.platform`.
        is_root: the process runs as root, which Chromium refuses to draw for.
    """
    names = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    if platform.startswith("linux") and not any(environment.get(name) for name in names):
        return _NO_SCREEN
    if is_root and environment.get("QTWEBENGINE_DISABLE_SANDBOX", "") in {"", "0"}:
        return _ROOT
    return ""


def converse(
    first_question: str,
    *,
    answer: Callable[[str], str],
    write: Callable[[str], None],
    read_question: Callable[[], str] | None,
) -> None:
    """Asks a first question, then whatever the person asks, until they ask nothing.

    Args:
        first_question: asked at once; "" leaves the first word to the person.
        answer: gives the answer to a question, with its sources, as text.
        write: shows a text to the person.
        read_question: waits for a question; None where nobody is there to ask.
    """

    def listen() -> str:
        return read_question().strip() if read_question else ""

    question = first_question or listen()
    while question:
        write(f"\nQuestion: {question}\n\n{answer(question)}")
        question = listen()


def question_from(book: AskableBook) -> str:
    """A question that the book itself answers: a chapter's title, else how a chapter begins.

    Longer titles say more, and a title is taken only if the text of the book speaks of it.

    Returns:
        The question, in the language of the book; "" for a book without text.
    """
    segments = [segment for segment in book.segments() if segment.voice.is_evidence]
    shortest, longest = _TITLE_CHARS
    titles = {one.title for one in segments if shortest <= len(one.title) <= longest}
    for title in sorted(titles, key=len, reverse=True)[:_TITLES_TRIED]:
        for hit in book.find(title, WHOLE_BOOK, limit=5).hits:
            is_near = hit.rung in {Rung.PHRASE, Rung.ALL_WORDS}
            if is_near and len(hit.passage.text) > 2 * len(title):
                return title
    by_length = sorted(segments, key=lambda segment: segment.length_chars, reverse=True)
    for segment in by_length[:1]:
        texts = [one.text for one in book.passages_of_segment(segment.segment_index)]
        # A heading, or the number of a page, comes first and asks nothing.
        prose = (one for one in texts if len(one) >= max(_PROSE_CHARS, 2 * len(segment.title)))
        opening = next(prose, max(texts, key=len, default=""))
        return " ".join(opening.split()[:_OPENING_WORDS])[:_OPENING_CHARS]
    return ""
