"""How text and the structure of a document are kept in columns: compact, exact, readable.

Blocks and breaks are flat JSON: `[[names], [numbers]]`, where names stand once and numbers point to
them; about 15 bytes a block. Nothing here knows a table.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from app.domain.book import Voice
from app.domain.document import Block, BlockKind, Break

if TYPE_CHECKING:
    from collections.abc import Sequence

_BLOCK_NUMBERS, _BREAK_NUMBERS = 5, 3


def encode_text(text: str) -> bytes:
    """Canonical text for a BLOB column; lone surrogates and NULs come back as they were."""
    return text.encode("utf-8", "surrogatepass")


def decode_text(stored: bytes) -> str:
    """The text that `encode_text` was given."""
    return stored.decode("utf-8", "surrogatepass")


def storable(text: str) -> str:
    """Text that SQLite can hold: what is no character becomes U+FFFD.

    Source: SQLite text is UTF-8 without NUL; a lone surrogate raises when it is bound.
    """
    if text.isascii() and "\0" not in text:
        return text
    cleaned = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")  # pairs join
    return cleaned.replace("\0", "\ufffd")


def encode_blocks(blocks: Sequence[Block]) -> str:
    """Blocks as flat JSON."""
    names: dict[str, int] = {}
    numbers: list[int] = []
    for block in blocks:
        kind = names.setdefault(block.kind.value, len(names))
        voice = names.setdefault(block.voice.value, len(names))
        numbers += (block.start, block.end, kind, block.level, voice)
    return json.dumps([list(names), numbers], separators=(",", ":"))


def decode_blocks(stored: str) -> tuple[Block, ...]:
    """The blocks that `encode_blocks` was given."""
    names, numbers = json.loads(stored)
    kinds = {number: BlockKind(name) for number, name in enumerate(names) if name in _KINDS}
    voices = {number: Voice(name) for number, name in enumerate(names) if name in _VOICES}
    rows = zip(*(iter(numbers),) * _BLOCK_NUMBERS, strict=True)
    return tuple(
        Block(start, end, kinds[kind], level, voices[voice])
        for start, end, kind, level, voice in rows
    )


def encode_breaks(breaks: Sequence[Break]) -> str:
    """Breaks as flat JSON."""
    names: dict[str, int] = {}
    numbers: list[int] = []
    for item in breaks:
        numbers += (item.offset, item.length, names.setdefault(item.text, len(names)))
    return json.dumps([list(names), numbers], separators=(",", ":"))


def decode_breaks(stored: str) -> tuple[Break, ...]:
    """The breaks that `encode_breaks` was given."""
    names, numbers = json.loads(stored)
    rows = zip(*(iter(numbers),) * _BREAK_NUMBERS, strict=True)
    return tuple(Break(offset, length, names[name]) for offset, length, name in rows)


_KINDS = frozenset(kind.value for kind in BlockKind)
_VOICES = frozenset(voice.value for voice in Voice)
