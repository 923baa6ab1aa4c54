"""Printed pages that a question names: "page 405", "p. xii", "Seite 12", 第12頁.

Only the wording is read here; what stands on a page is known to the book's own labels alone.
"""

from __future__ import annotations

import re

_MOST_PAGES = 4
_LABEL = r"(?P<{name}>\d{{1,5}}|[ivxlc]{{1,8}}|[A-Z]-?\d{{1,4}})"
_BEFORE = re.compile(
    r"(?<!\w)(?:pages?|pp?\.|Seiten?|S\.|página|páginas|pág\.|pagina|pagine|pag\.|bladzijde|blz\.|"
    r"sida|side|strona|str\.|страниц[аеуы]|стр\.|σελίδα|σελ\.|sayfa|עמוד|עמ'|صفحة|الصفحة|صفحهٔ?|ص\.)"
    r"[\s\u00a0]*" + _LABEL.format(name="label") + r"(?![\w])",
    re.IGNORECASE,
)
_AROUND = re.compile(r"第?\s*(?P<label>\d{1,5})\s*(?:ページ|頁|页|쪽|페이지)")


def named_pages(question: str) -> tuple[str, ...]:
    """The labels of the printed pages that a question names, each once, in order; four at most."""
    found = sorted(
        (match.start(), match["label"])
        for pattern in (_BEFORE, _AROUND)
        for match in pattern.finditer(question)
    )
    return tuple(dict.fromkeys(label for _, label in found))[:_MOST_PAGES]
