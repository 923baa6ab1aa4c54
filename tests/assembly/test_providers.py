"""Who answers, and what the reader is told about where questions go."""

from __future__ import annotations

import pytest

from app.assembly.providers import host_of, is_on_this_computer


@pytest.mark.parametrize(
    ("address", "stays"),
    [
        ("http://localhost:8080/v1", True),
        ("http://127.0.0.1:11434", True),
        ("http://[::1]:8080/v1", True),
        ("localhost:8080", True),
        ("http://192.168.1.4:8080/v1", False),
        ("https://api.example.org/v1", False),
        ("http://localhost.example.org/v1", False),
    ],
)
def test_only_loopback_addresses_stay_on_this_computer(address: str, *, stays: bool) -> None:
    assert is_on_this_computer(address) is stays


def test_the_host_is_named_without_a_key_in_the_address() -> None:
    assert host_of("https://user:secret@api.example.org:8443/v1") == "api.example.org:8443"
