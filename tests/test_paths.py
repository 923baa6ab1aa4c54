"""Where things are kept."""

from __future__ import annotations

from app.paths import RESOURCES, find_paths


def test_a_named_folder_holds_everything(tmp_path):
    paths = find_paths(tmp_path / "here").made()
    assert paths.database == tmp_path / "here" / "library.sqlite3"
    assert paths.settings == tmp_path / "here" / "settings.toml"
    assert all(
        folder.is_dir() and folder.is_relative_to(tmp_path / "here")
        for folder in (paths.data, paths.cache, paths.logs)
    )


def test_the_environment_names_a_folder_too_but_the_option_goes_first(tmp_path, monkeypatch):
    monkeypatch.setenv("IBID_DATA_DIR", str(tmp_path / "environment"))
    assert find_paths().data == tmp_path / "environment"
    assert find_paths(tmp_path / "option").data == tmp_path / "option"


def test_without_a_name_the_system_decides_and_nothing_is_made(tmp_path, monkeypatch):
    monkeypatch.delenv("IBID_DATA_DIR", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    paths = find_paths()
    assert len({paths.data, paths.cache, paths.logs}) == 3
    assert all("ibid" in str(folder).lower() for folder in (paths.data, paths.cache, paths.logs))
    assert list(tmp_path.iterdir()) == []


def test_resources_stand_beside_the_program():
    assert (RESOURCES / "handbook").is_dir()
