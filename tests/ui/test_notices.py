"""Every fault of the world has words, and says what to do next."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest
from PySide6.QtWidgets import QDialog

from app.domain import errors
from app.ui.notices import NoticeAction, action_words, describe, show_fatal
from tests.fakes.person import answer_dialog

VALUES = {"Path": Path("/books/a.epub"), "str": "why", "int": 7, "float": 12.4, "bool": True}


def leaves(branch=errors.ReaderError):
    below = [one for one in branch.__subclasses__() if one.__module__ == errors.__name__]
    return [leaf for kind in below for leaf in leaves(kind)] if below else [branch]


def make(leaf, **changes):
    values = {field.name: VALUES[field.type] for field in dataclasses.fields(leaf)}
    return leaf(**{**values, **changes})


@pytest.mark.parametrize("leaf", leaves(), ids=lambda leaf: leaf.__name__)
def test_every_leaf_has_a_sentence_and_advice(leaf):
    notice = describe(make(leaf))
    for words in (notice.title, notice.advice):
        assert words[0] in "“[" or words[0].isupper() or words.startswith("why")
        assert words.rstrip("”")[-1] in ".?"
        assert "{" not in words


def test_every_field_that_helps_is_said():
    for leaf in leaves():
        notice = describe(make(leaf))
        if any(field.name == "host" for field in dataclasses.fields(leaf)):
            assert "why" in notice.title


def test_an_edition_without_printed_pages_is_told_so():
    assert "printed page 405" in describe(errors.PageLabelUnknown("405", True)).title
    assert "no printed page numbers" in describe(errors.PageLabelUnknown("405", False)).title


def test_a_branch_without_words_is_our_fault():
    class Unheard(errors.BookError):
        pass

    with pytest.raises(LookupError):
        describe(Unheard())


@pytest.mark.parametrize("action", NoticeAction)
def test_every_action_has_words(action):
    assert action_words(action)


def test_a_fatal_fault_is_told_in_a_dialog(qtbot):
    told = []

    def read_and_close(box):
        told.append((box.text(), box.informativeText()))
        box.accept()

    answer_dialog(QDialog, read_and_close)
    show_fatal(errors.StoreTooNew(Path("/data/library.sqlite3"), 9, 3))
    assert "newer Ibid" in told[0][0]
    assert "Update Ibid" in told[0][1]
