"""What a book's values say of themselves."""

from __future__ import annotations

import pytest

from app.domain.book import BookFormat, Voice


def test_a_format_knows_its_ending_and_media_type():
    assert (BookFormat.EPUB.suffix, BookFormat.EPUB.media_type) == (".epub", "application/epub+zip")
    assert (BookFormat.PDF.suffix, BookFormat.PDF.media_type) == (".pdf", "application/pdf")


@pytest.mark.parametrize(
    "voice", [Voice.COVER, Voice.CONTENTS, Voice.INDEX, Voice.LICENCE, Voice.COPYRIGHT]
)
def test_what_only_points_or_permits_is_no_evidence(voice):
    assert not voice.is_evidence


@pytest.mark.parametrize("voice", [Voice.BODY, Voice.PREFACE, Voice.NOTES, Voice.APPENDIX])
def test_what_speaks_is_evidence(voice):
    assert voice.is_evidence
