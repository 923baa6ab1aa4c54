import pytest

from app.books.pdf_opening import open_document
from app.domain.errors import BookNotFound, BookUnreadable, NothingToRead, PasswordRequired
from tests.builders import make_pdf


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(BookNotFound):
        open_document(tmp_path / "none.pdf")


@pytest.mark.parametrize("content", [b"", b"no PDF at all", b"%PDF-1.4\n%%EOF\n"])
def test_what_is_no_pdf_is_unreadable_or_empty(tmp_path, content):
    path = tmp_path / "a.pdf"
    path.write_bytes(content)
    with pytest.raises((BookUnreadable, NothingToRead)):
        open_document(path)


def test_a_password_is_asked_for_and_checked(tmp_path):
    path = make_pdf(tmp_path / "a.pdf", password="secret")
    for wrong in (None, "", "other"):
        with pytest.raises(PasswordRequired):
            open_document(path, wrong)
    with open_document(path, "secret") as document:
        assert document.page_count == 1


def test_a_broken_file_is_repaired_without_a_word(tmp_path, capfd):
    path = make_pdf(tmp_path / "a.pdf", ["One", "Two"])
    path.write_bytes(
        path.read_bytes().replace(b"startxref", b"startxxxx").replace(b"xref", b"xxxx")
    )
    with open_document(path) as document:
        assert document.page_count == 2
    assert capfd.readouterr() == ("", "")


@pytest.mark.corpus
@pytest.mark.parametrize(
    ("name", "error"),
    [
        ("malformed/poppler-742-0-fuzzed.pdf", BookUnreadable),
        ("malformed/unreadablemetadata.pdf", NothingToRead),
        ("malformed/issue9105_other.pdf", NothingToRead),
        ("r6-user-password.pdf", PasswordRequired),
    ],
)
def test_broken_files_get_one_plain_error(corpus, capfd, name, error):
    with pytest.raises(error) as caught:
        open_document(corpus / name)
    assert caught.value.path == corpus / name
    assert capfd.readouterr() == ("", "")


@pytest.mark.corpus
@pytest.mark.parametrize(
    ("name", "password"),
    [
        ("AMAZON_2017_10K.pdf", None),
        ("r6-user-password.pdf", "asdfzxcv"),
        ("prefilled_f1040.pdf", None),
    ],
)
def test_protected_and_damaged_files_open(corpus, name, password):
    with open_document(corpus / name, password) as document:
        assert document.page_count
