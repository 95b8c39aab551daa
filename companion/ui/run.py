"""The program with a window: Qt on the main thread, the engine on its own, from the first picture to the last.

Before the loop of Qt begins, what the window needs from the disk is read; after it has ended, what is to be kept is
written, and the engine is given ``GRACE`` seconds to end. Whatever hangs then ends with the process.
"""

from __future__ import annotations

import contextlib
import faulthandler
import logging
import os
import signal
import socket
import sys
import time
from types import TracebackType

from PySide6.QtCore import QByteArray, QEvent, QObject, QSocketNotifier, QTimer
from PySide6.QtWidgets import QApplication, QSystemTrayIcon

from companion.app.control import ask
from companion.app.engine import ending_signals
from companion.app.face import Face
from companion.app.log import log_stream
from companion.app.orders import Raise
from companion.app.paths import Paths
from companion.app.setup_file import Setup, read_setup, standing
from companion.errors import AlreadyRunning, ControlError, NotRunning
from companion.settings.schema import Settings
from companion.ui.bridge import Bridge
from companion.ui.dress import follow_desktop
from companion.ui.first_picture import FirstPicture
from companion.ui.icons import pixmap
from companion.ui.tidying import Tidying
from companion.ui.translations import speak, window_language, worn
from companion.ui.tray import Tray
from companion.ui.window import Window
from companion.ui.window_place import WindowPlace, read_place, write_place
from companion.ui.wizard.leading import Leading

logger = logging.getLogger(__name__)

GRACE = 2.3
"""Seconds the engine has to end when the user quits."""
AT_LAST = 2.8
"""Seconds after which the process is gone, whatever hangs."""
STARTING = 6.0
"""Seconds for one that was started a moment before to come to its door."""
PAUSE = 0.1
"""Seconds until it is asked again."""
TRAY_MS = 10_000
"""Milliseconds for a desktop that has just come up to have its tray."""


def run(settings: Settings, paths: Paths, *, is_hidden: bool = False) -> int:
    """Live with a window until the user quits; where one runs already, bring its window to the front instead.

    is_hidden: begin in the tray.

    Raises:
        AlreadyRunning: a companion without a window owns the data folder.
        CompanionError: the data folder cannot be used.
    """
    face = Face(paths)
    if not is_first(face, paths):
        return 0
    try:
        app = application(settings)
        tidying = Tidying(app)
        bridge = Bridge(face)
        windows = Windows(bridge, read_place(paths.window_place), setup=read_setup(paths.setup), is_hidden=is_hidden)
        FirstPicture(windows.window, face.start)
        watch_end(app)
        status = app.exec()
        _doom()
        bridge.close()
        write_place(paths.window_place, windows.put_away())
        tidying.end()
    finally:
        _end(face)
    return int(status)


def is_first(face: Face, paths: Paths, *, within: float = STARTING) -> bool:
    """Whether the data folder is ours from now on; else the window of its owner has been brought to the front.

    within: seconds for an owner that is still starting.

    Raises:
        AlreadyRunning: the owner has no window, or does not come to its door.
        StorageError: the lock file cannot be opened.
    """
    ends = time.monotonic() + within
    while not raised(paths):
        try:
            face.own()
        except AlreadyRunning:
            if time.monotonic() > ends:
                raise
            time.sleep(PAUSE)
        else:
            return True
    return False


def raised(paths: Paths) -> bool:
    """Whether a companion that runs already has brought its window to the front.

    Raises:
        AlreadyRunning: it has none.
    """
    try:
        ask(paths.control_socket, Raise())
    except NotRunning:
        return False
    except ControlError as error:
        raise AlreadyRunning(f"a companion already runs here: {error}", mend=error.mend) from error
    return True


class Application(QApplication):
    """Ends when the desktop asks it to, as at a log-out. Qt would ask the window first, which only hides."""

    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Quit:
            self.exit(0)
            return True
        return super().event(event)


