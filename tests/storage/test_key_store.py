import os

import keyring.errors
import pytest

from app.domain.errors import StoreUnwritable
from app.storage.key_store import KeyPlace, KeyStore

KEY = "sk-canary-1234"


class InMemoryKeys:
    """A system's key store that can be locked."""

    def __init__(self):
        self.kept = {}

    def get_password(self, service, username):
        return self.kept.get((service, username))

    def set_password(self, service, username, password):
        self.kept[service, username] = password

    def delete_password(self, service, username):
        del self.kept[service, username]


@pytest.fixture
def system():
    return InMemoryKeys()


def test_a_key_goes_to_the_system(tmp_path, system):
    KeyStore(tmp_path, system).keep("work", KEY, KeyPlace.SYSTEM)
    assert system.kept == {("Ibid", "work"): KEY}
    assert KeyStore(tmp_path, system).key("work") == KEY
    assert KeyStore(tmp_path, system).key("home") is None
    assert list(tmp_path.iterdir()) == []


def test_a_key_of_this_run_is_gone_with_it(tmp_path, system):
    store = KeyStore(tmp_path, system)
    store.keep("work", KEY, KeyPlace.RUN)
    assert store.key("work") == KEY
    assert KeyStore(tmp_path, system).key("work") is None
    assert (system.kept, list(tmp_path.iterdir())) == ({}, [])


def test_a_key_in_a_file_is_readable_by_its_owner_only(tmp_path, system):
    KeyStore(tmp_path, system).keep("work", KEY, KeyPlace.FILE)
    (file,) = tmp_path.iterdir()
    assert KeyStore(tmp_path, system).key("work") == KEY
    if os.name == "posix":
        assert file.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("before", KeyPlace)
@pytest.mark.parametrize("after", KeyPlace)
def test_a_key_is_in_one_place_only(tmp_path, system, before, after):
    store = KeyStore(tmp_path, system)
    store.keep("work", "old", before)
    store.keep("work", KEY, after)
    assert store.key("work") == KEY
    places = [bool(system.kept), bool(list(tmp_path.iterdir())), after is KeyPlace.RUN]
    assert places.count(True) == 1
    store.forget("work")
    assert store.key("work") is None
    assert (system.kept, list(tmp_path.iterdir())) == ({}, [])


def test_forgetting_one_key_leaves_the_others(tmp_path, system):
    store = KeyStore(tmp_path, system)
    store.keep("work", KEY, KeyPlace.FILE)
    store.keep("home", "other", KeyPlace.FILE)
    store.forget("work")
    assert (store.key("work"), store.key("home")) == (None, "other")


def test_a_damaged_file_of_keys_is_told_without_its_content(tmp_path, system):
    (tmp_path / "keys.json").write_text(f'{{"work": "{KEY}')
    with pytest.raises(StoreUnwritable) as refusal:
        KeyStore(tmp_path, system).key("work")
    assert KEY not in str(refusal.value)


def test_a_computer_without_a_key_store_says_so(tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.fail.Keyring")
    keyring.core.init_backend()
    store = KeyStore(tmp_path)
    assert not store.has_system_store
    assert store.check().startswith("the system has none")
    assert store.key("work") is None
    with pytest.raises(StoreUnwritable):
        store.keep("work", KEY, KeyPlace.SYSTEM)
    store.keep("work", KEY, KeyPlace.RUN)
    assert store.key("work") == KEY


class LockedKeyring(keyring.backend.KeyringBackend):
    """A key store whose owner does not unlock it."""

    priority = 5

    def get_password(self, service, username):
        raise keyring.errors.KeyringLocked(KEY)

    def set_password(self, service, username, password):
        raise keyring.errors.PasswordSetError(password)


def test_a_locked_key_store_is_a_fault_told_without_the_key(tmp_path):
    before = keyring.get_keyring()
    keyring.set_keyring(LockedKeyring())
    try:
        store = KeyStore(tmp_path)
        assert store.has_system_store
        assert store.check() == "the system's key store"
        with pytest.raises(StoreUnwritable) as unread:
            store.key("work")
        with pytest.raises(StoreUnwritable) as unkept:
            store.keep("work", KEY, KeyPlace.SYSTEM)
    finally:
        keyring.set_keyring(before)
    assert KEY not in f"{unread.value}{unkept.value}"
