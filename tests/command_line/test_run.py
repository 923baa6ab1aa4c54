"""How a run begins and ends; what the commands do is in `tests/end_to_end/test_command_line.py`."""

from __future__ import annotations

import json

import pytest

from app.command_line import run


def no_window(*_: object) -> int:
    raise AssertionError("a command opens no window")


def test_a_missing_question_is_wrong_usage(tmp_path):
    with pytest.raises(SystemExit) as ended:
        run(["--data-dir", str(tmp_path), "ask", "b.epub"], no_window)
    assert ended.value.code == 2


def test_a_library_of_a_newer_version_is_one_sentence(tmp_path, capsys):
    (tmp_path / "library.sqlite3").write_bytes(b"no database" * 500)
    assert run(["--data-dir", str(tmp_path), "self-check"], no_window) == 1
    printed = capsys.readouterr()
    assert printed.out == ""
    assert len(printed.err.splitlines()) == 1
    assert "damaged" in printed.err


@pytest.mark.parametrize("words", [["self-check"], ["import", "b.epub"], ["b.epub"]])
def test_a_data_folder_that_cannot_be_made_is_one_sentence(tmp_path, capsys, words):
    (tmp_path / "file").touch()
    assert run(["--data-dir", str(tmp_path / "file" / "below"), *words], no_window) == 1
    printed = capsys.readouterr()
    assert printed.out == ""
    assert len(printed.err.splitlines()) == 1
    assert "cannot be written" in printed.err


@pytest.mark.parametrize("name", ["n" * 300 + ".epub", "."], ids=["too long", "a folder"])
def test_a_name_that_is_no_file_is_one_sentence(tmp_path, capsys, name):
    assert run(["--data-dir", str(tmp_path), "import", name], no_window) == 1
    printed = capsys.readouterr()
    assert printed.out == ""
    assert len(printed.err.splitlines()) == 1
    assert "no book file" in printed.err


def test_questions_that_cannot_be_read_are_one_sentence(tmp_path, capsys):
    words = ["find", "b.epub", "--questions", str(tmp_path / "none.txt")]
    assert run(["--data-dir", str(tmp_path), *words], no_window) == 1
    assert "b.epub" in capsys.readouterr().err


def test_the_self_check_finds_everything_in_order(tmp_path, capsys):
    assert run(["--data-dir", str(tmp_path), "self-check", "--json"], no_window) == 0
    checks = json.loads(capsys.readouterr().out)["checks"]
    assert [check["name"] for check in checks if not check["ok"]] == []
    assert {"database", "resources", "web view", "reading process"} <= {
        check["name"] for check in checks
    }


@pytest.mark.parametrize("screen", [{}, {"DISPLAY": ":0"}], ids=["no screen", "a screen"])
def test_without_a_command_the_window_opens_where_there_is_a_screen(
    tmp_path, capsys, monkeypatch, screen
):
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("QTWEBENGINE_DISABLE_SANDBOX", "1")
    for name, value in screen.items():
        monkeypatch.setenv(name, value)
    opened = []

    def window(paths, book):
        opened.append((paths.data, book))
        return 7

    status = run(["--data-dir", str(tmp_path)], window)
    printed = capsys.readouterr().out
    if screen:
        assert (status, opened) == (7, [(tmp_path, None)])
    else:
        assert (status, opened) == (0, [])
        assert "There is no screen here" in printed
        assert "Question: How do I check a footnote?" in printed
        assert "[1] " in printed
