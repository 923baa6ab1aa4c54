import pytest

from app.domain.book import Voice
from app.domain.document import BlockKind, MarkupPart, Resource
from app.domain.passage import Passage
from app.domain.position import Span
from app.storage.texts import Texts
from tests.fakes.documents import document


@pytest.fixture
def texts(database):
    return Texts(database)


def test_a_document_comes_back_exactly(texts, importing):
    made = document(
        [
            "😀 𠮷野家",
            ("Roses are red\nviolets are blue", BlockKind.VERSE),
            ("Title", BlockKind.HEADING),
        ]
    )
    importing.store_documents([made])
    assert texts.document_text(importing.book_id, 0) == made.content
    assert texts.fingerprint(importing.book_id, 0) == made.fingerprint


def test_a_document_that_was_not_read_yet_is_empty(texts, importing):
    unread = texts.document_text(importing.book_id, 1)
    assert (unread.file_index, unread.text, unread.blocks) == (1, "", ())
    assert texts.part_ranges(importing.book_id, 1) == ()
    assert texts.fingerprint(importing.book_id, 1) == ""


def test_markup_is_served_part_by_part(texts, importing):
    parts = (MarkupPart(0, 0, 4, b"<a/>"), MarkupPart(1, 4, 8, "<b>ü</b>".encode()))
    importing.store_documents([document(["One.Two."], parts=parts)])
    assert texts.part_ranges(importing.book_id, 0) == ((0, 4), (4, 8))
    assert texts.part(importing.book_id, 0, 1) == parts[1].markup
    with pytest.raises(LookupError):
        texts.part(importing.book_id, 0, 2)


def test_a_resource_is_found_by_its_name(texts, importing):
    picture = Resource("images/a.png", "image/png", b"\x89PNG\0")
    importing.store_resources([picture, Resource("images/a.png", "image/png", b"again")])
    assert texts.resource(importing.book_id, "images/a.png") == picture
    assert texts.resource(importing.book_id, "images/b.png") is None


def test_an_anchor_is_a_place(texts, importing):
    importing.store_documents([document(["One."], anchors={"note": 3})])
    assert texts.anchor(importing.book_id, 0, "note") == 3
    assert texts.anchor(importing.book_id, 0, "Note") is None


def test_passages_are_found_by_segment_and_by_place(texts, importing):
    passages = [
        Passage(Span(0, 0, 10), "first", Voice.BODY, 0),
        Passage(Span(0, 11, 20), "second", Voice.NOTES, 0),
        Passage(Span(0, 25, 30), "third", Voice.BODY, 1),
        Passage(Span(1, 0, 30), "fourth", Voice.BODY, 1),
    ]
    importing.store_passages(passages)
    book_id = importing.book_id

    def found(start, end, file_index=0):
        return [one.text for one in texts.passages_in(book_id, Span(file_index, start, end))]

    assert texts.passage_count(book_id) == 4
    assert texts.passages_of_segment(book_id, 0) == tuple(passages[:2])
    assert texts.passages_of_segment(book_id, 1) == tuple(passages[2:])
    assert found(0, 30) == ["first", "second", "third"]
    assert found(5, 12) == ["first", "second"]
    assert found(10, 11) == []
    assert found(19, 25) == ["second"]
    assert found(12, 13) == ["second"]
    assert found(20, 26) == ["third"]
    assert found(29, 99, 1) == ["fourth"]
    assert found(0, 9, 2) == []
