import datetime as dt
import tomllib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.storage.toml_text import toml_document

KEY = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\0"), max_size=8)
SCALAR = (
    st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats(allow_nan=False)
    | st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\0"), max_size=12)
    | st.datetimes(dt.datetime.fromisoformat("1000-01-01"))
    | st.dates(dt.date(1000, 1, 1))
    | st.times()
)
VALUE = st.recursive(
    SCALAR,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEY, inner, max_size=3),
    max_leaves=8,
)


@settings(max_examples=150)
@given(st.dictionaries(KEY, VALUE, max_size=5))
def test_whatever_toml_can_hold_is_read_back_the_same(values):
    assert tomllib.loads(toml_document(values, {})) == values


def test_it_reads_well():
    document = toml_document(
        {"schema": 1, "theme": "dark", "providers": [{"name": "a"}], "more": {"x": [1, 2]}},
        {"theme": "How it looks.", "providers": "Servers."},
    )
    assert document == (
        'schema = 1\n\n# How it looks.\ntheme = "dark"\n\n'
        '# Servers.\n\n[[providers]]\nname = "a"\n\n[more]\nx = [1, 2]\n'
    )


def test_text_that_is_none_becomes_readable():
    assert tomllib.loads(toml_document({"a": "x\ud800\x7f"}, {})) == {"a": "x\ufffd\x7f"}


def test_what_toml_has_not_is_refused():
    with pytest.raises(TypeError):
        toml_document({"a": None}, {})
