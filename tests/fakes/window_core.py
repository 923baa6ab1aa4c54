"""A library of books in memory with scripted answers: what the window is given in its tests."""

from __future__ import annotations

import threading
from pathlib import Path
from types import SimpleNamespace

from app.domain.book import (
    Book,
    BookFormat,
    BookMetadata,
    ContentsEntry,
    ImportState,
    PageLabel,
    SpineDocument,
    Voice,
)
from app.domain.conversation import (
    Answer,
    AnswerCitation,
    AnswerState,
    AnswerText,
    Citation,
    Coverage,
    Lane,
    Searching,
    TokenUsage,
)
from app.domain.errors import BookNotFound, PageLabelUnknown
from app.domain.evidence import RungCounts, SearchReport
from app.domain.position import Locator, Span
from app.domain.progress import BookKnown, Progress
from app.domain.provider import BUILT_IN, ProviderInfo
from app.domain.scope import WHOLE_BOOK, Scope, ScopeKind
from app.domain.settings import Settings

LIMIT_S = 10
TEXTS = (
    "ETYMOLOGY. The pale Usher, threadbare in coat, heart, body, and brain; I see him now.",
    "CHAPTER 41. Moby Dick. I, Ishmael, was one of that crew; my shouts had gone up with the rest.",
    (
        "CHAPTER 42. The Whiteness of the Whale. What the white whale was to Ahab, has been "
        "hinted; what, at times, he was to me, as yet remains unsaid. It was the whiteness of the "
        "whale that above all things appalled me. Is it by its indefiniteness it shadows forth the "
        "heartless voids and immensities of the universe? It is a colorless, all-color of atheism."
    ),
    "CHAPTER 43. Hark! Hist! Did you hear that noise, Cabaco?",
)
TITLES = ("Etymology", "41 Moby Dick", "42 The Whiteness of the Whale", "43 Hark!")


def make_book(
    book_id=1,
    title="Moby-Dick",
    *,
    authors=("Herman Melville",),
    state=ImportState.READY,
    book_format=BookFormat.EPUB,
    texts=TEXTS,
):
    return Book(
        book_id=book_id,
        content_hash=f"{book_id:064x}",
        path=Path(f"/books/{title}.epub"),
        book_format=book_format,
        metadata=BookMetadata(title, authors, "en"),
        state=state,
        text_rule=1,
        document_count=len(texts),
        length_chars=sum(map(len, texts)),
    )


def span_of(wording, texts=TEXTS):
    """Where a wording stands in the texts."""
    for index, text in enumerate(texts):
        if wording in text:
            start = text.index(wording)
            return Span(index, start, start + len(wording))
    raise ValueError(wording)


def cite(number, wording, path=("Chapters", "42 The Whiteness of the Whale"), label="204", **more):
    return Citation(number, span_of(wording), wording, path, more.get("voice", Voice.BODY), label)


def report(*words, phrase=0, all_words=0, most_words=0, word_forms=0, scope=WHOLE_BOOK):
    counts = RungCounts(phrase, all_words, most_words, word_forms)
    return SearchReport(scope, words, counts, 1, len(words))


def grounded_answer(question):
    one = cite(1, "It was the whiteness of the whale that above all things appalled me.")
    two = cite(2, "It is a colorless, all-color of atheism.")
    return Answer(
        question=question,
        lane=Lane.GROUNDED,
        state=AnswerState.COMPLETE,
        markdown=(
            "Whiteness strips away every comfort a colour gives: it *appalled* him above all "
            "things.[^1] He calls it the “colorless, all-color of atheism”.[^2]\n\n"
            "It is the **indefiniteness** that frightens him.[^1]"
        ),
        citations=(one, two),
        searches=(report("whiteness", "whale", phrase=1, all_words=3, most_words=7, word_forms=9),),
        evidence=(one.span, two.span),
        coverage=Coverage(3, 3),
        dropped_tags=1,
        usage=TokenUsage(2, 4210, 180),
        provider="home",
        model="qwen3",
    )


def not_found_answer(question):
    return Answer(
        question=question,
        lane=Lane.NOT_FOUND,
        state=AnswerState.COMPLETE,
        markdown="The book says nothing about quantum chromodynamics.",
        searches=(report("quantum", "chromodynamics"), report("quarks")),
        nearest=(cite(1, "Is it by its indefiniteness it shadows forth the heartless voids"),),
        provider=BUILT_IN,
        model="quoting",
    )


def events_of(answer):
    """The events of an answer, in small pieces, as a server would send them."""
    words = " ".join(answer.searches[0].words) if answer.searches else ""
    yield Searching(words)
    for searched in answer.searches:
        yield Searching(" ".join(searched.words), searched)
    citations = {f"[^{one.number}]": one for one in answer.citations}
    rest = answer.markdown
    while rest:
        mark = next((mark for mark in citations if rest.startswith(mark)), "")
        if mark:
            yield AnswerCitation(citations[mark])
            rest = rest[len(mark) :]
            continue
        length = 1
        while length < min(7, len(rest)) and not rest[length:].startswith("[^"):
            length += 1
        yield AnswerText(rest[:length])
        rest = rest[length:]


