"""Cuts a book into segments that follow its own contents: the units of summaries and of choice.

Sizes are UTF-8 bytes of readable text, which track tokens across scripts. A contents node of at
most `NODE_BYTES` is one segment; a larger one is split at its children, and what stands before the
first child is a segment of its own. A node without children stays whole up to `WHOLE_BYTES`; longer
text becomes ranges of 30 to 40 KB, cut where the book itself makes a pause. In a book without
contents each document is a node; the pages of a PDF are none, and its text is cut into ranges.

Whatever the contents claim (targets out of order, twice, missing), the segments hold all passages
once and in reading order.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from dataclasses import dataclass
from itertools import accumulate, groupby, pairwise
from typing import TYPE_CHECKING

from app.domain.passage import Passage, Segment
from app.domain.position import Span

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from app.books.passages import CutPassage
    from app.domain.book import ContentsEntry, Voice

NODE_BYTES = 20_000
WHOLE_BYTES = 40_000
LOT_BYTES = 20_000

BYTES_A_TOKEN = 4
"""UTF-8 bytes of one token. Measured with a vocabulary of 131,000 (Mistral's Tekken 240911) on
300,000 code points of each book: English 4.4, French 4.2, Sanskrit 4.7, code 4.1, Hebrew 4.0,
Persian 3.9, Japanese 3.8, Chinese with code 3.2."""


@dataclass(frozen=True, slots=True)
class DocumentPassages:
    """One document as segments are cut from it.

    Attributes:
        file_index: 0-based spine or page index.
        length_chars: code points of canonical text.
        title: heading of the document, may be "".
        passages: in reading order.
    """

    file_index: int
    length_chars: int
    title: str
    passages: Sequence[CutPassage]


def cut_segments(
    documents: Sequence[DocumentPassages],
    contents: Sequence[ContentsEntry],
    *,
    are_pages: bool,
) -> tuple[list[Segment], list[Passage]]:
    """Cuts a book.

    Args:
        documents: all of them, in raw spine or page order.
        contents: depth first; may be empty.
        are_pages: documents are printed pages, which are no parts of a book.

    Returns:
        The segments in reading order, and all passages in reading order with their segment.
    """
    text = _BookText(documents, are_pages=are_pages)
    nodes = _nodes(contents, text)
    pieces = sorted(_pieces(nodes, text), key=lambda piece: piece.first)
    segments = [text.segment(index, piece) for index, piece in enumerate(pieces)]
    passages = [
        Passage(cut.span, cut.text, cut.voice, index)
        for index, piece in enumerate(pieces)
        for cut in text.passages[piece.first : piece.last]
    ]
    return segments, passages


def lots(segments: Sequence[Segment]) -> list[list[Segment]]:
    """Groups segments to be sent to a model together, each still to be summarised by itself.

    Args:
        segments: in reading order.

    Returns:
        Neighbours under the same node of the contents, `LOT_BYTES` together at most; a larger
        segment is a lot of its own.
    """
    found: list[list[Segment]] = []
    size = 0
    for segment in segments:
        is_sibling = bool(found) and found[-1][-1].contents_path[:-1] == segment.contents_path[:-1]
        if is_sibling and size + segment.size_bytes <= LOT_BYTES:
            found[-1].append(segment)
            size += segment.size_bytes
        else:
            found.append([segment])
            size = segment.size_bytes
    return found


def estimate_tokens(size_bytes: int) -> int:
    """The tokens of a text of this many UTF-8 bytes, for any usual model; an estimate."""
    return -(-size_bytes // BYTES_A_TOKEN)


@dataclass(slots=True)
class _Node:
    """A node of the contents.

    Attributes:
        path: titles from the top down to it.
        parent: index of its parent in the list of nodes, always before its own, or None.
        first: first passage of its own text, before any child.
        last: one past the last; `first` where it has no text of its own.
    """

    path: tuple[str, ...]
    parent: int | None
    first: int = 0
    last: int = 0


@dataclass(frozen=True, slots=True)
class _Piece:
    """What becomes a segment: passages `first` to `last`."""

    path: tuple[str, ...]
    first: int
    last: int


class _BookText:
    """All passages of a book in one row, their sizes, and where documents begin in it."""

    def __init__(self, documents: Sequence[DocumentPassages], *, are_pages: bool) -> None:
        self.are_pages = are_pages
        self.documents = {document.file_index: document for document in documents}
        self.passages = [cut for document in documents for cut in document.passages]
        self._places = [(cut.span.file_index, cut.span.start) for cut in self.passages]
        sizes = (len(cut.text.encode()) + 1 for cut in self.passages)
        self._size_before = [0, *accumulate(sizes)]

    def size_bytes(self, first: int, last: int) -> int:
        """UTF-8 bytes of passages `first` to `last`, one between each."""
        return self._size_before[last] - self._size_before[first]

    def passage_at(self, file_index: int, start: int) -> int:
        """The first passage of the block that holds a place, else the next one."""
        index = bisect_left(self._places, (file_index, start))
        before = index - 1
        if before >= 0:
            span = self.passages[before].span
            if span.file_index == file_index and start < span.end:
                index = before
        if index < len(self.passages) and self.passages[index].span.file_index == file_index:
            while not self.passages[index].begins_block:
                index -= 1
        return index

    def begins_document(self, index: int) -> bool:
        """Whether a passage is the first of its document."""
        return index == 0 or self._places[index - 1][0] != self._places[index][0]

    def ranges(self, first: int, last: int) -> Iterator[tuple[int, int]]:
        """Text without structure, whole where it is short enough, else in ranges."""
        while (size := self.size_bytes(first, last)) > WHOLE_BYTES:
            aim = size // -(-size // WHOLE_BYTES)
            cut = self._pause_near(first, last, aim)
            yield first, cut
            first = cut
        if first < last:
            yield first, last

    def _pause_near(self, first: int, last: int, aim: int) -> int:
        """Where a range from `first` ends: at the strongest pause, then the nearest to `aim`."""
        begin = self._size_before[first]
        lowest = bisect_left(self._size_before, begin + aim * 3 // 4, first + 1, last)
        highest = bisect_right(self._size_before, begin + WHOLE_BYTES, lowest, last) - 1

        def rank(index: int) -> tuple[int, int]:
            return -self._pause(index), abs(self._size_before[index] - begin - aim)

        return min(range(lowest, max(highest, lowest) + 1), key=rank)

    def _pause(self, index: int) -> int:
        """How strong a pause stands before a passage, 0 to 3."""
        if self.begins_document(index) and not self.are_pages:
            return 3
        cut = self.passages[index]
        return cut.begins_block * (1 + cut.is_heading)

    def segment(self, index: int, piece: _Piece) -> Segment:
        """A piece as a segment, with its spans grown to hold the white space around."""
        cuts = self.passages[piece.first : piece.last]
        voices: Counter[Voice] = Counter()
        for cut in cuts:
            voices[cut.voice] += len(cut.text)
        size = self.size_bytes(piece.first, piece.last) - 1
        return Segment(
            segment_index=index,
            contents_path=piece.path,
            spans=tuple(self._spans(piece)),
            length_chars=sum(len(cut.text) + 1 for cut in cuts) - 1,
            size_bytes=size,
            tokens=estimate_tokens(size),
            voice=voices.most_common(1)[0][0],
        )

    def _spans(self, piece: _Piece) -> Iterator[Span]:
        indexes = range(piece.first, piece.last)
        for file_index, group in groupby(indexes, lambda one: self._places[one][0]):
            inside = list(group)
            start = 0 if self.begins_document(inside[0]) else self._places[inside[0]][1]
            after = inside[-1] + 1
            is_last = after == len(self.passages) or self.begins_document(after)
            end = self.documents[file_index].length_chars if is_last else self._places[after][1]
            yield Span(file_index, start, end)


def _nodes(contents: Sequence[ContentsEntry], text: _BookText) -> list[_Node]:
    """The nodes of the contents, each with its own text, and nodes for the text before them."""
    nodes: list[_Node] = []
    placed: list[tuple[int, int]] = []
    for number, entry in enumerate(contents):
        parent = entry.parent_index
        if parent is not None and not 0 <= parent < number:
            parent = None
        above = () if parent is None else nodes[parent].path
        title = entry.title.strip()
        nodes.append(_Node((*above, title) if title else above, parent))
        if entry.file_index is not None:
            placed.append((text.passage_at(entry.file_index, entry.start or 0), number))
    placed.sort()
    end = len(text.passages)
    for first, number in reversed(placed):
        nodes[number].first, nodes[number].last = first, end
        end = first
    return nodes + list(_document_nodes(text, end))


def _document_nodes(text: _BookText, end: int) -> Iterator[_Node]:
    """Nodes for the text before passage `end`, which no line of the contents leads to."""
    if text.are_pages:
        yield _Node((), None, 0, end)
        return
    starts = [index for index in range(end) if text.begins_document(index)]
    for first, last in pairwise([*starts, end]):
        title = text.documents[text.passages[first].span.file_index].title.strip()
        yield _Node((title,) if title else (), None, first, last)


def _pieces(nodes: Sequence[_Node], text: _BookText) -> Iterator[_Piece]:
    """Which stretches become segments."""
    first = [node.first if node.last > node.first else len(text.passages) for node in nodes]
    last = [node.last for node in nodes]
    count = [node.last - node.first for node in nodes]
    for number in range(len(nodes) - 1, -1, -1):  # children stand after their parents
        parent = nodes[number].parent
        if parent is not None:
            first[parent] = min(first[parent], first[number])
            last[parent] = max(last[parent], last[number])
            count[parent] += count[number]
    is_taken = [False] * len(nodes)
    for number, node in enumerate(nodes):
        is_taken[number] = node.parent is not None and is_taken[node.parent]
        if is_taken[number] or not count[number]:
            continue
        # A node whose text is scattered, because the contents are out of order, is never whole.
        is_whole = count[number] == last[number] - first[number]
        if is_whole and text.size_bytes(first[number], last[number]) <= NODE_BYTES:
            is_taken[number] = True
            yield _Piece(node.path, first[number], last[number])
        else:
            for begin, end in text.ranges(node.first, node.last):
                yield _Piece(node.path, begin, end)
