"""A tree without anything that runs, sends, or reaches outside the book; every word stays."""

from __future__ import annotations

import pytest
from lxml import etree

from app.books.clean_tree import clean_tree
from app.books.markup_names import XHTML, xhtml
from app.books.package_paths import PathResolver
from app.books.parse_markup import parse_markup

NAMES = [
    "text/a.xhtml",
    "text/b.xhtml",
    "css/style.css",
    "img/One Pic.png",
    "img/two.svg",
    "a.mp3",
    "f.otf",
]

SVG = '<svg xmlns="http://www.w3.org/2000/svg">'
MATH = '<math xmlns="http://www.w3.org/1998/Math/MathML">'


def cleaned(body: str, head: str = "") -> tuple[etree._Element, tuple[str, ...]]:
    markup = (
        f'<html xmlns="{XHTML}" xmlns:epub="http://www.idpf.org/2007/ops" '
        f'xmlns:xlink="http://www.w3.org/1999/xlink" lang="de" class="h">'
        f"<head><title>t</title>{head}</head><body class='b' dir='rtl'>{body}</body></html>"
    )
    parsed = parse_markup(markup)
    assert not parsed.is_repaired
    return parsed.root, clean_tree(parsed.root, "text/a.xhtml", PathResolver(NAMES))


def body_markup(body: str) -> str:
    root, _ = cleaned(body)
    inside = etree.tostring(root.find(xhtml("body")), encoding="unicode", with_tail=False)
    return inside[inside.index(">") + 1 : inside.rindex("<")]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("a<script>run()</script>b", "ab"),
        ("a<iframe src='b.xhtml'>x</iframe>b<embed src='x'/>c<applet>y</applet>d", "abcd"),
        ("<p onclick='run()' ONLOAD='x' id='i'>a</p>", '<p id="i">a</p>'),
        ("<a href='javascript:run()'>a</a>", "<a>a</a>"),
        ("<a href=' JavaScript:run()'>a</a>", "<a>a</a>"),
        ("<a href='data:text/html,x'>a</a>", "<a>a</a>"),
        ("a<form action='x'><p>b</p><input/><button>go</button>c</form>d", "a<p>b</p>cd"),
        ("a<select><option>x</option></select><textarea>y</textarea>b", "ab"),
        ("<noscript>a<b>c</b></noscript>d", "a<b>c</b>d"),
        ("<canvas>a</canvas>", "a"),
        ("a<object data='movie.swf'><param name='x'/><p>b</p></object>c", "a<p>b</p>c"),
        (
            "<details><summary>a</summary>b</details>",
            '<details open="open"><summary>a</summary>b</details>',
        ),
        ("<dialog>a</dialog>", "<div>a</div>"),
        ("a<title>x</title><meta name='y'/>b", "ab"),
        ("a<template><p>x</p></template>b", "ab"),
        ("<P>a<Script>run()</Script></P>", "<p>a</p>"),
        ("<p data-o='7' contenteditable='true'>a</p>", "<p>a</p>"),
    ],
)
def test_what_acts_goes_and_words_stay(before, after):
    assert body_markup(before) == after


@pytest.mark.parametrize(
    "kept",
    [
        '<p class="c" lang="fr" dir="ltr" style="color: red">a</p>',
        '<p epub:type="footnote" xml:lang="fr" title="t" hidden="hidden">a</p>',
        '<a href="https://example.org/">a</a><a href="mailto:x@y.z">b</a><a href="b.xhtml#c">d</a>',
        '<img src="../img/One%20Pic.png" alt="x"/><img src="data:image/png;base64,AAAA" alt=""/>',
        '<audio src="../a.mp3" controls="controls">no sound</audio>',
        "<ruby>a<rp>(</rp><rt>b</rt><rp>)</rp></ruby>",
    ],
)
def test_what_makes_a_page_stays(kept):
    markup = body_markup(kept)
    for declared in (f' xmlns="{XHTML}"', ' xmlns:epub="http://www.idpf.org/2007/ops"'):
        markup = markup.replace(declared, "")
    assert markup == kept


