"""A segment is called by the last line of its contents path."""

from __future__ import annotations

import pytest

from app.domain.book import Voice
from app.domain.passage import Segment


@pytest.mark.parametrize(("path", "title"), [(("Part", "Chapter"), "Chapter"), ((), "")])
def test_the_title_is_the_end_of_the_contents_path(path, title):
    assert Segment(0, path, (), 0, 0, 0, Voice.BODY).title == title
