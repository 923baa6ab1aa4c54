"""A quoted wording stands in the book word for word, altered, or not at all."""

from __future__ import annotations

import pytest

from app.answering.quote_check import check_quotes, find_wording, quoted_runs
from app.domain.conversation import QuoteVerdict
from app.domain.position import Span
from app.domain.scope import WHOLE_BOOK, Scope, ScopeKind
from tests.fakes.in_memory_book import Chapter, InMemoryBook, InMemorySearch

COIN = "Ahab nailed a gold coin to the mast for whoever saw the whale first."
MAD = "“Oh, you can’t help that,” said the Cat: “we’re all mad here. I’m mad.”"
CAFE = "Il prit un cafe\u0301 noir au bord de la Seine, 𠮷 comme toujours."


@pytest.fixture
def book():
    return InMemoryBook([Chapter("One", ["Call me Ishmael.", COIN]), Chapter("Two", [MAD, CAFE])])


def find(book, wording, scope=WHOLE_BOOK):
    return find_wording(wording, book, InMemorySearch(book), scope)


@pytest.mark.parametrize(
    ("wording", "text"),
    [
        ("nailed a gold coin to the mast", "nailed a gold coin to the mast"),
        ("Nailed a GOLD coin, to the mast!", "nailed a gold coin to the mast"),
        ("we're all mad here", "we’re all mad here"),
        ("prit un café noir", "prit un cafe\u0301 noir"),
        ("Il prit un café", "Il prit un cafe\u0301"),
        ("la Seine, 𠮷 comme", "la Seine, 𠮷 comme"),
    ],
)
def test_a_verbatim_wording_is_found_at_its_exact_place(book, wording, text):
    found = find(book, wording)
    assert found.verdict is QuoteVerdict.VERBATIM
    match = found.matches[0]
    assert match.text == text
    document = book.document_text(match.span.file_index).text
    assert document[match.span.start : match.span.end] == text
    assert found.difference == ""
    assert found.searches


@pytest.mark.parametrize(
    ("wording", "text", "difference"),
    [
        ("we are all mad here", "we’re all mad here", "[-we are-] {+we’re+} all mad here"),
        (
            "nailed a silver coin to the mast",
            "nailed a gold coin to the mast",
            "nailed a [-silver-] {+gold+} coin to the mast",
        ),
        (
            "nailed a gold coin to mast",
            "nailed a gold coin to the mast",
            "nailed a gold coin to {+the+} mast",
        ),
    ],
)
def test_an_altered_wording_is_shown_with_the_books_own(book, wording, text, difference):
    found = find(book, wording)
    assert found.verdict is QuoteVerdict.ALTERED
    assert found.matches[0].text == text
    assert found.difference == difference


@pytest.mark.parametrize(
    "wording", ["the mast was made of whale bone and silver", "quantum chromodynamics", "…", ""]
)
def test_what_is_not_in_the_book_is_absent(book, wording):
    found = find(book, wording)
    assert found.verdict is QuoteVerdict.ABSENT
    assert found.matches == ()


def test_an_ellipsis_stands_for_anything_but_both_sides_must_be_there(book):
    assert find(book, "Ahab nailed a gold coin … saw the whale first").verdict is (
        QuoteVerdict.VERBATIM
    )
    assert find(book, "Ahab nailed a gold coin [...] and wept bitterly over it").verdict is (
        QuoteVerdict.ABSENT
    )


def test_only_the_scope_is_looked_at(book):
    scope = Scope(ScopeKind.CHAPTER, "Two", (Span(1, 0, 1_000),))
    assert find(book, "nailed a gold coin to the mast", scope).verdict is QuoteVerdict.ABSENT


@pytest.mark.parametrize(
    ("markdown", "runs"),
    [
        ("He “nailed a gold coin to the mast”[^1].", ["nailed a gold coin to the mast"]),
        ('He "nailed a gold coin to the mast".', ["nailed a gold coin to the mast"]),
        ("Er „nagelte eine Münze an den Mast“.", ["nagelte eine Münze an den Mast"]),
        ("Il « cloua une pièce d'or au mât ».", ["cloua une pièce d'or au mât"]),
        ("彼は「金貨をマストに打ちつけた」。", ["金貨をマストに打ちつけた"]),
        ("> Ahab nailed a gold\n> coin to the mast.[^1]", ["Ahab nailed a gold coin to the mast."]),
        ("He “nailed *a gold* coin[^1] to the mast”.", ["nailed a gold coin to the mast"]),
        ("He said “four words are few”, or “a coin”.", []),
        ("No quotation at all here, I say.", []),
        ("It's the cat's, isn't it, the dogs' own house's roof?", []),
    ],
)
def test_quoted_runs_of_five_words_are_checked(markdown, runs):
    assert list(quoted_runs(markdown)) == runs


def test_each_quotation_of_an_answer_gets_its_verdict_once(book):
    answer = (
        "He “nailed a gold coin to the mast”[^1], or “nailed a silver coin to the mast”. "
        "They “sailed to the moon in a teacup”. Again “nailed a gold coin to the mast”."
    )
    checks = check_quotes(answer, book, InMemorySearch(book), WHOLE_BOOK)
    assert [check.verdict for check in checks] == [
        QuoteVerdict.VERBATIM, QuoteVerdict.ALTERED, QuoteVerdict.ABSENT,
    ]  # fmt: skip
    assert checks[0].span.overlaps(book.span_of("coin"))
    assert checks[0].wording == ""
    assert checks[1].wording == "nailed a gold coin to the mast"
    assert checks[2].span is None


def test_a_long_altered_wording_is_found_without_aligning_it_everywhere():
    class CountingBook(InMemoryBook):
        read = 0

        def document_text(self, file_index):
            self.read += 1
            return super().document_text(file_index)

    tale = [f"Night {night} the watchman counted {night} lamps on the quay." for night in range(90)]
    others = [Chapter(f"Other {one}", [f"The watchman on quay {one} slept."]) for one in range(40)]
    book = CountingBook([*others, Chapter("Tale", tale)])
    long = "\n".join(tale).replace("Night 45 the watchman", "Night 45 the admiral")
    found = find(book, long)
    assert found.verdict is QuoteVerdict.ALTERED
    assert "[-admiral-] {+watchman+}" in found.difference
    assert found.matches[0].span.file_index == 40
    assert book.read < 10


def test_marks_taken_out_of_a_quote_leave_no_position_tag(book):
    markdown = "It says “nailed a gold coin f**0**-1-9 to the mast f0-[^1]1-9” there."
    (check,) = check_quotes(markdown, book, InMemorySearch(book), WHOLE_BOOK)
    assert check.text == "nailed a gold coin f0/1/9 to the mast f0/1/9"
