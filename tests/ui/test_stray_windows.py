"""Nothing is shown before it has its place: a widget without one flashes up as a window of its own."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from companion.ui.bridge import Bridge
from companion.ui.scenes.scene import Scene, StillFace, all_scenes


class Watcher(QObject):
    """Notes every window that is shown."""

    def __init__(self) -> None:
        super().__init__()
        self.shown: list[str] = []
        self.wanted: QWidget | None = None

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        is_shown = event.type() == QEvent.Type.Show and watched is not self.wanted
        if is_shown and isinstance(watched, QWidget) and watched.isWindow():
            self.shown.append(f"{type(watched).__name__} {watched.accessibleName()!r}")
        return False


@pytest.fixture
def watcher(qapp: QApplication) -> Iterator[Watcher]:
    made = Watcher()
    qapp.installEventFilter(made)
    yield made
    qapp.removeEventFilter(made)


@pytest.mark.parametrize("scene", all_scenes(), ids=lambda scene: scene.name)
def test_no_other_window_flashes_up(scene: Scene, watcher: Watcher, qtbot: QtBot) -> None:
    face = StillFace(scene.answers)
    bridge = Bridge(face)
    bridge.begin_with(scene.state)
    widget = watcher.wanted = scene.make(bridge)
    qtbot.addWidget(widget)
    widget.resize(*scene.size)
    widget.show()
    qtbot.waitExposed(widget)
    face.tell(*scene.events)
    qtbot.wait(100)
    bridge.close()
    widget.hide()
    assert not sorted(set(watcher.shown))
