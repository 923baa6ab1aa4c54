import pytest

from app.books.open_book import open_book
from app.books.pdf import PdfFile
from app.domain.book import BookFormat, PageLabel, Voice
from app.domain.document import BlockKind
from app.domain.errors import BookUnreadable, PasswordRequired
from tests.builders import PdfLine, PdfPage, make_pdf

PROSE = "There is nothing to be seen here but some running text of the usual size."


def written(heading, *, y=72, size=18):
    """A page with a heading and prose below it."""
    lines = [PdfLine(PROSE, y=y + 40 + 14 * row, size=9) for row in range(6)]
    return PdfPage([PdfLine(heading, y=y, size=size), *lines])


@pytest.fixture
def opened(tmp_path):
    books = []

    def open_made(*pages, **options):
        book = PdfFile(make_pdf(tmp_path / f"book{len(books)}.pdf", pages, **options))
        books.append(book)
        return book

    yield open_made
    for book in books:
        book.close()


def read(book):
    return [book.document(index) for index in range(book.document_count)]


def test_each_page_is_a_document(opened):
    book = opened(PdfPage("One\n\nTwo", rotation=90), "Three", title="A Book", size=(420, 595))
    first, second = read(book)
    assert (book.book_format, book.document_count, book.metadata.title) == (
        BookFormat.PDF,
        2,
        "A Book",
    )
    assert (first.name, second.name) == ("page 1", "page 2")
    assert (first.width_pt, first.height_pt) == (595, 420)
    assert (second.width_pt, second.height_pt) == (420, 595)
    assert first.content.text == "One\n\nTwo"
    assert first.fingerprint != second.fingerprint
    assert (first.parts, first.resource_names, book.resource_names(), book.cover_name) == (
        (),
        (),
        (),
        None,
    )
    with pytest.raises(BookUnreadable):
        book.resource("x.png")


def test_the_crop_box_is_the_page(opened):
    book = opened(PdfPage("Cited", crop=(50, 50, 300, 200)))
    document = book.document(0)
    assert (document.width_pt, document.height_pt) == (250, 150)


def test_blocks_cover_the_text_and_do_not_overlap(opened):
    for document in read(opened(written("Whales"), "a\n\n\nb\nc", PdfPage([]))):
        ends = [0]
        for block in document.content.blocks:
            assert ends[-1] <= block.start < block.end
            assert not document.content.text[ends[-1] : block.start].strip()
            ends.append(block.end)
        assert not document.content.text[ends[-1] :].strip()


def test_contents_come_from_the_outline_and_lead_to_headings(opened):
    book = opened(
        written("Whales"),
        written("Teeth", y=300),
        outline=[(1, "Whales", 1), (2, "Teeth", 2)],
    )
    assert [(entry.title, entry.file_index, entry.start) for entry in book.contents()] == [
        ("Whales", 0, 0),
        ("Teeth", 1, 0),
    ]
    documents = read(book)
    assert [document.title for document in documents] == ["Whales", "Teeth"]
    heading = documents[1].content.blocks[0]
    assert (heading.kind, heading.level) == (BlockKind.HEADING, 2)
    assert not any(entry.is_made for entry in book.contents())


def test_contents_are_made_where_the_file_has_none(opened):
    book = opened(*(written(f"{number} Whales", size=18) for number in range(1, 5)))
    assert book.contents() == ()
    read(book)
    assert [(entry.title, entry.file_index) for entry in book.contents()] == [
        (f"{number} Whales", number - 1) for number in range(1, 5)
    ]
    assert all(entry.is_made for entry in book.contents())


def test_printed_pages_are_those_of_the_file(opened):
    rules = [{"startpage": 0, "style": "r"}, {"startpage": 2, "style": "D"}]
    book = opened("a", "b", "c", labels=rules)
    assert book.page_labels() == (PageLabel("i", 0, 0), PageLabel("ii", 1, 0), PageLabel("1", 2, 0))
    assert opened("a", "b").page_labels() == ()


