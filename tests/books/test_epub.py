"""An EPUB as a book: built ones with every known fault, and all real ones."""

from __future__ import annotations

import time
import zipfile
from itertools import pairwise

import pytest
from lxml import etree

from app.books.canonical import MARK, tree_text
from app.books.epub import EpubFile
from app.books.markup_names import xhtml
from app.books.markup_parts import PART_BYTES
from app.books.parse_markup import reparsed
from app.domain.book import BookFormat, PageLabel, Voice
from app.domain.errors import BookProtected, BookUnreadable, NothingToRead, ReaderError
from tests.builders import PNG, Broken, Chapter, make_epub

FAST_BOOKS = [
    "idpf-kusamakura-vertical-ja",  # ruby, vertical, missing files
    "idpf-israelsailing-he",  # right to left
    "idpf-wasteland-otf-obf",  # verse in elements, obfuscated fonts
    "idpf-childrens-literature",  # page list, one long file in parts
    "pg11-alice",
    "live-manual-ja",  # 190 entries over 47 files
    "github-roam-zh",
]

LARGE_BOOKS = [
    "debian-policy",  # tables and code
    "idpf-epub30-spec",
    "idpf-linear-algebra-mathml",  # 10,283 formulas, one file of 2 MB
    "idpf-mahabharata-sa",  # 2,014 documents
    "jaune-fr-epub2",
    "paip-lisp",
    "pg1342-pride-and-prejudice",
    "se-divine-comedy",  # 1.8 MB of notes in one file
    "se-hamlet",  # tables of speeches
    "se-leaves-of-grass",
    "se-origin-of-species",
    "se-persuasion",
    "se-war-and-peace",
    "springer-ai-better-future",
]


@pytest.fixture
def make(tmp_path):
    """Makes an EPUB, opens it, and closes it after the test."""
    opened = []

    def made(*chapters, **options):
        book = EpubFile(
            make_epub(tmp_path / f"book{len(opened)}.epub", chapters or ["words"], **options)
        )
        opened.append(book)
        return book

    yield made
    for book in opened:
        book.close()


def read_all(book):
    return [book.document(index) for index in range(book.document_count)]


def test_a_sound_book_says_what_it_is(make):
    book = make("one", "two", language="he", direction="rtl", files={"c.png": PNG}, cover="c.png")
    assert book.book_format is BookFormat.EPUB
    assert book.metadata.title == "A Built Book"
    assert book.metadata.authors == ("Ada Author",)
    assert book.metadata.language == "he"
    assert book.metadata.identifier == "urn:ibid:built-book"
    assert book.metadata.is_right_to_left
    assert not book.metadata.is_fixed_layout
    assert book.cover_name == "OEBPS/c.png"
    assert (book.document_count, book.warnings) == (2, ())
    assert [document.content.text for document in read_all(book)] == ["\none\n", "\ntwo\n"]


def test_a_book_without_a_title_is_called_like_its_file(make):
    assert make(title="").metadata.title == "book0"


def test_fixed_layout_is_known(make):
    metadata = '<meta property="rendition:layout">pre-paginated</meta>'
    assert make(metadata=metadata).metadata.is_fixed_layout


def test_entries_that_repeat_a_file_are_empty_so_that_indexes_never_shift(make):
    body = "<p id='x'>one</p>"
    first, again = Chapter(body, "One", "a.xhtml"), Chapter(body, "X", "a.xhtml#x")
    book = make(first, again, Chapter("two", "Two", "b.xhtml"))
    documents = read_all(book)
    assert [document.content.text.strip() for document in documents] == ["one", "", "two"]
    assert [bool(document.parts) for document in documents] == [True, False, True]
    assert [(entry.title, entry.file_index) for entry in book.contents()] == [
        ("One", 0),
        ("X", 0),
        ("Two", 2),
    ]


def test_a_missing_part_is_empty_and_says_so(make):
    book = make("one", "two", broken=Broken.CHAPTER_MISSING)
    assert book.document_count == 2
    assert book.document(0).content.text.strip() == "one"
    missing = book.document(1)
    assert (missing.content.text, missing.parts) == ("", ())
    assert "missing" in missing.warnings[0]
    assert len(book.warnings) == 1


