"""An open book: its places, links and sources, and questions that are kept."""

from __future__ import annotations

import pytest

from app.domain.conversation import AnswerState, Lane, Question
from app.domain.errors import PageLabelUnknown, ProviderUnknown, TagUnknown
from app.domain.position import Locator, Span
from app.domain.scope import WHOLE_BOOK
from tests.assembly.conftest import FACT, finish

QUESTION = Question("Where did the keeper bury the silver compass?")


@pytest.fixture
def book(assembly, book_file):
    _, imported = finish(assembly.import_book(book_file))
    with assembly.open(imported.book_id) as opened:
        yield opened


def span_of(book, words: str) -> Span:
    for document in book.documents:
        at = book.document_text(document.file_index).text.find(words)
        if at >= 0:
            return Span(document.file_index, at, at + len(words))
    raise AssertionError(words)


def test_a_source_stands_between_its_neighbours(book):
    source = book.source(span_of(book, "buried the silver compass"))
    assert source.text == "buried the silver compass"
    assert source.before.endswith("The lighthouse keeper ")
    assert source.after.startswith(" under the third stair.")


def test_a_link_leads_to_its_anchor_and_one_that_leaves_the_book_to_none(book):
    tide = span_of(book, "The tide rose.")
    assert book.resolve_link(0, "chapter2.xhtml#tide") == Locator(tide.file_index, tide.start)
    assert book.resolve_link(1, "#tide") == Locator(tide.file_index, tide.start)
    assert book.resolve_link(0, "chapter2.xhtml") == Locator(1, 0)
    assert book.resolve_link(0, "chapter2.xhtml#gone") == Locator(1, 0)
    assert book.resolve_link(0, "https://example.org/chapter2.xhtml") is None
    assert book.resolve_link(0, "absent.xhtml") is None


@pytest.mark.parametrize("tag", ["[f0-5-2]", "[f1-293]", "[f9-0-5]", "[f0-0-99999]", "f0-0-5"])
def test_a_tag_that_names_no_place_of_the_book_is_refused(book, tag):
    with pytest.raises(TagUnknown):
        book.span_of_tag(tag)


def test_the_text_of_a_tag_is_the_readable_text_of_its_span(book):
    span = span_of(book, FACT)
    assert book.readable(book.span_of_tag(span.tag)) == FACT


def test_an_edition_without_page_numbers_says_so(book):
    with pytest.raises(PageLabelUnknown) as refused:
        book.printed_page("405")
    assert not refused.value.has_labels


def test_a_question_and_its_answer_are_kept(book):
    _, answer = finish(book.ask(QUESTION))
    assert answer.lane is Lane.GROUNDED
    assert FACT in answer.citations[0].text
    assert tuple(book.turns()) == (answer,)


def test_a_question_that_is_not_to_be_kept_is_not(book):
    finish(book.ask(QUESTION, is_saved=False))
    assert not book.turns()


def test_an_answer_that_is_closed_is_kept_as_stopped(book):
    work = book.ask(QUESTION)
    next(work)
    work.close()
    (kept,) = book.turns()
    assert kept.question == QUESTION
    assert kept.state is AnswerState.STOPPED


def test_an_unknown_provider_is_named(book):
    with pytest.raises(ProviderUnknown) as refused:
        finish(book.ask(QUESTION, "nobody"))
    assert refused.value.name == "nobody"


def test_what_lies_outside_a_scope_is_not_found_there(book):
    second = book.scope("chapter:2")
    assert book.find("silver compass", WHOLE_BOOK, limit=5).hits
    assert not book.find("silver compass", second, limit=5).hits
    assert book.find("tide", second, limit=5).hits


def test_the_place_where_the_reader_left_off_is_kept(book, assembly):
    assert book.reading_position() is None
    book.save_position(Locator(1, 4))
    with assembly.open(book.book.book_id) as again:
        assert again.reading_position() == Locator(1, 4)
