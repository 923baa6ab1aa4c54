"""One resolver for every address in a book."""

from __future__ import annotations

import unicodedata

import pytest

from app.books.package_paths import (
    PathResolver,
    is_remote,
    is_safe_name,
    percent_decoded,
    percent_encoded,
    relative_address,
)

NAMES = [
    "OEBPS/package.opf",
    "OEBPS/text/one.xhtml",
    "OEBPS/text/two words.xhtml",
    "OEBPS/text/a+b.xhtml",
    "OEBPS/text/50%25.xhtml",
    "OEBPS/text/q?.xhtml",
    "OEBPS/text/n#1.xhtml",
    "OEBPS/text/caf\u00e9.xhtml",
    "OEBPS/text/\u4e00.xhtml",
    "OEBPS/Images/Cover.JPG",
    "cover.jpg",
]


@pytest.mark.parametrize(
    ("address", "name", "fragment"),
    [
        ("one.xhtml", "OEBPS/text/one.xhtml", ""),
        (" one.xhtml ", "OEBPS/text/one.xhtml", ""),
        ("one.xhtml#x%20y", "OEBPS/text/one.xhtml", "x y"),
        ("one.xhtml?q=1#x", "OEBPS/text/one.xhtml", "x"),
        ("#here", "OEBPS/text/two words.xhtml", "here"),
        ("two%20words.xhtml", "OEBPS/text/two words.xhtml", ""),
        ("two words.xhtml", "OEBPS/text/two words.xhtml", ""),
        ("a+b.xhtml", "OEBPS/text/a+b.xhtml", ""),
        ("a%2Bb.xhtml", "OEBPS/text/a+b.xhtml", ""),
        ("50%25.xhtml", "OEBPS/text/50%25.xhtml", ""),
        ("50%2525.xhtml", "OEBPS/text/50%25.xhtml", ""),
        ("q%3F.xhtml", "OEBPS/text/q?.xhtml", ""),
        ("q?.xhtml", "OEBPS/text/q?.xhtml", ""),
        ("n%231.xhtml", "OEBPS/text/n#1.xhtml", ""),
        ("n#1.xhtml", "OEBPS/text/n#1.xhtml", ""),
        ("caf%C3%A9.xhtml", "OEBPS/text/caf\u00e9.xhtml", ""),
        (unicodedata.normalize("NFD", "caf\u00e9.xhtml"), "OEBPS/text/caf\u00e9.xhtml", ""),
        ("%E4%B8%80.xhtml#\u4e8c", "OEBPS/text/\u4e00.xhtml", "\u4e8c"),
        ("../Images/Cover.JPG", "OEBPS/Images/Cover.JPG", ""),
        ("../images/cover.jpg", "OEBPS/Images/Cover.JPG", ""),
        ("..\\Images\\Cover.JPG", "OEBPS/Images/Cover.JPG", ""),
        ("./../text/./one.xhtml", "OEBPS/text/one.xhtml", ""),
        ("/cover.jpg", "cover.jpg", ""),
        ("../../../../cover.jpg", "cover.jpg", ""),
    ],
)
def test_an_address_leads_to_its_entry(address, name, fragment):
    target = PathResolver(NAMES).resolve("OEBPS/text/two words.xhtml", address)
    assert target is not None
    assert (target.name, target.fragment) == (name, fragment)


@pytest.mark.parametrize(
    "address",
    [
        "missing.xhtml",
        "https://example.org/one.xhtml",
        "//example.org/one.xhtml",
        "mailto:one.xhtml",
        "file:///etc/passwd",
        "/etc/passwd",
        "%2e%2e%2f%2e%2e%2f%2e%2e%2fetc/passwd",
        "C:\\Windows\\win.ini",
    ],
)
def test_an_address_out_of_the_book_leads_nowhere(address):
    assert PathResolver(NAMES).resolve("OEBPS/text/one.xhtml", address) is None


@pytest.mark.parametrize(
    ("address", "is_exact"),
    [("two%20words.xhtml", True), ("one.xhtml#x", True), ("ONE.xhtml", False), ("q?.xhtml", False)],
)
def test_what_a_browser_would_not_find_is_known(address, is_exact):
    target = PathResolver(NAMES).resolve("OEBPS/text/one.xhtml", address)
    assert target is not None
    assert target.is_exact is is_exact


@pytest.mark.parametrize("name", NAMES)
def test_a_relative_address_leads_back_to_its_entry(name):
    base = "OEBPS/text/one.xhtml"
    target = PathResolver(NAMES).resolve(base, relative_address(base, name, "x"))
    assert target is not None
    assert (target.name, target.fragment, target.is_exact) == (name, "x", True)


def test_percent_escapes_are_read_as_utf8():
    assert percent_decoded("a%20%E4%B8%80%zz+%ff") == "a 一%zz+\ufffd"
    assert percent_decoded(percent_encoded("ä b#c?d%e")) == "ä b#c?d%e"


@pytest.mark.parametrize(
    "address", ["http://a.b/", "HTTPS://a.b/", "//a.b", "data:x", "\\\\host\\x"]
)
def test_an_address_with_a_scheme_or_host_is_remote(address):
    assert is_remote(address)


@pytest.mark.parametrize(
    "address", ["a/b.png", "../b.png", "#a", "a b:c.png/../x", "", "?q=http://a"]
)
def test_a_relative_address_is_not_remote(address):
    assert not is_remote(address)


@pytest.mark.parametrize(
    "name", ["../x", "/x", "\\x", "a/../../x", "a\\..\\x", "C:\\x", "c:/x", "a\0b", ""]
)
def test_an_entry_name_that_leads_out_is_not_safe(name):
    assert not is_safe_name(name)


@pytest.mark.parametrize("name", ["a..b/x", "mimetype", "OEBPS/ä ö/x.xhtml", "a:b.xhtml"])
def test_an_odd_entry_name_is_safe(name):
    assert is_safe_name(name)
