"""The rule of what counts as text."""

from __future__ import annotations

import pytest
from lxml import etree

from app.books.canonical import (
    TEXT_RULE,
    is_all_text,
    is_hidden,
    is_left_out_name,
    plain_text,
    tree_text,
)
from app.books.markup_names import XHTML


def body(inside: str) -> etree._Element:
    return etree.fromstring(
        f'<body xmlns="{XHTML}" xmlns:s="http://www.w3.org/2000/svg">{inside}</body>'
    )


@pytest.mark.parametrize(
    ("inside", "text"),
    [
        ("a<br/>b <i>c</i>\n d", "ab c\n d"),
        ("<p>a</p><p>b</p>", "ab"),
        ("<table><tr><td>a</td><td>b</td></tr></table>", "ab"),
        ("<ruby>吾<rp>(</rp><rt>われ</rt><rp>)</rp></ruby>輩", "吾輩"),
        ("a<script>x</script>b<style>y</style>c<template>z</template>d", "abcd"),
        ("a<audio>x<p>y</p></audio>b<video>z</video>c", "abc"),
        (
            "<s:svg><s:title>x</s:title><s:desc>y</s:desc><s:metadata/><s:text>a</s:text></s:svg>b",
            "ab",
        ),
        ("<title>a</title><desc>b</desc>", "ab"),
        ('a<p hidden="">x</p>b<p hidden="until-found">y</p>c', "abc"),
        ('a<p style="color:red; DISPLAY : none !important;">x</p>b', "ab"),
        ('a<p style="display:none">x</p>b<p style="display:nonesuch">c</p>', "abc"),
        ('<p style="x-display:none">a</p><p style="content: display none">b</p>', "ab"),
        ('<i hidden="">x<b>y</b>z</i>', ""),
        ("<math><semantics><mi>a</mi><annotation>x</annotation></semantics></math>", "a"),
        ("<math><annotation-xml><p>x</p></annotation-xml></math>a", "a"),
        ("<![CDATA[a<b]]>&amp;𠮷😀", "a<b&𠮷😀"),
        ("", ""),
    ],
)
def test_the_text_is_what_a_reader_can_see(inside, text):
    assert tree_text(body(inside)) == text


def test_the_text_after_body_is_not_part_of_it():
    root = etree.fromstring(f'<html xmlns="{XHTML}"><body>a</body>b</html>')
    assert tree_text(root[0]) == "a"


def test_names_are_left_out_in_any_namespace_and_case():
    assert is_left_out_name("script")
    assert is_left_out_name("{urn:x}RT")
    assert is_left_out_name("{http://www.w3.org/2000/svg}title")
    assert not is_left_out_name(f"{{{XHTML}}}title")
    assert not is_left_out_name(f"{{{XHTML}}}p")


def test_plain_text_is_all_text_where_nothing_is_left_out():
    element = body('<p style="color: red">a</p>b')
    assert is_all_text(element)
    assert not is_hidden(element[0])
    assert plain_text(element) == "ab"
    assert not is_all_text(body('<p style="display: none">a</p>'))
    assert not is_all_text(body("<rt>a</rt>"))


def test_the_version_of_the_rule_is_one():
    assert TEXT_RULE == 1
