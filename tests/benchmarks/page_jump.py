"""How fast the EPUB view shows a book, jumps to a footnote and scrolls; prints, never fails.

Usage: python tests/benchmarks/page_jump.py [BOOK.epub …]

Without a book: one made here, a single file of 2.7 MB of markup. DESIGN section 8 asks for a first
page within 1 s, a jump in the same document within 100 ms and to another within 300 ms. A jump ends
two frames after the script has placed and marked the span: it has been painted.
"""

from __future__ import annotations

import os
import random
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from PySide6.QtCore import QEvent, QEventLoop, QTimer
from PySide6.QtWidgets import QApplication

from app.domain.position import Locator, Span
from app.ui.reader import book_scheme
from app.ui.reader.book_page import OUR_WORLD
from app.ui.reader.epub_view import EpubView
from app.ui.theme import load_theme
from tests.builders import Chapter, make_epub
from tests.fakes.in_memory_epub import InMemoryEpub

if TYPE_CHECKING:
    from collections.abc import Callable

JUMPS = 20
FRAMES = 120
_SCROLL = f"""(() => {{ const times = []; let last = performance.now();
const step = (now) => {{ times.push(now - last); last = now; window.scrollBy(0, 60);
if (times.length < {FRAMES}) requestAnimationFrame(step); else window.frameTimes = times; }};
requestAnimationFrame(step); }})()"""


def wait(signal: Any, act: Callable[[], None]) -> float:
    """Acts and waits for a signal; returns the milliseconds between."""
    loop = QEventLoop()
    arrived: list[float] = []

    def note() -> None:
        arrived.append(time.perf_counter())
        loop.quit()

    signal.connect(note)
    QTimer.singleShot(30_000, loop.quit)
    begun = time.perf_counter()
    act()
    if not arrived:
        loop.exec()
    signal.disconnect(note)
    return (arrived[0] - begun) * 1000 if arrived else float("inf")


def pause(milliseconds: int) -> None:
    """Lets the page do what it does when nobody hurries it."""
    loop = QEventLoop()
    QTimer.singleShot(milliseconds, loop.quit)
    loop.exec()


def ask(view: EpubView, script: str) -> str:
    """What a script of this benchmark says in the page's own world."""
    loop = QEventLoop()
    answers: list[str] = []

    def note(answer: str) -> None:
        answers.append(answer)
        loop.quit()

    view._page.runJavaScript(script, OUR_WORLD, note)
    loop.exec()
    return answers[0]


def figures(values: list[float]) -> str:
    """Median and 95th percentile, in words."""
    late = sorted(values)[int(len(values) * 0.95)]
    return f"median {median(values):.0f} ms, 95th percentile {late:.0f} ms"


def measure(view: EpubView, path: Path) -> None:
    """Prints the figures of one book."""
    book, texts = InMemoryEpub.of_file(path)
    parts = sum(len(document) for document in book.parts)
    print(
        f"{path.name}: {len(texts)} documents, {parts} parts, {sum(map(len, texts)):,} characters"
    )
    print(f"  first page    {wait(view.shown, lambda: view.show_book(book, Locator(0, 0))):.0f} ms")
    chance = random.Random(7)
    long = [index for index, text in enumerate(texts) if len(text) > 400]
    near: list[float] = []
    far: list[float] = []
    for _ in range(JUMPS):
        file_index = chance.choice(long)
        start = chance.randrange(len(texts[file_index]) - 400)
        for times, offset in ((far, start), (near, min(start + 200, len(texts[file_index]) - 80))):
            span = Span(file_index, offset, offset + 80)
            times.append(wait(view.arrived, lambda span=span: view.go_to(span, highlight=True)))
            pause(150)
    print(f"  jump, other place  {figures(far)}")
    print(f"  jump, same page    {figures(near)}")
    ask(view, _SCROLL)
    while (
        not (answer := ask(view, "JSON.stringify(window.frameTimes ?? null)")) or answer == "null"
    ):
        pause(100)
    print(
        f"  scrolling a frame  {figures([float(time) for time in answer.strip('[]').split(',')])}"
    )
    view.close_book()


def main(paths: list[Path]) -> None:
    """Measures each book, or the one made here."""
    os.environ.setdefault("QTWEBENGINE_DISABLE_SANDBOX", "1" if os.geteuid() == 0 else "0")
    book_scheme.register()
    app = QApplication(sys.argv[:1])
    with tempfile.TemporaryDirectory() as folder:
        if not paths:
            text = "\n\n".join(f"{n}. " + "It was a bright day. " * 25 for n in range(5000))
            paths = [Path(folder) / "one-file.epub"]
            make_epub(paths[0], [Chapter(text)])
        begun = time.perf_counter()
        view = EpubView(load_theme("light"))
        view.resize(900, 900)
        view.show()
        print(f"view made in {(time.perf_counter() - begun) * 1000:.0f} ms")
        for path in paths:
            measure(view, path)
    view.close()
    view.deleteLater()
    app.sendPostedEvents(view, QEvent.Type.DeferredDelete.value)  # before the application goes


if __name__ == "__main__":
    main([Path(argument) for argument in sys.argv[1:]])
