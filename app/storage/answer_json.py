"""An answer as JSON and back, without loss: how a turn is kept in the database.

Not the JSON that people are given (`app.command_line.json_forms`): this one may change with the
domain, and reads what earlier versions wrote.
"""

from __future__ import annotations

import dataclasses
import json
from typing import Any

from app.domain.book import Voice
from app.domain.conversation import (
    Answer,
    AnswerState,
    Citation,
    Coverage,
    Lane,
    Question,
    QuoteCheck,
    QuoteVerdict,
    TokenUsage,
)
from app.domain.evidence import RungCounts, SearchReport
from app.domain.position import Span
from app.domain.scope import Scope, ScopeKind

_Object = dict[str, Any]


def encode_answer(answer: Answer) -> str:
    """An answer as JSON in ASCII: lone surrogates survive as escapes."""
    return json.dumps(dataclasses.asdict(answer), separators=(",", ":"))


def decode_answer(stored: str) -> Answer:
    """The answer that `encode_answer` was given."""
    found: _Object = json.loads(stored)
    found["question"] = _question(found["question"])
    found["lane"] = Lane(found["lane"])
    found["state"] = AnswerState(found["state"])
    found["citations"] = tuple(_citation(one) for one in found["citations"])
    found["searches"] = tuple(_report(one) for one in found["searches"])
    found["evidence"] = tuple(Span(**one) for one in found["evidence"])
    found["quotes"] = tuple(_quote(one) for one in found["quotes"])
    found["coverage"] = Coverage(**found["coverage"])
    found["nearest"] = tuple(_citation(one) for one in found["nearest"])
    found["usage"] = TokenUsage(**found["usage"])
    return Answer(**found)


def encode_scope(scope: Scope) -> str:
    """A scope as JSON."""
    return json.dumps(dataclasses.asdict(scope), separators=(",", ":"))


def decode_scope(stored: str) -> Scope:
    """The scope that `encode_scope` was given."""
    return _scope(json.loads(stored))


def _question(found: _Object) -> Question:
    return Question(found["text"], _scope(found["scope"]))


def _scope(found: _Object) -> Scope:
    spans = found["spans"]
    return Scope(
        ScopeKind(found["kind"]),
        found["label"],
        None if spans is None else tuple(Span(**one) for one in spans),
    )


def _citation(found: _Object) -> Citation:
    return Citation(
        **found
        | {
            "span": Span(**found["span"]),
            "voice": Voice(found["voice"]),
            "contents_path": tuple(found["contents_path"]),
        }
    )


def _report(found: _Object) -> SearchReport:
    return SearchReport(
        **found
        | {
            "scope": _scope(found["scope"]),
            "words": tuple(found["words"]),
            "rungs": RungCounts(**found["rungs"]),
        }
    )


def _quote(found: _Object) -> QuoteCheck:
    span = found["span"]
    return QuoteCheck(
        **found
        | {
            "verdict": QuoteVerdict(found["verdict"]),
            "span": None if span is None else Span(**span),
        }
    )
