"""Turns what a model server says went wrong into an error of `app.domain.errors`.

Servers say the same thing with different statuses and in different shapes, also inside a stream
that began with 200. What is quoted from them never holds the key, nor what a
reader could take for a footnote.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any

from app.domain.errors import (
    ModelBusy,
    ModelRefused,
    ModelStreamBroken,
    ModelUnauthorised,
    PromptTooLong,
    ToolsUnsupported,
)
from app.domain.position import neutralise_tags

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from app.domain.errors import ModelError

_MOST_REASON_CHARS = 300
_BUSY = frozenset({408, 429, 503, 529})
_PASSING = frozenset({408, 409, 429, 500, 502, 503, 504, 529})
_DEFAULT_WAIT_S = 20.0
"""What a person is told to wait where the server gives no time."""
_NO_TOOLS = re.compile(
    r"(does not|doesn't|do not|not) support\w* (\w+ )?(tool|function)|"
    r"(tools?|function calling|tool use) (is|are) not supported|"
    r"no endpoints found that support tool|enable-auto-tool-choice",
    re.IGNORECASE,
)
_TOO_LONG = re.compile(
    r"context_length_exceeded|exceed_context_size|(exceeds?|larger than) the (available )?context|"
    r"maximum context length|prompt is too long|input length exceeds|context window",
    re.IGNORECASE,
)
_LIMIT = re.compile(
    r"(?:maximum context length (?:is|of)|context (?:size|length|window)(?: is| of)?|>)"
    r"\D{0,12}(\d+)",
    re.IGNORECASE,
)
_OUT_OF_MONEY = re.compile(
    r"insufficient_quota|billing|insufficient (balance|credit)", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class ServerFault:
    """What a server said went wrong.

    Attributes:
        error: for the person.
        status: HTTP status, or the code given inside a stream; 0 where there is none.
        text: all that the server said, without the key.
        retry_after_s: how long the server asks to wait, or None.
    """

    error: ModelError
    status: int = 0
    text: str = ""
    retry_after_s: float | None = None

    @property
    def may_pass(self) -> bool:
        """Whether the same request may succeed a little later."""
        return (
            self.status in _PASSING
            and not isinstance(self.error, PromptTooLong | ToolsUnsupported | ModelUnauthorised)
            and not _OUT_OF_MONEY.search(self.text)
        )

    def refused_parameter(self, sent: Collection[str]) -> str | None:
        """The optional parameter among `sent` that the server does not take, or None."""
        if self.status not in {400, 404, 415, 422, 500, 501}:
            return None
        return next((name for name in sent if name in self.text), None)


@dataclass(frozen=True, slots=True)
class FaultReader:
    """Reads the faults of one server.

    Args:
        host: as told to people.
        model: the model asked for.
        key: what is blotted out wherever the server repeats it.
    """

    host: str
    model: str
    key: str

    def __repr__(self) -> str:
        """Says nothing of the key."""
        return f"FaultReader({self.host!r}, {self.model!r})"

    def of_response(self, status: int, body: str, headers: Mapping[str, str]) -> ServerFault:
        """The fault of a response whose status is not 200."""
        wait_s = retry_after_s(headers)
        return self._fault(status, _parsed(body), wait_s, is_streamed=False)

    def in_stream(self, error: object) -> ServerFault:
        """The fault told by an `error` inside a stream."""
        code = str(error.get("code", "")) if isinstance(error, dict) else ""
        status = int(code) if code.isdecimal() and len(code) == len("429") else 0
        return self._fault(status, error, None, is_streamed=True)

    def clean(self, text: str) -> str:
        """`text` on one line, cut, without the key and without what reads as a position tag."""
        if self.key:
            text = text.replace(self.key, "…")
        text = neutralise_tags(" ".join(text.split()))
        return text if len(text) <= _MOST_REASON_CHARS else f"{text[:_MOST_REASON_CHARS]}…"

    def _fault(
        self, status: int, body: object, wait_s: float | None, *, is_streamed: bool
    ) -> ServerFault:
        text = body if isinstance(body, str) else json.dumps(body, ensure_ascii=False)
        text = text.replace(self.key, "…") if self.key else text
        reason = self.clean(_message(body))
        error: ModelError
        if status in {401, 403}:
            error = ModelUnauthorised(self.host)
        elif _NO_TOOLS.search(text):
            error = ToolsUnsupported(self.host, self.model)
        elif (overflow := _overflow(text)) is not None:
            error = overflow
        elif status in _BUSY and not _OUT_OF_MONEY.search(text):
            error = ModelBusy(self.host, _DEFAULT_WAIT_S if wait_s is None else wait_s)
        elif is_streamed:
            error = ModelStreamBroken(self.host, reason)
        else:
            error = ModelRefused(self.host, status, reason)
        return ServerFault(error, status, text, wait_s)


def retry_after_s(headers: Mapping[str, str]) -> float | None:
    """Seconds to wait by `retry-after-ms` or `Retry-After` (seconds or a date), or None."""
    lower = {name.lower(): value.strip() for name, value in headers.items()}
    try:
        if "retry-after-ms" in lower:
            return max(0.0, float(lower["retry-after-ms"]) / 1000)
        return max(0.0, float(lower["retry-after"]))
    except KeyError:
        return None
    except ValueError:
        pass
    try:
        moment = parsedate_to_datetime(lower.get("retry-after", ""))
    except ValueError:
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return max(0.0, (moment - datetime.now(UTC)).total_seconds())


def _parsed(body: str) -> Any:  # noqa: ANN401 (JSON)
    try:
        return json.loads(body)
    except ValueError:
        return body


def _message(body: object) -> str:
    """The sentence in an error, whatever its shape: text, object, array, `error` or `detail`."""
    while True:
        match body:
            case [first, *_]:
                body = first
            case {"message": str(text), "metadata": {"raw": str(raw)}}:
                return f"{text}: {raw}"
            case {"error": (dict() | str()) as inner}:
                body = inner
            case {"message": inner} | {"msg": inner} | {"detail": inner} if inner:
                body = inner
            case str():
                return re.sub(r"<[^>]*>", " ", body)
            case _:
                return json.dumps(body, ensure_ascii=False) if body else ""


def _overflow(text: str) -> PromptTooLong | None:
    if not _TOO_LONG.search(text):
        return None
    named = re.search(r'"n_prompt_tokens":\s*(\d+)', text), re.search(r'"n_ctx":\s*(\d+)', text)
    if named[0] and named[1]:
        return PromptTooLong(int(named[0][1]), int(named[1][1]))
    limit = _LIMIT.search(text)
    if limit is None:
        return None
    most = max(int(number) for number in re.findall(r"\d+", text))
    return PromptTooLong(most, int(limit[1])) if most > int(limit[1]) else None