def test_a_damaged_part_is_empty_and_says_so(tmp_path):
    path = make_epub(tmp_path / "a.epub", ["the first words", "two"])
    with zipfile.ZipFile(path) as archive:
        names = {name: archive.read(name) for name in archive.namelist()}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as archive:
        for name, content in names.items():
            archive.writestr(name, content)
    path.write_bytes(path.read_bytes().replace(b"first", b"fXrst"))
    with EpubFile(path) as book:
        assert "damaged" in book.document(0).warnings[0]
        assert book.document(1).content.text.strip() == "two"


def test_what_is_not_linear_is_kept_and_marked(make):
    book = make("one", Chapter("note", is_linear=False))
    assert [document.is_linear for document in read_all(book)] == [True, False]


def test_contents_lead_to_places_once_their_documents_are_read(make):
    body = "<p>some words</p><h2 id='second half'>Two</h2>"
    line = Chapter(body, "Two", "one.xhtml#second%20half", depth=1)
    book = make(Chapter(body, "One", "one.xhtml"), line)
    assert [(entry.file_index, entry.start) for entry in book.contents()] == [(0, 0), (0, 0)]
    document = book.document(0)
    start = document.content.text.index("Two")
    assert [(entry.depth, entry.file_index, entry.start) for entry in book.contents()] == [
        (0, 0, 0),
        (1, 0, start),
    ]


def test_the_navigation_document_wins_over_the_ncx(make):
    ncx = (
        b'<ncx xmlns="http://www.daisy.org/z3986/2005/ncx/"><navMap><navPoint><navLabel><text>Old</text>'
        b'</navLabel><content src="chapter1.xhtml"/></navPoint></navMap></ncx>'
    )
    book = make(Chapter("x", "New"), files={"old.ncx": ncx})
    assert [entry.title for entry in book.contents()] == ["New"]
    old = make(Chapter("x", "New"), files={"old.ncx": ncx}, has_nav=False)
    assert [entry.title for entry in old.contents()] == ["Old"]


def test_a_book_without_contents_gets_them_from_its_headings(make):
    book = make(
        Chapter("<h1>One</h1><p>a</p><h2>Sub</h2>"),
        Chapter("<h1>Two</h1>"),
        has_nav=False,
    )
    read_all(book)
    assert [(e.title, e.depth, e.file_index, e.start, e.is_made) for e in book.contents()] == [
        ("One", 0, 0, 1, True),
        ("Sub", 1, 0, 5, True),
        ("Two", 0, 1, 1, True),
    ]


def test_a_book_without_contents_and_headings_lists_its_files(make):
    book = make(Chapter("a", name="start.xhtml"), Chapter("b", name="end.xhtml"), has_nav=False)
    read_all(book)
    assert [(entry.title, entry.file_index) for entry in book.contents()] == [
        ("start", 0),
        ("end", 1),
    ]


def test_printed_pages_are_what_the_edition_lists(make):
    chapter = Chapter("<p>a<span id='p4'/>b</p>", "One", "one.xhtml")
    book = make(
        chapter, page_list=[("iii", "one.xhtml"), ("iv", "one.xhtml#p4"), ("v", "gone.xhtml")]
    )
    book.document(0)
    assert book.page_labels() == (PageLabel("iii", 0, 0), PageLabel("iv", 0, 2))
    assert make(chapter).page_labels() == ()


def test_voices_come_from_landmarks_types_headings_and_names(make):
    chapters = [
        Chapter("<p>a</p>", name="x1.xhtml"),
        Chapter("<p>b</p>", name="x2.xhtml", epub_type="backmatter endnotes"),
        Chapter("<h1>Vorwort</h1><p>c</p>", name="x3.xhtml"),
        Chapter("<p>d</p>", name="colophon.xhtml"),
        Chapter("<h1>One</h1><p>e</p>", name="x5.xhtml"),
    ]
    book = make(*chapters, landmarks=[("dedication", "x1.xhtml"), ("bodymatter", "x5.xhtml")])
    assert [document.voice for document in read_all(book)] == [
        Voice.DEDICATION,
        Voice.NOTES,
        Voice.PREFACE,
        Voice.COLOPHON,
        Voice.BODY,
    ]


