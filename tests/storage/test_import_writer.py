import apsw
import pytest

from app.domain.book import ContentsEntry, ImportState, PageLabel, Voice
from app.domain.conversation import Question
from app.domain.document import Resource
from app.domain.passage import Passage, Segment, Summary, SummaryKind
from app.domain.position import Locator, Span
from app.storage.conversations import Conversations
from app.storage.import_writer import ImportWriter
from app.storage.library import Library
from app.storage.reading_positions import ReadingPositions
from app.storage.search_index import SearchIndex
from app.storage.summaries import Summaries
from app.storage.texts import Texts
from tests.fakes.documents import document


def test_a_new_book_has_a_place_for_every_document(database, importing):
    documents = Texts(database).documents(importing.book_id)
    assert [one.file_index for one in documents] == [0, 1]
    assert [one.length_chars for one in documents] == [0, 0]


def test_the_same_file_is_imported_once_at_a_time(database, importing, new_book):
    assert ImportWriter.begin(database, new_book()) is None
    other = ImportWriter.begin(database, new_book("b2"))
    other.abandon()


def test_a_stored_document_takes_its_place(database, importing):
    importing.store_documents([document(["One.", "Two."], 1, warnings=("A note.",))])
    stored = Texts(database).documents(importing.book_id)[1]
    assert (stored.name, stored.title) == ("text/1.xhtml", "Document 1")
    assert (stored.length_chars, stored.part_count, stored.warnings) == (8, 1, ("A note.",))


def test_a_finished_book_is_ready_and_knows_its_length(database, new_book):
    writer = ImportWriter.begin(database, new_book())
    writer.store_documents([document(["One."], 0), document(["Three."], 1)])
    writer.finish(["A picture is missing."])
    book = Library(database).book(writer.book_id)
    assert (book.state, book.length_chars) == (ImportState.READY, 10)
    assert book.warnings == ("A picture is missing.",)


def test_an_abandoned_book_was_never_there(database, new_book):
    writer = ImportWriter.begin(database, new_book())
    writer.store_documents([document(["One."])])
    writer.abandon()
    for table in ("books", "documents", "document_texts", "markup_parts", "anchors"):
        assert database.connection().execute(f"SELECT count(*) FROM {table}").get == 0
    assert [path.name for path in database.path.parent.glob("*importing*")] == []


def test_the_structure_is_replaced_whole(database, importing):
    texts = Texts(database)
    early = (ContentsEntry(0, None, 0, "One", 0, 0), ContentsEntry(1, 0, 1, "Two", 1, 0))
    importing.store_structure(early, (PageLabel("i", 0, 0), PageLabel("i", 0, 9)))
    assert texts.contents(importing.book_id) == early
    final = (
        ContentsEntry(0, None, 0, "One", 0, 7, is_made=True),
        ContentsEntry(1, 0, 1, "", None, None),
    )
    importing.store_structure(final, (PageLabel("1", 1, 2),))
    assert texts.contents(importing.book_id) == final
    assert texts.page_labels(importing.book_id) == (PageLabel("1", 1, 2),)


def test_segments_summaries_and_passages_are_stored_and_can_be_searched(database, importing):
    spans = (Span(0, 0, 9), Span(1, 0, 4))
    segment = Segment(0, ("Part", "Chapter"), spans, 12, 13, 4, Voice.NOTES)
    summary = Summary(0, SummaryKind.QUOTED, "A cat. [f0-0-6]", fingerprint="ff")
    passage = Passage(Span(0, 0, 6), "A cat.", Voice.BODY, 0)
    importing.store_segments([segment])
    importing.store_summaries([summary])
    importing.store_passages([passage])
    assert Texts(database).segments(importing.book_id) == (segment,)
    assert Summaries(database).summaries(importing.book_id) == {0: summary}
    search = SearchIndex(database).book(importing.book_id)
    assert search.passages([0]) == [passage]
    assert search.vocabulary == {"a": 1, "cat": 1}


def test_what_sqlite_cannot_hold_does_not_stop_an_import(database, importing):
    bad = "\ud800\0"
    importing.store_documents(
        [document([f"a{bad}b"], name=bad, title=bad, anchors={bad: 1}, warnings=(bad,))]
    )
    importing.store_structure([ContentsEntry(0, None, 0, bad, 0, 0)], [PageLabel(bad, 0, 0)])
    importing.store_resources([Resource(bad, "image/png", b"x")])
    texts = Texts(database)
    assert texts.document_text(importing.book_id, 0).text == f"a{bad}b"
    assert texts.contents(importing.book_id)[0].title == "\ufffd\ufffd"


def test_a_new_reading_of_a_file_takes_over_what_a_person_made(database, ready_book, new_book):
    Conversations(database).add_question(ready_book, Question("Why?"))
    ReadingPositions(database).save(ready_book, Locator(1, 3))
    Library(database).opened(ready_book)
    writer = ImportWriter.begin(database, new_book(text_rule=2))
    writer.finish([])
    assert [book.text_rule for book in Library(database).recent(9)] == [2]
    assert [turn.question.text for turn in Conversations(database).turns(writer.book_id)] == [
        "Why?"
    ]
    assert ReadingPositions(database).position(writer.book_id) == Locator(1, 3)
    with pytest.raises(LookupError):
        Library(database).book(ready_book)


def test_a_failed_new_reading_leaves_the_old_one(database, ready_book, new_book):
    ImportWriter.begin(database, new_book(text_rule=2)).abandon()
    assert Library(database).book(ready_book).text_rule == 1


def test_a_book_is_ready_once(database, ready_book, new_book):
    writer = ImportWriter.begin(database, new_book("b2"))
    writer.finish([])
    with pytest.raises(apsw.ConstraintError), database.write() as connection:
        connection.execute("UPDATE books SET content_hash = 'a1'")
