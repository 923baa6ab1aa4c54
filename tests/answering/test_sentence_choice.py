import pytest

from app.answering.sentence_choice import MOST_SENTENCES, SentenceChoice
from app.domain.book import Voice
from app.storage.database import Database
from tests.fakes.indexed_book import IndexedBook, document

STORY = [
    [
        "# The Lamp",
        "The wood-cutter lit the copper lamp. It burned with a blue flame.",
        "He slept.",
    ],
    ["In spring the river rose and carried the mill away.", "Nobody in the village mourned it."],
    ["The miller's daughter married a sailor from Bergen. They had seven sons."],
]


@pytest.fixture
def database(tmp_path):
    with Database(tmp_path / "library.sqlite3") as database:
        yield database


def choose(book, question):
    choice = SentenceChoice(book, book.search, book.ladder.book_words)
    return choice.choose(question, book.issue_all().issued())


def test_the_sentence_that_answers_is_chosen_with_its_place(database):
    book = IndexedBook(database, STORY)
    best = choose(book, "What did the wood-cutter light?")[0]
    assert best.text == "The wood-cutter lit the copper lamp."
    assert book.documents[0].text[best.span.start : best.span.end] == best.text


def test_forms_of_a_word_answer_too(database):
    book = IndexedBook(database, STORY)
    assert choose(book, "Whom did the daughter marry?")[0].text.startswith("The miller's daughter")


def test_at_most_a_few_sentences_best_first(database):
    book = IndexedBook(database, [[f"The lamp stood in room {number}." for number in range(9)]])
    chosen = choose(book, "Where did the lamp stand?")
    assert len(chosen) == MOST_SENTENCES
    assert [one.score for one in chosen] == sorted((one.score for one in chosen), reverse=True)


@pytest.mark.parametrize(
    "question",
    [
        "What does the book say about quantum chromodynamics?",
        "Who is Captain Ahab?",
        "Did Bergen Copper marry?",
        "?!",
        "",
    ],
)
def test_nothing_is_chosen_where_the_book_does_not_speak_of_it(database, question):
    assert choose(IndexedBook(database, STORY), question) == ()


def test_words_apart_from_each_other_do_not_answer(database):
    filler = ["Nothing happened on that day, nor on the next."] * 8
    book = IndexedBook(database, [["A copper pot.", *filler, "A spring."], [*filler, "A sailor."]])
    assert choose(book, "copper spring sailor") == ()


def test_only_what_was_issued_is_chosen(database):
    book = IndexedBook(database, STORY)
    choice = SentenceChoice(book, book.search, book.ladder.book_words)
    issued = [one for one in book.issue_all().issued() if one.span.file_index == 1]
    assert choice.choose("What did the wood-cutter light?", issued) == ()
    assert choice.choose("What did the river carry away?", issued)[0].span.file_index == 1


def test_contents_and_licence_are_no_evidence(database):
    book = IndexedBook(
        database, [document(0, ["The copper lamp is free to share."], Voice.LICENCE)]
    )
    assert choose(book, "Who may share the copper lamp?") == ()


def test_a_heading_or_a_question_of_the_book_is_no_answer(database):
    book = IndexedBook(
        database,
        [
            [
                "# The copper lamp",
                "Where is the copper lamp kept?",
                "The copper lamp is kept below deck.",
            ]
        ],
    )
    assert choose(book, "Where is the copper lamp kept?")[0].text.endswith("below deck.")


def test_a_long_sentence_is_cut_where_it_could_have_ended(database):
    long = (
        "total revenue for the year was 12 million dollars and rose in all regions of the north. "
        "the copper lamp business was sold to a company from bergen for 3 million dollars in cash. "
        "no other business was sold during the year although several buyers had shown an interest."
    )
    book = IndexedBook(database, [[long]])
    assert choose(book, "To whom was the copper lamp business sold?")[0].text == (
        "the copper lamp business was sold to a company from bergen for 3 million dollars in cash."
    )


def test_a_sentence_over_line_ends_stays_whole(database):
    book = IndexedBook(database, [["The copper lamp was\nkept below deck\nall winter. It rained."]])
    chosen = choose(book, "Where was the copper lamp kept?")
    assert chosen[0].text == "The copper lamp was kept below deck all winter."


@pytest.mark.parametrize(
    ("language", "text", "question", "absent"),
    [
        (
            "ja",
            "パッケージリストは一覧です。設定は別の章にあります。",
            "パッケージリストとは何ですか",
            "量子色力学について何と書いてありますか",
        ),
        ("zh", "开源项目需要测试。天气很好。", "什么是开源项目？", "量子色动力学是什么？"),
        ("he", "היאכטה עוגנת במרינה. ירד גשם.", "איפה עוגנת היאכטה?", "מהי תורת הקוונטים?"),
        (
            "fa",
            "کشتی در بندر لنگر انداخت. باران بارید.",
            "کشتی کجا لنگر انداخت؟",
            "مکانیک کوانتومی چیست؟",
        ),
        (
            "fr",
            "Le phare éclaire la côte. Il pleut.",
            "Que dit le livre du phare ?",
            "Qu’est-ce que l’entropie ?",
        ),
        (
            "de",
            "Der Leuchtturm steht am Ufer. Es regnet.",
            "Wo steht der Leuchtturm?",
            "Was ist Entropie?",
        ),
    ],
)
def test_other_languages(database, language, text, question, absent):
    book = IndexedBook(database, [[text]], language)
    assert choose(book, question)[0].span.start == 0
    assert choose(book, absent) == ()


def test_an_outline_takes_from_every_part_in_reading_order(database):
    book = IndexedBook(database, STORY)
    choice = SentenceChoice(book, book.search, book.ladder.book_words)
    outline = choice.outline(book.issue_all().issued(), 3)
    assert [one.span.file_index for one in outline] == sorted(
        one.span.file_index for one in outline
    )
    assert len(outline) == 3
    assert choice.outline((), 3) == ()
