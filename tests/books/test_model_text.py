import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.books.model_text import model_text


@pytest.mark.parametrize(
    ("readable", "expected"),
    [
        ("plain words stay", "plain words stay"),
        ("sci\u00aden\u200btific\ufeff", "scientific"),
        ("ef\ufb01cient \ufb02ow, o\ufb03ce", "efficient flow, office"),
        ("\ufedb\ufe98\ufe8e\ufe8f", "كتاب"),
        ("\u200eabc\u202e def", "abc def"),
        ("a\u00a0b\u2009c\u3000d", "a b c d"),
        ("a  b   c", "a b c"),
        ("one \ntwo\r\nthree\u2028four", "one\ntwo\nthree\nfour"),
        ("a\tb", "a\tb"),
        ("half \ud83d\ude00 and \ud800 none\0", "half 😀 and \ufffd none"),
        ("hidden\U000e0041\U000e0042 tags", "hidden tags"),
        ("می\u200cخواهم क्\u200dष 👩\u200d👧", "می\u200cخواهم क्\u200dष 👩\u200d👧"),
        ("½ of x² is ™", "½ of x² is ™"),
    ],
)
def test_what_a_person_does_not_see_goes_and_meaning_stays(readable, expected):
    assert model_text(readable) == expected


def test_code_keeps_its_indentation():
    assert model_text("if a:\n    b  = 1\n\treturn") == "if a:\n    b = 1\n\treturn"


@given(st.text(st.characters(exclude_categories=()) | st.sampled_from(" \n\t\u00ad\u00a0\ufb01a")))
def test_it_is_done_once_and_can_always_be_sent(readable):
    text = model_text(readable.strip())
    text.encode()
    assert "\0" not in text
    assert model_text(text) == text
