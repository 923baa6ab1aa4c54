"""Bytes of a book become text: byte order mark, declarations, UTF-8, and only then a guess.

Source: WHATWG Encoding Standard for what the declared names mean in practice (§4.2, labels).
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

from charset_normalizer import from_bytes

_HEAD_BYTES = (
    2048  # declarations stand in the first 1,024 bytes (HTML §13.2.3.2), with room for garbage
)
_FIRST_HIGH = 0x80  # bytes below are ASCII in every encoding that is guessed
_GUESS_BYTES = 65_536  # enough for statistics; a whole book would take seconds
_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_BARE_UTF16 = ((b"<\0", "utf-16-le"), (b"\0<", "utf-16-be"))
_XML_DECLARATION = re.compile(rb"<\?xml[^>]{0,200}?encoding\s*=\s*[\"']\s*([A-Za-z0-9._:\-]+)")
_META_CHARSET = re.compile(
    rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?\s*([A-Za-z0-9._:\-]+)", re.IGNORECASE
)
_CSS_CHARSET = re.compile(rb"^@charset \"([A-Za-z0-9._:\-]+)\"")
# What browsers read when a page says the narrower name.
_WIDER = {
    "ascii": "cp1252",
    "iso8859-1": "cp1252",
    "iso8859-9": "cp1254",
    "tis-620": "cp874",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "shift_jis": "cp932",
    "euc_kr": "cp949",
    "big5": "big5hkscs",
}
_CYRILLIC = ["cp1251", "koi8_r", "koi8_u", "iso8859_5", "cp866", "mac_cyrillic"]
_BY_LANGUAGE = {
    "ja": ["cp932", "euc_jp"],
    "zh": ["gb18030", "big5"],
    "ko": ["cp949"],
    "ru": _CYRILLIC,
    "uk": _CYRILLIC,
    "be": _CYRILLIC,
    "bg": _CYRILLIC,
    "sr": [*_CYRILLIC, "cp1250"],
    "el": ["cp1253", "iso8859_7"],
    "tr": ["cp1254", "iso8859_9"],
    "he": ["cp1255", "iso8859_8"],
    "ar": ["cp1256", "iso8859_6"],
    "fa": ["cp1256"],
    "th": ["cp874"],
    "vi": ["cp1258"],
    "pl": ["cp1250", "iso8859_2"],
    "cs": ["cp1250", "iso8859_2"],
    "hu": ["cp1250", "iso8859_2"],
}


@dataclass(frozen=True, slots=True)
class Decoded:
    """Text and how it was read.

    Attributes:
        text: without byte order mark; line ends as in the file.
        encoding: Python's name of it.
        is_guess: neither declared nor UTF-8.
        is_damaged: some bytes could not be read and became U+FFFD.
    """

    text: str
    encoding: str
    is_guess: bool = False
    is_damaged: bool = False


def decode_markup(raw: bytes, language: str = "") -> Decoded:
    """Reads the bytes of an XHTML, HTML or XML file.

    Args:
        raw: the whole file.
        language: BCP 47 of the book: narrows a guess down to encodings of that language.
    """
    return _decode(raw, (_XML_DECLARATION, _META_CHARSET), language)


def decode_style(raw: bytes) -> Decoded:
    """Reads the bytes of a style sheet."""
    return _decode(raw, (_CSS_CHARSET,), "")


def _decode(raw: bytes, declarations: tuple[re.Pattern[bytes], ...], language: str) -> Decoded:
    for mark, encoding in _BYTE_ORDER_MARKS:
        if raw.startswith(mark):
            return _strictly_or_damaged(raw[len(mark) :], encoding)
    for start, encoding in _BARE_UTF16:
        if raw.startswith(start):
            return _strictly_or_damaged(raw, encoding)
    utf8 = _strictly(raw, "utf-8")
    if utf8 is not None:
        return _declared_escapes(raw, declarations) or Decoded(utf8, "utf-8")
    declared = _declared(raw, declarations)
    if declared is not None and (text := _strictly(raw, declared)) is not None:
        return Decoded(text, declared)
    return _guessed(raw, declared, language)


def _declared(raw: bytes, declarations: tuple[re.Pattern[bytes], ...]) -> str | None:
    """The declared encoding, widened as browsers do; None where there is none that can be true."""
    head = raw[:_HEAD_BYTES]
    for pattern in declarations:
        found = pattern.search(head)
        if found is None:
            continue
        try:
            name = codecs.lookup(found[1].decode("ascii")).name
        except LookupError:
            continue
        # The declaration was read as ASCII, so the file cannot be in two bytes a letter.
        if not name.startswith(("utf-8", "utf-16", "utf-32")):
            return _WIDER.get(name, name)
    return None


def _declared_escapes(raw: bytes, declarations: tuple[re.Pattern[bytes], ...]) -> Decoded | None:
    """Text of ISO-2022 encodings: plain ASCII bytes, so that UTF-8 would read them wrongly."""
    if b"\x1b" not in raw:
        return None
    declared = _declared(raw, declarations)
    if declared is None or not declared.startswith("iso2022"):
        return None
    text = _strictly(raw, declared)
    return None if text is None else Decoded(text, declared)


def _guessed(raw: bytes, declared: str | None, language: str) -> Decoded:
    # A few broken bytes in a file that says what it is are damage, not another encoding.
    expected = declared or "utf-8"
    text = raw.decode(expected, "replace")
    high = sum(byte >= _FIRST_HIGH for byte in raw[:_GUESS_BYTES])
    if text.count("\ufffd") <= max(1, high // 20):
        return Decoded(text, expected, is_damaged=True)
    first_high = next((index for index, byte in enumerate(raw) if byte >= _FIRST_HIGH), 0)
    sample = raw[max(0, first_high - 1024) :][:_GUESS_BYTES]
    likely = _BY_LANGUAGE.get(language.lower().partition("-")[0])
    best = from_bytes(sample, cp_isolation=likely).best()
    encoding = "cp1252" if best is None else _WIDER.get(best.encoding, best.encoding)
    text = raw.decode(encoding, "replace")
    return Decoded(text, encoding, is_guess=True, is_damaged="\ufffd" in text)


def _strictly(raw: bytes, encoding: str) -> str | None:
    try:
        return raw.decode(encoding)
    except (UnicodeDecodeError, LookupError):
        return None


def _strictly_or_damaged(raw: bytes, encoding: str) -> Decoded:
    text = _strictly(raw, encoding)
    if text is not None:
        return Decoded(text, encoding)
    return Decoded(raw.decode(encoding, "replace"), encoding, is_damaged=True)
