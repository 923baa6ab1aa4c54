"""The window over a library in memory, as a program of its own: for tests of start and end.

Run as `python -m tests.fakes.window_program DATA_DIR [BOOK]`; it closes itself once a book shows.
"""

from __future__ import annotations

import sys
from pathlib import Path

from PySide6.QtCore import QTimer

from app import startup
from app.domain.progress import BookKnown
from app.paths import find_paths
from tests.fakes.in_memory_epub import whole_page
from tests.fakes.window_core import InMemoryBook, InMemoryCore, make_book


class StoredBook(InMemoryBook):
    """A book whose markup the real view can show."""

    def part(self, file_index, part_index):
        return whole_page(f'<p data-o="0">{self.texts[file_index]}</p>')


class Program(InMemoryCore):
    """What `run_window` needs of the assembly."""

    def __init__(self, data_dir):
        super().__init__([StoredBook(make_book())])
        self.paths = find_paths(data_dir).made()
        self.recent = []
        for name in ("Handbook.epub", "given.epub"):
            self.imports[name] = lambda _password: iter([BookKnown(1)])


def _look(program, window):
    view = window.reader.view
    if view is not None and view.visible_place() is not None:
        print("opened", program.imported[0][0].name, window.windowTitle())  # noqa: T201
        window.close()
    else:
        QTimer.singleShot(50, lambda: _look(program, window))


def main():
    program = Program(Path(sys.argv[1]))
    book = Path(sys.argv[2]) if sys.argv[2:] else None
    return startup.run_window(program, book, on_shown=lambda window: _look(program, window))


if __name__ == "__main__":
    sys.exit(main())
