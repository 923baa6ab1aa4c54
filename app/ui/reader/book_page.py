"""A web page that can show a book and nothing else.

Walls that hold without each other: scripts of the book are switched off and forbidden by the
policy that `book_scheme` sends; an interceptor lets only addresses of our scheme and data that is
part of the document through; no host can be resolved at all; navigation is refused except for the
shell and the frames that it makes; and those frames are sandboxed. Our own script runs in a world
of its own.

Source: qutebrowser#8010, #8098; kiwix-desktop#904 (what leaked or crashed elsewhere).
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from PySide6.QtCore import QFile, QIODevice, QObject
from PySide6.QtWebEngineCore import (
    QWebEngineDownloadRequest,
    QWebEngineFullScreenRequest,
    QWebEnginePage,
    QWebEnginePermission,
    QWebEngineProfile,
    QWebEngineScript,
    QWebEngineSettings,
    QWebEngineUrlRequestInfo,
    QWebEngineUrlRequestInterceptor,
)

from app.paths import RESOURCES
from app.ui.reader.book_scheme import SCHEME, SHELL, BookSchemeHandler, is_part_address

if TYPE_CHECKING:
    from PySide6.QtCore import QUrl

_log = logging.getLogger(__name__)

OUR_WORLD = QWebEngineScript.ScriptWorldId.ApplicationWorld
_ALLOWED_SCHEMES = frozenset({SCHEME.decode(), "data"})
_SCRIPTS = ("positions.js", "axis.js", "slot.js", "sight.js", "tend.js", "reader.js")

_OFF = (
    QWebEngineSettings.WebAttribute.JavascriptEnabled,
    QWebEngineSettings.WebAttribute.JavascriptCanOpenWindows,
    QWebEngineSettings.WebAttribute.JavascriptCanAccessClipboard,
    QWebEngineSettings.WebAttribute.JavascriptCanPaste,
    QWebEngineSettings.WebAttribute.LocalStorageEnabled,
    QWebEngineSettings.WebAttribute.LocalContentCanAccessRemoteUrls,
    QWebEngineSettings.WebAttribute.LocalContentCanAccessFileUrls,
    QWebEngineSettings.WebAttribute.HyperlinkAuditingEnabled,
    QWebEngineSettings.WebAttribute.PluginsEnabled,
    QWebEngineSettings.WebAttribute.PdfViewerEnabled,
    QWebEngineSettings.WebAttribute.FullScreenSupportEnabled,
    QWebEngineSettings.WebAttribute.ScreenCaptureEnabled,
    QWebEngineSettings.WebAttribute.WebGLEnabled,
    QWebEngineSettings.WebAttribute.AutoLoadIconsForPage,
    QWebEngineSettings.WebAttribute.TouchIconsEnabled,
    QWebEngineSettings.WebAttribute.ErrorPageEnabled,
    QWebEngineSettings.WebAttribute.FocusOnNavigationEnabled,
    QWebEngineSettings.WebAttribute.AllowRunningInsecureContent,
    QWebEngineSettings.WebAttribute.DnsPrefetchEnabled,
    QWebEngineSettings.WebAttribute.NavigateOnDropEnabled,
    QWebEngineSettings.WebAttribute.BackForwardCacheEnabled,
    QWebEngineSettings.WebAttribute.ForceDarkMode,
)


class RequestInterceptor(QWebEngineUrlRequestInterceptor):
    """Blocks every request that is not for the book."""

    def interceptRequest(self, info: QWebEngineUrlRequestInfo) -> None:  # noqa: PLR6301 - Qt's
        """Lets our scheme through; a fault blocks, because one that got out would crash Qt."""
        try:
            is_allowed = info.requestUrl().scheme() in _ALLOWED_SCHEMES
        except Exception:  # noqa: BLE001 - Qt calls this; blocked and logged
            _log.exception("a request of the reading view could not be checked")
            is_allowed = False
        if not is_allowed:
            info.block(True)


class BookPage(QWebEnginePage):
    """The page of the reading view; it goes nowhere."""

    def __init__(self, profile: QWebEngineProfile, parent: QObject) -> None:
        super().__init__(profile, parent)
        settings = self.settings()
        for attribute in _OFF:
            settings.setAttribute(attribute, False)
        settings.setAttribute(QWebEngineSettings.WebAttribute.PlaybackRequiresUserGesture, True)
        settings.setUnknownUrlSchemePolicy(
            QWebEngineSettings.UnknownUrlSchemePolicy.DisallowUnknownUrlSchemes
        )
        # Scripts of the page, not of the profile: those come back after its process died.
        self.scripts().insert(_scripts())
        self.permissionRequested.connect(_deny)
        self.fullScreenRequested.connect(_reject_full_screen)

    def acceptNavigationRequest(  # noqa: PLR6301 - Qt's
        self,
        url: QUrl | str,
        kind: QWebEnginePage.NavigationType,
        is_main_frame: bool,  # noqa: FBT001 - Qt's order
    ) -> bool:
        """Only the shell, and the frames that it makes; never a click, a form or a reload."""
        if isinstance(url, str) or kind in {
            QWebEnginePage.NavigationType.NavigationTypeLinkClicked,
            QWebEnginePage.NavigationType.NavigationTypeFormSubmitted,
            QWebEnginePage.NavigationType.NavigationTypeBackForward,
        }:
            return False
        return url == SHELL if is_main_frame else is_part_address(url)

    def javaScriptConsoleMessage(  # noqa: PLR6301 - Qt's
        self,
        level: QWebEnginePage.JavaScriptConsoleMessageLevel,
        message: str,
        line: int,
        source: str,
    ) -> None:
        """Notes what the page complains of; the book's name stays out of the log."""
        is_ours = not source.startswith("book:")
        is_error = level is QWebEnginePage.JavaScriptConsoleMessageLevel.ErrorMessageLevel
        if is_ours and is_error:
            _log.error("reading view, line %d: %s", line, message)
        else:
            _log.debug("reading view, line %d: %s", line, message)


