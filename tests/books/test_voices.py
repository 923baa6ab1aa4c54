"""What parts of a book call themselves."""

from __future__ import annotations

import pytest

from app.books.voices import (
    licence_ranges,
    voice_of_heading,
    voice_of_marks,
    voice_of_name,
    voice_of_types,
)
from app.domain.book import Voice


@pytest.mark.parametrize(
    ("types", "role", "voice"),
    [
        ("frontmatter preface", "", Voice.PREFACE),
        ("bodymatter z3998:fiction", "", None),
        ("", "doc-endnotes", Voice.NOTES),
        ("", "navigation", None),
        ("backmatter", "doc-glossary", Voice.GLOSSARY),
        ("Copyright-Page", "", Voice.COPYRIGHT),
        ("title-page", "", Voice.TITLE_PAGE),
        ("se:imprint", "", Voice.COPYRIGHT),
        ("chapter", "", Voice.BODY),
        ("", "", None),
    ],
)
def test_types_and_roles_name_a_voice(types, role, voice):
    assert voice_of_types(types, role) is voice


@pytest.mark.parametrize(
    ("heading", "voice"),
    [
        ("NOTES", Voice.NOTES),
        ("Translator’s Note", Voice.NOTES),
        ("Table of Contents", Voice.CONTENTS),
        ("Inhaltsverzeichnis", Voice.CONTENTS),
        ("Table des matières", Voice.CONTENTS),
        ("目次", Voice.CONTENTS),
        ("もくじ", Voice.CONTENTS),
        ("目录", Voice.CONTENTS),
        ("Содержание", Voice.CONTENTS),
        ("تمهيد", None),
        ("מבוא", Voice.INTRODUCTION),
        ("VORWORT.", Voice.PREFACE),
        ("Prefacio", Voice.PREFACE),
        ("Einführung", Voice.INTRODUCTION),
        ("1. Introduction", None),
        ("I. Notes", None),
        ("Appendix B: Tables", Voice.APPENDIX),
        ("Anhang", Voice.APPENDIX),
        ("Índice analítico", Voice.INDEX),
        ("THE FULL PROJECT GUTENBERG LICENSE", Voice.LICENCE),
        ("Fußnoten", Voice.NOTES),
        ("각주", Voice.NOTES),
        ("Notes from Underground", None),
        ("The Index of Prohibited Books", None),
        ("Chapter 1", None),
        ("", None),
        ("Notes " * 30, None),
    ],
)
def test_a_whole_heading_names_a_voice(heading, voice):
    assert voice_of_heading(heading) is voice


@pytest.mark.parametrize(
    ("name", "voice"),
    [
        ("OEBPS/text/cover.xhtml", Voice.COVER),
        ("04_preface.html", Voice.PREFACE),
        ("endnotes.xhtml", Voice.NOTES),
        ("toc01.html", Voice.CONTENTS),
        ("chapter1.xhtml", None),
        ("discovery.xhtml", None),
        ("index.xhtml", None),  # the first page of many a book
    ],
)
def test_a_file_name_names_a_voice_at_need(name, voice):
    assert voice_of_name(name) is voice


def test_marks_of_templates_name_a_voice():
    assert voice_of_marks("text Footnote", "") is Voice.NOTES
    assert voice_of_marks("pg-boilerplate", "") is Voice.LICENCE
    assert voice_of_marks("", "pg-footer") is Voice.LICENCE
    assert voice_of_marks("note-worthy", "x") is None


def test_the_licence_stands_before_its_start_line_and_after_its_end_line():
    start = "The Project Gutenberg eBook.\n*** START OF THE PROJECT GUTENBERG EBOOK X ***"
    middle = "\nThe book.\n"
    end = "*** END OF THIS PROJECT GUTENBERG EBOOK X ***\nLicence."
    text = start + middle + end
    assert licence_ranges(text) == ((0, len(start)), (len(start + middle), len(text)))
    assert licence_ranges(middle + end) == ((len(middle), len(middle + end)),)


def test_a_text_that_is_all_licence_is_known_by_how_often_it_names_itself():
    licence = "A Project Gutenberg-tm electronic work may be copied. " * 20
    assert licence_ranges(licence) == ((0, len(licence)),)
    assert licence_ranges(licence + "novel " * 9000) == ()
    assert licence_ranges("Gutenberg printed with movable type.") == ()
