"""The window's fixtures, as the tests of the window have them."""

from __future__ import annotations

from tests.ui.conftest import (  # noqa: F401 - fixtures
    appearance,
    jobs,
    make_window,
    state,
    theme,
)
