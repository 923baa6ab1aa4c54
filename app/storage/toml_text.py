"""Writes values as TOML 1.0: what `tomllib` reads, which cannot write.

Any value that `tomllib` gives can be written again, so that keys which this version does not know
survive. Comments do not.
"""

from __future__ import annotations

import datetime as dt
import json
import re
from collections.abc import Mapping
from typing import Any

from app.storage.text_codec import storable

_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")


def toml_document(values: Mapping[str, Any], comments: Mapping[str, str]) -> str:
    """A whole document: plain keys first, then tables and arrays of tables.

    Args:
        values: as `tomllib` would give them.
        comments: a line to stand above a key, by the key.
    """
    lines: list[str] = []
    _write_table(values, (), lines, comments)
    return "\n".join(lines).strip() + "\n"


def _write_table(
    table: Mapping[str, Any],
    path: tuple[str, ...],
    lines: list[str],
    comments: Mapping[str, str],
) -> None:
    tables = {key: value for key, value in table.items() if _is_table(value)}
    for key, value in table.items():
        if key not in tables:
            if key in comments:
                lines += ["", f"# {comments[key]}"]
            lines.append(f"{_key(key)} = {_value(value)}")
    for key, value in tables.items():
        name = ".".join(_key(part) for part in (*path, key))
        if key in comments:
            lines += ["", f"# {comments[key]}"]
        for one in [value] if isinstance(value, Mapping) else value:
            lines += ["", f"[{name}]" if isinstance(value, Mapping) else f"[[{name}]]"]
            _write_table(one, (*path, key), lines, {})


def _is_table(value: object) -> bool:
    if isinstance(value, list):
        return bool(value) and all(isinstance(one, Mapping) for one in value)
    return isinstance(value, Mapping)


def _key(key: str) -> str:
    return key if _BARE_KEY.fullmatch(key) else _string(key)


def _value(value: object) -> str:
    match value:
        case bool():
            return "true" if value else "false"
        case str():
            return _string(value)
        case int() | float():
            return repr(value)  # TOML writes inf and nan as Python does
        case dt.date() | dt.time():
            return value.isoformat()
        case Mapping():
            return f"{{{', '.join(f'{_key(key)} = {_value(one)}' for key, one in value.items())}}}"
        case _:
            if not isinstance(value, list | tuple):
                raise TypeError(f"TOML has no {type(value).__name__}")
    return f"[{', '.join(_value(one) for one in value)}]"


def _string(text: str) -> str:
    # A TOML string is a JSON string, except that it may not hold DEL as it is.
    return json.dumps(storable(text), ensure_ascii=False).replace("\x7f", "\\u007f")
