"""PDF files built in code with PyMuPDF, with text of any script and ink where it stands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pymupdf

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


@dataclass(frozen=True)
class PdfLine:
    """A line of a page.

    Attributes:
        text: any characters. Those beyond Latin-1 are drawn as solid boxes, which carry their text.
        x: left end, in points from the left of the unrotated page.
        y: baseline, in points from its top.
        size: of the letters, in points.
        is_hidden: render mode 3, as the text layer of a scan.
        color: red, green, blue from 0 to 1.
    """

    text: str
    x: float = 72
    y: float = 72
    size: float = 12
    is_hidden: bool = False
    color: tuple[float, float, float] = (0, 0, 0)


@dataclass(frozen=True)
class PdfPage:
    """A page.

    Attributes:
        content: text (lines set 18 points apart from the top, blank lines leave a gap), or lines.
        rotation: 0, 90, 180 or 270 degrees clockwise.
        crop: crop box (left, top, right, bottom) in points, or None.
        picture: covers the page with a grey picture, under its text: a scan.
    """

    content: str | Sequence[PdfLine] = ""
    rotation: int = 0
    crop: tuple[float, float, float, float] | None = None
    picture: bool = False


def make_pdf(
    path: Path,
    pages: Sequence[PdfPage | str] = ("It was a quiet morning.",),
    *,
    title: str = "",
    author: str = "",
    labels: Sequence[dict[str, Any]] = (),
    outline: Sequence[tuple[int, str, int]] = (),
    rotation: int = 0,
    size: tuple[float, float] = (420, 595),
    password: str = "",
) -> Path:
    """Writes a PDF.

    Args:
        path: the file to write.
        pages: a `PdfPage`, or just its text.
        title: of the document.
        author: of the document.
        labels: rules as `pymupdf.Document.set_page_labels` takes them.
        outline: (level from 1, title, page from 1).
        rotation: of every page that does not say its own.
        size: width and height in points.
        password: needed to open it.

    Returns:
        `path`.
    """
    with pymupdf.open() as book:
        for number, given in enumerate(pages):
            described = PdfPage(given) if isinstance(given, str) else given
            page = book.new_page(width=size[0], height=size[1])
            _draw(book, page, described)
            page = book[number]
            if described.crop:
                page.set_cropbox(pymupdf.Rect(described.crop))
            page.set_rotation(described.rotation or rotation)
        book.set_metadata({"title": title, "author": author})
        if labels:
            book.set_page_labels(list(labels))
        if outline:
            book.set_toc([list(line) for line in outline])
        method = pymupdf.PDF_ENCRYPT_AES_256 if password else pymupdf.PDF_ENCRYPT_NONE
        book.save(path, encryption=method, user_pw=password, owner_pw=password or None)
    return path


def _draw(book: pymupdf.Document, page: pymupdf.Page, described: PdfPage) -> None:
    if described.picture:
        grey = pymupdf.Pixmap(pymupdf.csGRAY, pymupdf.IRect(0, 0, 8, 8), 0)
        grey.clear_with(200)
        page.insert_image(page.rect, pixmap=grey, keep_proportion=False)
    lines = described.content
    if isinstance(lines, str):
        rows = enumerate(lines.split("\n"))
        lines = [PdfLine(text, y=72 + 18 * row) for row, text in rows if text.strip()]
    for line in lines:
        if all(ord(character) < 256 for character in line.text):
            page.insert_text(
                (line.x, line.y),
                line.text,
                fontsize=line.size,
                color=line.color,
                render_mode=3 if line.is_hidden else 0,
            )
        else:
            _draw_boxes(book, page, line)


def _draw_boxes(book: pymupdf.Document, page: pymupdf.Page, line: PdfLine) -> None:
    """Draws a line in a font of solid boxes that says what each of them means.

    MuPDF's own writer garbles characters beyond the Basic Multilingual Plane, and no font with all
    of them is on every machine.
    """
    characters = list(dict.fromkeys(line.text))
    font = _new_object(book, "<<>>")
    meaning = _new_object(book, "<<>>")
    box = _new_object(book, "<<>>")
    space = _new_object(book, "<<>>")
    book.update_stream(box, b"600 0 0 0 600 700 d1 30 0 540 700 re f")
    book.update_stream(space, b"600 0 d0")
    rows = "".join(
        f"<{code:02x}><{character.encode('utf-16-be').hex()}>\n"
        for code, character in enumerate(characters, 1)
    )
    book.update_stream(
        meaning,
        "/CIDInit /ProcSet findresource begin begincmap /CMapName /M def\n"
        f"1 begincodespacerange <00><ff> endcodespacerange\n{len(characters)} beginbfchar\n{rows}"
        "endbfchar endcmap end".encode(),
    )
    glyphs = " ".join(f"/g{code}" for code in range(1, len(characters) + 1))
    procedures = " ".join(
        f"/g{code} {space if character.isspace() else box} 0 R"
        for code, character in enumerate(characters, 1)
    )
    widths = " ".join("600" for _ in characters)
    book.update_object(
        font,
        "<</Type/Font/Subtype/Type3/FontBBox[0 0 600 700]/FontMatrix[.001 0 0 .001 0 0]"
        f"/FirstChar 1/LastChar {len(characters)}/Widths[{widths}]/ToUnicode {meaning} 0 R"
        f"/Encoding<</Type/Encoding/Differences[1 {glyphs}]>>/CharProcs<<{procedures}>>"
        "/Resources<<>>>>",
    )
    _set_deep(book, page.xref, ["Resources", "Font", f"Box{font}"], f"{font} 0 R")
    codes = "".join(f"{characters.index(character) + 1:02x}" for character in line.text)
    red, green, blue = line.color
    written = (
        f"q {red} {green} {blue} rg BT {3 if line.is_hidden else 0} Tr /Box{font} {line.size} Tf "
        f"{line.x} {page.mediabox.height - line.y} Td <{codes}> Tj ET Q"
    )
    stream = _new_object(book, "<<>>")
    book.update_stream(stream, written.encode())
    kept = " ".join(f"{xref} 0 R" for xref in page.get_contents())
    book.xref_set_key(page.xref, "Contents", f"[{kept} {stream} 0 R]")


def _new_object(book: pymupdf.Document, content: str) -> int:
    xref: int = book.get_new_xref()
    book.update_object(xref, content)
    return xref


def _set_deep(book: pymupdf.Document, xref: int, keys: Sequence[str], value: str) -> None:
    """Sets a key below dictionaries that may be objects of their own."""
    path = ""
    for key in keys[:-1]:
        path = f"{path}{key}"
        kind, content = book.xref_get_key(xref, path)
        if kind == "xref":
            xref, path = int(content.split()[0]), ""
        else:
            path += "/"
    book.xref_set_key(xref, f"{path}{keys[-1]}", value)
