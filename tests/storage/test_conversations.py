import pytest

from app.domain.book import Voice
from app.domain.conversation import Answer, AnswerState, Citation, Lane, Question
from app.domain.position import Span
from app.domain.scope import Scope, ScopeKind
from app.storage.conversations import Conversations, text_hash
from app.storage.database import Database


@pytest.fixture
def conversations(database):
    return Conversations(database)


def answer_to(question, *spans, state=AnswerState.COMPLETE):
    citations = tuple(
        Citation(number, span, f"text {number}", ("I",), Voice.BODY, "12")
        for number, span in enumerate(spans, 1)
    )
    return Answer(question, Lane.GROUNDED, state, "Because.[^1]", citations, provider="built-in")


def test_a_turn_comes_back_whole(conversations, ready_book):
    question = Question("Why \ud800?", Scope(ScopeKind.CHAPTER, "I", (Span(0, 0, 9),)))
    turn = conversations.add_question(ready_book, question)
    answer = answer_to(question, Span(0, 1, 2), Span(0, 5, 9))
    conversations.set_answer(turn, answer)
    (found,) = conversations.all_turns(ready_book)
    assert (found.turn_id, found.question, found.answer) == (turn, question, answer)
    assert conversations.turns(ready_book) == (answer,)


def test_citations_are_kept_with_the_hash_of_their_text(conversations, database, ready_book):
    question = Question("Why?")
    turn = conversations.add_question(ready_book, question)
    conversations.set_answer(turn, answer_to(question, Span(3, 1, 2), Span(0, 5, 9)))
    conversations.set_answer(turn, answer_to(question, Span(4, 1, 2)))
    rows = database.connection().execute("SELECT * FROM citations").fetchall()
    assert rows == [(turn, 1, 4, 1, 2, text_hash("text 1"))]


def test_a_question_outlives_a_crash_before_its_answer(conversations, database, ready_book):
    conversations.add_question(ready_book, Question("Why?"))
    with Database(database.path) as after_the_crash:
        found = Conversations(after_the_crash)
        assert found.all_turns(ready_book)[0].answer is None
        (answer,) = found.turns(ready_book)
    assert answer.question == Question("Why?")
    assert (answer.state, answer.markdown, answer.citations) == (AnswerState.STOPPED, "", ())


def test_turns_stand_in_the_order_of_asking(conversations, ready_book):
    for words in ("One?", "Two?", "Three?"):
        question = Question(words)
        conversations.set_answer(
            conversations.add_question(ready_book, question), answer_to(question)
        )
    asked = [answer.question.text for answer in conversations.turns(ready_book)]
    assert asked == ["One?", "Two?", "Three?"]


def test_a_book_has_one_conversation_until_another_is_begun(conversations, ready_book):
    conversations.add_question(ready_book, Question("One?"))
    conversations.add_question(ready_book, Question("Two?"))
    first = conversations.conversations(ready_book)
    assert len(first) == 1
    second = conversations.begin(ready_book)
    conversations.add_question(ready_book, Question("Three?"))
    conversations.add_question(ready_book, Question("Four?"), first[0])
    assert conversations.conversations(ready_book) == (*first, second)
    assert len(conversations.all_turns(ready_book)) == 4
    assert [turn.question.text for turn in conversations.all_turns(ready_book, second)] == [
        "Three?"
    ]


def test_a_removed_conversation_takes_its_turns_along(conversations, database, ready_book):
    question = Question("Why?")
    turn = conversations.add_question(ready_book, question)
    conversations.set_answer(turn, answer_to(question, Span(0, 1, 2)))
    conversations.remove(conversations.conversations(ready_book)[0])
    assert conversations.turns(ready_book) == ()
    assert database.connection().execute("SELECT count(*) FROM citations").get == 0
