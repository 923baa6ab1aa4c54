"""Version and changelog say the same; the last line of a run is pytest's summary."""

from __future__ import annotations

import sys

import checks
import pytest
from environment import ROOT


@pytest.mark.parametrize(
    ("headings", "fault"),
    [
        ("## [Unreleased]", ""),
        ("## [1.2.0]\n\n## [1.1.0]", ""),
        ("## [Unreleased]\n\n## [1.2.0]", ""),
        ("## [1.3.0]", "CHANGELOG.md ends at 1.3.0, the program is 1.2.0."),
        (
            "## [1.2.0]\n\n## [Unreleased]",
            "CHANGELOG.md must begin with [Unreleased] or a version.",
        ),
        ("", "CHANGELOG.md must begin with [Unreleased] or a version."),
    ],
)
def test_the_changelog_ends_at_the_version(tmp_path, headings, fault):
    (tmp_path / "app").mkdir()
    (tmp_path / "app" / "__init__.py").write_text('__version__ = "1.2.0"\n', encoding="utf-8")
    (tmp_path / "CHANGELOG.md").write_text(f"# Changelog\n\n{headings}\n", encoding="utf-8")
    assert checks.version_fault(tmp_path) == fault


def test_this_version_and_changelog_agree():
    assert checks.version_fault(ROOT) == ""


def test_output_passes_on_and_its_last_line_is_kept(capsys, monkeypatch):
    monkeypatch.setattr(checks, "venv_program", lambda _name: sys.executable)
    script = "print('one'); print('== 3 passed =='); print(); raise SystemExit(3)"
    step = checks.Step("words", "python", ("-c", script))
    assert checks._run_and_keep_last_line(step) == (3, "== 3 passed ==")
    assert "one\n== 3 passed ==\n" in capsys.readouterr().out
