"""Text of documents, sound and faulty, becomes one kind of tree."""

from __future__ import annotations

import pytest
from lxml import etree

from app.books.markup_names import MATHML, SVG, XHTML, xhtml
from app.books.parse_markup import parse_markup, parse_package_xml, reparsed

PAGE = (
    '<html xmlns="http://www.w3.org/1999/xhtml"><head><title>t</title></head><body>{}</body></html>'
)


def _text(markup: str) -> str:
    body = parse_markup(markup).root.find(xhtml("body"))
    return "".join(body.itertext())


@pytest.mark.parametrize(
    ("inside", "text"),
    [
        ("a&nbsp;b&mdash;c&eacute;", "a\xa0b—cé"),
        ("R&D, AT&T; a & b &", "R&D, AT&T; a & b &"),
        ("&amp;&lt;&gt;&quot;&apos;", "&<>\"'"),
        ("&#8217;&#x1F600;&#xA0;", "’😀\xa0"),
        ("&#151;&#x92;", "—’"),
        ("&#0;&#x1F;&#xD800;&#x110000;&#99999999;", "\ufffd\ufffd\ufffd\ufffd\ufffd"),
        ("a\x00b\x0bc\ufffed", "a\ufffdb\ufffdc\ufffdd"),
        ("<![CDATA[&nbsp;<b>]]>&nbsp;", "&nbsp;<b>\xa0"),
        ("a<!-- &nbsp; <p> -->b<?php echo ?>c", "abc"),
        ("a\r\nb\rc&#13;", "a\nb\nc\r"),
        ("𠮷e\u0301", "𠮷e\u0301"),
        ("&unknown;", "&unknown;"),
        ("&lt;p&gt; &nvlt;", "<p> <\u20d2"),
    ],
)
def test_a_well_formed_page_keeps_every_character(inside, text):
    parsed = parse_markup(PAGE.format(inside))
    assert "".join(parsed.root.find(xhtml("body")).itertext()) == text
    assert not parsed.is_repaired


@pytest.mark.parametrize(
    ("inside", "text"),
    [
        ("<p>a<p>b<br>c", "abc"),
        ("<b><i>a</b>b</i>", "ab"),
        ("a < b and <p x=1 x=2>c</p>", "a < b and c"),
        ("<![CDATA[a<b]]><p>&nbsp;", "a<b\xa0"),
        ("a &copy b &#38;<p>", "a &copy b &"),
    ],
)
def test_a_faulty_page_keeps_its_words(inside, text):
    parsed = parse_markup(PAGE.format(inside))
    assert "".join(parsed.root.find(xhtml("body")).itertext()) == text
    assert parsed.is_repaired
    reparsed(etree.tostring(parsed.root))


@pytest.mark.parametrize(
    "tag", ["script", "title", "a id='x'", "div", "span", "style", "iframe", "p"]
)
def test_a_closed_tag_does_not_swallow_a_faulty_page(tag):
    assert _text(PAGE.format(f"<{tag}/><p>words<p>more")).split("more")[0] == "words"


def test_a_closed_title_and_script_in_a_faulty_head_leave_the_body():
    page = "<html><head><title/><script src='a.js'/></head><body><p>words<p>more</body></html>"
    assert _text(page) == "wordsmore"


def test_entities_of_an_internal_subset_are_text():
    doctype = '<!DOCTYPE html [<!ENTITY who "Ada &amp; Co"><!-- "]> --><!ENTITY big SYSTEM "x">]>'
    assert _text(f"<?xml version='1.0'?>{doctype}{PAGE.format('&who; &big;')}") == "Ada & Co &big;"


def test_a_bomb_of_entities_stays_small():
    lines = "".join(f'<!ENTITY a{n + 1} "{f"&a{n};" * 10}">' for n in range(30))
    assert len(_text(f'<!DOCTYPE html [<!ENTITY a0 "lol">{lines}]>{PAGE.format("&a30;")}')) < 500


def test_an_external_entity_is_never_read(tmp_path):
    (tmp_path / "secret").write_text("secret")
    doctype = f'<!DOCTYPE html [<!ENTITY x SYSTEM "{(tmp_path / "secret").as_uri()}">]>'
    assert "secret" not in _text(doctype + PAGE.format("&x;"))


@pytest.mark.parametrize(
    "before",
    ["garbage ", "\ufeff", "\n\n<?xml version='1.0'?>", "<?xml version='1.1'?>\n<!DOCTYPE html>"],
)
def test_what_stands_before_the_page_is_no_text(before):
    assert _text(before + PAGE.format("words")) == "words"


