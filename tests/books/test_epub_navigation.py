"""Contents, printed pages and landmarks as books write them."""

from __future__ import annotations

import pytest

from app.books.epub_navigation import NavigationLine, read_nav, read_ncx
from app.books.parse_markup import parse_markup, parse_package_xml

XHTML = (
    '<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops">'
    "<head><title>t</title></head><body>{}</body></html>"
)


def nav(inside: str):
    return read_nav(parse_markup(XHTML.format(inside)).root, "nav.xhtml")


def ncx(inside: str):
    markup = f'<ncx xmlns="http://www.daisy.org/z3986/2005/ncx/">{inside}</ncx>'
    return read_ncx(parse_package_xml(markup), "toc.ncx")


def test_a_nested_list_keeps_headings_without_links_and_lines_without_titles():
    found = nav(
        """<nav epub:type="toc"><h1>Contents</h1><ol>
        <li><span>Part One</span><ol hidden="hidden">
          <li><a href="a.xhtml#x"> Chapter <i>1</i>
            </a><ol><li><a href="a.xhtml#y"/><ol><li><a href="b.xhtml">Deep</a></li></ol></li></ol>
          </li>
        </ol></li>
        <li><a href="c.xhtml"><img alt="A picture" src="p.png"/></a></li></ol></nav>"""
    )
    assert found.contents == (
        NavigationLine(0, "Part One", ""),
        NavigationLine(1, "Chapter 1", "a.xhtml#x"),
        NavigationLine(2, "", "a.xhtml#y"),
        NavigationLine(3, "Deep", "b.xhtml"),
        NavigationLine(0, "A picture", "c.xhtml"),
    )


@pytest.mark.parametrize("mark", ['epub:type="toc"', 'role="doc-toc"', ""])
def test_the_contents_are_found_by_type_role_or_being_there(mark):
    found = nav(f"<nav {mark}><ul><li><a href='a.xhtml'>One</a></li></ul></nav>")
    assert found.contents == (NavigationLine(0, "One", "a.xhtml"),)


def test_pages_and_landmarks_are_lists_of_their_own():
    found = nav(
        """<nav epub:type="landmarks"><ol><li><a epub:type="toc" href="#toc">x</a></li></ol></nav>
        <nav epub:type="page-list"><ol><li><a href="a.xhtml#p1">iv</a></li></ol></nav>
        <nav epub:type="toc"><ol><li><a href="a.xhtml">One</a></li></ol></nav>"""
    )
    assert found.pages == (NavigationLine(0, "iv", "a.xhtml#p1"),)
    assert found.landmarks == (("toc", "#toc"),)
    assert len(found.contents) == 1


def test_readings_of_ruby_are_no_part_of_a_title():
    title = "<ruby>草<rt>くさ</rt></ruby>枕"
    found = nav(f'<nav epub:type="toc"><ol><li><a href="a">{title}</a></li></ol></nav>')
    assert found.contents[0].title == "草枕"


def test_an_ncx_gives_the_same_values():
    found = ncx(
        """<navMap><navPoint id="a"><navLabel><text> Part
        One</text></navLabel><content src="a.xhtml"/><navPoint><navLabel><text/></navLabel>
        <content src="a.xhtml#x"/></navPoint></navPoint>
        <navPoint><navLabel><text>Two</text></navLabel></navPoint></navMap>
        <pageList><pageTarget value="4" type="normal"><navLabel><text>iv</text></navLabel>
        <content src="a.xhtml#p4"/></pageTarget><pageTarget value="5"/></pageList>"""
    )
    assert found.contents == (
        NavigationLine(0, "Part One", "a.xhtml"),
        NavigationLine(1, "", "a.xhtml#x"),
        NavigationLine(0, "Two", ""),
    )
    assert found.pages == (NavigationLine(0, "iv", "a.xhtml#p4"), NavigationLine(0, "5", ""))


@pytest.mark.parametrize(
    "inside", ["", "<nav epub:type='toc'/>", "<nav epub:type='toc'><ol/></nav>"]
)
def test_a_navigation_document_may_hold_nothing(inside):
    found = nav(inside)
    assert (found.contents, found.pages, found.landmarks) == ((), (), ())
    assert ncx(inside).contents == ()
