"""Parts reasoning that a server left in the text, between `<think>` tags, from the answer.

The tags may come in pieces, never be closed, or be closed without having been opened (chat
templates that open the block themselves). An opening tag counts at the beginning of a line, so that
the word in a sentence, between backticks or in a code block stays what it is.
Source: PROTOCOLS rule 4 of 4c; deer-flow PR#3218, qwen-code PR#6033, LifeOS PR#568.
"""

from __future__ import annotations

from dataclasses import dataclass

_OPENERS = ("<think>", "<thinking>")
_CLOSERS = ("</think>", "</thinking>")
_TAGS = _OPENERS + _CLOSERS
_FENCES = ("```", "~~~")


@dataclass(frozen=True, slots=True)
class SplitText:
    """A run of text, and whether it is reasoning."""

    text: str
    is_reasoning: bool


class ThinkSplitter:
    """Splits the text of one reply; any division into pieces gives the same runs, joined.

    Args:
        is_open: the reply may begin in reasoning that it never opens: nothing is given as answer
            before the closing tag, or before the end shows that there was none.

    Attributes:
        closed_unopened: a closing tag came without an opening one; such a server's next reply will
            begin in reasoning too.
    """

    def __init__(self, *, is_open: bool = False) -> None:
        self.closed_unopened = False
        self._is_held = is_open
        self._is_thinking = False
        self._is_fenced = False
        self._is_beginning = True  # white space before the answer is no part of it
        self._tag = ""  # the beginning of what may become a tag
        self._line = ""  # the answer's current line
        self._held: list[str] = []
        self._thought: list[str] = []
        self._runs: list[SplitText] = []

    @property
    def unclosed(self) -> str:
        """The reasoning that was opened and not closed, "" where there is none."""
        return "".join(self._thought) if self._is_thinking else ""

    def feed(self, text: str) -> list[SplitText]:
        """Takes the next piece and gives what is certain by now."""
        for character in text:
            self._read(character)
        return self._taken()

    def release(self) -> list[SplitText]:
        """Gives what was held as answer: the server sends its reasoning in a field of its own."""
        self._let_go(is_reasoning=False)
        return self._taken()

    def finish(self) -> list[SplitText]:
        """Gives the rest at the end of the reply; reasoning that never ended stays reasoning."""
        self._write(self._tag)
        self._tag = ""
        return self.release()

    def _taken(self) -> list[SplitText]:
        runs, self._runs = self._runs, []
        return runs

    def _let_go(self, *, is_reasoning: bool) -> None:
        held, self._held = "".join(self._held), []
        self._is_held = False
        self._put(held, is_reasoning=is_reasoning)

    def _read(self, character: str) -> None:
        candidate = self._tag + character
        if candidate in _TAGS and self._counts(candidate):
            self._tag = ""
            self._turn(candidate)
        elif candidate not in _TAGS and any(tag.startswith(candidate) for tag in _TAGS):
            self._tag = candidate
        elif self._tag and character == "<":
            self._write(self._tag)
            self._tag = character
        else:
            self._tag = ""
            self._write(candidate)

    def _counts(self, tag: str) -> bool:
        if self._is_thinking or (self._is_held and tag in _CLOSERS):
            return tag in _CLOSERS
        return not self._is_fenced and not self._line.strip()

    def _turn(self, tag: str) -> None:
        if tag in _OPENERS:
            self._let_go(is_reasoning=False)
            self._is_thinking = True
            return
        if not self._is_thinking:
            self.closed_unopened = True
            self._let_go(is_reasoning=True)
        self._is_held = self._is_thinking = self._is_fenced = False
        self._thought.clear()
        self._line = ""
        self._is_beginning = True

    def _write(self, text: str) -> None:
        if self._is_thinking:
            self._thought.append(text)
            self._put(text, is_reasoning=True)
            return
        if self._is_beginning:
            text = text.lstrip()
            self._is_beginning = not text
        for character in text:
            self._follow_line(character)
        if self._is_held:
            self._held.append(text)
        else:
            self._put(text, is_reasoning=False)

    def _follow_line(self, character: str) -> None:
        if character != "\n":
            self._line += character
            return
        if self._line.lstrip().startswith(_FENCES):
            self._is_fenced = not self._is_fenced
        self._line = ""

    def _put(self, text: str, *, is_reasoning: bool) -> None:
        if not text:
            return
        if self._runs and self._runs[-1].is_reasoning == is_reasoning:
            text = self._runs.pop().text + text
        self._runs.append(SplitText(text, is_reasoning))
