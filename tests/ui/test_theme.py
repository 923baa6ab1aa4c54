"""Themes: every role in every theme, text that can be read, the system followed."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt

from app.ui.theme import FOLLOW_SYSTEM, ROLES, THEME_NAMES, Appearance, load_theme, style_sheet

GROUNDS = {
    "text": ("window", "panel", "card", "field", "hover", "bubble", "selection", "error_panel"),
    "muted": ("window", "panel", "card", "page", "field", "hover", "bubble"),
    "page_text": ("page",),
    "highlight_text": ("highlight", "flash"),
    "accent_text": ("accent", "link"),
    "chip_text": ("chip",),
    "link": ("panel", "card", "page", "window"),
    "error": ("error_panel", "panel", "window", "card"),
}


def luminance(color):
    """Relative luminance. Source: WCAG 2.2."""
    parts = [int(color[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, other):
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("name", THEME_NAMES)
@pytest.mark.parametrize(("role", "grounds"), GROUNDS.items())
def test_text_stands_out_from_its_ground(name, role, grounds):
    theme = load_theme(name)
    for ground in grounds:
        assert contrast(theme.color(role), theme.color(ground)) >= 4.5, (role, ground)


@pytest.mark.parametrize("name", THEME_NAMES)
def test_every_role_has_a_colour_and_the_style_sheet_needs_no_other(name):
    theme = load_theme(name)
    assert set(theme.colors) == ROLES
    assert "$" not in style_sheet(theme, 10)
    assert theme.is_dark == (name == "dark")


def test_a_theme_file_with_a_missing_role_is_refused(tmp_path):
    (tmp_path / "bad.toml").write_text(
        'title="Bad"\nis_dark=false\n[base]\nink="#000000"\n[roles]\ntext="ink"\n'
    )
    with pytest.raises(ValueError, match="roles of bad"):
        load_theme("bad", tmp_path)


def test_a_role_that_names_no_base_colour_is_refused(tmp_path):
    roles = "".join(f'{role}="nothing"\n' for role in ROLES)
    (tmp_path / "bad.toml").write_text(f'title="Bad"\nis_dark=false\n[base]\n[roles]\n{roles}')
    with pytest.raises(ValueError, match="nothing"):
        load_theme("bad", tmp_path)


def test_choosing_a_theme_changes_the_whole_application_and_is_told_once(qapp, appearance, qtbot):
    with qtbot.waitSignal(appearance.changed) as changed:
        appearance.choose("dark")
    assert changed.args[0].name == "dark"
    assert load_theme("dark").color("window") in qapp.styleSheet()
    told = []
    appearance.changed.connect(told.append)
    appearance.choose("dark")
    assert told == []


def test_the_system_is_followed_until_a_theme_is_chosen(qapp, qtbot):
    wish = [Qt.ColorScheme.Light]
    appearance = Appearance(qapp, read_scheme=lambda: wish[0])

    def change(scheme):
        wish[0] = scheme
        qapp.styleHints().colorSchemeChanged.emit(scheme)

    assert (appearance.choice, appearance.theme.name) == (FOLLOW_SYSTEM, "light")
    change(Qt.ColorScheme.Dark)
    assert appearance.theme.name == "dark"
    appearance.choose("sepia")
    change(Qt.ColorScheme.Light)
    assert appearance.theme.name == "sepia"
    appearance.choose(FOLLOW_SYSTEM)
    assert appearance.theme.name == "light"
    appearance.deleteLater()


def test_an_unknown_choice_follows_the_system(qapp):
    appearance = Appearance(qapp, "plaid")
    assert appearance.choice == FOLLOW_SYSTEM
    appearance.deleteLater()
