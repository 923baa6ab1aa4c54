"""Addresses as people paste them."""

from __future__ import annotations

import pytest

from app.llm.server_address import server_address


@pytest.mark.parametrize(
    ("pasted", "base_url"),
    [
        ("https://api.example.com/v1", "https://api.example.com/v1"),
        (" https://api.example.com/v1/ ", "https://api.example.com/v1"),
        ("https://api.example.com", "https://api.example.com/v1"),
        ("api.example.com", "https://api.example.com/v1"),
        ("localhost:11434", "http://localhost:11434/v1"),
        ("192.168.1.9:8080/v1", "http://192.168.1.9:8080/v1"),
        ("http://[::1]:8080", "http://[::1]:8080/v1"),
        ("https://openrouter.example/api/v1/chat/completions", "https://openrouter.example/api/v1"),
        ("https://g.example/v1beta/openai/", "https://g.example/v1beta/openai"),
        ("http://localhost:1234/v1/models", "http://localhost:1234/v1"),
    ],
)
def test_the_api_is_found(pasted: str, base_url: str) -> None:
    address = server_address(pasted)
    assert address.base_url == base_url
    assert address.is_usable


def test_a_query_is_kept_and_a_name_and_password_are_not() -> None:
    address = server_address("https://me:secret@gate.example/v1?api-version=2")
    assert address.query == (("api-version", "2"),)
    assert address.host == "gate.example"
    assert "secret" not in str(address)


@pytest.mark.parametrize("pasted", ["", "ftp://x", "https://", "http://[::1", "http://x:y", "a b"])
def test_what_is_no_address_is_said_to_be_none(pasted: str) -> None:
    assert not server_address(pasted).is_usable