def test_a_picture_in_the_spine_is_a_page(make):
    book = make(Chapter(name="map.png", raw=PNG, title="The map"), "words")
    document = book.document(0)
    assert (document.content.text, document.title) == ("", "The map")
    assert document.resource_names == ("OEBPS/map.png",)
    assert b'src="map.png"' in document.parts[0].markup


def test_resources_are_read_and_named_with_what_they_need(make):
    css = "p { background: url(i.png) }"
    book = make(Chapter("<p>a</p>"), css=css, files={"i.png": PNG, "run.js": b"x"})
    assert book.document(0).resource_names == ("OEBPS/style.css", "OEBPS/i.png")
    assert set(book.resource_names()) == {"OEBPS/style.css", "OEBPS/i.png"}
    assert book.resource("OEBPS/i.png").content == PNG
    with pytest.raises(BookUnreadable):
        book.resource("OEBPS/chapter1.xhtml/../../../etc/passwd")


def test_encrypted_text_is_refused_by_name(tmp_path):
    path = make_epub(tmp_path / "a.epub", broken=Broken.PROTECTED)
    with pytest.raises(BookProtected) as caught:
        EpubFile(path)
    assert caught.value.scheme == "Adobe ADEPT"


@pytest.mark.parametrize("broken", [Broken.CUT_OFF, Broken.NO_PACKAGE, Broken.PACKAGE_NOT_XML])
def test_what_cannot_be_read_is_one_error(tmp_path, broken):
    with pytest.raises(BookUnreadable):
        EpubFile(make_epub(tmp_path / "a.epub", broken=broken))


def test_a_book_without_container_opens(make):
    assert make("words", broken=Broken.NO_CONTAINER).document(0).content.text.strip() == "words"


def test_a_book_without_documents_holds_nothing_to_read(tmp_path):
    path = make_epub(
        tmp_path / "a.epub",
        [Chapter(name="gone.xhtml")],
        has_nav=False,
        broken=Broken.CHAPTER_MISSING,
    )
    with pytest.raises(NothingToRead):
        EpubFile(path)


def test_a_book_whose_spine_names_nothing_is_read_in_the_order_of_its_files(make):
    chapters = [Chapter("a", name="a.xhtml"), Chapter(name="gone.xhtml")]
    book = make(*chapters[:1], chapters[1], broken=Broken.CHAPTER_MISSING)
    assert book.document_count == 2
    lost = make(Chapter(name="gone.xhtml"), broken=Broken.CHAPTER_MISSING)
    assert [document.name for document in read_all(lost)] == ["OEBPS/nav.xhtml"]
    assert "order" in lost.warnings[-1]


def test_a_large_book_shows_its_first_page_at_once(tmp_path):
    chapters = [Chapter(f"<p>{f'word {n} ' * 150}</p>" * 10, f"Chapter {n}") for n in range(2000)]
    path = make_epub(tmp_path / "a.epub", chapters)
    started = time.process_time()
    with EpubFile(path) as book:
        assert book.document(0).parts
        assert len(book.contents()) == 2000
    assert time.process_time() - started < 3


def check_document(document) -> None:
    """Everything that highlights and citations rest on."""
    content, text = document.content, document.content.text
    assert document.parts or not text
    ends = [0, *(part.end for part in document.parts)]
    assert ends[-1] == len(text)
    for start, part in zip(ends, document.parts, strict=False):
        assert part.start == start
        body = reparsed(part.markup).find(xhtml("body"))
        assert tree_text(body) == text[start : part.end]
        check_marks(body, start)
    at = 0
    for block in content.blocks:
        assert at <= block.start < block.end
        assert not text[at : block.start].strip()
        at = block.end
    assert not text[at:].strip()
    assert all(first.offset < second.offset for first, second in pairwise(content.breaks))
    assert all(0 <= offset <= len(text) for offset in document.anchors.values())


def check_marks(body, start) -> None:
    """Every mark is the offset of its element, counted by the rule."""
    marked = body.findall(f".//*[@{MARK}]")
    expected = {}
    at = start + len(body.text or "")
    walk = etree.iterwalk(body, events=("start", "end"))
    next(walk)
    for event, element in walk:
        if event == "start":
            bare = etree.Element("x")
            bare.append(etree.Element(element.tag, element.attrib))
            expected[element] = at
            if tree_text(bare) == "" and not is_text(element):
                walk.skip_subtree()
            else:
                at += len(element.text or "")
        elif element is not body:
            at += len(element.tail or "")
    assert [int(element.get(MARK)) for element in marked] == [
        expected[element] for element in marked
    ]


