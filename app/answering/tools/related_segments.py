"""The tool `get_related_segment_summaries`: source passages for a question, never summaries.

The name is the one that models are asked to know; what it returns is the book's own text, found by
the search ladder with the model's words and, the first time, with the reader's own as well, so that
it is never worse than a plain search.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from app.answering.prompts import prompt
from app.answering.segment_choice import choose_passages, fused
from app.answering.tools.passage_text import passages_text, report_text
from app.answering.tools.tool import Evidence, ToolArgumentsInvalid
from app.domain.conversation import Searching
from app.domain.position import neutralise_tags
from app.llm.chat_model import ToolDefinition

if TYPE_CHECKING:
    from collections.abc import Generator, Mapping

    from app.answering.segment_choice import ChosenPassages
    from app.domain.evidence import SearchHit

NAME = "get_related_segment_summaries"
MOST_HITS = 60
MOST_TOKENS = 5_000
"""What one call hands over at most, however large the window: a question must not cost more in a
longer book, and 60 passages of 300 characters are about this much."""

_TEXT_TOKENS = 400
_MOST_QUESTION_CHARS = 2_000


class RelatedSegments:
    """Finds passages of the book for a question."""

    @property
    def definition(self) -> ToolDefinition:
        """Name, description and the one argument."""
        return ToolDefinition(
            NAME,
            prompt("tool_related_segments"),
            {
                "type": "object",
                "properties": {
                    "question": {
                        "type": "string",
                        "description": "What to look for, in the language of the book.",
                    }
                },
                "required": ["question"],
                "additionalProperties": False,
            },
        )

    def run(  # noqa: PLR6301 - a `Tool`
        self, arguments: Mapping[str, Any], evidence: Evidence, budget_tokens: int
    ) -> Generator[Searching, None, str]:
        """Searches and hands over passages; see `Tool.run`.

        Yields:
            When each search begins and ends.

        Returns:
            The search reports and the passages with their tags.

        Raises:
            ToolArgumentsInvalid: there is no question.
        """
        asked = arguments.get("question")
        if not isinstance(asked, str) or not asked.strip():
            raise ToolArgumentsInvalid('the argument "question" must be a text that is not empty')
        own = evidence.question.text
        words = asked.strip()[:_MOST_QUESTION_CHARS]
        # The words are shown to the reader, who must see no tag that a model made up.
        wordings = [words if words == own.strip() else neutralise_tags(words)]
        if not evidence.is_searched and own.strip() != wordings[0]:
            wordings.append(own)
        rankings: list[tuple[SearchHit, ...]] = []
        for words in wordings:
            yield Searching(words)
            result = evidence.search.search(words, evidence.question.scope, limit=MOST_HITS)
            evidence.searches.append(result.report)
            evidence.hits.append(result.hits)
            rankings.append(result.hits)
            yield Searching(words, result.report)
        evidence.is_searched = True
        chosen = choose_passages(
            fused(rankings),
            evidence.book,
            evidence.question.scope,
            min(MOST_TOKENS, budget_tokens - _TEXT_TOKENS),
        )
        reports = [report_text(report) for report in evidence.searches[-len(wordings) :]]
        return "\n\n".join([*reports, _result_text(chosen, evidence)])


def _result_text(chosen: ChosenPassages, evidence: Evidence) -> str:
    parts: list[str] = []
    if chosen.passages:
        parts += [
            "Passages of the book, in reading order, each behind its tag:",
            passages_text(chosen.passages, evidence),
        ]
    elif chosen.left_out:
        parts.append("Passages were found, but there is no room left for them. Answer now.")
    else:
        parts.append(
            "Nothing was found. That is a result: search once more with other words that the "
            "book may use, or say plainly that the book does not say it."
        )
    if chosen.passages and chosen.left_out:
        titles = _titles(chosen, evidence)
        parts.append(
            f"Left out because they did not fit: {len(chosen.left_out)} further passages"
            f"{f', in: {titles}' if titles else ''}. Search with narrower words to read them."
        )
    if chosen.no_evidence:
        parts.append(
            f"Also found {len(chosen.no_evidence)} places in contents pages, indexes or licence "
            "texts, which are no evidence for what the book says."
        )
    return "\n\n".join(parts)


def _titles(chosen: ChosenPassages, evidence: Evidence) -> str:
    """Where most of the left out passages are: up to five headings."""
    counts: dict[str, int] = {}
    for passage in chosen.left_out:
        title = " › ".join(evidence.book.contents_path(passage.span))
        if title:
            counts[title] = counts.get(title, 0) + 1
    most = sorted(counts, key=lambda title: -counts[title])[:5]
    return "; ".join(f"{title} ({counts[title]})" for title in most)
