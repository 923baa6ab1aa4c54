"""EbookLib as the reader of packages: what it refuses, and what it never does."""

from __future__ import annotations

import pytest

from app.books.ebooklib_package import PackageRefused, read_with_ebooklib
from app.books.epub_archive import EpubArchive
from app.books.epub_package import find_package, read_tolerantly
from tests.builders import Broken, Chapter, make_epub


@pytest.mark.parametrize("has_ncx", [True, False])
@pytest.mark.parametrize("has_nav", [True, False])
def test_a_book_is_read_whatever_contents_it_has(tmp_path, has_nav, has_ncx):
    path = make_epub(tmp_path / "a.epub", ["one", "two"], has_nav=has_nav, has_ncx=has_ncx)
    archive = EpubArchive(path)
    name = find_package(archive)
    package = read_with_ebooklib(archive, name)
    assert package == read_tolerantly(archive, name)
    assert (package.titles, package.creators) == (["A Built Book"], ["Ada Author"])
    archive.close()


def test_a_missing_file_does_not_end_the_book(tmp_path):
    path = make_epub(tmp_path / "a.epub", ["one", Chapter("two")], broken=Broken.CHAPTER_MISSING)
    archive = EpubArchive(path)
    package = read_with_ebooklib(archive, find_package(archive))
    assert [entry.item.is_present for entry in package.spine] == [True, False]
    assert package.warnings == ["A file is missing from the book: chapter2.xhtml"]
    archive.close()


@pytest.mark.parametrize("broken", [Broken.NO_CONTAINER, Broken.PACKAGE_NOT_XML])
def test_what_ebooklib_cannot_read_is_one_error(tmp_path, broken):
    archive = EpubArchive(make_epub(tmp_path / "a.epub", broken=broken))
    with pytest.raises(PackageRefused):
        read_with_ebooklib(archive, find_package(archive))
    archive.close()


def test_another_package_than_the_one_asked_for_is_refused(tmp_path):
    archive = EpubArchive(make_epub(tmp_path / "a.epub", loose_files={"other.opf": b"<package/>"}))
    with pytest.raises(PackageRefused):
        read_with_ebooklib(archive, "other.opf")
    archive.close()


@pytest.mark.corpus
def test_both_readers_agree_on_every_real_book(corpus):
    compared = 0
    for path in sorted(corpus.glob("*.epub")):
        archive = EpubArchive(path)
        name = find_package(archive)
        assert read_with_ebooklib(archive, name) == read_tolerantly(archive, name), path.name
        archive.close()
        compared += 1
    assert compared > 20
