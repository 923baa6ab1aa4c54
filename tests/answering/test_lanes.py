"""A closed list decides what is not about the book; everything else is searched."""

from __future__ import annotations

import pytest

from app.answering.lanes import Talk, read_talk


@pytest.mark.parametrize(
    ("message", "talk"),
    [
        ("Hello", Talk.GREETING),
        ("hi!!", Talk.GREETING),
        ("  Good morning. ", Talk.GREETING),
        ("Bonjour, comment ça va ?", Talk.GREETING),
        ("שלום", Talk.GREETING),
        ("こんにちは！", Talk.GREETING),
        ("你好。", Talk.GREETING),
        ("Привет!", Talk.GREETING),
        ("Thank you very much!", Talk.THANKS),
        ("Danke schön", Talk.THANKS),
        ("شكرا", Talk.THANKS),
        ("ありがとうございます", Talk.THANKS),
        ("Leave the book aside: what is a quark?", Talk.LEAVE_ASIDE),
        ("Answer from your own knowledge, please: who was Ahab?", Talk.LEAVE_ASIDE),
        ("Vergiss das Buch. Was ist ein Wal?", Talk.LEAVE_ASIDE),
        ("抛开这本书，什么是鲸？", Talk.LEAVE_ASIDE),
    ],
)
def test_small_talk_and_leaving_the_book_aside_are_told(message, talk):
    assert read_talk(message) is talk


@pytest.mark.parametrize(
    "message",
    [
        "Hello Kitty appears where?",
        "Who says hello?",
        "Why does he thank her?",
        "What does the author know about whales?",
        "Is there a God?",
        "What is a quark?",
        "Who wrote this book?",
        "42",
        "?",
        "",
    ],
)
def test_everything_else_is_about_the_book(message):
    assert read_talk(message) is None
