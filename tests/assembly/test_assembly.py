"""The program without its window: the library, providers and their keys, and its own checks."""

from __future__ import annotations

import pytest

from app.domain.book import ImportState
from app.domain.errors import BookNotFound, PasswordRequired
from app.domain.progress import BookKnown
from app.domain.provider import BUILT_IN
from tests.assembly.conftest import finish
from tests.builders import make_pdf

ADDRESS = {"name": "desk", "base_url": "http://127.0.0.1:8080/v1", "model": "small"}


def test_a_book_can_be_opened_as_soon_as_it_is_known_and_is_ready_at_the_end(assembly, book_file):
    events, book = finish(assembly.import_book(book_file))
    known = [event for event in events if isinstance(event, BookKnown)]
    assert [event.book_id for event in known] == [book.book_id]
    assert book.state is ImportState.READY
    assert book.metadata.title == "The Compass"


def test_the_same_file_is_one_book(assembly, book_file):
    first, second = (finish(assembly.import_book(book_file))[1] for _ in range(2))
    assert first.book_id == second.book_id
    assembly.open(first.book_id).close()
    assert [book.book_id for book in assembly.recent_books()] == [first.book_id]


def test_the_pages_of_a_locked_file_are_drawn_with_the_password_it_was_opened_with(
    assembly, tmp_path
):
    path = make_pdf(tmp_path / "locked.pdf", pages=["A secret page."], password="open sesame")
    with pytest.raises(PasswordRequired):
        finish(assembly.import_book(path))
    _, book = finish(assembly.import_book(path, "open sesame"))
    with assembly.open(book.book_id) as opened:
        assert opened.pages.render(0, 0.5).width_px > 0


def test_a_file_that_is_not_there_is_named(assembly, tmp_path):
    with pytest.raises(BookNotFound) as refused:
        finish(assembly.import_book(tmp_path / "no.epub"))
    assert refused.value.path == tmp_path / "no.epub"


def test_without_a_provider_the_built_in_model_answers(assembly):
    (only,) = assembly.providers()
    assert only.name == BUILT_IN
    assert only.is_on_this_computer


def test_a_connected_model_answers_first_until_it_is_removed(assembly):
    assembly.save_provider(**ADDRESS, key="", keeps_key_in_file=False)
    assert [info.name for info in assembly.providers()] == ["desk", BUILT_IN]
    assert assembly.providers()[0].host == "127.0.0.1:8080"
    assembly.remove_provider("desk")
    assert [info.name for info in assembly.providers()] == [BUILT_IN]


def test_a_key_is_kept_out_of_settings_and_database(assembly, paths):
    assembly.save_provider(**ADDRESS, key="canary-key", keeps_key_in_file=False)
    assert assembly.key_store.key("desk") == "canary-key"
    files = [path for path in paths.data.rglob("*") if path.is_file()]
    assert files
    assert not [path for path in files if b"canary-key" in path.read_bytes()]


class TestWithAServerInTheEnvironment:
    @pytest.fixture
    def environment(self):
        return {"IBID_BASE_URL": "https://models.example.org/v1", "IBID_MODEL": "large"}

    def test_it_stands_ahead_of_what_is_saved(self, assembly):
        assembly.save_provider(**ADDRESS, key="", keeps_key_in_file=False)
        first = assembly.providers()[0]
        assert (first.model, first.host) == ("large", "models.example.org")
        assert not first.is_on_this_computer


def test_its_own_checks_say_what_they_found(assembly):
    assert "SQLite" in assembly.check_database()
    assert assembly.check_key_store()
    assert "Ibid Handbook" in assembly.check_worker()