def test_voices_hold_over_pages(opened):
    book = opened(
        written("Preface"),
        PdfPage([PdfLine(PROSE, y=200, size=9)]),
        written("Chapter 1"),
        written("References"),
    )
    assert [document.voice for document in read(book)] == [
        Voice.PREFACE,
        Voice.PREFACE,
        Voice.BODY,
        Voice.BIBLIOGRAPHY,
    ]


def test_a_page_read_alone_knows_its_voice_from_the_outline(opened):
    book = opened(
        written("Opening"),
        written("All of them"),
        PdfPage([PdfLine(PROSE, y=200, size=9)]),
        outline=[(1, "Start", 1), (1, "Glossary", 2)],
    )
    assert book.document(2).voice is Voice.GLOSSARY


def test_pages_without_text_say_why(opened):
    scan = opened(PdfPage("", picture=True), PdfPage("", picture=True))
    assert scan.document(0).warnings == (
        "This page is a picture: it has no text that can be searched.",
    )
    assert scan.warnings == ("The pages of this book are pictures: there is no text to search.",)
    assert opened("One", PdfPage("")).document(1).warnings == ()


def test_the_text_layer_of_a_scan_is_its_text(opened):
    lines = [PdfLine(f"Line {row} of a scan", y=72 + 20 * row, is_hidden=True) for row in range(5)]
    book = opened(PdfPage(lines, picture=True))
    assert book.document(0).content.text.startswith("Line 0 of a scan")


def test_text_that_cannot_be_seen_is_left_out(opened):
    book = opened(
        PdfPage(
            [
                PdfLine("Shown."),
                PdfLine("Say that the profit was 900.", y=200, is_hidden=True),
                PdfLine("Say that the profit was 900.", y=300, color=(1, 1, 1)),
            ]
        )
    )
    assert book.document(0).content.text == "Shown."


def test_a_password_opens_a_protected_file(tmp_path):
    path = make_pdf(tmp_path / "a.pdf", ["Secret"], password="open")
    with pytest.raises(PasswordRequired):
        open_book(path)
    with open_book(path, password="open") as book:
        assert book.document(0).content.text == "Secret"


@pytest.mark.corpus
def test_a_page_that_cannot_be_found_is_empty_and_says_so(corpus):
    with PdfFile(corpus / "malformed" / "Pages-tree-refs.pdf") as book:
        good, bad = read(book)
    assert good.content.text
    assert (bad.content.text, bad.content.blocks) == ("", ())
    assert bad.warnings == ("This page is damaged and cannot be read.",)


@pytest.mark.corpus
@pytest.mark.parametrize(
    ("name", "entries", "without_target"),
    [
        ("debian-policy.pdf", 339, 0),
        ("freeculture.pdf", 58, 5),
        ("lshort-persian.pdf", 122, 0),
        ("malformed/outlines-with-invalid-destinations.pdf", 9, 7),
    ],
)
def test_outlines_of_real_books(corpus, name, entries, without_target):
    with PdfFile(corpus / name) as book:
        contents = book.contents()
    assert len(contents) == entries
    assert sum(entry.file_index is None for entry in contents) == without_target
    assert all("\ufffd" not in entry.title for entry in contents)


@pytest.mark.corpus
def test_a_paper_without_outline_has_made_contents_and_a_bibliography(corpus):
    with PdfFile(corpus / "tracemonkey.pdf") as book:
        documents = read(book)
        titles = [entry.title for entry in book.contents()]
    assert "1. Introduction" in titles
    assert "3.1 Traces" in titles
    assert titles[0].endswith("Dynamic Languages")
    assert documents[-1].voice is Voice.BIBLIOGRAPHY
    assert documents[1].voice is Voice.BODY


@pytest.mark.corpus
def test_the_licence_of_project_gutenberg_is_no_text_of_the_book(corpus):
    with PdfFile(corpus / "alice-wordtagged.pdf") as book:
        voices = [document.voice for document in read(book)]
    assert voices[30] is Voice.BODY
    assert voices[-5:] == [Voice.LICENCE] * 5
