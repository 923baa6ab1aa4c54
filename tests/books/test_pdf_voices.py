import pytest

from app.books.pdf_outline import OutlineLine
from app.books.pdf_voices import Speaker, speakers_by_outline, voiced_blocks
from app.domain.book import Voice
from app.domain.document import Block, BlockKind

AUTHOR = Speaker()
HEADING, PROSE = BlockKind.HEADING, BlockKind.PARAGRAPH


def page(*parts):
    """Text and blocks of a page: (text, kind, heading level)."""
    text, blocks = "", []
    for words, kind, level in parts:
        text += "\n\n" if text else ""
        blocks.append(Block(len(text), len(text) + len(words), kind, level))
        text += words
    return text, blocks


def voices(*parts, titles=None, before=AUTHOR):
    text, blocks = page(*parts)
    chosen, whole, after = voiced_blocks(text, blocks, titles or {}, before)
    return [block.voice for block in chosen], whole, after


def test_a_heading_speaks_for_what_follows_over_the_page_end():
    found, _, after = voices(("Text.", PROSE, 0), ("References", HEADING, 3), ("Aly, R.", PROSE, 0))
    assert found == [Voice.BODY, Voice.BIBLIOGRAPHY, Voice.BIBLIOGRAPHY]
    found, whole, _ = voices(("Pan, L. 2023.", PROSE, 0), before=after)
    assert (found, whole) == ([Voice.BIBLIOGRAPHY], Voice.BIBLIOGRAPHY)


def test_the_next_heading_of_its_rank_ends_it_and_a_lower_one_does_not():
    before = Speaker(Voice.NOTES, 2)
    assert (
        voices(("Chapter 1", HEADING, 3), ("A note.", PROSE, 0), before=before)[0]
        == [Voice.NOTES] * 2
    )
    assert (
        voices(("The End", HEADING, 2), ("Text.", PROSE, 0), before=before)[0] == [Voice.BODY] * 2
    )


def test_the_outline_speaks_where_headings_do_not():
    titles = {0: OutlineLine(0, "Index", 9, None)}
    assert voices(("whales, 12", PROSE, 0), titles=titles)[0] == [Voice.INDEX]


def test_who_speaks_between_two_lines_of_the_outline():
    outline = [
        OutlineLine(0, "Preface", 2, None),
        OutlineLine(1, "To the second edition", 4, None),
        OutlineLine(0, "Whales", 6, None),
        OutlineLine(0, "Glossary", 90, None),
    ]
    found = speakers_by_outline(outline)
    assert [(index, speaker.voice) for index, speaker in found] == [
        (2, Voice.PREFACE),
        (4, Voice.PREFACE),
        (6, Voice.BODY),
        (90, Voice.GLOSSARY),
    ]


def test_leaders_to_page_numbers_show_a_page_of_contents():
    lines = "\n".join(f"Whales of kind {number} . . . . . . . . {number}2" for number in range(8))
    found, whole, after = voices((lines, PROSE, 0))
    assert (found, whole, after.voice) == ([Voice.CONTENTS], Voice.CONTENTS, Voice.BODY)


def test_what_follows_the_end_line_of_project_gutenberg_is_licence_for_good():
    _, _, after = voices(("*** END OF THE PROJECT GUTENBERG EBOOK WHALES ***", PROSE, 0))
    assert (
        voices(("Section 1", HEADING, 1), ("You may copy it.", PROSE, 0), before=after)[0]
        == [Voice.LICENCE] * 2
    )


@pytest.mark.parametrize("before", [Speaker(), Speaker(Voice.PREFACE, 1)])
def test_an_empty_page_has_the_voice_that_was_speaking(before):
    assert voices(before=before)[1] is before.voice


def test_a_page_of_two_voices_is_the_authors():
    found = voices(("Text " * 9, PROSE, 0), ("References", HEADING, 2), ("Aly. " * 9, PROSE, 0))
    assert found[1] is Voice.BODY
