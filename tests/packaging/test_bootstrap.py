"""The command line of the one script that needs nothing but Python."""

from __future__ import annotations

import ast
import subprocess
import sys

import bootstrap
import pytest
from environment import ROOT

SCRIPTS = sorted((ROOT / "packaging").glob("*.py"))


def test_it_says_what_it_can_do():
    done = subprocess.run(
        [sys.executable, str(ROOT / "packaging" / "bootstrap.py"), "--help"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert all(word in done.stdout for word in ("setup", "run", "test"))


def test_wrong_usage_ends_with_status_2():
    with pytest.raises(SystemExit) as ended:
        bootstrap.main(["fly"])
    assert ended.value.code == 2


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_it_stands_on_the_standard_library_alone(script):
    known = sys.stdlib_module_names | {path.stem for path in SCRIPTS}
    tree = ast.parse(script.read_text(encoding="utf-8"), feature_version=(3, 8))
    imported = [
        name
        for node in ast.walk(tree)
        for name in (
            [alias.name for alias in node.names]
            if isinstance(node, ast.Import)
            else [node.module or ""]
            if isinstance(node, ast.ImportFrom)
            else []
        )
    ]
    assert [name for name in imported if name.split(".")[0] not in known] == []


def test_ci_runs_the_same_command_as_people():
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert script.splitlines()[-1] == "exec python3 packaging/bootstrap.py test"
