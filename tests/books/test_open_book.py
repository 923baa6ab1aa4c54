"""Books are known by what is in them."""

from __future__ import annotations

import zipfile

import pytest

from app.books.open_book import FORMATS, book_format, open_book
from app.domain.book import BookFormat
from app.domain.errors import BookNotFound, BookUnreadable, UnsupportedFormat
from tests.builders import Broken, make_epub


def test_an_epub_is_opened_whatever_it_is_called(tmp_path):
    with open_book(make_epub(tmp_path / "book.pdf")) as book:
        assert book.book_format is BookFormat.EPUB
        assert book.document_count == 1


@pytest.mark.parametrize("before", [b"", b"\xef\xbb\xbf", b"junk " * 150])
def test_a_pdf_is_known_by_its_first_kilobyte(tmp_path, before):
    path = tmp_path / "book.epub"
    path.write_bytes(before + b"%PDF-1.7\n")
    assert book_format(path) is BookFormat.PDF


@pytest.mark.parametrize("broken", [None, Broken.NO_CONTAINER, Broken.NO_PACKAGE])
def test_a_faulty_epub_is_still_one(tmp_path, broken):
    assert book_format(make_epub(tmp_path / "a", broken=broken)) is BookFormat.EPUB


def test_an_epub_that_is_cut_off_is_unreadable(tmp_path):
    with pytest.raises(BookUnreadable, match="incomplete"):
        open_book(make_epub(tmp_path / "a.epub", broken=Broken.CUT_OFF))


def test_an_archive_of_something_else_is_not_a_book(tmp_path):
    with zipfile.ZipFile(tmp_path / "a.epub", "w") as archive:
        archive.writestr("word/document.xml", "x")
    with pytest.raises(UnsupportedFormat):
        open_book(tmp_path / "a.epub")


@pytest.mark.parametrize("content", [b"plain words", b"BOOKMOBI", b"x" * 2000 + b"%PDF-1.7"])
def test_other_files_are_not_books(tmp_path, content):
    (tmp_path / "a.epub").write_bytes(content)
    with pytest.raises(UnsupportedFormat):
        open_book(tmp_path / "a.epub")


def test_an_empty_file_a_folder_and_no_file_are_said_apart(tmp_path):
    (tmp_path / "empty.epub").touch()
    with pytest.raises(BookUnreadable, match="empty"):
        open_book(tmp_path / "empty.epub")
    with pytest.raises(UnsupportedFormat):
        open_book(tmp_path)
    with pytest.raises(BookNotFound):
        open_book(tmp_path / "none.epub")


def test_the_formats_are_all_there_are():
    assert tuple(FORMATS) == tuple(BookFormat)
