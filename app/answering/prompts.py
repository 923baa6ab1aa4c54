"""What models are told: the texts of `resources/prompts/`, filled in.

Placeholders are written `$name`; filling one in that the text does not have, or leaving one out, is
an error. Nothing from a book is filled in without its tags being neutralised.
"""

from __future__ import annotations

from functools import cache
from string import Template

from app.paths import RESOURCES

FOLDER = RESOURCES / "prompts"


@cache
def template(name: str) -> Template:
    """A prompt as written, by its file name without the ending."""
    return Template((FOLDER / f"{name}.md").read_text(encoding="utf-8").strip())


def prompt(name: str, **values: str) -> str:
    """A prompt with its placeholders filled in.

    Args:
        name: file name without the ending.
        values: one for each placeholder, no more and no fewer.

    Returns:
        The text, without white space at its ends.

    Raises:
        ValueError: the values are not those that the prompt asks for.
    """
    wanted = set(template(name).get_identifiers())
    if wanted != set(values):
        raise ValueError(f"prompt {name} takes {sorted(wanted)}, not {sorted(values)}")
    return template(name).substitute(values).strip()
