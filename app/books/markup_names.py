"""The names of XHTML, MathML, SVG and EPUB that more than one step of reading a book needs."""

from __future__ import annotations

XHTML = "http://www.w3.org/1999/xhtml"
SVG = "http://www.w3.org/2000/svg"
MATHML = "http://www.w3.org/1998/Math/MathML"
OPS = "http://www.idpf.org/2007/ops"
XLINK = "http://www.w3.org/1999/xlink"
XML = "http://www.w3.org/XML/1998/namespace"

EPUB_TYPE = f"{{{OPS}}}type"
XLINK_HREF = f"{{{XLINK}}}href"
XML_LANG = f"{{{XML}}}lang"


def xhtml(name: str) -> str:
    """The qualified name of an XHTML element, as lxml writes it."""
    return f"{{{XHTML}}}{name}"


def names(listed: str) -> frozenset[str]:
    """Names separated by white space, as a set."""
    return frozenset(listed.split())


def local_name(qualified: str) -> str:
    """The name without its namespace."""
    return qualified.rpartition("}")[2]


# Elements that are blocks by HTML §15.3 (rendering), with those that only old books use.
BLOCK_NAMES = names(
    """address article aside blockquote body caption center dd details dialog dir div dl dt
    fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr legend li
    listing main menu nav ol p plaintext pre search section summary table tbody td tfoot
    th thead tr ul xmp"""
)
VOID_NAMES = names(
    """area base basefont br col embed frame hr img input link meta param source track wbr"""
)
