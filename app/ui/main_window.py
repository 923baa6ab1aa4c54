"""The window: joins library, reader, chat and settings by signals and gives actions their work."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QByteArray, QSettings, Qt
from PySide6.QtWidgets import (
    QInputDialog,
    QMainWindow,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from app import APP_NAME
from app.domain.book import BookFormat, ImportState
from app.domain.errors import StoreError
from app.domain.provider import BUILT_IN
from app.domain.settings import ThemeChoice
from app.ui.actions import ACTIONS, ActionId, colour_icons, make_actions
from app.ui.chat.chat_panel import ChatPanel
from app.ui.chat.controller import ChatController
from app.ui.command_palette import CommandPalette
from app.ui.core import read_opened
from app.ui.drop_frame import DropFrame
from app.ui.library.controller import ImportStep, LibraryController
from app.ui.library.start_page import StartPage
from app.ui.notice_bar import NoticeBar
from app.ui.notices import Notice, NoticeAction, describe
from app.ui.reader.contents_panel import ContentsPanel
from app.ui.reader.controller import ReaderController
from app.ui.reader.place_bar import PlaceBar
from app.ui.reader.reader_pane import ReaderPane
from app.ui.reading_page import ReadingPage
from app.ui.theme import FOLLOW_SYSTEM, THEME_NAMES
from app.ui.top_bar import TopBar

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import (
        QCloseEvent,
        QDragEnterEvent,
        QDragLeaveEvent,
        QDropEvent,
        QResizeEvent,
    )

    from app.domain.book import Book
    from app.domain.errors import ReaderError
    from app.domain.progress import Progress
    from app.ui.core import Core, Opened, OpenedBook
    from app.ui.jobs import JobRunner
    from app.ui.reader.reader_view import ReaderView
    from app.ui.theme import Appearance, Theme

_FIRST_SIZE_PX = (1320, 860)


class MainWindow(QMainWindow):
    """Ibid's window.

    Args:
        core: the program.
        jobs: where long work runs.
        appearance: the theme.
        make_view: makes the view of a format.
        state: what the window remembers of itself: its place and which panes are shown.
        show_settings: opens the settings; called with this window.
    """

    def __init__(
        self,
        core: Core,
        *,
        jobs: JobRunner,
        appearance: Appearance,
        make_view: Callable[[BookFormat, Theme, QWidget], ReaderView],
        state: QSettings,
        show_settings: Callable[[MainWindow], None],
    ) -> None:
        super().__init__()
        self._core = core
        self._jobs = jobs
        self._appearance = appearance
        self._state = state
        self._show_settings = show_settings
        self._book: OpenedBook | None = None
        self._wanted_id: int | None = None
        self._ready_id: int | None = None
        self._progress: Progress | None = None
        theme = appearance.theme
        self.actions_by_id = make_actions(self)
        self.top_bar = TopBar(self.actions_by_id)
        self.notice = NoticeBar()
        self.start_page = StartPage(theme)
        self.contents = ContentsPanel(theme)
        self.place_bar = PlaceBar()
        self.reader_pane = ReaderPane()
        self.chat_panel = ChatPanel(theme)
        self.reading_page = ReadingPage(
            self.contents, self.reader_pane, self.place_bar, self.chat_panel
        )
        self.palette_bar = CommandPalette(theme, self)
        self.drop_frame = DropFrame(self)
        self._pages = QStackedWidget()
        self.library = LibraryController(self.start_page, core, jobs, self)
        self.reader = ReaderController(
            self.reader_pane,
            self.contents,
            self.place_bar,
            jobs=jobs,
            make_view=make_view,
            theme=theme,
            parent=self,
        )
        self.chat = ChatController(self.chat_panel, jobs, core.providers, self)
        self._lay_out()
        self._connect_parts()
        self._connect_actions()
        self._on_theme_changed(theme)
        self._restore()
        self.show_library()

    def _lay_out(self) -> None:
        self.setWindowTitle(APP_NAME)
        self.setAcceptDrops(True)
        self._pages.addWidget(self.start_page)
        self._pages.addWidget(self.reading_page)
        bars = QVBoxLayout()
        bars.setContentsMargins(12, 0, 12, 0)
        bars.addWidget(self.notice)
        content = QWidget()
        layout = QVBoxLayout(content)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.top_bar)
        layout.addLayout(bars)
        layout.addWidget(self._pages, 1)
        self.setCentralWidget(content)

    def _connect_parts(self) -> None:
        self.library.readable.connect(self._on_readable)
        self.library.ready.connect(self._on_ready)
        self.library.progressed.connect(self._on_progressed)
        self.library.failed.connect(self._on_library_failed)
        self.library.stopped.connect(self._on_import_stopped)
        self.place_bar.stop_asked.connect(self.library.stop)
        self.notice.action_chosen.connect(self._on_notice)
        self.reader_pane.notice.action_chosen.connect(self.library.act)
        self.reader.chapter_changed.connect(self._on_chapter_changed)
        self.reader.selection_changed.connect(self.chat.set_selection)
        self.reader.selection_changed.connect(lambda _span: self._show_possible())
        self.reader.history_changed.connect(self._show_possible)
        self.reader.text_scale_changed.connect(lambda scale: self._keep_setting(font_scale=scale))
        self.chat.provider_changed.connect(self._on_provider_changed)
        self.chat.place_chosen.connect(self.reader.show_cited)
        self.chat.busy_changed.connect(lambda _is_busy: self._show_possible())
        self.chat.settings_wanted.connect(self.open_settings)
        self._appearance.changed.connect(self._on_theme_changed)

    def _connect_actions(self) -> None:
        work: dict[ActionId, Callable[[], object]] = {
            ActionId.OPEN_BOOK: self.library.choose_file,
            ActionId.SHOW_LIBRARY: self.show_library,
            ActionId.OPEN_HANDBOOK: self.library.open_handbook,
            ActionId.SETTINGS: self.open_settings,
            ActionId.QUIT: self.close,
            ActionId.BACK: self.reader.back,
            ActionId.FORWARD: self.reader.forward,
            ActionId.NEXT_CHAPTER: self.reader.next_chapter,
            ActionId.PREVIOUS_CHAPTER: self.reader.previous_chapter,
            ActionId.GO_TO_PAGE: self._ask_page,
            ActionId.FILTER_CONTENTS: self._filter_contents,
            ActionId.SHOW_CONTENTS: self._toggle_panes,
            ActionId.SHOW_CHAT: self._toggle_panes,
            ActionId.NEXT_PANE: self.reading_page.focus_next_pane,
            ActionId.FULL_SCREEN: self._toggle_full_screen,
            ActionId.TEXT_LARGER: self.reader.larger_text,
            ActionId.TEXT_SMALLER: self.reader.smaller_text,
            ActionId.TEXT_NORMAL: self.reader.normal_text,
            ActionId.NEXT_THEME: self._next_theme,
            ActionId.THEME_SYSTEM: partial(self.choose_theme, FOLLOW_SYSTEM),
            ActionId.THEME_LIGHT: partial(self.choose_theme, "light"),
            ActionId.THEME_SEPIA: partial(self.choose_theme, "sepia"),
            ActionId.THEME_DARK: partial(self.choose_theme, "dark"),
            ActionId.ASK: self._ask,
            ActionId.ASK_SELECTION: partial(self._ask, "selection"),
            ActionId.ASK_CHAPTER: partial(self._ask, "chapter"),
            ActionId.STOP_ANSWER: self.chat.stop,
            ActionId.COPY_ANSWER: self.chat.copy_last_answer,
            ActionId.CLEAR_HIGHLIGHT: self.reader.clear_highlight,
            ActionId.COMMAND_PALETTE: self.open_palette,
        }
        for action_id, action in self.actions_by_id.items():
            # `triggered` carries whether the action is on, which only switches read, from itself.
            action.triggered.connect(lambda _is_on=False, do=work[action_id]: do())

    # Books

    def open_file(self, path: Path) -> None:
        """Opens a book file."""
        self.library.open_file(path)

    def show_library(self) -> None:
        """Closes the book and shows the start page."""
        self._close_book()
        self.library.stop()
        self.start_page.notice.clear()
        self.library.refresh()
        self._pages.setCurrentWidget(self.start_page)
        self.top_bar.show_book(None)
        self.setWindowTitle(APP_NAME)
        self._show_possible()
        self.start_page.open_button.setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_readable(self, book_id: int) -> None:
        self.notice.clear()
        self._wanted_id = book_id
        self._ready_id = None
        if self._book is not None and self._book.book.book_id == book_id:
            self.reader_pane.notice.clear()
            return
        job = self._jobs.call(partial(read_opened, self._core, book_id))
        job.finished.connect(lambda opened: self._show_opened(book_id, opened))
        job.failed.connect(lambda error: self._on_open_failed(book_id, error))

    def _show_opened(self, book_id: int, opened: Opened) -> None:
        if book_id != self._wanted_id:
            opened.book.close()
            return
        self._close_book()
        self._book = opened.book
        self._wanted_id = book_id
        book = opened.book.book
        is_ready = book.state is ImportState.READY or self._ready_id == book_id
        self._pages.setCurrentWidget(self.reading_page)
        self.top_bar.show_book(book.metadata.title)
        self.setWindowTitle(f"{book.metadata.title} – {APP_NAME}")
        self.chat.open_book(opened.book, opened.turns, is_ready=is_ready)
        self.reader.open_book(opened.book, opened.place)
        self.place_bar.show_import(self._progress)
        if is_ready and book.state is not ImportState.READY:
            self.reader.refresh()
        self._show_possible()

    def _on_ready(self, book: Book) -> None:
        self._ready_id = book.book_id
        self._show_import(None)
        if self._book is not None and self._book.book.book_id == book.book_id:
            if self._book.book.state is not ImportState.READY:
                self.reader.refresh()
            self.chat.set_ready()

    def _on_progressed(self, step: ImportStep) -> None:
        if step.book_id is not None and step.book_id == self._wanted_id:
            self._show_import(step.progress)

    def _show_import(self, progress: Progress | None) -> None:
        """Shows how far the import is, under the page as soon as there is one."""
        self._progress = progress
        self.place_bar.show_import(progress)

    def _on_import_stopped(self) -> None:
        self._show_import(None)
        if self._is_half_read_in:
            self.chat.stop()
            self.reader_pane.show_notice(
                Notice(
                    self.tr("Reading the book in was stopped."),
                    self.tr("It can be read as far as it came, but not asked. Read it in again?"),
                    NoticeAction.TRY_AGAIN,
                )
            )

    @property
    def _is_half_read_in(self) -> bool:
        """Whether the open book cannot be asked yet."""
        if self._book is None:
            return False
        book = self._book.book
        return book.state is not ImportState.READY and book.book_id != self._ready_id

    def _on_library_failed(self, notice: Notice) -> None:
        self._show_import(None)
        if self._is_half_read_in:
            self.chat.stop()
        if self._pages.currentWidget() is self.reading_page:
            self.notice.show_notice(notice)

    def _on_open_failed(self, book_id: int, error: ReaderError) -> None:
        if book_id == self._wanted_id:
            self.notice.show_notice(describe(error))

    def _close_book(self) -> None:
        self._wanted_id = None
        self.chat.close_book()
        self.reader.close_book()
        self.place_bar.show_import(None)
        if self._book is not None:
            self._book.close()
            self._book = None

    # Actions

    def open_palette(self) -> None:
        """Shows every action that can be used now."""
        self.palette_bar.open(
            action
            for action_id, action in self.actions_by_id.items()
            if action_id is not ActionId.COMMAND_PALETTE
        )

    def open_settings(self) -> None:
        """Shows the settings, then what they changed."""
        self._show_settings(self)
        self.chat.refresh_providers()
        self._show_theme_choice()

    def choose_theme(self, choice: str) -> None:
        """Applies a theme and remembers it."""
        self._appearance.choose(choice)
        self._keep_setting(theme=ThemeChoice(self._appearance.choice))
        self._show_theme_choice()

    def _next_theme(self) -> None:
        shown = THEME_NAMES.index(self._appearance.theme.name)
        self.choose_theme(THEME_NAMES[(shown + 1) % len(THEME_NAMES)])

    def _ask(self, scope: str = "") -> None:
        self.actions_by_id[ActionId.SHOW_CHAT].setChecked(True)
        self._toggle_panes()
        if scope:
            self.chat.choose_scope(scope)
        self.chat_panel.question_box.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _filter_contents(self) -> None:
        self.actions_by_id[ActionId.SHOW_CONTENTS].setChecked(True)
        self._toggle_panes()
        self.contents.filter.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.contents.filter.selectAll()

    def _toggle_panes(self) -> None:
        self.contents.setVisible(self.actions_by_id[ActionId.SHOW_CONTENTS].isChecked())
        self.chat_panel.setVisible(self.actions_by_id[ActionId.SHOW_CHAT].isChecked())

    def _toggle_full_screen(self) -> None:
        if self.actions_by_id[ActionId.FULL_SCREEN].isChecked():
            self.showFullScreen()
        else:
            self.showNormal()

    def _ask_page(self) -> None:
        label, is_given = QInputDialog.getText(
            self, self.tr("Go to printed page"), self.tr("Page, as this edition prints it:")
        )
        if is_given and label.strip():
            self.reader.go_to_page(label.strip())

    def _show_possible(self) -> None:
        """Lets only those actions be used that can do something now."""
        has_book = self._book is not None
        for spec in ACTIONS:
            self.actions_by_id[spec.action_id].setEnabled(has_book or not spec.needs_book)
        for action_id, can in (
            (ActionId.BACK, self.reader.can_go_back),
            (ActionId.FORWARD, self.reader.can_go_forward),
            (ActionId.STOP_ANSWER, self.chat.is_busy),
            (ActionId.ASK_SELECTION, self.chat.has_selection),
        ):
            self.actions_by_id[action_id].setEnabled(has_book and can)

    def _on_chapter_changed(self, title: str) -> None:
        self.top_bar.show_chapter(title)
        self.chat.set_chapter(title, self.reader.chapter_scope)

    # How it looks

    def _on_theme_changed(self, theme: Theme) -> None:
        colour_icons(self.actions_by_id, theme)
        self.top_bar.set_theme(theme)
        self.start_page.set_theme(theme)
        self.chat_panel.set_theme(theme)
        self.palette_bar.set_theme(theme)
        self.reader.set_theme(theme)
        self._show_theme_choice()

    def _show_theme_choice(self) -> None:
        for action_id, choice in (
            (ActionId.THEME_SYSTEM, FOLLOW_SYSTEM),
            (ActionId.THEME_LIGHT, "light"),
            (ActionId.THEME_SEPIA, "sepia"),
            (ActionId.THEME_DARK, "dark"),
        ):
            self.actions_by_id[action_id].setChecked(self._appearance.choice == choice)

    def _restore(self) -> None:
        self.resize(*_FIRST_SIZE_PX)
        geometry = self._state.value("geometry")
        if isinstance(geometry, QByteArray):
            self.restoreGeometry(geometry)
        settings = self._core.settings
        self.reading_page.set_widths(settings.contents_width_px, settings.chat_width_px)
        for action_id in (ActionId.SHOW_CONTENTS, ActionId.SHOW_CHAT):
            is_shown = self._state.value(action_id, defaultValue=True, type=bool)
            self.actions_by_id[action_id].setChecked(bool(is_shown))
        self._toggle_panes()
        self.reader.set_text_scale(settings.font_scale)
        if problems := self._core.setting_problems:
            names = ", ".join(problem.name or problem.value for problem in problems)
            self.notice.show_notice(
                Notice(
                    self.tr("Some settings were not understood: {names}.").format(names=names),
                    self.tr("Their defaults are used. Choose them again in the settings."),
                    NoticeAction.OPEN_SETTINGS,
                )
            )

    def _keep(self) -> None:
        self._state.setValue("geometry", self.saveGeometry())
        for action_id in (ActionId.SHOW_CONTENTS, ActionId.SHOW_CHAT):
            self._state.setValue(action_id, self.actions_by_id[action_id].isChecked())
        self._state.sync()
        contents_px, chat_px = self.reading_page.widths()
        settings = self._core.settings
        self._keep_setting(
            contents_width_px=contents_px or settings.contents_width_px,
            chat_width_px=chat_px or settings.chat_width_px,
        )

    def _keep_setting(self, **changes: Any) -> None:  # noqa: ANN401 - fields of `Settings`
        settings = replace(self._core.settings, **changes)
        if settings == self._core.settings:
            return
        try:
            self._core.save_settings(settings)
        except StoreError as error:
            self.notice.show_notice(describe(error))

    def _on_provider_changed(self, name: str) -> None:
        known = {BUILT_IN, *(one.name for one in self._core.settings.providers)}
        if name in known:
            self._keep_setting(default_provider=name)

    def _on_notice(self, action: NoticeAction) -> None:
        if action is NoticeAction.OPEN_SETTINGS:
            self.open_settings()
        else:
            self.library.act(action)

    # Qt

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Takes files, and says that it does."""
        if any(url.isLocalFile() for url in event.mimeData().urls()):
            event.acceptProposedAction()
            self.drop_frame.cover(self)

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        """Takes the invitation away."""
        super().dragLeaveEvent(event)
        self.drop_frame.hide()

    def dropEvent(self, event: QDropEvent) -> None:
        """Opens the first file that was dropped."""
        self.drop_frame.hide()
        files = [url.toLocalFile() for url in event.mimeData().urls() if url.isLocalFile()]
        if files:
            event.acceptProposedAction()
            self.open_file(Path(files[0]))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Closes what floats over the window."""
        super().resizeEvent(event)
        self.palette_bar.close_palette()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Keeps what is worth keeping and lets everything end."""
        self._keep()
        self._close_book()
        self.library.stop()
        super().closeEvent(event)
