"""Printed page numbers from a PDF's own tree of page labels, and only from there.

Read by ourselves: PyMuPDF 1.28 returns a label in UTF-16 as `<FEFF…>`, and makes numbers for a tree
that is broken.

Source: ISO 32000-1 §12.4.2 (page labels), §7.9.7 (number trees).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pymupdf import mupdf

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pymupdf

_MOST_NODES = 10_000  # of a number tree: few books have as many pages; ends a tree with a cycle
_MOST_LETTERS = 400  # of a roman or letter label: a start value of a billion is no page
_FORMAT_MARKS = "\u200b\u200c\u200d\u200e\u200f\ufeff"
_ROMAN = (
    (1000, "m"),
    (900, "cm"),
    (500, "d"),
    (400, "cd"),
    (100, "c"),
    (90, "xc"),
    (50, "l"),
    (40, "xl"),
    (10, "x"),
    (9, "ix"),
    (5, "v"),
    (4, "iv"),
    (1, "i"),
)


class LabelsBroken(ValueError):
    """The file has a tree of page labels that cannot be followed."""


@dataclass(frozen=True, slots=True)
class _Rule:
    """How pages are labelled from one page on."""

    page_index: int
    style: str
    prefix: str
    first: int

    def label(self, page_index: int) -> str:
        return self.prefix + _number(self.style, self.first + page_index - self.page_index)


def page_labels(document: pymupdf.Document, page_count: int) -> dict[int, str]:
    """Label by page index, for the pages that have one.

    Args:
        document: an open PDF.
        page_count: its pages.

    Raises:
        LabelsBroken: there is a tree, but it cannot be followed.
    """
    pdf = mupdf.pdf_document_from_fz_document(document.this)
    root = mupdf.pdf_dict_gets(mupdf.pdf_trailer(pdf), "Root")
    tree = mupdf.pdf_dict_gets(root, "PageLabels")
    if mupdf.pdf_is_null(tree):
        return {}
    rules = list(_rules(tree))
    indexes = [rule.page_index for rule in rules]
    if not rules or indexes != sorted(set(indexes)):
        raise LabelsBroken
    labels: dict[int, str] = {}
    for rule, end in zip(rules, [*indexes[1:], page_count], strict=True):
        for page_index in range(rule.page_index, min(end, page_count)):
            if label := rule.label(page_index):
                labels[page_index] = label
    return labels


def _rules(tree: mupdf.PdfObj) -> Iterator[_Rule]:
    waiting = [tree]
    count = 0
    while waiting:
        node = waiting.pop()
        count += 1
        if count > _MOST_NODES or not mupdf.pdf_is_dict(node):
            raise LabelsBroken
        kids = mupdf.pdf_dict_gets(node, "Kids")
        waiting += [
            mupdf.pdf_array_get(kids, index) for index in reversed(range(mupdf.pdf_array_len(kids)))
        ]
        numbers = mupdf.pdf_dict_gets(node, "Nums")
        for index in range(0, mupdf.pdf_array_len(numbers) - 1, 2):
            yield _rule(
                mupdf.pdf_array_get(numbers, index), mupdf.pdf_array_get(numbers, index + 1)
            )


def _rule(key: mupdf.PdfObj, value: mupdf.PdfObj) -> _Rule:
    if not mupdf.pdf_is_int(key) or mupdf.pdf_to_int(key) < 0 or not mupdf.pdf_is_dict(value):
        raise LabelsBroken
    prefix = mupdf.pdf_to_text_string(mupdf.pdf_dict_gets(value, "P"))
    start = mupdf.pdf_dict_gets(value, "St")
    return _Rule(
        mupdf.pdf_to_int(key),
        mupdf.pdf_to_name(mupdf.pdf_dict_gets(value, "S")),
        "".join(one for one in prefix if one.isprintable() or one == "\u200d").strip(_FORMAT_MARKS),
        max(1, mupdf.pdf_to_int(start)) if mupdf.pdf_is_int(start) else 1,
    )


def _number(style: str, number: int) -> str:
    if style == "D":
        return str(number)
    if style in {"R", "r"} and number < 1000 * _MOST_LETTERS:
        return _roman(number).upper() if style == "R" else _roman(number)
    if style in {"A", "a"} and number <= 26 * _MOST_LETTERS:
        letters = chr(ord("a") + (number - 1) % 26) * ((number - 1) // 26 + 1)
        return letters.upper() if style == "A" else letters
    return ""


def _roman(number: int) -> str:
    letters = []
    for value, digits in _ROMAN:
        count, number = divmod(number, value)
        letters.append(digits * count)
    return "".join(letters)