def test_a_prefix_that_is_not_declared_gets_its_namespace():
    page = (
        '<html xmlns="http://www.w3.org/1999/xhtml"><body epub:type="toc" x:y="1">a</body></html>'
    )
    parsed = parse_markup(page)
    assert not parsed.is_repaired
    assert parsed.root.find(xhtml("body")).get("{http://www.idpf.org/2007/ops}type") == "toc"


@pytest.mark.parametrize(
    "page",
    [
        "<html><body><p>a</p></body></html>",
        "<HTML><BODY><P>a</P></BODY></HTML>",
        '<html xmlns="http://www.w3.org/TR/xhtml1"><body><p>a</p></body></html>',
        "<p>a</p>",
    ],
)
def test_a_page_without_the_namespace_is_moved_into_it(page):
    root = parse_markup(page).root
    assert root.tag == xhtml("html")
    assert [element.text for element in root.iter(xhtml("p"))] == ["a"]


def test_a_faulty_page_keeps_pictures_and_formulas_in_their_namespaces():
    inside = (
        '<svg viewBox="0 0 1 1" xlink:href="#a"><linearGradient/><foreignObject><p>x</p>'
        "</foreignObject></svg><math><mi>y</mi></math><p xml:lang='fr'>z<o:p>w</o:p><p>"
    )
    root = parse_markup(f"<html><body>{inside}</body></html>").root
    assert root.find(f".//{{{SVG}}}linearGradient") is not None
    assert root.find(f".//{{{SVG}}}svg").get("viewBox") == "0 0 1 1"
    assert root.find(f".//{{{SVG}}}svg").get("{http://www.w3.org/1999/xlink}href") == "#a"
    assert root.find(f".//{{{SVG}}}foreignObject")[0].tag == xhtml("p")
    assert root.find(f".//{{{MATHML}}}mi").text == "y"
    assert "fr" in {
        element.get("{http://www.w3.org/XML/1998/namespace}lang") for element in root.iter()
    }
    assert root.find(f".//{xhtml('span')}").text == "w"
    reparsed(etree.tostring(root))


@pytest.mark.parametrize(
    "name", ['foo"bar', "{x", "{urn:x}y", "{a<b", "µ", "a:b:c", "xmlns:q", "1x"]
)
def test_names_that_xml_cannot_hold_go(name):
    root = parse_markup(f"<html><body><p {name}='1'>a<p>b</body></html>").root
    reparsed(etree.tostring(root))
    assert [element.text for element in root.iter(xhtml("p"))] == ["a", "b"]


@pytest.mark.parametrize(
    ("inside", "text"),
    [
        ("<body>a</body><p>x</p><body>c<i>d</i></body>", "axcd"),
        ("<p>x</p><body>a</body>", "xa"),
        ("<head/>stray<p>x</p>tail", "strayxtail"),
        ("<p>no body</p>", "no body"),
        ("", ""),
    ],
)
def test_there_is_one_head_and_one_body(inside, text):
    root = parse_markup(f'<html xmlns="{XHTML}">{inside}</html>').root
    assert [child.tag for child in root] == [xhtml("head"), xhtml("body")]
    assert "".join(root.find(xhtml("body")).itertext()) == text


@pytest.mark.parametrize("page", ["", " ", "just words &amp; more", "<", "<!-- -->", "\0"])
def test_anything_becomes_a_tree(page):
    root = parse_markup(page).root
    reparsed(etree.tostring(root))
    assert root.find(xhtml("body")) is not None


def test_deep_nesting_is_read():
    depth = 1500
    text = _text(PAGE.format("<div>" * depth + "deep" + "</div>" * depth))
    assert text == "deep"


def test_a_package_file_is_read_as_far_as_it_goes():
    root = parse_package_xml(
        "junk<?xml version='1.0'?><package><metadata><a>R&D</a></metadata><manifest>"
    )
    assert root.find("metadata/a").text == "R&D"
    assert root.find("manifest") is not None


@pytest.mark.parametrize("text", ["", "no markup at all", "\0\1"])
def test_a_package_file_without_an_element_is_refused(text):
    with pytest.raises(ValueError, match=r"."):
        parse_package_xml(text)


def test_the_strict_check_refuses_what_a_browser_would():
    with pytest.raises(ValueError, match="mismatch"):
        reparsed(b"<p><b></p>")
