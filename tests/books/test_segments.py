import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.books.open_book import open_book
from app.books.passages import cut_passages
from app.books.segments import (
    LOT_BYTES,
    NODE_BYTES,
    WHOLE_BYTES,
    DocumentPassages,
    cut_segments,
    estimate_tokens,
    lots,
)
from app.domain.book import BookFormat, ContentsEntry, Voice
from app.domain.document import BlockKind
from app.domain.position import Span
from tests.fakes.documents import document_text

PARAGRAPH = "It was a long and quiet afternoon in the old house by the sea, and nobody spoke. " * 12
KB = len(PARAGRAPH) / 1000  # about one kilobyte


def made(*documents, titles=()):
    """Documents as segments are cut from them; a number is that many kilobytes of paragraphs."""
    found = []
    for index, blocks in enumerate(documents):
        written = [PARAGRAPH] * round(blocks / KB) if isinstance(blocks, int) else blocks
        content = document_text(written, index)
        title = titles[index] if index < len(titles) else ""
        found.append(DocumentPassages(index, len(content.text), title, cut_passages(content)))
    return found


def tree(*lines):
    """Contents from (depth, title, file_index, start)."""
    entries = []
    for index, (depth, title, file_index, start) in enumerate(lines):
        above = [entry.entry_index for entry in entries if entry.depth < depth]
        parent = above[-1] if above else None
        entries.append(ContentsEntry(index, parent, depth, title, file_index, start))
    return entries


def cut(documents, contents=(), *, are_pages=False):
    segments, passages = cut_segments(documents, contents, are_pages=are_pages)
    assert_whole(documents, segments, passages)
    return segments


def assert_whole(documents, segments, passages):
    """All passages once, in order, each within a span of its segment; spans that join."""
    assert [one.span for one in passages] == [
        one.span for document in documents for one in document.passages
    ]
    assert [one.segment_index for one in segments] == list(range(len(segments)))
    indexes = [one.segment_index for one in passages]
    assert indexes == sorted(indexes)
    assert set(indexes) == set(range(len(segments)))
    for passage in passages:
        spans = segments[passage.segment_index].spans
        assert any(span.contains(passage.span) for span in spans)
    spans = [span for segment in segments for span in segment.spans]
    assert spans == sorted(spans)
    for document in documents:
        mine = [span for span in spans if span.file_index == document.file_index]
        if document.passages:
            starts = [span.start for span in mine]
            assert starts == [0, *(span.end for span in mine[:-1])]
            assert mine[-1].end == document.length_chars
        else:
            assert mine == []


def paths(segments):
    return [segment.contents_path for segment in segments]


def test_a_small_node_is_one_segment_with_all_below_it():
    contents = tree((0, "I", 0, 0), (1, "I.1", 0, 2000), (0, "II", 1, 0))
    assert paths(cut(made(10, 10), contents)) == [("I",), ("II",)]


def test_a_large_node_is_split_at_its_children_and_keeps_its_own_text_apart():
    contents = tree((0, "I", 0, 0), (1, "One", 1, 0), (1, "Two", 2, 0), (2, "Deep", 2, 3000))
    segments = cut(made(2, 12, 12), contents)
    assert paths(segments) == [("I",), ("I", "One"), ("I", "Two")]
    assert segments[1].title == "One"


def test_a_node_without_children_stays_whole_up_to_forty_kilobytes():
    contents = tree((0, "I", 0, 0), (0, "II", 1, 0))
    segments = cut(made(38, 3), contents)
    assert paths(segments) == [("I",), ("II",)]
    assert NODE_BYTES < segments[0].size_bytes <= WHOLE_BYTES


def test_longer_text_without_structure_becomes_ranges_at_block_ends():
    documents = made(205)
    segments = cut(documents, tree((0, "I", 0, 0)))
    assert set(paths(segments)) == {("I",)}
    assert len(segments) == 6
    assert all(30_000 <= segment.size_bytes <= WHOLE_BYTES for segment in segments)
    begins = {one.span.start for one in documents[0].passages if one.begins_block}
    assert all(segment.spans[0].start in begins for segment in segments)


def test_a_range_ends_before_a_heading_where_there_is_one_near():
    blocks = [PARAGRAPH] * 36 + [("A heading", BlockKind.HEADING)] + [PARAGRAPH] * 28
    documents = made(blocks)
    first, second = cut(documents, tree((0, "I", 0, 0)))
    heading = next(one.span for one in documents[0].passages if one.is_heading)
    assert first.spans[0].end == second.spans[0].start == heading.start


def test_a_block_too_long_for_a_range_is_cut_between_passages():
    segments = cut(made([PARAGRAPH * 90]), tree((0, "I", 0, 0)))
    assert len(segments) == 3
    assert all(segment.size_bytes <= WHOLE_BYTES for segment in segments)


