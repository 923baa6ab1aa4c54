"""Opens every book of a folder in the real window, asks it, and checks three highlights each.

    QTWEBENGINE_DISABLE_SANDBOX=1 python tests/benchmarks/corpus_window.py [FOLDER] [FILE…]

For each file: open it, ask one question that its own contents suggest, go to three cited places (or
the nearest ones of a not-found) and read back the text under the highlight of the live page. Prints
one line a book: how many highlights read exactly as cited, and how long opening took.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from PySide6.QtCore import QDeadlineTimer, QEventLoop, QTimer  # noqa: E402 - the path is set above
from PySide6.QtWidgets import QApplication  # noqa: E402

from app.assembly import Assembly  # noqa: E402
from app.command_line.conversation import question_from  # noqa: E402
from app.domain.errors import ReaderError  # noqa: E402
from app.jobs import Lanes  # noqa: E402
from app.paths import find_paths  # noqa: E402
from app.startup import make_application, make_window  # noqa: E402
from app.ui.jobs import JobRunner  # noqa: E402

CORPUS = ROOT.parent / "shared" / "corpus"
PATIENCE_MS = 120_000


def wait_until(condition, patience_ms: int = PATIENCE_MS) -> bool:
    """Turns the event loop until something is true; False where patience ends."""
    deadline = QDeadlineTimer(patience_ms)
    loop = QEventLoop()
    poll = QTimer()
    poll.setInterval(5)
    poll.timeout.connect(lambda: loop.quit() if condition() or deadline.hasExpired() else None)
    poll.start()
    loop.exec()
    return bool(condition())


def same(one: str, other: str) -> bool:
    """Whether two texts are the same but for white space."""
    return "".join(one.split()) == "".join(other.split())


def refuse_dialog() -> None:
    """Closes a dialog that waits for a person."""
    dialog = QApplication.activeModalWidget()
    if dialog is not None:
        dialog.close()


def open_file(window, path: Path) -> str:
    """Opens a file; returns "" or what the window says went wrong."""
    ended: list[str] = []
    ready = window.library.ready.connect(lambda _book: ended.append(""))
    failed = window.library.failed.connect(lambda notice: ended.append(notice.title))
    refusal = QTimer()
    refusal.setInterval(200)
    refusal.timeout.connect(refuse_dialog)  # a file that asks for its password gets none
    refusal.start()
    window.open_file(path)
    wait_until(lambda: bool(ended), 60_000)
    refusal.stop()
    window.library.ready.disconnect(ready)
    window.library.failed.disconnect(failed)
    if ended and not ended[0]:
        wait_until(lambda: window.reader.view is not None)
    return ended[0] if ended else "nothing happened"


def read_back(window, span) -> str:
    """Goes to a span as a click on "Show in book" does and reads what is highlighted."""
    arrived: list[object] = []
    connection = window.reader.view.arrived.connect(arrived.append)
    window.reader.show_cited(span)
    wait_until(lambda: bool(arrived), 20_000)
    window.reader.view.arrived.disconnect(connection)
    received: list[str] = []
    window.reader.view.text_under_highlight(received.append)
    wait_until(lambda: bool(received), 20_000)
    return received[0] if received else ""


def measure(window, path: Path) -> str:
    """Opens, asks and checks one book; returns its line."""
    begun = time.perf_counter()
    fault = open_file(window, path)
    opened_s = time.perf_counter() - begun
    if fault:
        return f"refused: {fault}"
    book = window._book
    question = question_from(book) or "What is this book about?"
    turns = len(window.chat_panel.turns)
    window.chat.ask(question)
    wait_until(lambda: len(window.chat_panel.turns) > turns and not window.chat.is_busy)
    answer = book.turns()[-1] if book.turns() else None
    if answer is None:
        return f"no answer to {question!r}"
    cited = [*answer.citations, *answer.nearest][:3]
    for segment in book.segments()[: 3 - len(cited)]:
        cited.extend(book.passages_of_segment(segment.segment_index)[:1])
    wrong = [
        one.span.tag
        for one in cited
        if not same(
            read_back(window, one.span),
            book.document_text(one.span.file_index).text[one.span.start : one.span.end],
        )
    ]
    state = f"{len(cited) - len(wrong)}/{len(cited)} highlights right"
    return f"{opened_s:6.1f} s  {answer.lane.value:10} {state} {' '.join(wrong)}"


def main() -> None:
    """Goes through the folder and prints the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", nargs="?", type=Path, default=CORPUS)
    parser.add_argument("files", nargs="*")
    options = parser.parse_args()
    found = sorted(p for p in options.folder.iterdir() if p.suffix in {".epub", ".pdf"})
    application = make_application()
    with (
        tempfile.TemporaryDirectory() as folder,
        Assembly(find_paths(Path(folder)).made(), {}) as assembly,
    ):
        jobs = JobRunner(Lanes(), application)
        window = make_window(assembly, application, jobs)
        window.resize(1280, 860)
        window.show()
        for path in found:
            if options.files and path.name not in options.files:
                continue
            try:
                line = measure(window, path)
            except ReaderError as error:
                line = f"{type(error).__name__}: {error}"
            print(f"{path.name:36} {line}", flush=True)
        window.close()
        jobs.shutdown(5)
        window.deleteLater()
        wait_until(lambda: True, 50)


if __name__ == "__main__":
    main()
