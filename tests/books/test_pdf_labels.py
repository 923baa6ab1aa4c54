import pymupdf
import pytest

from app.books.pdf_labels import LabelsBroken, page_labels


def labelled(tree, pages=12):
    """Labels of a document with a tree of page labels, as PDF source."""
    made = pymupdf.open()
    for _ in range(pages):
        made.new_page()
    made.xref_set_key(made.pdf_catalog(), "PageLabels", tree)
    document = pymupdf.open("pdf", made.tobytes())
    return list(page_labels(document, pages).items())


def test_a_file_without_a_tree_has_no_labels():
    assert labelled("null") == []


def test_each_rule_numbers_from_its_page_on():
    tree = "<</Nums[0<</S/r>>3<</S/D>>5<</S/D/P(A-)/St 8>>8<</S/A>>]>>"
    assert [label for _, label in labelled(tree)] == [
        *("i", "ii", "iii"),
        *("1", "2"),
        *("A-8", "A-9", "A-10"),
        *("A", "B", "C", "D"),
    ]


def test_letters_repeat_after_the_alphabet():
    assert [label for _, label in labelled("<</Nums[0<</S/a/St 25>>]>>", 4)] == [
        "y",
        "z",
        "aa",
        "bb",
    ]


def test_roman_numerals_subtract():
    tree = "<</Nums[0<</S/R/St 1994>>1<</S/R/St 40>>2<</S/r/St 9>>]>>"
    assert [label for _, label in labelled(tree, 3)] == ["MCMXCIV", "XL", "ix"]


def test_a_prefix_in_utf_16_is_read():
    assert labelled("<</Nums[0<</P<FEFF0622200D>>>1<</S/D>>]>>", 2) == [(0, "آ"), (1, "1")]


def test_pages_before_the_first_rule_and_rules_without_a_number_have_no_label():
    assert labelled("<</Nums[2<</S/D>>3<<>>]>>", 5) == [(2, "1")]


def test_a_tree_of_kids_is_walked_in_order():
    tree = "<</Kids[<</Nums[0<</S/r>>]>><</Kids[<</Nums[2<</S/D>>]>>]>>]>>"
    assert labelled(tree, 4) == [(0, "i"), (1, "ii"), (2, "1"), (3, "2")]


@pytest.mark.parametrize(
    "tree",
    [
        "<</Nums[5<</S/D>>0<</S/r>>]>>",
        "<</Nums[(0)<</S/D>>]>>",
        "<</Nums[0/D]>>",
        "<</Nums[-1<</S/D>>]>>",
        "<</Nums[0<</S/D>>0<</S/r>>]>>",
        "<<>>",
        "[0<</S/D>>]",
    ],
)
def test_a_broken_tree_gives_no_numbers(tree):
    with pytest.raises(LabelsBroken):
        labelled(tree)


def test_a_tree_that_holds_itself_ends():
    made = pymupdf.open()
    made.new_page()
    node = made.get_new_xref()
    made.update_object(node, f"<</Kids[{node} 0 R {node} 0 R]>>")
    made.xref_set_key(made.pdf_catalog(), "PageLabels", f"{node} 0 R")
    with pytest.raises(LabelsBroken):
        page_labels(made, 1)


def test_absurd_numbers_are_left_out():
    tree = "<</Nums[0<</S/R/St 2000000000>>1<</S/a/St 2000000000>>2<</S/D/St 0>>]>>"
    assert labelled(tree, 3) == [(2, "1")]


@pytest.mark.corpus
@pytest.mark.parametrize(
    ("name", "first", "last"),
    [
        ("R-fullrefman.pdf", ["I", "i", "ii"], "2384"),
        ("acl2023-386.pdf", ["6981", "6982"], "7004"),
        ("lshort-persian.pdf", ["آ", "ب", "پ"], "133"),
        ("intro-to-mathematics-pg41568.pdf", ["A", "B", "i"], "IX"),
        ("labelled_pages.pdf", ["i", "ii", "iii", "iv", "1"], "5"),
        ("malformed/bad-PageLabels.pdf", ["X3"], "X3"),
        ("tracemonkey.pdf", [], None),
    ],
)
def test_labels_of_real_books(corpus, name, first, last):
    document = pymupdf.open(corpus / name)
    labels = list(page_labels(document, document.page_count).values())
    assert labels[: len(first)] == first
    assert (labels[-1] if labels else None) == last