def test_a_segment_may_cross_documents():
    contents = tree((0, "I", 0, 0), (0, "II", 2, 1000))
    documents = made(5, [], 5)
    segments = cut(documents, contents)
    assert [[span.file_index for span in segment.spans] for segment in segments] == [[0, 2], [2]]


def test_a_target_within_a_block_is_the_block():
    documents = made([PARAGRAPH, PARAGRAPH])
    contents = tree((0, "I", 0, 0), (0, "II", 0, len(PARAGRAPH) + 400))
    segments = cut(documents, contents)
    assert segments[1].spans == (Span(0, len(PARAGRAPH), 2 * len(PARAGRAPH)),)


def test_text_before_the_contents_is_cut_by_documents():
    contents = tree((0, "I", 2, 0))
    segments = cut(made(1, 1, 1, titles=["Cover", ""]), contents)
    assert paths(segments) == [("Cover",), (), ("I",)]


def test_in_a_book_without_contents_documents_are_nodes():
    segments = cut(made(3, 50, 3, titles=["A", "B", "C"]))
    assert paths(segments) == [("A",), ("B",), ("B",), ("C",)]


def test_pages_without_contents_are_cut_into_ranges():
    segments = cut(made(*[3] * 20), are_pages=True)
    assert paths(segments) == [(), ()]
    assert [len(segment.spans) for segment in segments] == [10, 10]


def test_contents_out_of_order_repeated_or_without_target_lose_no_text():
    contents = tree(
        (0, "Later", 2, 0),
        (1, "Child elsewhere", 0, 0),
        (0, "Part", None, None),
        (1, "First", 0, 0),
        (1, "", 1, 500),
        (0, "Beyond", 9, 0),
        (0, "Past the end", 2, 10**9),
    )
    segments = cut(made(15, 15, 15), contents)
    assert paths(segments) == [("Part", "First"), ("Part",), ("Later",)]


def test_a_parent_that_comes_later_in_the_list_is_no_parent():
    broken = [ContentsEntry(0, 1, 1, "A", 0, 0), ContentsEntry(1, 1, 0, "B", 1, 0)]
    assert paths(cut(made(25, 25), broken)) == [("A",), ("B",)]


LENGTHS = st.lists(st.sampled_from([0, 1, 5, 21, 45, 90]), min_size=1, max_size=5)
LINES = st.lists(
    st.tuples(
        st.integers(0, 3),
        st.sampled_from(["", "A", "B"]),
        st.none() | st.integers(0, 5),
        st.none() | st.integers(0, 60_000),
    ),
    max_size=12,
)


@settings(max_examples=60, deadline=None)
@given(LENGTHS, LINES, st.booleans())
def test_whatever_the_contents_claim_all_text_is_held_once(lengths, lines, are_pages):
    segments = cut(made(*lengths), tree(*lines), are_pages=are_pages)
    assert all(segment.size_bytes <= WHOLE_BYTES for segment in segments)


def test_a_segment_knows_its_size_and_the_voice_of_most_of_its_text():
    content = document_text(["Ünder the sea."], 0)
    notes = document_text(["A note of the translator, longer than the text."], 1, Voice.NOTES)
    documents = [
        DocumentPassages(one.file_index, len(one.text), "", cut_passages(one))
        for one in (content, notes)
    ]
    (segment,) = cut(documents, tree((0, "I", 0, 0)))
    assert segment.voice is Voice.NOTES
    assert segment.length_chars == len(content.text) + 1 + len(notes.text)
    assert segment.size_bytes == segment.length_chars + 1
    assert segment.tokens == estimate_tokens(segment.size_bytes)


def test_an_empty_book_has_no_segments():
    assert cut([]) == []
    assert cut(made([], [])) == []


def test_lots_hold_small_neighbours_of_one_node():
    contents = tree(
        (0, "I", 0, 0), *((1, str(number), number, 0) for number in range(8)), (0, "II", 8, 0)
    )
    segments = cut(made(*[7] * 8, 25), contents)
    grouped = lots(segments)
    assert [one for lot in grouped for one in lot] == segments
    assert [len(lot) for lot in grouped] == [2, 2, 2, 2, 1]
    assert all(sum(one.size_bytes for one in lot) <= LOT_BYTES for lot in grouped[:-1])


@pytest.mark.corpus
def test_war_and_peace_follows_its_contents(corpus):
    with open_book(corpus / "se-war-and-peace.epub") as book:
        documents = [book.document(index) for index in range(book.document_count)]
        contents = book.contents()
        assert book.book_format is BookFormat.EPUB
    cutable = [
        DocumentPassages(
            one.content.file_index, len(one.content.text), one.title, cut_passages(one.content)
        )
        for one in documents
    ]
    segments = cut(cutable, contents)
    titles = {entry.title for entry in contents}
    assert len(contents) == 393
    assert len(segments) == 393
    assert {segment.title for segment in segments} == titles
