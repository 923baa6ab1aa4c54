"""Obfuscated fonts open; encrypted text is never shown."""

from __future__ import annotations

import hashlib
import zipfile

import pytest

from app.books.epub_archive import EpubArchive
from app.books.epub_package import Package
from app.books.epub_protection import ADOBE_FONTS, IDPF_FONTS, read_protection

FONT = b"OTTO" + bytes(range(256)) * 8
UUID = "urn:uuid:12345678-9abc-def0-1234-56789abcdef0"
AES = "http://www.w3.org/2001/04/xmlenc#aes256-cbc"


def protection_of(tmp_path, *encrypted, key_info="", **files):
    data = "".join(
        '<EncryptedData xmlns="http://www.w3.org/2001/04/xmlenc#">'
        f'<EncryptionMethod Algorithm="{algorithm}"/>'
        f'{key_info}<CipherData><CipherReference URI="{name}"/></CipherData></EncryptedData>'
        for name, algorithm in encrypted
    )
    path = tmp_path / "book.epub"
    with zipfile.ZipFile(path, "w") as book:
        book.writestr("OEBPS/a b.otf", b"x")
        book.writestr("OEBPS/a.xhtml", b"x")
        for name, content in files.items():
            book.writestr(f"META-INF/{name.replace('_', '.')}", content)
        if encrypted:
            root = "urn:oasis:names:tc:opendocument:xmlns:container"
            book.writestr(
                "META-INF/encryption.xml", f'<encryption xmlns="{root}">{data}</encryption>'
            )
    archive = EpubArchive(path)
    found = read_protection(archive)
    archive.close()
    return found


def mixed(content, key, length):
    return bytes(b ^ key[i % len(key)] for i, b in enumerate(content[:length])) + content[length:]


def test_a_book_without_a_statement_is_open(tmp_path):
    found = protection_of(tmp_path)
    assert (found.algorithms, found.scheme) == ({}, "")


@pytest.mark.parametrize(
    ("algorithm", "key", "length"),
    [
        (IDPF_FONTS, hashlib.sha1(UUID.encode()).digest(), 1040),
        (ADOBE_FONTS, bytes.fromhex("123456789abcdef0123456789abcdef0"), 1024),
    ],
)
def test_an_obfuscated_font_is_no_copy_protection(tmp_path, algorithm, key, length):
    found = protection_of(tmp_path, ("OEBPS/a%20b.otf", algorithm))
    package = Package(
        "x.opf", identifiers=[("other", "978-1"), ("id", f" {UUID}\n")], unique_id="id"
    )
    assert found.scheme == ""
    assert not found.is_locked("OEBPS/a b.otf")
    assert found.opened("OEBPS/a b.otf", mixed(FONT, key, length), package) == FONT
    assert found.opened("OEBPS/a.xhtml", b"words", package) == b"words"


def test_a_font_that_is_not_obfuscated_after_all_stays(tmp_path):
    found = protection_of(tmp_path, ("OEBPS/a%20b.otf", IDPF_FONTS))
    assert found.opened("OEBPS/a b.otf", FONT, Package("x.opf", identifiers=[("", "y")])) == FONT


@pytest.mark.parametrize(
    ("files", "key_info", "scheme"),
    [
        ({"rights_xml": b"<x/>"}, "", "Adobe ADEPT"),
        ({"license_lcpl": b"{}"}, "", "Readium LCP"),
        ({"sinf_xml": b"<x/>"}, "", "Apple FairPlay"),
        ({}, '<x URI="license.lcpl#/k" Type="http://readium.org/2014/01/lcp#k"/>', "Readium LCP"),
        ({}, '<r xmlns="http://ns.adobe.com/adept">urn:uuid:1</r>', "Adobe ADEPT"),
        ({}, '<x algorithm="http://itunes.apple.com/dataenc"/>', "Apple FairPlay"),
        ({}, '<x name="amazon"/>', "Kindle"),
        ({}, "", "an unknown scheme"),
    ],
)
def test_encrypted_text_names_its_scheme(tmp_path, files, key_info, scheme):
    found = protection_of(
        tmp_path,
        ("OEBPS/a.xhtml", AES),
        ("OEBPS/a%20b.otf", IDPF_FONTS),
        key_info=key_info,
        **files,
    )
    assert found.scheme == scheme
    assert found.is_locked("OEBPS/a.xhtml")
    assert not found.is_locked("OEBPS/a b.otf")


def test_a_broken_statement_protects_nothing(tmp_path):
    assert protection_of(tmp_path, encryption_xml=b"\0\1 nothing").algorithms == {}