@pytest.mark.parametrize(
    "remote",
    [
        '<img src="https://example.org/a.png"/>',
        '<img src="//example.org/a.png"/>',
        '<img src="file:///etc/passwd"/>',
        '<img srcset="../img/two.svg 1x, https://example.org/a.png 2x"/>',
        '<video poster="http://example.org/a.png"/>',
        '<audio src="http://example.org/a.mp3"/>',
        '<p style="background: url(https://example.org/a.png)">x</p>',
        '<table background="http://example.org/a.png"/>',
        f'{SVG}<image xlink:href="http://example.org/a.png"/></svg>',
        f'{SVG}<image href="//example.org/a.png"/></svg>',
        f'{SVG}<use href="http://example.org/a.svg#x"/></svg>',
        "<style>@import 'https://example.org/a.css'; p { color: red }</style>",
    ],
)
def test_nothing_is_fetched_from_elsewhere(remote):
    assert "example.org" not in body_markup(remote)
    assert "etc" not in body_markup(remote)


def test_the_head_keeps_styles_and_nothing_that_acts():
    root, names = cleaned(
        "x",
        "<meta charset='utf-8'/><meta http-equiv='refresh' content='0;url=x'/><base href='x'/>"
        "<script/><link rel='stylesheet' href='../css/style.css'/><link rel='next' href='b.xhtml'/>"
        "<link rel='stylesheet' href='https://example.org/a.css'/><style>p { color: red }</style>",
    )
    head = root.find(xhtml("head"))
    assert [child.tag for child in head] == [
        xhtml(n) for n in ("title", "meta", "link", "link", "style")
    ]
    assert [child.get("href") for child in head.iter(xhtml("link"))] == ["../css/style.css", None]
    assert names == ("css/style.css",)
    assert (root.get("lang"), root.get("class")) == ("de", "h")
    assert (root.find(xhtml("body")).get("class"), root.find(xhtml("body")).get("dir")) == (
        "b",
        "rtl",
    )


def test_addresses_that_a_browser_would_not_find_are_written_anew():
    root, names = cleaned('<img src="..\\IMG\\one pic.PNG"/><a href="B.xhtml#x y">a</a>')
    assert root.find(f".//{xhtml('img')}").get("src") == "../img/One%20Pic.png"
    assert root.find(f".//{xhtml('a')}").get("href") == "b.xhtml#x y"
    assert names == ("img/One Pic.png",)


def test_everything_that_the_page_needs_is_named_once():
    _, names = cleaned(
        '<img src="../img/One%20Pic.png"/><img src="../img/One%20Pic.png"/><a href="b.xhtml">x</a>'
        '<p style="background: url(../img/two.svg)"/><audio><source src="../a.mp3"/></audio>'
        "<style>@font-face { src: url(../f.otf) }</style><img src='missing.png'/>"
    )
    assert names == ("img/One Pic.png", "img/two.svg", "a.mp3", "f.otf")


def test_an_object_that_is_a_picture_becomes_one():
    markup = body_markup(
        'a<object data="../img/two.svg" type="image/svg+xml" id="i">a map</object>b'
    )
    assert markup == 'a<img src="../img/two.svg" alt="a map" id="i"/>b'


def test_a_switch_leaves_the_case_that_can_be_drawn():
    case = '<epub:case required-namespace="{}">{}</epub:case>'
    chemistry = case.format("http://www.xml-cml.org/schema", "CML")
    formula = case.format("http://www.w3.org/1998/Math/MathML", "<i>math</i>")
    default = "<epub:default>words</epub:default>"
    for cases, text in ((chemistry + formula + default, "math"), (chemistry + default, "words")):
        root, _ = cleaned(f"a<epub:switch>\n{cases}\n</epub:switch>b")
        assert "".join(root.find(xhtml("body")).itertext()) == f"a{text}b"


def test_an_animation_cannot_change_an_address():
    inside = '<set attributeName="xlink:href" to="x"/><set attributeName="x" to="1"/>'
    root, _ = cleaned(f"{SVG}{inside}</svg>")
    assert [element.get("attributeName") for element in root.iter("{*}set")] == ["x"]


def test_white_space_in_formulas_is_collapsed_and_elsewhere_kept():
    math = f"{MATH}\n  <mi>a</mi>\n  <mtext> x  y </mtext></math>"
    root, _ = cleaned(f"<p>b\n  c {math}\n  d</p>")
    assert "".join(root.find(xhtml("body")).itertext()) == "b\n  c  a  x y \n  d"


def test_a_page_that_hides_itself_until_a_script_runs_is_shown():
    parsed = parse_markup(
        f'<html xmlns="{XHTML}"><body style="display:none" hidden="">a</body></html>'
    )
    clean_tree(parsed.root, "text/a.xhtml", PathResolver(NAMES))
    assert parsed.root.find(xhtml("body")).attrib == {}
