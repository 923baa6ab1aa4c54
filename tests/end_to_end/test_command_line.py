"""The main job in a terminal: import, ask, find, text; what is printed and how it ends."""

from __future__ import annotations

import json
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from app.command_line import run
from tests.builders import BEYOND_ASCII, Broken, Chapter, make_epub, make_pdf

pytestmark = [pytest.mark.end_to_end, pytest.mark.timeout(120)]

ROOT = Path(__file__).resolve().parents[2]
FACT = "The lighthouse keeper buried the silver compass under the third stair."


def no_window(*_: object) -> int:
    raise AssertionError("a command opens no window")


@pytest.fixture
def book(tmp_path: Path) -> Path:
    chapters = [
        Chapter(f"<h1>Morning</h1><p>{BEYOND_ASCII}{FACT}</p>", title="Morning"),
        Chapter("<h1>Evening</h1><p>Nobody looked at the grey sea.</p>", title="Evening"),
    ]
    return make_epub(tmp_path / "compass.epub", chapters=chapters, title="The Compass")


@pytest.fixture
def command(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """Runs a command on a data folder of its own and returns status, output and faults."""

    def give(*words: str) -> tuple[int, str, str]:
        status = run(["--data-dir", str(tmp_path / "data"), *words], no_window)
        printed = capsys.readouterr()
        return status, printed.out, printed.err

    return give


def test_an_answer_cites_the_sentence_and_its_tag_prints_the_same_text(command, book):
    question = "Where did the keeper bury the silver compass?"
    status, out, err = command("ask", str(book), question, "--json")
    answer = json.loads(out)
    assert (status, err) == (0, "")
    assert answer["lane"] == "grounded"
    assert answer["state"] == "complete"
    assert [citation["number"] for citation in answer["citations"]] == sorted(
        {citation["number"] for citation in answer["citations"]}
    )
    assert "[^1]" in answer["answer"]
    assert FACT in answer["citations"][0]["text"]
    assert answer["citations"][0]["contents_path"] == ["Morning"]
    for citation in answer["citations"]:
        assert citation["tag"] in answer["evidence"] or citation["text"]
        assert command("text", str(book), citation["tag"])[1] == f"{citation['text']}\n"


def test_a_not_found_is_a_result_that_lists_what_was_searched(command, book):
    status, out, _ = command("ask", str(book), "Who painted the Mona Lisa?", "--json")
    answer = json.loads(out)
    assert status == 0
    assert answer["lane"] == "not_found"
    assert answer["citations"] == []
    assert answer["searches"]
    assert answer["searches"][0]["rungs"]["phrase"] == 0


def test_questions_in_a_file_give_one_line_each_in_order(command, book, tmp_path):
    questions = tmp_path / "questions.txt"
    questions.write_text("silver compass\ngrey sea\n", encoding="utf-8")
    status, out, _ = command("find", str(book), "--questions", str(questions), "--json")
    lines = [json.loads(line) for line in out.splitlines()]
    assert status == 0
    assert [line["question"] for line in lines] == ["silver compass", "grey sea"]
    assert lines[0]["hits"][0]["file_index"] == 0
    assert lines[1]["hits"][0]["file_index"] == 1
    assert lines[1]["hits"][0]["rung"] == "phrase"


def test_a_scope_keeps_the_search_within_it(command, book):
    _, out, _ = command("find", str(book), "silver compass", "--scope", "chapter:2", "--json")
    found = json.loads(out)
    assert found["hits"] == []
    assert found["searches"][0]["rungs"]["phrase"] == 0


def test_segments_follow_the_contents_and_carry_summaries_with_tags(command, book):
    status, out, _ = command("segments", str(book), "--json")
    segments = json.loads(out)["segments"]
    assert status == 0
    assert [segment["contents_path"] for segment in segments] == [["Morning"], ["Evening"]]
    assert "[f0-" in segments[0]["summary"]


def test_a_pdf_is_asked_by_its_printed_pages(command, tmp_path):
    labels = [{"startpage": 0, "style": "r", "firstpagenum": 1}]
    path = make_pdf(
        tmp_path / "b.pdf", pages=["One fish.", "\n".join(textwrap.wrap(FACT, 48))], labels=labels
    )
    status, out, _ = command("page", str(path), "ii")
    assert status == 0
    assert FACT in " ".join(out.split())
    status, out, err = command("page", str(path), "405")
    assert (status, out) == (1, "")
    assert "no printed page 405" in err


def test_plain_failures_are_one_sentence_and_status_1(command, tmp_path):
    nothing = tmp_path / "nothing.epub"
    text = tmp_path / "notes.epub"
    text.write_text("not a book", encoding="utf-8")
    protected = make_epub(tmp_path / "p.epub", chapters=["Text."], broken=Broken.PROTECTED)
    for path in (nothing, text, protected):
        status, out, err = command("import", str(path))
        assert (status, out) == (1, "")
        assert len(err.splitlines()) == 1
        assert path.name in err


def test_wrong_usage_is_status_2(command, book):
    for words in (["ask", str(book)], ["find"], ["page", str(book)]):
        with pytest.raises(SystemExit) as ended:
            command(*words)
        assert ended.value.code == 2


def test_a_tag_outside_the_book_is_refused(command, book):
    for tag in ("[f9-0-5]", "[f0-5-2]", "[f0-0-99999]", "[f1-293]"):
        status, out, err = command("text", str(book), tag)
        assert (status, out) == (1, "")
        assert tag in err


def test_main_py_runs_as_a_program_of_its_own(book, tmp_path):
    done = subprocess.run(
        [
            sys.executable,
            "main.py",
            "--data-dir",
            str(tmp_path / "d"),
            "import",
            str(book),
            "--json",
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["title"] == "The Compass"
    assert done.stderr == ""
