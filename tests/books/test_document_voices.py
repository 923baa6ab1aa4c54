"""Whose text each block of a document is."""

from __future__ import annotations

import pytest
from lxml import etree

from app.books.document_voices import Surroundings, headings, voiced
from app.books.markup_names import XHTML
from app.books.tree_walk import TreeText, read_tree
from app.domain.book import Voice
from app.domain.document import DocumentText

PLAIN = Surroundings("text/a.xhtml")


def read(inside: str) -> TreeText:
    return read_tree(
        etree.fromstring(
            f'<body xmlns="{XHTML}" xmlns:epub="http://www.idpf.org/2007/ops">{inside}</body>'
        )
    )


def voices(inside: str, around: Surroundings = PLAIN) -> tuple[list[Voice], Voice]:
    blocks, whole = voiced(read(inside), around)
    return [block.voice for block in blocks], whole


def test_a_book_that_says_nothing_is_the_author_s():
    assert voices("<h1>Chapter 1</h1><p>a</p>") == ([Voice.BODY, Voice.BODY], Voice.BODY)


def test_a_heading_speaks_up_to_the_next_of_its_rank():
    inside = (
        "<h2>One</h2><p>a</p><h2>Notes</h2><p>b</p><h3>To chapter 1</h3><p>c</p>"
        "<h2>Two</h2><p>d</p>"
    )
    assert voices(inside)[0] == [Voice.BODY] * 2 + [Voice.NOTES] * 4 + [Voice.BODY] * 2


def test_a_box_with_a_heading_ends_with_the_box():
    inside = "<h1>One</h1><p>a</p><div><h2>Notes</h2><p>b</p></div><p>c</p>"
    assert voices(inside)[0] == [Voice.BODY, Voice.BODY, Voice.NOTES, Voice.NOTES, Voice.BODY]


def test_the_first_heading_names_the_document_from_its_own_box():
    inside = "<div><h2>Preface</h2><p>to the second edition</p></div><p>words words</p>"
    assert voices(inside) == ([Voice.PREFACE] * 3, Voice.PREFACE)


def test_an_introduction_deep_inside_is_part_of_its_chapter():
    inside = "<h1>One</h1><p>a</p><h3>Introduction</h3><p>b</p><h4>Notes</h4><p>c</p>"
    assert voices(inside)[0] == [Voice.BODY] * 4 + [Voice.NOTES] * 2


def test_markup_wins_over_headings_and_outside():
    inside = "<section epub:type='chapter'><h2>Notes</h2><p>a</p></section>"
    around = Surroundings("notes.xhtml", Voice.NOTES, "Notes")
    assert voices(inside, around) == ([Voice.BODY, Voice.BODY], Voice.BODY)


@pytest.mark.parametrize(
    ("inside", "around", "voice"),
    [
        ("<p>a</p>", Surroundings("a.xhtml", Voice.DEDICATION, "Notes"), Voice.DEDICATION),
        ("<p>a</p>", Surroundings("preface.xhtml", None, "Endnotes"), Voice.NOTES),
        ("<p>a</p>", Surroundings("preface.xhtml", None, "Chapter 1"), Voice.PREFACE),
        ("<h1>Chapter 1</h1>", Surroundings("preface.xhtml", None, "Notes"), Voice.BODY),
        ("", Surroundings("cover.xhtml"), Voice.COVER),
        ("<img/>", Surroundings("a.xhtml", Voice.COVER), Voice.COVER),
    ],
)
def test_what_is_known_from_outside_fills_the_gaps(inside, around, voice):
    assert voices(inside, around)[1] is voice


def test_most_of_a_document_decides_for_the_whole():
    note = "<p epub:type='footnote'>note</p>"
    assert voices(f"<p>{'long ' * 20}</p>{note}")[1] is Voice.BODY
    assert voices(f"<p>a</p>{note * 20}")[1] is Voice.NOTES


def test_licence_lines_win_over_everything():
    inside = (
        "<div epub:type='chapter'><p>The end.</p>"
        "<p>*** END OF THE PROJECT GUTENBERG EBOOK X ***</p><h2>Notes</h2><p>x</p></div>"
    )
    assert voices(inside)[0] == [Voice.BODY] + [Voice.LICENCE] * 3


def test_a_heading_is_one_line():
    found = read("<h1>Chapter 1<br/>The  Start</h1><p>a</p>")
    content = DocumentText(0, found.text, tuple(found.blocks), tuple(found.breaks))
    assert [words for _, words in headings(content)] == ["Chapter 1 The Start"]
