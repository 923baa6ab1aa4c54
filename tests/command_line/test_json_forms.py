"""The public JSON: its keys are what others measure by."""

from __future__ import annotations

import json

from app.command_line.json_forms import answer_form, find_form
from app.domain.book import Voice
from app.domain.conversation import Answer, AnswerState, Citation, Lane, Question
from app.domain.evidence import Rung, RungCounts, SearchHit, SearchReport
from app.domain.passage import Passage
from app.domain.position import Span
from app.domain.scope import WHOLE_BOOK

SPAN = Span(5, 10, 42)
REPORT = SearchReport(WHOLE_BOOK, ("mad", "cat"), RungCounts(0, 2, None, None), 2, 2)


def test_an_answer_has_the_keys_of_the_published_form() -> None:
    citation = Citation(1, SPAN, "We’re all mad here.", ("Pig and Pepper",), Voice.BODY, "")
    form = answer_form(
        Answer(
            Question("Is the Cat mad?"),
            Lane.GROUNDED,
            AnswerState.COMPLETE,
            "Yes.[^1]",
            citations=(citation,),
            searches=(REPORT,),
            evidence=(SPAN,),
        )
    )
    assert json.loads(json.dumps(form)) == form
    assert {"question", "lane", "state", "answer", "citations", "searches", "evidence"} <= set(form)
    assert {"quotes", "coverage", "dropped_tags", "usage", "provider", "model"} <= set(form)
    assert form["citations"] == [
        {
            "number": 1,
            "tag": "[f5-10-42]",
            "file_index": 5,
            "start": 10,
            "end": 42,
            "text": "We’re all mad here.",
            "contents_path": ["Pig and Pepper"],
            "part": "body",
            "page_label": None,
        }
    ]
    assert form["evidence"] == ["[f5-10-42]"]
    assert form["searches"][0]["rungs"] == {
        "phrase": 0,
        "all_words": 2,
        "most_words": None,
        "word_forms": None,
    }


def test_a_hit_carries_the_readable_text_of_its_span_and_its_place() -> None:
    hit = SearchHit(Passage(SPAN, "index text", Voice.BODY, 3), Rung.ALL_WORDS, 1.5)
    form = find_form(
        "mad cat", [REPORT], [hit], lambda span: f"text of {span.tag}", lambda _: (("VI",), "65")
    )
    assert form["hits"] == [
        {
            "tag": "[f5-10-42]",
            "file_index": 5,
            "start": 10,
            "end": 42,
            "text": "text of [f5-10-42]",
            "rung": "all_words",
            "contents_path": ["VI"],
            "page_label": "65",
        }
    ]
