"""Readable text made plain for the search index and for language models.

What a person does not see and a model should not stumble over goes: soft hyphens, zero-width and
direction marks, the invisible tag characters, presentation forms of letters, lone surrogates, NULs.
What carries meaning stays: letters as they are written, joiners that shape Indic and Persian words,
line ends, and the indentation of code. Offsets always count canonical text, never this one.
"""

from __future__ import annotations

import re
import unicodedata

_DROPPED = re.compile(
    "[\u00ad\u200b\u2060\ufeff"  # soft hyphen, zero-width space, word joiner, byte order mark
    "\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069"  # direction marks, which the order implies
    "\ufff9-\ufffb\U000e0000-\U000e007f"  # annotation anchors, tag characters
    "\0-\x08\x0e-\x1f\x7f\x80-\x84\x86-\x9f]"  # control characters
)
_PRESENTATION_FORMS = re.compile(
    "[\ufb00-\ufb06\ufb13-\ufb17\ufb1d-\ufb4f\ufb50-\ufdff\ufe70-\ufefc]+"  # ﬁ, ﬓ, שׁ, ﷲ, ﺑ
)
_LINE_END = re.compile("\r\n?|[\x0b\x0c\x85\u2028\u2029]")
_SPACES = "\t \u00a0\u1680\u2000-\u200a\u202f\u205f\u3000"
_INNER_SPACES = re.compile(f"(?<=\\S)[ {_SPACES[2:]}]+(?=\\S)")
_SPACES_AT_END = re.compile(f"[{_SPACES}]+(?=\n|$)")
_SURROGATE = re.compile("[\ud800-\udfff]")
_NOT_PLAIN = re.compile(f"[^\\S\n ]|  | \n|[^\x00-\x7f]|{_DROPPED.pattern}")


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
        text = _PRESENTATION_FORMS.sub(_plain_letters, text)
    text = _LINE_END.sub("\n", text)
    text = _DROPPED.sub("", text)
    text = _SPACES_AT_END.sub("", text)
    return _INNER_SPACES.sub(" ", text).strip()


def _plain_letters(found: re.Match[str]) -> str:
    return unicodedata.normalize("NFKC", found[0])
