"""Canonical documents written down in a test, without any file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from app.domain.book import Voice
from app.domain.document import Block, BlockKind, Break, CanonicalDocument, DocumentText, MarkupPart

if TYPE_CHECKING:
    from collections.abc import Sequence


def document_text(
    blocks: Sequence[str | tuple[str, BlockKind]], file_index: int = 0, voice: Voice = Voice.BODY
) -> DocumentText:
    r"""Text of some blocks, parted by nothing, as in an EPUB.

    A line end in a block is a line break there, and no part of its text; in code it is text.
    """
    text = ""
    made: list[Block] = []
    breaks: list[Break] = []
    for block in blocks:
        words, kind = (block, BlockKind.PARAGRAPH) if isinstance(block, str) else block
        start = len(text)
        if made:
            breaks.append(Break(start, 0, "\n"))
        if kind is BlockKind.CODE:
            text += words
        else:
            for number, line in enumerate(words.split("\n")):
                if number:
                    breaks.append(Break(len(text), 0, "\n"))
                text += line
        made.append(Block(start, len(text), kind, int(kind is BlockKind.HEADING), voice))
    return DocumentText(file_index, text, tuple(made), tuple(breaks))


def document(
    blocks: Sequence[str | tuple[str, BlockKind]], file_index: int = 0, **fields: Any
) -> CanonicalDocument:
    """A document of some blocks with one part of markup; `fields` replace what is made here."""
    content = document_text(blocks, file_index)
    made: dict[str, Any] = {
        "content": content,
        "name": f"text/{file_index}.xhtml",
        "title": f"Document {file_index}",
        "voice": Voice.BODY,
        "is_linear": True,
        "language": "en",
        "anchors": {"top": 0},
        "parts": (MarkupPart(0, 0, len(content.text), b"<html/>"),),
        "resource_names": (),
        "fingerprint": "0123456789abcdef",
    }
    return CanonicalDocument(**made | fields)
