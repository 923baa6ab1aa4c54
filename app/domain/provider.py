"""Who answers: the built-in model or a server that the reader connected."""

from __future__ import annotations

from dataclasses import dataclass

BUILT_IN = "built-in"


@dataclass(frozen=True, slots=True)
class ProviderInfo:
    """A provider as a reader chooses it.

    Attributes:
        name: its key in the settings; `BUILT_IN` for the quoting model.
        model: the model's name.
        host: where questions go, or "" for the built-in model.
        is_on_this_computer: nothing leaves the machine.
    """

    name: str
    model: str
    host: str
    is_on_this_computer: bool
