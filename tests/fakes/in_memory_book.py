"""A book held in memory, and a plain search of it: what the answering engine is given in tests."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from app.domain.book import Book, BookFormat, BookMetadata, ImportState, Voice
from app.domain.document import Block, BlockKind, Break, DocumentText
from app.domain.errors import PageLabelUnknown
from app.domain.evidence import Rung, RungCounts, SearchHit, SearchReport, SearchResult
from app.domain.passage import Passage, Segment, Summary, SummaryKind
from app.domain.position import Span
from app.storage.search_words import query_words, typed_words, wording

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from app.domain.scope import Scope


@dataclass
class Chapter:
    """A document with one passage a paragraph; one segment."""

    title: str
    paragraphs: list[str]
    voice: Voice = Voice.BODY


@dataclass
class InMemoryBook:
    """A `BookAccess`; chapters are documents 0, 1, 2…

    Attributes:
        chapters: what is in it.
        pages: printed pages: label to span.
        written: summaries that a model wrote, by segment; the others quote the first paragraph.
    """

    chapters: list[Chapter]
    language: str = "en"
    title: str = "A Test Book"
    pages: dict[str, Span] = field(default_factory=dict)
    written: dict[int, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._texts = [_document(index, one) for index, one in enumerate(self.chapters)]
        self.book = Book(
            1, "0" * 64, Path("test.epub"), BookFormat.EPUB,
            BookMetadata(self.title, ("A. Nobody",), self.language), ImportState.READY, 1,
            len(self.chapters), sum(len(text.text) for text in self._texts),
        )  # fmt: skip
        self._passages = [
            [
                Passage(
                    Span(index, block.start, block.end),
                    text.text[block.start : block.end],
                    chapter.voice,
                    index,
                )
                for block in text.blocks
            ]
            for index, (chapter, text) in enumerate(zip(self.chapters, self._texts, strict=True))
        ]

    def segments(self) -> Sequence[Segment]:
        return [
            Segment(
                index, (chapter.title,), (Span(index, 0, len(text.text)),), len(text.text),
                len(text.text.encode()), len(text.text) // 4, chapter.voice,
            )
            for index, (chapter, text) in enumerate(zip(self.chapters, self._texts, strict=True))
        ]  # fmt: skip

    def summaries(self) -> Mapping[int, Summary]:
        return {
            index: Summary(index, SummaryKind.WRITTEN, self.written[index])
            if index in self.written
            else Summary(index, SummaryKind.QUOTED, f"{passages[0].text} {passages[0].span.tag}")
            for index, passages in enumerate(self._passages)
        }

    def passages_of_segment(self, segment_index: int) -> Sequence[Passage]:
        return self._passages[segment_index]

    def passages_in(self, span: Span) -> Sequence[Passage]:
        return [one for one in self._passages[span.file_index] if one.span.overlaps(span)]

    def document_text(self, file_index: int) -> DocumentText:
        return self._texts[file_index]

    def contents_path(self, span: Span) -> tuple[str, ...]:
        return (self.chapters[span.file_index].title,)

    def page_label(self, span: Span) -> str:
        return next((label for label, page in self.pages.items() if page.overlaps(span)), "")

    def printed_page(self, label: str) -> Sequence[Span]:
        if label not in self.pages:
            raise PageLabelUnknown(label, bool(self.pages))
        return (self.pages[label],)

    def span_of(self, words: str) -> Span:
        """The passage that holds these words."""
        return next(
            passage.span
            for passages in self._passages
            for passage in passages
            if words in passage.text
        )

    def all_passages(self) -> list[Passage]:
        return [passage for passages in self._passages for passage in passages]


@dataclass
class InMemorySearch:
    """A `PassageFinder`: the share of different words that a passage carries.

    Attributes:
        searched: what was searched for, in order.
    """

    book: InMemoryBook
    searched: list[str] = field(default_factory=list)

    def search(self, words: str, scope: Scope, *, limit: int) -> SearchResult:
        self.searched.append(words)
        asked = {word for word in query_words(words) if len(word) > 3 or not word.isascii()}
        phrase = wording(words)
        hits = []
        for passage in self.book.all_passages():
            carried = asked & set(query_words(passage.text))
            if carried and scope.admits(passage.span):
                is_phrase = phrase in wording(passage.text)
                rung = (
                    Rung.PHRASE
                    if is_phrase
                    else Rung.ALL_WORDS
                    if carried == asked
                    else Rung.MOST_WORDS
                )
                hits.append(SearchHit(passage, rung, len(carried) + is_phrase))
        hits.sort(key=lambda hit: -hit.score)
        counts = {rung: sum(hit.rung is rung for hit in hits) for rung in Rung}
        report = SearchReport(
            scope, typed_words(words),
            RungCounts(
                counts[Rung.PHRASE], counts[Rung.ALL_WORDS], counts[Rung.MOST_WORDS], 0
            ),
            max((int(hit.score) for hit in hits), default=0), len(asked),
        )  # fmt: skip
        return SearchResult(report, tuple(hits[:limit]))


def _document(index: int, chapter: Chapter) -> DocumentText:
    text = ""
    blocks = []
    breaks = []
    for paragraph in chapter.paragraphs:
        if text:
            breaks.append(Break(len(text), 0, "\n"))
        blocks.append(
            Block(len(text), len(text) + len(paragraph), BlockKind.PARAGRAPH, 0, chapter.voice)
        )
        text += paragraph
    return DocumentText(index, text, tuple(blocks), tuple(breaks))
