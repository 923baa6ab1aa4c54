"""One open book: everything that the window and the command line do with it.

Joins the stored text, the search ladder, the answering engine and, for a PDF, the worker that draws
its pages. It fits the small protocols that `app.answering` and the reading views declare.
"""

from __future__ import annotations

import posixpath
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Self
from urllib.parse import unquote, urlsplit

from app.answering.answerer import Answerer
from app.answering.quote_check import QuoteFinding, find_wording
from app.answering.quoting_model import QuotingModel
from app.answering.scopes import parse_scope
from app.answering.search_ladder import SearchLadder
from app.assembly.places import Places
from app.domain.book import BookFormat
from app.domain.errors import PageLabelUnknown, TagUnknown
from app.domain.position import Locator, Span, parse_tag

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Mapping
    from types import TracebackType

    from app.assembly.stores import Stores
    from app.domain.book import Book, ContentsEntry, PageLabel, SpineDocument
    from app.domain.conversation import Answer, AnswerEvent, Question
    from app.domain.document import DocumentText, Resource
    from app.domain.evidence import Ledger, SearchResult
    from app.domain.passage import Passage, Segment, Summary
    from app.domain.scope import Scope
    from app.llm.chat_model import ChatModel
    from app.worker.client import PageWorker

_NEIGHBOUR_CHARS = 240


@dataclass(frozen=True, slots=True)
class SourceContext:
    """A cited text between its neighbours, as a source card shows it.

    Attributes:
        before: readable text up to the span, may be "".
        text: readable text of the span.
        after: readable text from the end of the span on, may be "".
    """

    before: str
    text: str
    after: str