class InMemoryBook:
    """An open book; `answers` are given in turn, an exception is raised, a callable is asked."""

    def __init__(self, book, texts=TEXTS, titles=TITLES, *, has_labels=True):
        self.book = book
        self.texts = texts
        self.documents = tuple(
            SpineDocument(index, f"text/c{index}.xhtml", "", Voice.BODY, True, len(text), 1)
            for index, text in enumerate(texts)
        )
        self.contents = tuple(
            ContentsEntry(index, None, 0, title, index, 0) for index, title in enumerate(titles)
        )
        self.page_labels = (
            tuple(PageLabel(str(202 + index), index, 0) for index in range(len(texts)))
            if has_labels
            else ()
        )
        self.answers = []
        self.saved_turns = ()
        self.asked = []
        self.positions = []
        self.start = None
        self.go_on = threading.Event()
        self.waits_for_go_on = False
        self.is_closed = False
        self.refreshed = 0
        self.pages = None

    def text(self, file_index):
        return self.texts[file_index]

    def part_ranges(self, file_index):
        return ((0, len(self.texts[file_index])),)

    def part(self, file_index, part_index):
        return self.texts[file_index].encode()

    def resource(self, name):
        return None

    def refresh(self):
        self.refreshed += 1

    def resolve_link(self, file_index, href):
        name = href.partition("#")[0]
        found = [one.file_index for one in self.documents if one.name.endswith(name)]
        return Locator(found[0], 0) if found else None

    def page_label(self, place):
        return str(202 + place.file_index) if self.page_labels else ""

    def progress_percent(self, place):
        before = sum(map(len, self.texts[: place.file_index]))
        return 100 * (before + place.offset) / sum(map(len, self.texts))

    def printed_page(self, label):
        for one in self.page_labels:
            if one.label == label:
                return (Span(one.file_index, 0, 10),)
        raise PageLabelUnknown(label, bool(self.page_labels))

    def place_of_page(self, label):
        return Locator(self.printed_page(label)[0].file_index, 0)

    def source(self, span):
        text = self.texts[span.file_index]
        return SimpleNamespace(
            before=text[max(0, span.start - 60) : span.start],
            text=text[span.start : span.end],
            after=text[span.end : span.end + 60],
        )

    def scope(self, words):
        if words == "read":
            return Scope(ScopeKind.READ, "", (Span(0, 0, 10),))
        return Scope(ScopeKind.SELECTION, "", (Span(0, 0, 10),))

    def ask(self, question, provider=None):
        self.asked.append((question, provider))
        script = self.answers.pop(0) if self.answers else grounded_answer
        if isinstance(script, Exception):
            yield Searching(question.text)
            raise script
        answer = script(question) if callable(script) else script
        for event in events_of(answer):
            yield event
            if self.waits_for_go_on and isinstance(event, AnswerText):
                self.go_on.wait(LIMIT_S)
        return answer

    def stop_asking(self):
        self.go_on.set()

    def turns(self):
        return self.saved_turns

    def reading_position(self):
        return self.start

    def save_position(self, place):
        self.positions.append(place)

    def close(self):
        self.is_closed = True


class InMemoryCore:
    """A library; `imports` scripts what `import_book` yields by file name."""

    def __init__(self, books=(), handbook=Path("/books/Handbook.epub")):
        self.books = {one.book.book_id: one for one in books}
        self.recent = [one.book for one in books]
        self.imported = []
        self.imports = {}
        self.go_on = threading.Event()
        self._handbook = handbook
        self.settings = Settings()
        self.setting_problems = ()
        self.has_key_store = True
        self._providers = (ProviderInfo(BUILT_IN, "quoting", "", True),)

    def add(self, opened):
        self.books[opened.book.book_id] = opened

    def recent_books(self):
        return tuple(self.recent)

    def import_book(self, path, password=None):
        self.imported.append((path, password))
        script = self.imports.get(path.name)
        if script is None:
            yield from ()
            raise BookNotFound(path)
        yield from script(password)
        return self.books[max(self.books)].book

    def open(self, book_id):
        return self.books[book_id]

    def handbook(self):
        return self._handbook

    def providers(self):
        return self._providers

    def save_settings(self, settings):
        self.settings = settings

    def set_providers(self, *providers):
        self._providers = providers

    def slow_import(self, book_id):
        """A script: readable at once, ready only after `go_on`."""

        def script(password):
            yield Progress(0, None, "documents")
            yield BookKnown(book_id)
            yield Progress(34, 200, "documents")
            self.go_on.wait(LIMIT_S)
            yield Progress(200, 200, "documents")

        return script
