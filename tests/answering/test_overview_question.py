import pytest

from app.answering.overview_question import asks_for_overview


@pytest.mark.parametrize(
    "question",
    [
        "What is this book about?",
        "Please summarise the book.",
        "Give me an overview of the main themes",
        "De quoi parle ce livre ?",
        "Worum geht es in diesem Buch?",
        "この本を要約してください",
        "这本书讲什么？",
        "על מה הספר?",
    ],
)
def test_asking_for_the_whole_book(question):
    assert asks_for_overview(question)


@pytest.mark.parametrize(
    "question",
    [
        "What does the Cheshire Cat say about being mad?",
        "Who summarises the case?",
        "What is a themed party?",
        "パッケージリストとは何ですか",
        "",
    ],
)
def test_asking_for_a_matter_of_the_book(question):
    assert not asks_for_overview(question)
