"""Bytes of books in the encodings that books are really written in."""

from __future__ import annotations

import pytest

from app.books.decoding import decode_markup, decode_style

RUSSIAN = "<p>Все счастливые семьи похожи друг на друга.</p>"
CHINESE = "<p>話說天下大勢，分久必合，合久必分。</p>"
SIMPLE_CHINESE = "<p>话说天下大势，分久必合，合久必分。</p>"
JAPANESE = "<p>吾輩は猫である。名前はまだ無い。</p>"
FRENCH = "<p>Longtemps, je me suis couché de bonne heure — à l’été.</p>"


@pytest.mark.parametrize(
    ("declaration", "text", "encoding"),
    [
        ('<?xml version="1.0" encoding="windows-1251"?>', RUSSIAN, "cp1251"),
        ("<?xml version='1.0' encoding='KOI8-R' ?>", RUSSIAN, "koi8-r"),
        ('<?xml version="1.0" encoding="GBK"?>', SIMPLE_CHINESE, "gb18030"),
        ('<meta charset="gb2312"/>', SIMPLE_CHINESE, "gb18030"),
        ('<meta charset="Big5"/>', CHINESE, "big5hkscs"),
        ('<?xml version="1.0" encoding="Shift_JIS"?>', JAPANESE, "cp932"),
        ('<?xml version="1.0" encoding="ISO-2022-JP"?>', JAPANESE, "iso2022_jp"),
        (
            '<meta http-equiv="Content-Type" content="text/html; charset=iso-8859-1"/>',
            FRENCH,
            "cp1252",
        ),
        ('<?xml version="1.0" encoding="utf-8"?>', RUSSIAN, "utf-8"),
        ("", RUSSIAN, "utf-8"),
    ],
)
def test_a_declared_encoding_is_read(declaration, text, encoding):
    found = decode_markup((declaration + text).encode(encoding))
    assert found.text == declaration + text
    assert (found.encoding, found.is_guess, found.is_damaged) == (encoding, False, False)


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
def test_a_byte_order_mark_decides_and_goes(encoding):
    text = '<?xml version="1.0" encoding="windows-1251"?>' + RUSSIAN
    assert decode_markup(text.encode(encoding)).text == text


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf16_without_a_mark_is_seen(encoding):
    assert decode_markup(RUSSIAN.encode(encoding)).text == RUSSIAN


def test_utf8_wins_over_a_declaration_that_is_not_true():
    text = '<?xml version="1.0" encoding="iso-8859-1"?>' + FRENCH
    assert decode_markup(text.encode()).text == text


def test_a_declaration_that_cannot_be_true_is_passed_over():
    text = '<?xml version="1.0" encoding="UTF-16"?><p>plain</p>'
    assert decode_markup(text.encode("ascii")).text == text


@pytest.mark.parametrize(
    ("encoding", "text", "language"),
    [
        ("cp1251", RUSSIAN, ""),
        ("koi8-r", RUSSIAN, "ru-RU"),
        ("big5", CHINESE, "zh-TW"),
        ("gb18030", SIMPLE_CHINESE, "zh"),
        ("cp932", JAPANESE, "ja"),
        ("euc-jp", JAPANESE, "ja"),
        ("cp1252", FRENCH, "fr"),
    ],
)
def test_an_encoding_that_nobody_names_is_guessed(encoding, text, language):
    text *= 8
    found = decode_markup(text.encode(encoding), language)
    assert found.text == text
    assert found.is_guess


def test_a_few_broken_bytes_are_damage_and_no_other_encoding():
    raw = RUSSIAN.encode() * 10 + b"<p>\xff</p>"
    found = decode_markup(raw)
    assert found.text == RUSSIAN * 10 + "<p>\ufffd</p>"
    assert found.is_damaged
    assert not found.is_guess


def test_an_odd_byte_at_the_end_of_utf16_is_damage():
    assert decode_markup(RUSSIAN.encode("utf-16") + b"\0").is_damaged


def test_a_style_sheet_names_its_own_encoding():
    text = '@charset "windows-1251"; q::before { content: "Да" }'
    assert decode_style(text.encode("cp1251")).text == text
