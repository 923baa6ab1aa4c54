"""Archives from anywhere: read entry by entry, bombs and ways out refused."""

from __future__ import annotations

import stat
import zipfile

import pytest

from app.books import epub_archive
from app.books.epub_archive import EntryUnreadable, EpubArchive
from app.domain.errors import BookUnreadable


def write(path, entries):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in entries:
            archive.writestr(name, content)
    return path


def test_entries_are_read_by_their_name(tmp_path):
    archive = EpubArchive(write(tmp_path / "a.epub", [("a/b.txt", b"x"), ("a/", b"")]))
    assert archive.names == ("a/b.txt",)
    assert archive.has("a/b.txt")
    assert archive.read("a/b.txt") == b"x"
    with pytest.raises(EntryUnreadable, match="missing"):
        archive.read("a/c.txt")
    archive.close()


def test_names_that_lead_out_do_not_exist(tmp_path):
    link = zipfile.ZipInfo("link.xhtml")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    entries = [
        ("../up.txt", b"x"),
        ("/root.txt", b"x"),
        ("a/../../up.txt", b"x"),
        ("C:/x.txt", b"x"),
    ]
    archive = EpubArchive(
        write(tmp_path / "a.epub", [*entries, (link, b"/etc/passwd"), ("ok.txt", b"x")])
    )
    assert archive.names == ("ok.txt",)
    archive.close()


def test_backslashes_and_names_without_the_utf8_flag_are_understood(tmp_path):
    path = write(tmp_path / "a.epub", [("OEBPS\\a.txt", b"x"), ("XXXX.txt", b"y")])
    path.write_bytes(path.read_bytes().replace(b"XXXX", "ää".encode()))
    archive = EpubArchive(path)
    assert archive.names == ("OEBPS/a.txt", "ää.txt")
    assert archive.read("ää.txt") == b"y"
    archive.close()


def test_a_damaged_entry_harms_no_other(tmp_path):
    path = tmp_path / "a.epub"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr("a.txt", b"first words")
        archive.writestr("b.txt", b"other words")
    path.write_bytes(path.read_bytes().replace(b"first", b"fXrst"))
    archive = EpubArchive(path)
    with pytest.raises(EntryUnreadable, match="damaged"):
        archive.read("a.txt")
    assert archive.read("b.txt") == b"other words"
    archive.close()


@pytest.mark.parametrize("content", [b"PK\3\4 nothing", b"", b"plain words"])
def test_what_is_no_archive_is_unreadable(tmp_path, content):
    path = tmp_path / "a.epub"
    path.write_bytes(content)
    with pytest.raises(BookUnreadable) as caught:
        EpubArchive(path)
    assert caught.value.path == path


def test_a_bomb_is_refused_before_anything_is_read(tmp_path):
    path = write(tmp_path / "a.epub", [("a.txt", bytes(20 * 1024**2))])
    with pytest.raises(BookUnreadable, match="unreasonable"):
        EpubArchive(path)


def test_too_many_files_are_refused(tmp_path):
    path = write(tmp_path / "a.epub", [(f"{n}.txt", b"") for n in range(20)])
    assert epub_archive.MAX_ENTRIES > 10_000
    EpubArchive(path, max_entries=20).close()
    with pytest.raises(BookUnreadable, match="20 files"):
        EpubArchive(path, max_entries=19)
