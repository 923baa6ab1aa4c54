"""A book in a real library file, made from lines of text: what search and quoting are tested on."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from app.answering.search_ladder import SearchLadder
from app.books.passages import cut_passages
from app.domain.book import BookFormat, BookMetadata, Voice
from app.domain.document import Block, BlockKind, Break, DocumentText
from app.domain.evidence import IssuedPassage, Ledger
from app.domain.passage import Passage
from app.domain.scope import Scope, ScopeKind
from app.storage.import_writer import ImportWriter, NewBook
from app.storage.search_index import BookSearch, SearchIndex

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.storage.database import Database


def document(file_index: int, paragraphs: Sequence[str], voice: Voice = Voice.BODY) -> DocumentText:
    """A document whose blocks are these paragraphs; one that begins with `# ` is a heading."""
    text = ""
    blocks: list[Block] = []
    breaks: list[Break] = []
    for paragraph in paragraphs:
        if text:
            breaks.append(Break(len(text), 0, "\n"))
        kind = BlockKind.HEADING if paragraph.startswith("# ") else BlockKind.PARAGRAPH
        start = len(text)
        text += paragraph.removeprefix("# ")
        blocks.append(Block(start, len(text), kind, voice=voice))
    return DocumentText(file_index, text, tuple(blocks), tuple(breaks))


class IndexedBook:
    """One book of a library: its documents, its index and its ladder."""

    def __init__(
        self,
        database: Database,
        documents: Sequence[Sequence[str] | DocumentText],
        language: str = "en",
    ) -> None:
        """Cuts and stores the documents; each is a list of paragraphs, or made already."""
        self.documents = [
            one if isinstance(one, DocumentText) else document(index, one)
            for index, one in enumerate(documents)
        ]
        title = f"book of {sum(len(one.text) for one in self.documents)} characters"
        known = database.connection().execute("SELECT count(*) FROM books").get
        writer = ImportWriter.begin(
            database,
            NewBook(
                content_hash=f"{known:064x}",
                path=Path("book.epub"),
                book_format=BookFormat.EPUB,
                metadata=BookMetadata(title, language=language),
                text_rule=1,
                document_count=len(self.documents),
            ),
        )
        assert writer is not None
        self.book_id = writer.book_id
        self.passages = [
            Passage(cut.span, cut.text, cut.voice, 0)
            for one in self.documents
            for cut in cut_passages(one)
        ]
        writer.store_passages(self.passages)
        writer.finish([])
        self.search: BookSearch = SearchIndex(database).book(self.book_id)
        self.ladder = SearchLadder(self.search, language)

    def document_text(self, file_index: int) -> DocumentText:
        """The text of one document."""
        return self.documents[file_index]

    def issue_all(self) -> Ledger:
        """A ledger that has issued every passage."""
        ledger = Ledger()
        for passage in self.passages:
            ledger.issue(IssuedPassage(passage.span, passage.text, (), passage.voice, ""))
        return ledger

    def scope_of(self, *file_indexes: int) -> Scope:
        """The scope of some whole documents."""
        spans = [one.span for one in self.passages if one.span.file_index in file_indexes]
        return Scope(ScopeKind.CHAPTER, "chapter", tuple(spans))