def is_text(element) -> bool:
    bare = etree.Element("x")
    copied = etree.SubElement(bare, element.tag, element.attrib)
    copied.text = "x"
    return tree_text(bare) == "x"


@pytest.mark.corpus
@pytest.mark.parametrize("name", FAST_BOOKS)
def test_a_real_book_is_sound_in_every_part(corpus, name):
    with EpubFile(corpus / f"{name}.epub") as book:
        documents = read_all(book)
        for document in documents:
            check_document(document)
        placed = [entry for entry in book.contents() if entry.file_index is not None]
        assert placed
        assert all(e.start <= len(documents[e.file_index].content.text) for e in placed)


@pytest.mark.corpus
@pytest.mark.parametrize("name", LARGE_BOOKS)
def test_a_large_real_book_is_sound(corpus, name):
    with EpubFile(corpus / f"{name}.epub") as book:
        assert book.contents()
        # Twenty to forty documents: counting the marks anew is slow.
        for index in range(0, book.document_count, max(1, book.document_count // 20)):
            document = book.document(index)
            check_document(document)
            # What is larger is one block: a table of formulas in one cell, a list of code.
            assert len(document.parts) <= 1 + len(document.content.text) // 5000
            assert sum(len(part.markup) > PART_BYTES * 1.2 for part in document.parts) <= 2


@pytest.mark.corpus
def test_every_sound_book_opens_with_contents_cover_and_resources(corpus):
    for path in sorted(corpus.glob("*.epub")):
        with EpubFile(path) as book:
            assert book.metadata.title
            assert book.contents(), path.name
            assert book.document(0).name
            for name in book.resource_names():
                assert book.resource(name).name == name
            if book.cover_name is not None:
                assert book.resource(book.cover_name).media_type.startswith("image/")


@pytest.mark.corpus
def test_every_malformed_book_opens_or_is_one_error(corpus):
    refused = []
    for path in sorted((corpus / "malformed").glob("*.epub")):
        try:
            with EpubFile(path) as book:
                for document in read_all(book):
                    check_document(document)
        except ReaderError:
            refused.append(path.stem)
    assert refused == ["ec-zip-truncated", "vers-missing-toc"]


@pytest.mark.corpus
def test_an_obfuscated_font_of_a_real_book_is_a_font(corpus):
    with EpubFile(corpus / "idpf-wasteland-otf-obf.epub") as book:
        fonts = [name for name in book.resource_names() if name.endswith(".otf")]
        assert len(fonts) == 3
        assert all(book.resource(name).content.startswith(b"OTTO") for name in fonts)


@pytest.mark.corpus
def test_printed_pages_of_a_real_book_are_in_order(corpus):
    with EpubFile(corpus / "idpf-childrens-literature.epub") as book:
        read_all(book)
        labels = book.page_labels()
    assert len(labels) == 92
    places = [(label.file_index, label.start) for label in labels]
    assert places == sorted(places)
    assert len(set(places)) == len(places)


@pytest.mark.corpus
def test_the_licence_of_a_real_book_is_no_evidence(corpus):
    with EpubFile(corpus / "pg11-alice.epub") as book:
        documents = read_all(book)
    assert documents[-1].voice is Voice.LICENCE
    for document in documents:
        for block in document.content.blocks:
            words = document.content.readable(block.start, block.end)
            assert "Project Gutenberg" not in words or not block.voice.is_evidence


@pytest.mark.corpus
def test_a_real_book_in_another_encoding_and_without_entities_is_the_same_book(corpus):
    """`pg11-alice.epub`, once as it is and once in Latin-1 with HTML entities."""
    with (
        EpubFile(corpus / "pg11-alice.epub") as sound,
        EpubFile(corpus / "malformed" / "DERIVED-latin1-undefined-entities.epub") as odd,
    ):
        assert [d.content.text for d in read_all(odd)] == [d.content.text for d in read_all(sound)]
