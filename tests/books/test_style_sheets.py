"""Style sheets without addresses outside the book."""

from __future__ import annotations

import pytest

from app.books.style_sheets import without_remote


@pytest.mark.parametrize(
    ("style", "cleaned"),
    [
        ("@import url('https://example.org/a.css'); p { color: red }", " p { color: red }"),
        ('@import "//example.org/a.css" screen;b{}', "b{}"),
        ("@import url(http://example.org/a.css)", ""),
        ("p { background: url( 'https://example.org/a.png' ) }", 'p { background: url("") }'),
        ("p { background: URL(//example.org/a.png) }", 'p { background: url("") }'),
        ("p { background: url(htt\\70s://example.org/a.png) }", 'p { background: url("") }'),
        (
            'p { background: image-set("https://a.b/c.png" 1x) }',
            'p { background: image-set("" 1x) }',
        ),
        ("@font-face { src: url(file:///etc/passwd) }", '@font-face { src: url("") }'),
    ],
)
def test_remote_addresses_go(style, cleaned):
    found = without_remote(style)
    assert found.text == cleaned
    assert found.addresses == ()


@pytest.mark.parametrize(
    ("style", "addresses"),
    [
        ("@import 'core.css';", ("core.css",)),
        ("@import url(core.css) print;", ("core.css",)),
        ("p { background: url(../images/a%20b.png) }", ("../images/a%20b.png",)),
        ("@font-face { src: url('f.otf') format('opentype'), url(f.ttf) }", ("f.otf", "f.ttf")),
        ("p { background: url(data:image/png;base64,iVBORw0KGgo=) }", ()),
        ("/* url(https://example.org/) */ p { content: 'a' }", ()),
        ('@namespace epub "http://www.idpf.org/2007/ops"; p {}', ()),
        ("p { color: red; } /* never closed", ()),
    ],
)
def test_everything_else_stays(style, addresses):
    found = without_remote(style)
    assert found.text == style
    assert found.addresses == addresses
