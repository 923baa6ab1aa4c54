import re

import pytest

from app.answering.quoting_model import FULL_BOOK, RELATED, QuotingModel
from app.books.open_book import open_book
from app.domain.evidence import IssuedPassage, Ledger
from app.domain.position import parse_tag
from app.domain.provider import BUILT_IN
from app.llm.chat_model import (
    AssistantMessage,
    ModelFinished,
    SystemMessage,
    TextDelta,
    ToolCall,
    ToolDefinition,
    ToolResult,
    UserMessage,
)
from app.storage.database import Database
from tests.fakes.indexed_book import IndexedBook

TOOLS = [ToolDefinition(RELATED, "", {}), ToolDefinition(FULL_BOOK, "", {})]
STORY = [
    ["The wood-cutter lit the copper lamp. It burned with a blue flame."],
    ["“Is it late?” asked the miller. He locked the copper gate of the mill."],
]
TAG = re.compile(r"\[f\d+-\d+-\d+\]")


@pytest.fixture
def database(tmp_path):
    with Database(tmp_path / "library.sqlite3") as database:
        yield database


@pytest.fixture
def book(database):
    return IndexedBook(database, STORY)


def model(book, ledger=None):
    return QuotingModel(ledger or book.issue_all(), book, book.ladder)


def answer(quoting, question):
    events = list(quoting.stream([SystemMessage("rules"), UserMessage(question)]))
    assert events[-1] == ModelFinished("stop")
    return "".join(event.text for event in events[:-1] if isinstance(event, TextDelta))


def after_call(question, name):
    call = ToolCall("1", name, {})
    return [
        UserMessage("An earlier question"),
        AssistantMessage("An earlier answer"),
        UserMessage(question),
        AssistantMessage("", (call,)),
        ToolResult("1", name, "passages"),
    ]


def test_it_calls_the_tool_before_it_answers(book):
    events = list(model(book).stream([UserMessage("Where is the lamp?")], tools=TOOLS))
    assert [type(event) for event in events] == [ToolCall, ModelFinished]
    assert events[0].name == RELATED
    assert events[0].arguments == {"question": "Where is the lamp?"}
    assert events[0].call_id
    assert events[1].reason == "tool_calls"


def test_a_question_for_the_whole_book_calls_the_other_tool(book):
    events = list(model(book).stream([UserMessage("What is this book about?")], tools=TOOLS))
    assert (events[0].name, events[0].arguments) == (FULL_BOOK, {})


def test_it_calls_again_for_the_next_question_but_not_twice_for_one(book):
    question = "What did the wood-cutter light?"
    done = after_call(question, RELATED)
    assert not any(isinstance(event, ToolCall) for event in model(book).stream(done, tools=TOOLS))
    asked = [*done, AssistantMessage("An answer"), UserMessage("And the gate?")]
    assert isinstance(next(iter(model(book).stream(asked, tools=TOOLS))), ToolCall)


def test_it_keeps_from_calling_where_told_to(book):
    events = model(book).stream([UserMessage("the copper lamp")], tools=TOOLS, tool_choice="none")
    assert not any(isinstance(event, ToolCall) for event in events)


def test_an_answer_is_quotations_with_issued_tags(book):
    ledger = book.issue_all()
    text = answer(model(book, ledger), "What did the wood-cutter light?")
    assert text.startswith("“The wood-cutter lit the copper lamp.” [f0-0-36]")
    for tag in TAG.findall(text):
        span = parse_tag(tag)
        issued = ledger.confirm(span)
        assert issued is not None
        assert issued.text == book.documents[span.file_index].text[span.start : span.end]
        assert issued.text in text


def test_it_says_nothing_where_the_passages_do_not_speak_of_it(book):
    assert answer(model(book), "What does the book say about quantum chromodynamics?") == ""


def test_it_says_nothing_without_passages(book):
    assert answer(model(book, Ledger()), "What did the wood-cutter light?") == ""


def test_a_sentence_with_quotation_marks_is_put_into_others(book):
    assert answer(model(book), "Who asked is it late?").startswith(
        "‘“Is it late?” asked the miller.’"
    )


@pytest.mark.parametrize(
    ("language", "text", "question", "start"),
    [
        ("fr", "Le phare éclaire la côte.", "Où est le phare ?", "«Le phare"),
        ("de", "Der Leuchtturm steht am Ufer.", "Wo steht der Leuchtturm?", "„Der Leuchtturm"),
        ("ja", "猫が庭で寝ている。", "猫はどこですか", "「猫が"),
    ],
)
def test_quotation_marks_are_those_of_the_book(database, language, text, question, start):
    book = IndexedBook(database, [[text]], language)
    assert answer(model(book), question).startswith(start)


def test_markdown_in_a_sentence_is_shown_as_it_is(database):
    book = IndexedBook(database, [["The *copper* lamp [see_note] <b> burned `all` night."]])
    text = answer(model(book), "Which copper lamp burned?")
    assert text.startswith(r"“The \*copper\* lamp \[see\_note\] \<b\> burned \`all\` night.”")


def test_an_overview_quotes_from_every_part(book):
    events = model(book).stream(after_call("What is this book about?", FULL_BOOK), tools=TOOLS)
    text = "".join(event.text for event in events if isinstance(event, TextDelta))
    assert {parse_tag(tag).file_index for tag in TAG.findall(text)} == {0, 1}


def test_it_answers_from_a_part_of_a_passage_that_was_issued(book):
    ledger = Ledger()
    passage = book.passages[1]
    ledger.issue(IssuedPassage(passage.span, passage.text, ("Part two",), passage.voice, "7"))
    text = answer(model(book, ledger), "Which gate did the miller lock?")
    [tag] = TAG.findall(text)
    issued = ledger.confirm(parse_tag(tag))
    assert issued is not None
    assert issued.span != passage.span
    assert (issued.contents_path, issued.page_label) == (("Part two",), "7")


def test_a_stop_ends_the_stream_without_an_end(book):
    quoting = model(book)
    stream = quoting.stream([UserMessage("copper lamp, copper gate, flame")])
    next(stream)
    quoting.abort()
    assert list(stream) == []
    assert answer(quoting, "What did the wood-cutter light?")


def test_it_names_itself(book):
    quoting = model(book)
    assert (quoting.provider, quoting.model) == (BUILT_IN, "quoting")
    assert quoting.capabilities.is_on_this_computer
    assert quoting.capabilities.calls_tools


@pytest.mark.corpus
@pytest.mark.parametrize(
    ("name", "question", "wording", "absent"),
    [
        (
            "pg11-alice.epub",
            "What does the Cheshire Cat say about being mad?",
            "mad here",
            "What does the book say about quantum chromodynamics?",
        ),
        (
            "live-manual-ja.epub",
            "ライブシステムとは何ですか",
            "Live システム",
            "量子色力学について何と書いてありますか",
        ),
        (
            "idpf-israelsailing-he.epub",
            "איפה נמצאת המרינה בהרצליה?",
            "למרינה הרצליה",
            "מהי תורת הקוונטים?",
        ),
    ],
)
def test_real_books_answer_and_refuse(database, corpus, *, name, question, wording, absent):
    with open_book(corpus / name) as source:
        documents = [source.document(index).content for index in range(source.document_count)]
        book = IndexedBook(database, documents, source.metadata.language)
    assert wording in answer(model(book), question)
    assert answer(model(book), absent) == ""
