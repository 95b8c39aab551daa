"""A whole companion with its window: how soon it can be used, and what it costs with the window open and closed."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field

import psutil
from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtWidgets import QApplication

from companion.app.paths import Paths
from companion.settings.store import SettingsStore
from companion.ui.run import application, run
from companion.ui.window import Window

LOOK_MS = 5
STARTED_SECONDS = 10.0
"""For the first picture."""
CALM_SHARE = 8.0
"""Percent of a core below which it rests."""
CALM_SECONDS = 2.0


@dataclass
class Lived:
    """usable: seconds from the start of the process to the first picture of the window. rested: seconds from there
    until nothing was done any more; 0: it never came to rest. Shares: percent of a core.
    """

    usable: float = 0.0
    rested: float = 0.0
    memory: float = 0.0
    memory_pss: float = 0.0
    cpu_open: list[float] = field(default_factory=list)
    cpu_closed: list[float] = field(default_factory=list)


class Living(QObject):
    """Watches a run from within. began: when the process was started, monotonic. windows: how many shares of the
    processor are measured with the window open, and with it closed, of ``seconds`` each. ready: seconds it has to come
    to rest before. tell: hears how far it is.
    """

    def __init__(
        self, began: float, seconds: float, windows: int, *, ready: float, tell: Callable[[str], None]
    ) -> None:
        super().__init__()
        self.lived = Lived()
        self._began = began
        self._seconds = seconds
        self._ready = ready
        self._tell = tell
        self._plan = ["open", "closed"] * windows
        self._window: Window | None = None
        self._mark = (0.0, 0.0)
        self._calm_since = 0.0

    def live(self, paths: Paths) -> Lived:
        """Run until everything is measured."""
        settings = SettingsStore(paths.settings_file).load().settings
        application(settings).installEventFilter(self)
        self._give_up = QTimer(self)
        self._give_up.singleShot(
            round((STARTED_SECONDS + self._ready + (self._seconds + 2) * (len(self._plan) + 1)) * 1000),
            QApplication.exit,
        )
        run(settings, paths)
        return self.lived

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(watched, Window) and event.type() is QEvent.Type.Paint:
            QApplication.instance().removeEventFilter(self)  # type: ignore[union-attr]
            self._window = watched
            # After this picture, and whatever else stands before the first click.
            QTimer.singleShot(0, self._be_usable)
        return False

    def _be_usable(self) -> None:
        self.lived.usable = time.monotonic() - self._began
        self._until = time.monotonic() + self._ready
        self._mark = _used()
        QTimer.singleShot(500, self._become_calm)

    def _become_calm(self) -> None:
        share = self._share()
        now = time.monotonic()
        self._calm_since = (self._calm_since or now) if share < CALM_SHARE else 0.0
        is_calm = bool(self._calm_since) and now - self._calm_since >= CALM_SECONDS
        if now < self._until and not is_calm:
            QTimer.singleShot(500, self._become_calm)
            return
        if is_calm:
            self.lived.rested = now - self._began - self.lived.usable
        self._weigh()
        self._go_on()

    def _weigh(self) -> None:
        process = psutil.Process()
        self.lived.memory = process.memory_info().rss / 1e6
        self.lived.memory_pss = getattr(process.memory_full_info(), "pss", 0) / 1e6

    def _go_on(self) -> None:
        if not self._plan or self._window is None:
            QApplication.exit()
            return
        self._now = self._plan.pop(0)
        self._window.setVisible(self._now == "open")
        QTimer.singleShot(1000, self._begin_share)

    def _begin_share(self) -> None:
        self._mark = _used()
        QTimer.singleShot(round(self._seconds * 1000), self._end_share)

    def _end_share(self) -> None:
        share = self._share()
        (self.lived.cpu_open if self._now == "open" else self.lived.cpu_closed).append(share)
        self._tell(f"window {self._now}: {share:.2f} % of a core")
        self._go_on()

    def _share(self) -> float:
        """Percent of a core since the last mark."""
        before, self._mark = self._mark, _used()
        return 100 * (self._mark[1] - before[1]) / max(self._mark[0] - before[0], 1e-6)


def _used() -> tuple[float, float]:
    """The time, and seconds of a core that were used."""
    return time.monotonic(), time.process_time()


def as_document(lived: Lived) -> dict[str, object]:
    """For the process that has started this one."""
    return asdict(lived)
