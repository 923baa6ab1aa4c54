"""What a tool is: a definition for the model, and work that reads the book and fills the ledger."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from app.domain.evidence import IssuedPassage, Ledger
from app.domain.position import neutralise_tags

if TYPE_CHECKING:
    from collections.abc import Generator, Mapping
    from typing import Any

    from app.answering.book_access import BookAccess, PassageFinder
    from app.domain.conversation import Question, Searching
    from app.domain.evidence import SearchHit, SearchReport
    from app.domain.passage import Passage
    from app.llm.chat_model import ToolDefinition


class ToolArgumentsInvalid(ValueError):
    """A model called a tool with arguments that it does not take; told to the model, not shown."""


@dataclass(slots=True)
class Evidence:
    """What one turn has searched and handed over so far.

    Attributes:
        question: the reader's question with its scope.
        book: the book.
        search: its search.
        ledger: what was issued.
        searches: every search that ran, in order.
        hits: what the searches found, by search.
        is_searched: a search ran, or the whole book was read in summaries.
    """

    question: Question
    book: BookAccess
    search: PassageFinder
    ledger: Ledger = field(default_factory=Ledger)
    searches: list[SearchReport] = field(default_factory=list)
    hits: list[tuple[SearchHit, ...]] = field(default_factory=list)
    is_searched: bool = False

    def issue(self, passage: Passage) -> str:
        """Enters a passage in the ledger and returns the line that a model is given for it."""
        tag = self.ledger.issue(
            IssuedPassage(
                span=passage.span,
                text=self.book.document_text(passage.span.file_index).readable_span(passage.span),
                contents_path=self.book.contents_path(passage.span),
                voice=passage.voice,
                page_label=self.book.page_label(passage.span),
            )
        )
        return f"{tag} {neutralise_tags(passage.text)}"


class Tool(Protocol):
    """A tool that a model may call; tools only read."""

    @property
    def definition(self) -> ToolDefinition:
        """What the model is told."""
        ...

    def run(
        self, arguments: Mapping[str, Any], evidence: Evidence, budget_tokens: int
    ) -> Generator[Searching, None, str]:
        """Runs it.

        Args:
            arguments: as the model gave them.
            evidence: of the turn; what is handed over is entered in its ledger.
            budget_tokens: what the result may take.

        Yields:
            When a search begins and ends.

        Returns:
            The text for the model.

        Raises:
            ToolArgumentsInvalid: the arguments are not those of the tool.
        """
        ...