def make_profile(handler: BookSchemeHandler) -> QWebEngineProfile:
    """An off-the-record profile that knows our scheme and no way out.

    The caller keeps it alive until its page is gone: otherwise Qt says "Release of profile
    requested but WebEnginePage still not deleted" and crashes at exit (pywebview#1328).
    """
    profile = QWebEngineProfile()
    profile.setHttpCacheType(QWebEngineProfile.HttpCacheType.NoCache)
    profile.setSpellCheckEnabled(False)
    # Settings of the profile too: a page made later by mistake would be as closed as ours.
    for attribute in _OFF:
        profile.settings().setAttribute(attribute, False)
    handler.setParent(profile)
    profile.installUrlSchemeHandler(SCHEME, handler)
    interceptor = RequestInterceptor(profile)
    profile.setUrlRequestInterceptor(interceptor)
    profile.downloadRequested.connect(_cancel)
    return profile


def _scripts() -> list[QWebEngineScript]:
    ready = QWebEngineScript.InjectionPoint.DocumentReady
    created = QWebEngineScript.InjectionPoint.DocumentCreation
    page = RESOURCES / "page"
    shell = "\n".join([_channel_script(), *((page / name).read_text("utf-8") for name in _SCRIPTS)])
    frame = (page / "frame.js").read_text("utf-8")
    return [
        _script("shell", shell, ready, runs_on_frames=False),
        _script("frame", frame, created, runs_on_frames=True),
    ]


def _script(
    name: str, source: str, point: QWebEngineScript.InjectionPoint, *, runs_on_frames: bool
) -> QWebEngineScript:
    script = QWebEngineScript()
    script.setName(name)
    script.setSourceCode(source)
    script.setInjectionPoint(point)
    script.setWorldId(OUR_WORLD)
    script.setRunsOnSubFrames(runs_on_frames)
    return script


def _channel_script() -> str:
    """Qt's own client of the web channel, from Qt's resources."""
    file = QFile(":/qtwebchannel/qwebchannel.js")
    file.open(QIODevice.OpenModeFlag.ReadOnly)
    return bytes(file.readAll().data()).decode("utf-8")


def _deny(permission: QWebEnginePermission) -> None:
    permission.deny()


def _cancel(download: QWebEngineDownloadRequest) -> None:
    download.cancel()


def _reject_full_screen(request: QWebEngineFullScreenRequest) -> None:
    request.reject()
