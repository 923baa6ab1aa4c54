"""Finds the API of a server from what a person pasted, with or without scheme or `/v1`."""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass
from urllib.parse import parse_qsl, urlsplit

_ENDPOINTS = re.compile(r"/(chat/completions|completions|responses|models|embeddings)/*$")
_VERSION = re.compile(r"/v\d+\w*(/|$)")


@dataclass(frozen=True, slots=True)
class ServerAddress:
    """Where requests go.

    Attributes:
        base_url: ends with the version, without a slash; holds no name or password.
        query: goes with every request ("api-version" of some gateways).
        host: host and port, as a person is told.
        is_usable: False where what was given is no address.
    """

    base_url: str
    query: tuple[tuple[str, str], ...]
    host: str
    is_usable: bool = True


def server_address(pasted: str) -> ServerAddress:
    """Reads an address; `/v1` is added where no version stands in the path."""
    text = pasted.strip()
    try:
        parts = urlsplit(text if "://" in text else f"//{text}")
        name, port = parts.hostname or "", parts.port
    except ValueError:
        return ServerAddress("", (), text.rpartition("@")[2], is_usable=False)
    scheme = parts.scheme or ("http" if _is_near(name) else "https")
    host = parts.netloc.rpartition("@")[2]
    path = _ENDPOINTS.sub("", parts.path.rstrip("/"))
    if not _VERSION.search(path):
        path += "/v1"
    is_usable = bool(re.fullmatch(r"\S+", name)) and scheme in {"http", "https"} and port != 0
    return ServerAddress(
        f"{scheme}://{host}{path}", tuple(parse_qsl(parts.query)), host, is_usable=is_usable
    )


def _is_near(name: str) -> bool:
    try:
        return ipaddress.ip_address(name).is_private
    except ValueError:
        return name == "localhost" or name.endswith((".localhost", ".local")) or "." not in name