def application(settings: Settings) -> QApplication:
    """The one application of Qt, in the user's language and the desktop's colours."""
    there = QApplication.instance()
    app = there if isinstance(there, QApplication) else Application(sys.argv[:1])
    app.setApplicationName("companion")
    app.setApplicationDisplayName("Companion")
    app.setDesktopFileName("companion")
    app.setQuitOnLastWindowClosed(False)
    app.setStyle("Fusion")
    speak(window_language(settings.general.language))
    follow_desktop()
    app.setWindowIcon(pixmap("companion", "accent", 64))
    sys.excepthook = _note
    return app


class Windows(QObject):
    """The window, the tray and the first steps; made anew when the user speaks another language."""

    def __init__(
        self, bridge: Bridge, place: WindowPlace, *, setup: Setup | None = None, is_hidden: bool = False
    ) -> None:
        super().__init__()
        self._bridge = bridge
        self._setup = setup
        bridge.left.connect(self.quit)
        self._make(place)
        if not is_hidden:
            self._begin()
        elif not QSystemTrayIcon.isSystemTrayAvailable():
            QTimer.singleShot(TRAY_MS, self, self._be_reachable)

    def quit(self) -> None:
        """End the program: everything disappears at once, and is tidied up behind the scenes."""
        self.window.hide()
        QApplication.exit()  # ``quit`` would ask the window first, which does not close

    def place(self) -> WindowPlace:
        """Where the window stands."""
        return WindowPlace(bytes(self.window.saveGeometry().data()), self.window.here)

    def put_away(self) -> WindowPlace:
        """Take everything off the screen; returns where the window stood."""
        self.tray.hide()
        self.window.hide()
        return self.place()

    def _begin(self) -> None:
        self.window.come_up()
        self.leading.begin(standing(self._setup))

    def _be_reachable(self) -> None:
        """Where no tray has come, nothing else brings the window up."""
        if not QSystemTrayIcon.isSystemTrayAvailable() and not self.window.isVisible():
            self._begin()

    def _make(self, place: WindowPlace) -> None:
        self._language = worn()
        self.window = Window(self._bridge, has_tray=QSystemTrayIcon.isSystemTrayAvailable)
        self.tray = Tray(self._bridge, self.window)
        self.leading = Leading(self._bridge, self.window)
        if place.geometry:
            self.window.restoreGeometry(QByteArray(place.geometry))
        if place.here:
            self.window.go(place.here)
        self.window.quitting.connect(self.quit)
        self.window.wizard.connect(self.leading.open)
        self.leading.finished.connect(self._speak)

    def _speak(self) -> None:
        """In another language than when it was made, the window is made anew."""
        if worn() == self._language:
            return
        old, place = self.window, self.put_away()
        self._make(place)
        self.window.come_up()
        old.deleteLater()


def watch_end(app: QApplication) -> None:
    """End at the signals that ask for it. Python hears them between two of its steps, so they have a step made."""
    ours, pythons = socket.socketpair()
    for end in (ours, pythons):
        end.setblocking(False)
    signal.set_wakeup_fd(pythons.detach(), warn_on_full_buffer=False)
    bell = QSocketNotifier(ours.fileno(), QSocketNotifier.Type.Read, app)
    bell.activated.connect(lambda: _emptied(ours))
    for number in ending_signals():
        signal.signal(number, lambda *_: app.exit(0))  # not ``quit``, which asks the window first, and that only hides


def _emptied(bell: socket.socket) -> None:
    with contextlib.suppress(BlockingIOError):
        bell.recv(64)


def _doom() -> None:
    """From now on a clock runs that ends the process, whatever hangs."""
    nowhere = open(os.devnull, "w")  # noqa: SIM115, PTH123 - until the end
    faulthandler.dump_traceback_later(AT_LAST, exit=True, file=log_stream() or nowhere)


def _end(face: Face) -> None:
    ended = face.stop(within=GRACE)
    if not ended:
        logger.error("the engine hangs; the process ends without it")
        logging.shutdown()
        os._exit(1)
    faulthandler.cancel_dump_traceback_later()


def _note(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """A fault in a click goes into the log; the window goes on."""
    logger.error("a fault in the window: %s", kind.__name__, exc_info=(kind, error, trace))
