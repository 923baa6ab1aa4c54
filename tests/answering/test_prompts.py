"""Every prompt is filled in exactly; nothing is left out and nothing left over."""

from __future__ import annotations

import re

import pytest

from app.answering.prompts import FOLDER, prompt, template
from app.answering.toolbox import Toolbox
from app.domain.position import find_tags

USED = {
    "book_question": {"title", "authors", "language", "scope", "notes"},
    "passages_given": {"question", "passages"},
    "cite_again": set(),
    "not_about_book": {"title"},
    "tool_related_segments": set(),
    "tool_full_book_summaries": set(),
}


def test_every_file_is_used_and_has_the_placeholders_that_are_filled_in():
    assert {path.stem for path in FOLDER.glob("*.md")} == set(USED)
    for name, wanted in USED.items():
        assert template(name).is_valid()
        assert set(template(name).get_identifiers()) == wanted


@pytest.mark.parametrize("name", USED)
def test_a_prompt_is_filled_in(name):
    filled = prompt(name, **{key: f"<{key}>" for key in USED[name]})
    assert not re.search(r"\$\w", filled)
    assert all(f"<{key}>" in filled for key in USED[name])


def test_a_value_may_hold_anything():
    assert "$title $$ {x}" in prompt("not_about_book", title="$title $$ {x}")


@pytest.mark.parametrize("values", [{}, {"title": "x", "more": "y"}])
def test_wrong_values_are_refused(values):
    with pytest.raises(ValueError, match="not_about_book"):
        prompt("not_about_book", **values)


def test_no_prompt_holds_a_tag_that_could_be_issued():
    assert [path.stem for path in FOLDER.glob("*.md") if find_tags(path.read_text("utf-8"))] == []


def test_the_rules_name_both_tools():
    rules = prompt("book_question", **dict.fromkeys(USED["book_question"], "x"))
    assert all(f"`{tool.name}`" in rules for tool in Toolbox(None).definitions)
