"""Keeps footnotes out of code and links: one that falls inside is placed behind.

The gate decides what is a citation and knows no Markdown; this comes after it and only moves.
It follows code spans, fenced code and inline links as CommonMark ends them, and passes text on at
once: the only text it ever holds is a line end inside one of the three.
Source: CommonMark 0.31 §4.5, §6.1, §6.3, as far as needed to know where each ends.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.domain.conversation import Citation

_FENCE = 3


class CitationPlacer:
    """Moves citations that stand inside code or a link behind it."""

    def __init__(self) -> None:
        self._waiting: list[Citation] = []
        self._out: list[str | Citation] = []
        self._text: list[str] = []
        self._held = ""  # a line end and spaces, inside code or a link
        self._run = ""  # backticks or tildes that may go on
        self._run_begins_line = False
        self._begins_line = True
        self._fence = ""
        self._is_fence_closing = False
        self._code = ""
        self._brackets = 0
        self._parentheses = 0
        self._is_behind_bracket = False
        self._is_escaped = False

    def place(self, piece: str | Citation) -> list[str | Citation]:
        """Takes the next piece; returns what may be shown now, in order."""
        if isinstance(piece, str):
            for character in piece:
                self._take(character)
        else:
            self._end_run()
            if self._is_behind_bracket:
                self._leave_link()
            if self._is_inside():
                self._waiting.append(piece)
            else:
                self._flush_text()
                self._out.append(piece)
        return self._taken()

    def finish(self) -> list[str | Citation]:
        """What was still held, and citations of code or a link that never ended."""
        self._end_run()
        if self._fence and self._waiting:
            self._text.append("\n" if self._is_fence_closing else f"\n{self._fence}\n")
        self._release()
        self._text.append(self._held)
        self._held = ""
        return self._taken()

    def _is_inside(self) -> bool:
        return bool(self._fence or self._code or self._brackets or self._parentheses)

    def _take(self, character: str) -> None:
        if self._held and self._take_after_line_end(character):
            return
        if self._is_behind_bracket and character not in "([":
            self._leave_link()
        if self._run and character != self._run[0]:
            self._end_run()
        if character in "`~" and not self._is_escaped:
            if not self._run:
                self._run_begins_line = self._begins_line
            self._run += character
        elif character == "\n":
            self._take_line_end()
            return
        elif not self._fence and not self._code:
            self._take_bracket(character)
        self._is_escaped = character == "\\" and not self._is_escaped and not self._code
        self._begins_line = self._begins_line and character == " "
        self._text.append(character)

    def _take_line_end(self) -> None:
        self._begins_line = True
        self._is_escaped = False
        if self._fence:
            self._text.append("\n")
            if self._is_fence_closing:
                self._fence, self._is_fence_closing = "", False
                self._release()
        elif self._is_inside():
            self._held = "\n"
        else:
            self._text.append("\n")

    def _take_after_line_end(self, character: str) -> bool:
        """Holds blanks after a line end; a second line end is the end of the paragraph."""
        if character in " \t\r":
            self._held += character
            return True
        held, self._held = self._held, ""
        if character == "\n":
            self._code = ""
            self._brackets = self._parentheses = 0
            self._is_behind_bracket = False
            self._release()
        self._text.append(held)
        return False

    def _take_bracket(self, character: str) -> None:
        if self._is_escaped:
            return
        if self._parentheses:
            self._parentheses += {"(": 1, ")": -1}.get(character, 0)
            if not self._parentheses:
                self._is_behind_bracket = True  # released before the next character
        elif character == "[":
            self._is_behind_bracket = False
            self._brackets += 1
        elif character == "]" and self._brackets:
            self._brackets -= 1
            self._is_behind_bracket = not self._brackets
        elif character == "(" and self._is_behind_bracket:
            self._is_behind_bracket = False
            self._parentheses = 1

    def _end_run(self) -> None:
        run, self._run = self._run, ""
        if not run:
            return
        if self._fence:
            if self._run_begins_line and run[0] == self._fence[0] and len(run) >= len(self._fence):
                self._is_fence_closing = True
        elif self._run_begins_line and len(run) >= _FENCE and not self._code:
            self._fence = run
        elif run[0] == "`":
            if not self._code:
                self._code = run
            elif self._code == run:
                self._code = ""
                if not self._is_inside():
                    self._release()

    def _leave_link(self) -> None:
        self._is_behind_bracket = False
        if not self._is_inside():
            self._release()

    def _release(self) -> None:
        if self._waiting:
            self._flush_text()
            self._out += self._waiting
            self._waiting = []

    def _flush_text(self) -> None:
        if self._text:
            self._out.append("".join(self._text))
            self._text = []

    def _taken(self) -> list[str | Citation]:
        self._flush_text()
        taken, self._out = self._out, []
        return [piece for piece in taken if piece != ""]
