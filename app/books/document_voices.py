"""Which voice each block of a document speaks with, and the document as a whole.

In this order: the book's licence lines; what the markup says of a block; the heading that a block
stands under; what guide or landmarks say of the document; its line in the contents; its file name.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from app.books.voices import licence_ranges, voice_of_heading, voice_of_name
from app.domain.book import Voice
from app.domain.document import Block, BlockKind, DocumentText

if TYPE_CHECKING:
    from app.books.tree_walk import TreeText

# A subsection "Introduction" is part of the author's chapter; one of these is a part of the book.
_OF_WHOLE_PARTS = frozenset(
    {
        Voice.COVER,
        Voice.TITLE_PAGE,
        Voice.COPYRIGHT,
        Voice.DEDICATION,
        Voice.FOREWORD,
        Voice.PREFACE,
        Voice.INTRODUCTION,
        Voice.AFTERWORD,
        Voice.COLOPHON,
    }
)
_PART_LEVEL = 2
_MOST = 0.6  # of a document's text that gives the document its voice


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What is known of a document from outside.

    Attributes:
        name: path inside the package.
        named_voice: what guide or landmarks call it, or None.
        contents_title: its first line in the contents, or "".
    """

    name: str
    named_voice: Voice | None = None
    contents_title: str = ""


def voiced(found: TreeText, around: Surroundings) -> tuple[tuple[Block, ...], Voice]:
    """The blocks with their voices, and the voice of the document.

    Args:
        found: the document's text as read from its tree.
        around: what is known of it from outside.
    """
    blocks = found.blocks
    voices: list[Voice | None] = [
        block.voice if has_voice else None
        for block, has_voice in zip(blocks, found.has_voice, strict=True)
    ]
    _take_from_headings(found, voices)
    rest = _voice_of_rest(found, voices, around)
    _take_licence(found, voices)
    chosen = tuple(
        replace(block, voice=voice or rest) for block, voice in zip(blocks, voices, strict=True)
    )
    return chosen, _voice_of_whole(chosen) if chosen else rest


def headings(content: DocumentText) -> list[tuple[Block, str]]:
    """The headings of a document, each as one line."""
    return [
        (block, " ".join(content.readable(block.start, block.end).split()))
        for block in content.blocks
        if block.kind is BlockKind.HEADING
    ]


def _take_from_headings(found: TreeText, voices: list[Voice | None]) -> None:
    """A heading such as "Notes" speaks for what follows it, up to the next of its rank."""
    content = DocumentText(0, found.text, tuple(found.blocks), tuple(found.breaks))
    words = {block.start: text for block, text in headings(content)}
    current: Voice | None = None
    level, end = 0, 0
    is_first = True
    for index, block in enumerate(found.blocks):
        if block.start >= end:
            current = None
        if block.kind is BlockKind.HEADING and (current is None or block.level <= level):
            level = block.level
            current = voice_of_heading(words[block.start])
            if current in _OF_WHOLE_PARTS and block.level > _PART_LEVEL and not is_first:
                current = None
            # The first heading may stand in a box of its own and still name the whole document.
            end = len(found.text) if is_first else found.heading_ends.get(index, len(found.text))
            is_first = False
        if voices[index] is None:
            voices[index] = current


def _voice_of_rest(found: TreeText, voices: list[Voice | None], around: Surroundings) -> Voice:
    if around.named_voice is not None:
        return around.named_voice
    has_heading = any(block.kind is BlockKind.HEADING for block in found.blocks)
    if not has_heading and (voice := voice_of_heading(around.contents_title)) is not None:
        return voice
    if not has_heading and not any(voices):
        return voice_of_name(around.name) or Voice.BODY
    return Voice.BODY


def _take_licence(found: TreeText, voices: list[Voice | None]) -> None:
    for start, end in licence_ranges(found.text):
        for index, block in enumerate(found.blocks):
            if block.start < end and start < block.end:
                voices[index] = Voice.LICENCE


def _voice_of_whole(blocks: tuple[Block, ...]) -> Voice:
    sizes: Counter[Voice] = Counter()
    for block in blocks:
        sizes[block.voice] += block.end - block.start
    voice, size = sizes.most_common(1)[0]
    return voice if size >= _MOST * sizes.total() else Voice.BODY
