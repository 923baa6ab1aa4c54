"""The window with the real page: what a footnote shows is what the page highlights."""

from __future__ import annotations

import dataclasses
from functools import partial

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QSettings, Qt

from app import startup
from app.domain.conversation import Answer, AnswerState, Coverage, Lane
from app.jobs import Lanes
from app.ui.jobs import JobRunner
from app.ui.main_window import MainWindow
from app.ui.theme import Appearance
from tests.fakes.window_core import InMemoryCore, cite, make_book
from tests.fakes.window_program import StoredBook

pytestmark = pytest.mark.end_to_end
SETTLE_MS = 20_000
FILLER = "Some words that stand before and behind. " * 120
WORDING = "He said “😀 is 𠮷 and é is e\u0301”, and went."
TEXTS = (
    f"First. {FILLER}",
    f"Second 😀 𠮷 e\u0301 {FILLER}{WORDING} {FILLER}",
    f"Third. {FILLER}",
)


def answer(question):
    start = TEXTS[1].index(WORDING)
    citation = dataclasses.replace(
        cite(1, "Hark!"),
        span=dataclasses.replace(
            cite(1, "Hark!").span, file_index=1, start=start, end=start + len(WORDING)
        ),
        text=WORDING,
    )
    return Answer(
        question,
        Lane.GROUNDED,
        AnswerState.COMPLETE,
        "He went.[^1]",
        (citation,),
        coverage=Coverage(1, 1),
    )


@pytest.fixture
def window(qapp, qtbot, tmp_path):
    book = StoredBook(make_book(texts=TEXTS), texts=TEXTS, titles=("First", "Second", "Third"))
    book.answers = [answer]
    jobs = JobRunner(Lanes())
    made = MainWindow(
        InMemoryCore([book]),
        jobs=jobs,
        appearance=Appearance(qapp, "light"),
        make_view=partial(startup.make_view, jobs=jobs),
        state=QSettings(str(tmp_path / "window.ini"), QSettings.Format.IniFormat),
        show_settings=print,
    )
    startup.prepare_for_pages(made)
    made.resize(1200, 800)
    with qtbot.waitActive(made):
        made.show()
        made.activateWindow()
    made.library.open_known(1)
    qtbot.waitUntil(lambda: made.reader.view is not None)
    qtbot.waitUntil(lambda: made.reader.view.visible_place() is not None, timeout=SETTLE_MS)
    yield made
    made.close()
    assert jobs.shutdown(5)
    made.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


def test_the_text_under_the_highlight_is_the_cited_text_and_back_returns(qtbot, window):
    assert window.isActiveWindow()  # the first page did not make the window anew
    view = window.reader.view
    before = view.viewpoint()
    qtbot.keyClick(window, Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(window.chat_panel.question_box.field.hasFocus)
    qtbot.keyClicks(window.chat_panel.question_box.field, "What did he say?")
    qtbot.keyClick(window.chat_panel.question_box.field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: bool(window.chat_panel.turns) and not window.chat.is_busy)
    body = window.chat_panel.turns[0].body
    piece = body.pieces[0]
    qtbot.mouseClick(piece.viewport(), Qt.MouseButton.LeftButton, pos=piece.footnote_point(0))
    assert WORDING in body.cards[0].shown_text
    with qtbot.waitSignal(view.arrived, timeout=SETTLE_MS):
        qtbot.keyClick(body.cards[0], Qt.Key.Key_Return)
    with qtbot.waitCallback(timeout=SETTLE_MS) as received:
        view.text_under_highlight(received)
    assert received.args == [WORDING]
    assert window.top_bar.chapter == "· Second"
    with qtbot.waitSignal(view.arrived, timeout=SETTLE_MS):
        qtbot.keyClick(window, Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
    qtbot.waitUntil(lambda: view.viewpoint() == before, timeout=SETTLE_MS)
    assert window.top_bar.chapter == "· First"
