"""Which model answers: the built-in one, one of the settings, or one named by the environment.

`IBID_BASE_URL`, `IBID_API_KEY` and `IBID_MODEL` name an OpenAI-compatible endpoint for one run,
ahead of what is saved. Nothing is sent anywhere before the reader has named a provider.
"""

from __future__ import annotations

import ipaddress
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from app.domain.errors import ProviderUnknown
from app.domain.provider import BUILT_IN, ProviderInfo
from app.llm.openai_compatible import OpenAICompatibleModel

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from app.domain.settings import ProviderSettings, Settings
    from app.llm.chat_model import ChatModel

ENVIRONMENT = "environment"
_BUILT_IN = ProviderInfo(BUILT_IN, "quoting", "", is_on_this_computer=True)


class Providers:
    """The providers that can be chosen now.

    Args:
        read_settings: gives the settings as they are.
        read_key: the key of a provider from the key store, "" where there is none.
        environment: the process environment.
    """

    def __init__(
        self,
        read_settings: Callable[[], Settings],
        read_key: Callable[[str], str],
        environment: Mapping[str, str],
    ) -> None:
        self._read_settings = read_settings
        self._read_key = read_key
        self._environment = environment

    def all(self) -> tuple[ProviderInfo, ...]:
        """The default first, then the others; the built-in model is always there."""
        saved = [_info(one) for one in self._read_settings().providers]
        named = [self._from_environment()] if self._environment.get("IBID_BASE_URL") else []
        found = [*named, _BUILT_IN, *saved]
        default = self.default_name()
        return tuple(sorted(found, key=lambda info: info.name != default))

    def default_name(self) -> str:
        """The provider that answers where none is named."""
        if self._environment.get("IBID_BASE_URL"):
            return ENVIRONMENT
        settings = self._read_settings()
        known = {BUILT_IN, *(one.name for one in settings.providers)}
        return settings.default_provider if settings.default_provider in known else BUILT_IN

    def server_model(self, name: str) -> ChatModel | None:
        """The chat model of a provider, or None for the built-in one, which needs a book.

        Raises:
            ProviderUnknown: no provider has this name.
        """
        if name == BUILT_IN:
            return None
        if name == ENVIRONMENT and self._environment.get("IBID_BASE_URL"):
            info = self._from_environment()
            return OpenAICompatibleModel(
                provider=ENVIRONMENT,
                base_url=self._environment["IBID_BASE_URL"],
                api_key=self._environment.get("IBID_API_KEY", ""),
                model=info.model,
                is_on_this_computer=info.is_on_this_computer,
            )
        for saved in self._read_settings().providers:
            if saved.name == name:
                return OpenAICompatibleModel(
                    provider=name,
                    base_url=saved.base_url,
                    api_key=self._read_key(name),
                    model=saved.model,
                    is_on_this_computer=is_on_this_computer(saved.base_url),
                )
        raise ProviderUnknown(name)

    def _from_environment(self) -> ProviderInfo:
        base_url = self._environment["IBID_BASE_URL"]
        model = self._environment.get("IBID_MODEL", "")
        return ProviderInfo(ENVIRONMENT, model, host_of(base_url), is_on_this_computer(base_url))


def _info(saved: ProviderSettings) -> ProviderInfo:
    return ProviderInfo(
        saved.name, saved.model, host_of(saved.base_url), is_on_this_computer(saved.base_url)
    )


def host_of(base_url: str) -> str:
    """Host and port of an address, as a person is told where questions go."""
    parts = urlsplit(base_url if "//" in base_url else f"//{base_url}")
    return parts.netloc.rpartition("@")[2]


def is_on_this_computer(base_url: str) -> bool:
    """Whether an address is this computer's own, so that nothing leaves it."""
    host = urlsplit(base_url if "//" in base_url else f"//{base_url}").hostname or ""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
