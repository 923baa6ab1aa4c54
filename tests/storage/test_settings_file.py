import os

import pytest

from app.domain.errors import StoreUnwritable
from app.domain.settings import (
    LIMITS,
    MEANINGS,
    ProviderSettings,
    SettingProblem,
    Settings,
    ThemeChoice,
)
from app.storage.settings_file import SettingsFile, write_whole

CHOSEN = Settings(
    theme=ThemeChoice.SEPIA,
    font_scale=1.25,
    contents_width_px=300,
    chat_width_px=500,
    default_provider="qwen3 · local",
    providers=(ProviderSettings("qwen3 · local", "http://localhost:11434/v1", "qwen3"),),
)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "settings.toml"


def test_without_a_file_everything_is_as_it_comes(path):
    file = SettingsFile(path)
    assert file.settings == Settings()
    assert file.problems == ()
    assert not path.exists()


def test_what_is_saved_is_read_again(path):
    SettingsFile(path).save(CHOSEN)
    assert SettingsFile(path).settings == CHOSEN


def test_the_file_tells_a_person_what_each_setting_means(path):
    SettingsFile(path).save(CHOSEN)
    text = path.read_text(encoding="utf-8")
    assert 'theme = "sepia"' in text
    assert "font_scale = 1.25" in text
    assert "[[providers]]" in text
    assert all(meaning in text for meaning in MEANINGS.values())


def test_a_change_made_by_hand_is_read(path):
    file = SettingsFile(path)
    path.write_text('theme = "dark"\nfont_scale = 2\n', encoding="utf-8")
    assert file.read() == Settings(theme=ThemeChoice.DARK, font_scale=2.0)


def test_keys_of_another_version_are_kept(path):
    path.write_text(
        "schema = 7\nwings = 2\n"
        '[[providers]]\nname = "a"\nbase_url = "u"\nmodel = "m"\nheat = 0.5\n'
        '[garden]\nroses = ["red"]\n',
        encoding="utf-8",
    )
    file = SettingsFile(path)
    file.save(Settings(theme=ThemeChoice.DARK, providers=file.settings.providers))
    text = path.read_text(encoding="utf-8")
    for line in ("schema = 7", "wings = 2", "heat = 0.5", "[garden]", 'roses = ["red"]'):
        assert line in text
    assert SettingsFile(path).settings.theme is ThemeChoice.DARK


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ('theme = "pink"', "theme"),
        ("theme = 3", "theme"),
        ('font_scale = "big"', "font_scale"),
        ("font_scale = 900.0", "font_scale"),
        ("font_scale = nan", "font_scale"),
        ("font_scale = true", "font_scale"),
        ("chat_width_px = -1", "chat_width_px"),
        ("default_provider = 3", "default_provider"),
        ('providers = "many"', "providers"),
        ('providers = [{name = "built-in", base_url = "u", model = "m"}]', "providers"),
        ('providers = [{name = "a", model = "m"}]', "providers"),
    ],
)
def test_a_value_without_meaning_falls_back_and_is_reported(path, line, name):
    path.write_text(f"{line}\ncontents_width_px = 333\n", encoding="utf-8")
    file = SettingsFile(path)
    assert file.settings == Settings(contents_width_px=333)
    assert [problem.name for problem in file.problems] == [name]


def test_sound_providers_are_taken_beside_an_unsound_one(path):
    path.write_text(
        'providers = [{name = "a", base_url = "u", model = "m"}, {name = "a"}, 5]', encoding="utf-8"
    )
    file = SettingsFile(path)
    assert file.settings.providers == (ProviderSettings("a", "u", "m"),)
    assert len(file.problems) == 2


@pytest.mark.parametrize("content", [b"theme = dark", b"\xff\xfe\x00", b"= ="])
def test_a_file_that_is_no_toml_is_reported_and_set_aside_before_it_is_lost(path, content):
    path.write_bytes(content)
    file = SettingsFile(path)
    assert file.settings == Settings()
    assert [problem.name for problem in file.problems] == [""]
    file.save(CHOSEN)
    assert file.problems == ()
    assert path.with_name("settings.toml.unreadable").read_bytes() == content
    assert SettingsFile(path).settings == CHOSEN


def test_a_file_that_cannot_be_read_or_written_is_reported(tmp_path):
    folder = tmp_path / "settings.toml"
    folder.mkdir()
    file = SettingsFile(folder)
    assert file.problems == (SettingProblem("", os.strerror(21)),)
    with pytest.raises(StoreUnwritable):
        file.save(CHOSEN)
    assert file.settings == CHOSEN  # for this run


def test_a_file_is_replaced_whole_and_readable_by_whom_it_says(tmp_path):
    path = tmp_path / "file"
    path.write_text("old")
    path.with_name(".file.new").write_text("left by a crash")
    write_whole(path, "new", mode=0o600)
    assert path.read_text() == "new"
    assert [found.name for found in tmp_path.iterdir()] == ["file"]
    if os.name == "posix":
        assert path.stat().st_mode & 0o777 == 0o600


def test_every_setting_has_its_meaning_and_every_number_its_limits():
    fields = set(Settings.__dataclass_fields__)
    numbers = {name for name in fields if isinstance(getattr(Settings(), name), int | float)}
    assert set(MEANINGS) == fields
    assert set(LIMITS) == numbers
