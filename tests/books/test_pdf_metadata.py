import pytest

from app.books.pdf import PdfFile
from tests.builders import PdfLine, PdfPage, make_pdf

PROSE = [
    PdfLine("Some running text of the usual size.", y=200 + 20 * row, size=10) for row in range(9)
]


def metadata(tmp_path, *lines, **options):
    path = make_pdf(tmp_path / "moby-dick.pdf", [PdfPage([*lines, *PROSE])], **options)
    with PdfFile(path) as book:
        return book.metadata


def test_the_file_says_its_title_and_authors(tmp_path):
    found = metadata(tmp_path, title="Moby-Dick", author="Herman Melville")
    assert (found.title, found.authors) == ("Moby-Dick", ("Herman Melville",))


@pytest.mark.parametrize(
    "title",
    ["", "Untitled", "Microsoft Word - whales_final2.doc", "whales.dvi", "0001018724-18-000005"],
)
def test_a_title_that_a_program_left_gives_way_to_the_first_page(tmp_path, title):
    found = metadata(
        tmp_path, PdfLine("The Whale", size=24), PdfLine("or Moby", y=110, size=24), title=title
    )
    assert found.title == "The Whale or Moby"


def test_a_book_without_any_title_has_the_name_of_its_file(tmp_path):
    assert metadata(tmp_path).title == "moby-dick"
    assert metadata(tmp_path, PdfLine("Contents", size=24)).title == "moby-dick"


@pytest.mark.parametrize(
    ("stated", "authors"),
    [
        ("", ()),
        ("Ann Lee; Bo Chen", ("Ann Lee", "Bo Chen")),
        ("Ann Lee and Bo Chen", ("Ann Lee", "Bo Chen")),
        ("Ann Lee, Bo Chen, Cy Dent", ("Ann Lee", "Bo Chen", "Cy Dent")),
        ("Melville, Herman", ("Melville, Herman",)),
    ],
)
def test_authors_are_told_apart_where_they_plainly_are_several(tmp_path, stated, authors):
    assert metadata(tmp_path, author=stated).authors == authors


def test_a_book_in_hebrew_runs_from_right_to_left(tmp_path):
    path = make_pdf(tmp_path / "a.pdf", [PdfPage([PdfLine("ספר על לווייתנים", size=12)])])
    with PdfFile(path) as book:
        assert book.metadata.is_right_to_left
    assert not metadata(tmp_path).is_right_to_left


@pytest.mark.corpus
@pytest.mark.parametrize(
    ("name", "title", "language", "is_right_to_left"),
    [
        (
            "alice-wordtagged.pdf",
            "Alice's Adventures in Wonderland, by Lewis Carroll",
            "en-US",
            False,
        ),
        ("debian-reference-zh-cn.pdf", "Debian 参考手册", "", False),
        ("lshort-persian.pdf", "lshort-persian", "", True),
        ("AMAZON_2017_10K.pdf", "AMAZON.COM, INC.", "", False),
    ],
)
def test_real_books(corpus, name, title, language, is_right_to_left):
    with PdfFile(corpus / name) as book:
        found = book.metadata
    assert (found.title, found.language, found.is_right_to_left) == (
        title,
        language,
        is_right_to_left,
    )
