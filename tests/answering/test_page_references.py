"""Printed pages that a question names, as people write them."""

from __future__ import annotations

import pytest

from app.answering.page_references import named_pages


@pytest.mark.parametrize(
    ("question", "labels"),
    [
        ("What is on page 405?", ("405",)),
        ("See p. xii and pp. 14", ("xii", "14")),
        ("Was steht auf Seite 12?", ("12",)),
        ("Que dit la page 7 ?", ("7",)),
        ("¿Qué dice la página 33?", ("33",)),
        ("Что на странице 5?", ("5",)),
        ("第12頁に何がありますか", ("12",)),
        ("第 8 页讲什么", ("8",)),
        ("מה כתוב בעמוד 9?", ()),
        ("עמוד 9", ("9",)),
        ("Page A-3 of the appendix", ("A-3",)),
        ("page 1, page 1, page 2, page 3, page 4, page 5", ("1", "2", "3", "4")),
        ("What does the front page mill say?", ()),
        ("In 1851, 405 whales", ()),
        ("", ()),
    ],
)
def test_labels_are_read_in_order_each_once(question, labels):
    assert named_pages(question) == labels
