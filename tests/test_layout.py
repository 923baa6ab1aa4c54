"""The shape of the house: what stands where, and what the pages about it promise."""

from __future__ import annotations

import ast
import hashlib
import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
MODULES = sorted(
    path.relative_to(ROOT)
    for path in [ROOT / "main.py", *(ROOT / "app").rglob("*.py")]
    if path.name != "__init__.py"
)
DRAWERS = {"utils", "helpers", "common", "misc", "base", "manager"}
# The text at gnu.org/licenses/agpl-3.0.txt, 34,523 bytes.
AGPL_3 = "8486a10c4393cee1c25392769ddd3b2d6c242d6ec7928e1414efff7dfb2f07ef"
_PIN = re.compile(r"^([a-z0-9-]+)==([^ ]+)", re.MULTILINE)
_TREE_LINE = re.compile(r"^( *)([\w.-]+/?)(?:  |$)")


def does_something(module: Path) -> bool:
    """Whether a module holds code that can be wrong: a function with more than words in it."""
    tree = ast.parse((ROOT / module).read_text(encoding="utf-8"))
    functions = (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))
    return any(not isinstance(part, ast.Expr) for one in functions for part in one.body)


@pytest.mark.parametrize("module", list(filter(does_something, MODULES)), ids=str)
def test_every_module_has_its_tests(module):
    inside = module.relative_to("app") if module.parts[0] == "app" else module
    assert (ROOT / "tests" / inside.with_name(f"test_{module.name}")).is_file()


def test_no_module_is_a_drawer():
    assert [path for path in MODULES if path.stem in DRAWERS] == []


def test_everything_in_the_tree_of_the_architecture_page_exists():
    page = (ROOT / "app" / "README.md").read_text(encoding="utf-8")
    tree = page.split("```")[1].splitlines()[1:]
    parents: list[str] = []
    named = []
    for line in tree:
        found = _TREE_LINE.match(line)
        assert found, f"not a line of a tree: {line!r}"
        depth = len(found[1]) // 2
        parents[depth:] = [found[2]]
        named.append("".join(parents))
    assert len(named) > 20
    assert [name for name in named if not (ROOT / name).exists()] == []
    assert [name for name in named if name.endswith("/") != (ROOT / name).is_dir()] == []


def test_every_part_of_the_app_is_in_the_tree():
    page = (ROOT / "app" / "README.md").read_text(encoding="utf-8")
    parts = [path.name for path in (ROOT / "app").iterdir() if (path / "__init__.py").is_file()]
    assert parts
    assert [part for part in parts if f"  {part}/ " not in page] == []


def test_the_readme_names_the_two_commands():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for command in ("run", "test"):
        assert f"python3 packaging/bootstrap.py {command}\n" in readme
    assert "app/README.md" in readme


def test_the_licence_is_the_official_text():
    assert hashlib.sha256((ROOT / "LICENSE").read_bytes()).hexdigest() == AGPL_3
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["license"] == "AGPL-3.0-or-later"


@pytest.mark.parametrize("name", ["requirements.lock", "requirements-dev.lock"])
def test_a_lock_pins_with_hashes_and_names_no_host(name):
    lock = (ROOT / "packaging" / name).read_text(encoding="utf-8")
    pins = re.split(r"^(?=[a-z0-9-]+==)", lock, flags=re.MULTILINE)[1:]
    assert len(pins) > 30
    assert all("--hash=sha256:" in pin for pin in pins)
    assert not re.search(r"https?:|--(extra-)?index|--find|@ file", lock)


def test_the_lock_for_tests_holds_every_pin_of_the_other():
    run, test = (
        dict(_PIN.findall((ROOT / "packaging" / name).read_text(encoding="utf-8")))
        for name in ("requirements.lock", "requirements-dev.lock")
    )
    assert run.items() <= test.items()
