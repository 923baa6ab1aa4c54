"""The open book of the assembly and the search ladder are what answering asks for."""

from __future__ import annotations

import inspect

import pytest

from app.answering.book_access import BookAccess, PassageFinder
from app.answering.search_ladder import SearchLadder
from app.assembly import OpenBook
from tests.fakes.in_memory_book import InMemoryBook, InMemorySearch


def wanted(protocol):
    return [name for name in vars(protocol) if not name.startswith("_")]


@pytest.mark.parametrize(
    ("protocol", "made"),
    [
        (BookAccess, OpenBook),
        (BookAccess, InMemoryBook),
        (PassageFinder, SearchLadder),
        (PassageFinder, InMemorySearch),
    ],
)
def test_what_answering_asks_for_is_there(protocol, made):
    for name in wanted(protocol):
        if name == "book":  # set when it is made
            continue
        ours = inspect.signature(vars(protocol)[name]).parameters
        theirs = inspect.signature(getattr(made, name)).parameters
        assert len(ours) == len(theirs), name
