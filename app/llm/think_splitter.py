"""Parts reasoning that a server left in the text from the answer.

`<think>` counts at the beginning of a message only, so that the word inside code stays what it is.
A closing mark on a line of its own without an opening one (chat templates that open it themselves)
is taken out and remembered: the next message of such a server begins in reasoning.
Source: PROTOCOLS rule 4 of 4c; open-webui#9808, qwen-code PR#6033, LifeOS PR#568.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_OPENING = re.compile(r"\s*<think(?:ing)?>\s*")
_MAY_OPEN = re.compile(r"\s*(?:<(?:t(?:h(?:i(?:n(?:k(?:i(?:n(?:g)?)?)?)?)?)?)?)?)?\Z")
_CLOSING = re.compile(r"</think(?:ing)?>\s*")
_LONE_CLOSING = re.compile(r"(?:(?<=\n)|\A)[ \t]*</think(?:ing)?>[ \t]*(?:\n\s*|\Z)")
_CLOSE_MARKS = ("</think>", "</thinking>")


@dataclass(frozen=True, slots=True)
class SplitText:
    """A run of text, and whether it is reasoning."""

    text: str
    is_reasoning: bool


class ThinkSplitter:
    """Splits the text of one message.

    Args:
        is_open: the message begins in reasoning that it never opened.

    Attributes:
        closed_unopened: a closing mark came without an opening one.
        unclosed: the reasoning of a block that is still open.
    """

    def __init__(self, *, is_open: bool = False) -> None:
        self._held = ""
        self._is_beginning = not is_open
        self._is_thinking = is_open
        self._line = ""  # what was said of the current line, so far as a mark must begin it
        self.closed_unopened = False
        self.unclosed = ""

    def feed(self, text: str) -> list[SplitText]:
        """Takes the next piece of content; returns what is certain."""
        self._held += text
        return self._split(is_final=False)

    def finish(self) -> list[SplitText]:
        """The rest; reasoning that never ended stays reasoning."""
        return self._split(is_final=True)

    def release(self) -> list[SplitText]:
        """What is held, because the reasoning comes in a field of its own."""
        return self._split(is_final=True)

    def _split(self, *, is_final: bool) -> list[SplitText]:
        runs: list[SplitText] = []
        if self._is_beginning and self._begin(is_final=is_final):
            return runs
        while self._held and self._is_thinking:
            runs += self._think(is_final=is_final)
            if self._is_beginning and self._begin(is_final=is_final):
                return runs
            if self._is_thinking:
                return runs
        return runs + self._say(is_final=is_final)

    def _begin(self, *, is_final: bool) -> bool:
        """Whether it is still open if the message begins with reasoning."""
        if opening := _OPENING.match(self._held):
            self._held = self._held[opening.end() :]
            self._is_beginning, self._is_thinking = False, True
            return False
        if not is_final and _MAY_OPEN.match(self._held):
            return True
        self._is_beginning = False
        return False

    def _think(self, *, is_final: bool) -> list[SplitText]:
        closing = _CLOSING.search(self._held)
        if closing:
            thought, self._held = self._held[: closing.start()], self._held[closing.end() :]
            self._is_thinking, self._is_beginning = False, True
            self.unclosed = ""
        else:
            keep = 0 if is_final else _kept(self._held)
            thought = self._held[: len(self._held) - keep]
            self._held = self._held[len(thought) :]
            self.unclosed += thought
        return [SplitText(thought, is_reasoning=True)] if thought else []

    def _say(self, *, is_final: bool) -> list[SplitText]:
        text = self._held
        keep = 0 if is_final else _kept(text)
        lone = None if keep else _LONE_CLOSING.search(text)
        if lone and (lone.start() or not self._line) and (is_final or lone.end() < len(text)):
            self.closed_unopened = True
            text = text[: lone.start()] + text[lone.end() :]
        elif lone and not is_final:
            keep = len(text) - lone.start()
        said, self._held = text[: len(text) - keep], text[len(text) - keep :]
        if said:
            self._line = said.rpartition("\n")[2] or ("" if "\n" in said else self._line)
        return [SplitText(said, is_reasoning=False)] if said else []


def _kept(text: str) -> int:
    """How many characters at the end might begin a closing mark."""
    for length in range(min(len("</thinking>") - 1, len(text)), 0, -1):
        if any(mark.startswith(text[-length:]) for mark in _CLOSE_MARKS):
            return length
    return 0