class OpenBook:
    """A book of the library, ready to be read and asked.

    Args:
        book: which one.
        stores: the library's parts.
        model_for: makes the chat model of a provider for one turn, given the turn's ledger.
        open_pages: starts the worker that draws the pages of a PDF.
    """

    def __init__(
        self,
        book: Book,
        stores: Stores,
        model_for: Callable[[OpenBook, str | None, Ledger], ChatModel],
        open_pages: Callable[[Book], PageWorker],
    ) -> None:
        self._stores = stores
        self._model_for = model_for
        self._open_pages = open_pages
        self._book_id = book.book_id
        self._texts: dict[int, DocumentText] = {}
        self._pages: PageWorker | None = None
        self._asked: ChatModel | None = None
        self.book = book

    def __enter__(self) -> Self:
        """Returns itself; leaving closes it."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Closes the book."""
        self.close()

    def close(self) -> None:
        """Ends the drawing worker, if one was started, and a running question."""
        self.stop_asking()
        if self._pages is not None:
            self._pages.close()
            self._pages = None

    # What is in it

    def refresh(self) -> None:
        """Forgets what was read of a book whose import has gone on since."""
        for name in ("documents", "contents", "page_labels", "places", "_ladder"):
            self.__dict__.pop(name, None)
        self._texts.clear()
        self.book = self._stores.library.book(self._book_id)

    @cached_property
    def documents(self) -> tuple[SpineDocument, ...]:
        """All documents in raw spine or page order."""
        return self._stores.texts.documents(self._book_id)

    @cached_property
    def contents(self) -> tuple[ContentsEntry, ...]:
        """The table of contents, depth first."""
        return self._stores.texts.contents(self._book_id)

    @cached_property
    def page_labels(self) -> tuple[PageLabel, ...]:
        """Printed pages; empty where the edition gives none."""
        return self._stores.texts.page_labels(self._book_id)

    @cached_property
    def places(self) -> Places:
        """What the places of this book are called."""
        return Places(self.documents, self.contents, self.page_labels)

    def counts(self) -> dict[str, int]:
        """How much there is of everything, for `import --json`."""
        return {
            "passages": self._stores.texts.passage_count(self._book_id),
            "segments": len(self.segments()),
            "contents_entries": len(self.contents),
            "page_labels": len(self.page_labels),
        }

    def document_text(self, file_index: int) -> DocumentText:
        """The canonical text of one document, kept while the book is open."""
        if file_index not in self._texts:
            self._texts[file_index] = self._stores.texts.document_text(self._book_id, file_index)
        return self._texts[file_index]

    def segments(self) -> tuple[Segment, ...]:
        """All segments in reading order."""
        return self._stores.texts.segments(self._book_id)

    def summaries(self) -> Mapping[int, Summary]:
        """Summary by segment index."""
        return self._stores.summaries.summaries(self._book_id)

    def passages_of_segment(self, segment_index: int) -> tuple[Passage, ...]:
        """The passages of one segment in reading order."""
        return self._stores.texts.passages_of_segment(self._book_id, segment_index)

    def passages_in(self, span: Span) -> tuple[Passage, ...]:
        """The passages that share text with a span."""
        return self._stores.texts.passages_in(self._book_id, span)

    # For the reading view

    def part_ranges(self, file_index: int) -> tuple[tuple[int, int], ...]:
        """Start and end of each markup part of a document, in code points."""
        return self._stores.texts.part_ranges(self._book_id, file_index)

    def part(self, file_index: int, part_index: int) -> bytes:
        """One markup part: a whole XHTML document in UTF-8."""
        return self._stores.texts.part(self._book_id, file_index, part_index)

    def resource(self, name: str) -> Resource | None:
        """A picture, style or font by its path in the package."""
        return self._stores.texts.resource(self._book_id, name)

    @property
    def pages(self) -> PageWorker:
        """The worker that draws and measures the pages of a PDF; started at first use."""
        if self._pages is None:
            self._pages = self._open_pages(self.book)
        return self._pages

    @property
    def has_drawn_pages(self) -> bool:
        """Whether the book is shown as drawn pages (PDF) and not as text (EPUB)."""
        return self.book.book_format is BookFormat.PDF

    def resolve_link(self, file_index: int, href: str) -> Locator | None:
        """The place that a link of a document points to, or None where it leaves the book.

        Args:
            file_index: the document that holds the link.
            href: as written in it: relative, with or without a fragment.
        """
        parts = urlsplit(href)
        if parts.scheme or parts.netloc:
            return None
        name = self.documents[file_index].name
        path = unquote(parts.path)
        target = posixpath.normpath(posixpath.join(posixpath.dirname(name), path)) if path else name
        indexes = [one.file_index for one in self.documents if one.name == target]
        if not indexes:
            return None
        fragment = unquote(parts.fragment)
        for index in indexes:
            offset = self._stores.texts.anchor(self._book_id, index, fragment) if fragment else 0
            if offset is not None:
                return Locator(index, offset)
        return Locator(indexes[0], 0)

    # Places

    def contents_path(self, span: Span) -> tuple[str, ...]:
        """Titles from the top of the contents down to the span."""
        return self.places.contents_path(span)

    def page_label(self, place: Span | Locator) -> str:
        """The printed page of a place, or ""."""
        if isinstance(place, Span):
            place = Locator(place.file_index, place.start)
        return self.places.page_label(place)

    def place(self, span: Span) -> tuple[tuple[str, ...], str]:
        """Contents path and printed page of a span."""
        return self.contents_path(span), self.page_label(span)

    def progress_percent(self, place: Locator) -> float:
        """How far into the reading order a place is, 0 to 100."""
        return self.places.percent(place)

    def readable(self, span: Span) -> str:
        """The text of a span as a person reads it."""
        return self.document_text(span.file_index).readable_span(span)

    def source(self, span: Span) -> SourceContext:
        """The text of a span between its neighbours in the same document.

        The neighbours reach up to the span with the white space that stands there, or none.
        """
        text = self.document_text(span.file_index)
        start = max(0, span.start - _NEIGHBOUR_CHARS)
        cited = text.readable_span(span)
        whole = text.readable(start, span.end + _NEIGHBOUR_CHARS)
        at = max(whole.find(cited, len(text.readable(start, span.start))), 0)
        before, after = whole[:at], whole[at + len(cited) :]
        cut_before = before.partition(" ")[2] if start else before
        is_cut = span.end + _NEIGHBOUR_CHARS < len(text.text)
        cut_after = after.rpartition(" ")[0] if is_cut else after
        return SourceContext(cut_before or before, cited, cut_after or after)

    def span_of_tag(self, tag: str) -> Span:
        """The span of a tag that lies within this book.

        Raises:
            TagUnknown: the tag is malformed or lies outside the book.
        """
        try:
            span = parse_tag(tag)
        except ValueError as error:
            raise TagUnknown(tag, "a tag is written [f5-10-42]") from error
        if span.file_index >= len(self.documents):
            raise TagUnknown(tag, f"the book has {len(self.documents)} documents, counted from 0")
        length = self.documents[span.file_index].length_chars
        if span.end > length:
            raise TagUnknown(tag, f"that document has {length} characters")
        return span

    def printed_page(self, label: str) -> tuple[Span, ...]:
        """What is printed under a page label; empty for a page without text.

        Raises:
            PageLabelUnknown: no page carries it, or the edition has no page labels.
        """
        self.place_of_page(label)
        return self.places.spans_of_label(label)

    def place_of_page(self, label: str) -> Locator:
        """Where a printed page begins, with or without text.

        Raises:
            PageLabelUnknown: no page carries the label, or the edition has no page labels.
        """
        place = self.places.place_of_label(label)
        if place is None:
            raise PageLabelUnknown(label, has_labels=bool(self.page_labels))
        return place

    # Asking

    def scope(self, words: str) -> Scope:
        """The part of the book that a scope of the command line names.

        Raises:
            ScopeUnknown: it names no part of this book.
        """
        return parse_scope(
            words, self.documents, self.contents, self.page_labels, self.reading_position()
        )

    def find(self, words: str, scope: Scope, *, limit: int) -> SearchResult:
        """Searches the book; hits are passages, best first."""
        return self._ladder.search(words, scope, limit=limit)

    def quote(self, wording: str, scope: Scope) -> QuoteFinding:
        """Whether a wording stands in the book: where, altered how, or not at all."""
        return find_wording(wording, self, self._ladder, scope)

    def ask(
        self, question: Question, provider: str | None = None, *, is_saved: bool = True
    ) -> Generator[AnswerEvent, None, Answer]:
        """Answers a question; the turn is stored at once and completed at its end.

        Args:
            question: what is asked, and of which part of the book.
            provider: who answers; None for the provider of the settings.
            is_saved: keep the turn in the book's conversation.

        Yields:
            The events of the answer.

        Returns:
            The answer.

        Raises:
            GeneratorExit: it was closed; what was said so far is stored.
        """

        def model(ledger: Ledger) -> ChatModel:
            self._asked = self._model_for(self, provider, ledger)
            return self._asked

        answerer = Answerer(self, self._ladder, model, self.quoting_model)
        turn = (
            self._stores.conversations.add_question(self._book_id, question) if is_saved else None
        )
        try:
            answer = yield from answerer.answer(question)
        except GeneratorExit:
            if turn is not None:
                self._stores.conversations.set_answer(turn, answerer.partial())
            raise
        finally:
            self._asked = None
        if turn is not None:
            self._stores.conversations.set_answer(turn, answer)
        return answer

    def stop_asking(self) -> None:
        """Ends a wait on a model server, from any thread."""
        if self._asked is not None:
            self._asked.abort()

    def quoting_model(self, ledger: Ledger) -> QuotingModel:
        """The built-in model for one turn."""
        return QuotingModel(ledger, self, self._ladder)

    def turns(self) -> tuple[Answer, ...]:
        """The saved conversation, oldest first."""
        return self._stores.conversations.turns(self._book_id)

    # Where the reader is

    def reading_position(self) -> Locator | None:
        """Where the reader left off, or None for a new book."""
        return self._stores.positions.position(self._book_id)

    def save_position(self, place: Locator) -> None:
        """Keeps where the reader is."""
        self._stores.positions.save(self._book_id, place)

    @cached_property
    def _ladder(self) -> SearchLadder:
        search = self._stores.search_index.book(self._book_id)
        return SearchLadder(search, self.book.metadata.language)
