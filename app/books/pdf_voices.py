"""Which voice the blocks of a PDF page speak with.

A page does not say what it is; the outline and the headings do, and what they say holds until the
next heading of their rank, over page ends. So pages are best read in order: of a page read before
its predecessor only its own headings and the outline are known.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from app.books.voices import licence_ranges, voice_of_heading
from app.domain.book import Voice
from app.domain.document import BlockKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.books.pdf_outline import OutlineLine
    from app.domain.document import Block

_LEADERS = re.compile(r"(?:[.·][ \u00a0]?|…){4,}\s*[\divxlcIVXLC]+\s*$", re.MULTILINE)
_LEAST_LEADERS = 5  # lines of a page of contents
_MOST = 0.6  # of a page's text that gives the page its voice
_LICENCE_END = re.compile(r"\*{3}\s*END OF (?:THE|THIS) PROJECT GUTENBERG", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Speaker:
    """Who speaks at some point of a book.

    Attributes:
        voice: whose text it is.
        level: of the heading that said so, 1 to 6; a heading of this rank or above ends it. 0 for
            what nothing ends.
    """

    voice: Voice = Voice.BODY
    level: int = 6


def voiced_blocks(
    text: str, blocks: Sequence[Block], titles: dict[int, OutlineLine], before: Speaker
) -> tuple[tuple[Block, ...], Voice, Speaker]:
    """The blocks of a page with their voices.

    Args:
        text: canonical text of the page.
        blocks: without voices.
        titles: lines of the outline, by the start of the block they lead to.
        before: who spoke at the end of the page before.

    Returns:
        The blocks, the voice of the page as a whole, and who speaks at its end.
    """
    speaker = before
    voices: list[Voice] = []
    for block in blocks:
        speaker = _next_speaker(text, block, titles.get(block.start), speaker)
        voices.append(speaker.voice)
    if len(_LEADERS.findall(text)) >= _LEAST_LEADERS and speaker.voice is Voice.BODY:
        voices = [Voice.CONTENTS if one is Voice.BODY else one for one in voices]
    for start, end in licence_ranges(text):
        for index, block in enumerate(blocks):
            if block.start < end and start < block.end:
                voices[index] = Voice.LICENCE
    if _LICENCE_END.search(text):
        speaker = Speaker(Voice.LICENCE, 0)
    chosen = tuple(
        block if block.voice is voice else replace(block, voice=voice)
        for block, voice in zip(blocks, voices, strict=True)
    )
    return chosen, _voice_of_whole(chosen, speaker), speaker


def _next_speaker(
    text: str, block: Block, outlined: OutlineLine | None, speaker: Speaker
) -> Speaker:
    if speaker.level == 0:
        return speaker
    if outlined is not None:
        return _after_line(outlined, speaker)
    if block.kind is not BlockKind.HEADING:
        return speaker
    voice = voice_of_heading(" ".join(text[block.start : block.end].split()))
    if voice is not None and (speaker.voice is Voice.BODY or block.level <= speaker.level):
        return Speaker(voice, block.level)
    if voice is None and block.level <= speaker.level:
        return Speaker()
    return speaker


def speakers_by_outline(outline: Sequence[OutlineLine]) -> list[tuple[int, Speaker]]:
    """Who speaks from which page on, as far as the outline says.

    Returns:
        The page that a line leads to and who speaks after it, in page order.
    """
    speaker = Speaker()
    found: list[tuple[int, Speaker]] = []
    for line in outline:
        speaker = _after_line(line, speaker)
        if line.page_index is not None and (not found or found[-1][0] <= line.page_index):
            found.append((line.page_index, speaker))
    return found


def _after_line(line: OutlineLine, speaker: Speaker) -> Speaker:
    level = min(line.depth + 1, 6)
    if (voice := voice_of_heading(line.title)) is not None:
        return Speaker(voice, level)
    return Speaker() if level <= speaker.level else speaker


def _voice_of_whole(blocks: Sequence[Block], speaker: Speaker) -> Voice:
    sizes: Counter[Voice] = Counter()
    for block in blocks:
        sizes[block.voice] += block.end - block.start
    if not sizes:
        return speaker.voice
    voice, size = sizes.most_common(1)[0]
    return voice if size >= _MOST * sizes.total() else Voice.BODY
