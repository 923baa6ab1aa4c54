"""Every format is a `BookFile`."""

from __future__ import annotations

import inspect

import pytest

from app.books.book_file import BookFile
from app.books.epub import EpubFile


def _members(kind: type) -> dict[str, object]:
    return {
        name: member
        for name, member in vars(kind).items()
        if not name.startswith("_") or name in {"__enter__", "__exit__"}
    }


@pytest.mark.parametrize("kind", [EpubFile])
def test_a_format_offers_what_import_asks_for(kind):
    for name, member in _members(BookFile).items():
        offered = inspect.getattr_static(kind, name)
        if callable(member):
            assert inspect.signature(offered) == inspect.signature(member), name
