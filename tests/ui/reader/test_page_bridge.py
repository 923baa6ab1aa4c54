from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from app.domain.position import Locator, Span
from app.ui.reader.reader_view import ReaderSelection, Viewpoint

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from tests.ui.reader.conftest import Driver


@pytest.mark.parametrize(
    ("signal", "message", "value"),
    [
        ("place_seen", ("on_place", 3, 40, 1.5), Viewpoint(Locator(3, 40), 1.5)),
        (
            "selected",
            ("on_selection", 2, 5, 9, "𠮷 ab"),
            ReaderSelection(Span(2, 5, 9), "𠮷 ab"),
        ),
        ("selected", ("on_selection", -1, 0, 0, ""), None),
        ("link_clicked", ("on_link", 4, "https://a/", True), (4, "https://a/", True)),
    ],
)
def test_a_message_of_the_page_becomes_a_signal(
    driver: Driver, qtbot: QtBot, signal: str, message: tuple, value: object
) -> None:
    name, *arguments = message
    listed = ", ".join(
        f'"{item}"' if isinstance(item, str) else str(item).lower() for item in arguments
    )
    qtbot.waitUntil(lambda: driver.run("ibid.reader.bridge !== null") is True)
    with qtbot.waitSignal(getattr(driver.view._bridge, signal), timeout=5000) as sent:
        driver.run(f"ibid.reader.bridge.{name}({listed})")
    assert sent.args == [value]


def test_arguments_reach_the_page_as_they_are(driver: Driver) -> None:
    text = "\u2028 \"quoted\" 'single' </script> 𠮷\\"
    driver.bot.waitUntil(lambda: driver.run("ibid.reader.bridge !== null") is True)
    driver.run("(ibid.reader.echo = (value) => value.text) && 1")
    with driver.bot.waitCallback(timeout=5000) as received:
        driver.view._bridge.ask("echo", received, {"text": text})
    assert received.args == [text]
