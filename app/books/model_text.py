"""Readable text made plain for the search index and for language models.

What a person does not see and a model should not stumble over goes: soft hyphens, zero-width and
direction marks, the invisible tag characters, presentation forms of letters, lone surrogates, NULs.
What carries meaning stays: letters as they are written, joiners that shape Indic and Persian words,
line ends, and the indentation of code. Offsets always count canonical text, never this one.
"""

from __future__ import annotations

import re
import unicodedata

_DROPPED_CHARACTERS = (
    "\u00ad\u200b\u2060\ufeff"  # soft hyphen, zero-width space, word joiner, byte order mark
    "\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069"  # direction marks, which the order implies
    "\ufff9-\ufffb\U000e0000-\U000e007f"  # annotation anchors, tag characters
    "\0-\x08\x0e-\x1f\x7f\x80-\x84\x86-\x9f"  # control characters
)
_LETTER_FORMS = "\ufb00-\ufb06\ufb13-\ufb17\ufb1d-\ufdff\ufe70-\ufefc"  # ﬁ, ﬓ, שׁ, ﷲ, ﺑ
_WIDE_SPACES = "\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000"
_LINE_ENDS = "\r\x0b\x0c\x85\u2028\u2029"
_SURROGATES = "\ud800-\udfff"

_DROPPED = re.compile(f"[{_DROPPED_CHARACTERS}]")
_FORMS = re.compile(f"[{_LETTER_FORMS}]+")
_LINE_END = re.compile(f"\r\n|[{_LINE_ENDS}]")
_INNER_SPACES = re.compile(f"(?<=\\S)[ {_WIDE_SPACES}]+(?=\\S)")
_SPACES_AT_END = re.compile(f"[\t {_WIDE_SPACES}]+(?=\n|$)")
_SURROGATE = re.compile(f"[{_SURROGATES}]")
_NOT_PLAIN = re.compile(
    f"[{_DROPPED_CHARACTERS}{_LETTER_FORMS}{_WIDE_SPACES}{_LINE_ENDS}{_SURROGATES}]"
    "|  |[ \t](?=\n|$)"
)


def model_text(readable: str) -> str:
    """Readable text as the index and models are given it.

    Args:
        readable: from `DocumentText.readable`.

    Returns:
        Text without lone surrogates, so that it can be stored and sent.
    """
    if _NOT_PLAIN.search(readable) is None:
        return readable
    text = readable
    if not text.isascii():
        if _SURROGATE.search(text):
            text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        text = _FORMS.sub(_plain_letters, text)
    text = _LINE_END.sub("\n", text)
    text = _DROPPED.sub("", text)
    text = _SPACES_AT_END.sub("", text)
    return _INNER_SPACES.sub(" ", text).strip()


def _plain_letters(found: re.Match[str]) -> str:
    return unicodedata.normalize("NFKC", found[0])
