"""Every fault of the world has a sentence of its own in the terminal."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from app.command_line.sentences import sentence
from app.domain import errors

SAMPLES = {"path": Path("/books/a.epub"), "seconds": 4.0, "retry_after_s": 2.0, "has_labels": True}


def leaves(root: type[errors.ReaderError]) -> list[type[errors.ReaderError]]:
    children = [one for one in root.__subclasses__() if one.__module__ == errors.__name__]
    return [leaf for child in children for leaf in leaves(child)] if children else [root]


def sample(leaf: type[errors.ReaderError]) -> errors.ReaderError:
    fields = dataclasses.fields(leaf)  # type: ignore[arg-type]
    defaults = {"int": 7, "float": 7.0, "str": "word"}
    return leaf(**{f.name: SAMPLES.get(f.name, defaults.get(str(f.type))) for f in fields})


@pytest.mark.parametrize("leaf", leaves(errors.ReaderError), ids=lambda leaf: leaf.__name__)
def test_every_fault_has_one_line_that_says_what_to_do(leaf: type[errors.ReaderError]) -> None:
    words = sentence(sample(leaf))
    assert "\n" not in words
    assert words.endswith(".")
    assert ":" in words, "what happened, then what to do"
    assert leaf.__name__ not in words, "its own words, not the class name"


def test_a_missing_label_and_a_missing_page_list_are_told_apart() -> None:
    absent = sentence(errors.PageLabelUnknown("405", has_labels=True))
    none_at_all = sentence(errors.PageLabelUnknown("405", has_labels=False))
    assert "no printed page 405" in absent
    assert "no printed page numbers" in none_at_all
