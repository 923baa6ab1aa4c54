"""How fast the pages of PDF books become canonical documents, and how fast a span is shown.

Usage: python tests/benchmarks/pdf_text_speed.py [FILE …]; without files, the PDF files of the
folder of real books beside the project. Prints figures and judges nothing.
"""

from __future__ import annotations

import resource
import sys
import time
from pathlib import Path
from statistics import quantiles

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT))

from app.books.pdf import PdfFile  # noqa: E402
from app.books.pdf_pages import PdfPages  # noqa: E402
from app.domain.errors import BookError  # noqa: E402

_MEASURED_PAGES = 40


def text_of(path: Path) -> str:
    """Reads a whole book and says how long it took."""
    begun = time.perf_counter()
    with PdfFile(path) as book:
        opened, cpu_opened = time.perf_counter(), time.process_time()
        length = sum(len(book.document(index).content.text) for index in range(book.document_count))
        ended, cpu = time.perf_counter(), time.process_time() - cpu_opened
        entries, labels = len(book.contents()), len(book.page_labels())
        return (
            f"{path.name:34} {book.document_count:5} pages {length:9,} chars  "
            f"open {opened - begun:5.2f} s  text {ended - opened:6.2f} s, "
            f"{cpu:6.2f} s of CPU ({1000 * cpu / book.document_count:5.1f} ms a page)  "
            f"contents {entries}, labels {labels} in {time.perf_counter() - ended:.2f} s"
        )


def pages_of(path: Path) -> str:
    """Draws and measures some pages and says how long one takes."""
    drawn: list[float] = []
    measured: list[float] = []
    with PdfPages(path) as pages:
        step = max(1, pages.page_count // _MEASURED_PAGES)
        for index in range(0, pages.page_count, step):
            begun = time.perf_counter()
            pages.render(index, 150 / 72)
            middle = time.perf_counter()
            pages.rectangles(index, 0, 300)
            drawn.append(1000 * (middle - begun))
            measured.append(1000 * (time.perf_counter() - middle))
    figures = [
        f"{words} {sum(times) / len(times):5.1f} ms, 95 % below {_percentile_95(times):5.1f}"
        for words, times in (("picture at 150 dpi", drawn), ("place of a span", measured))
    ]
    return f"{'':34} {'  '.join(figures)}"


def _percentile_95(times: list[float]) -> float:
    return quantiles([*times, *times], n=20)[-1]


def main(names: list[str]) -> None:
    """Prints the figures of each file."""
    folder = ROOT.parent / "shared" / "corpus"
    for path in [Path(name) for name in names] or sorted(folder.glob("*.pdf")):
        try:
            print(text_of(path))
            print(pages_of(path))
        except BookError as error:
            print(f"{path.name:34} {type(error).__name__}")
    peak_kb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(f"most memory: {peak_kb / 1024:.0f} MB")


if __name__ == "__main__":
    main(sys.argv[1:])
