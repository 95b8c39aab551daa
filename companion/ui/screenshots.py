"""Draws every scene, in light and dark, at 100 % and 200 %, in English and Chinese, and saves the pictures."""

from __future__ import annotations

import gc
import itertools
import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from companion.errors import BadInput, StorageError
from companion.settings.schema import Settings
from companion.ui.bridge import Bridge
from companion.ui.dress import chosen_look, wear
from companion.ui.run import application
from companion.ui.scenes.scene import Scene, StillFace, StillLook, all_scenes
from companion.ui.translations import CHINESE, ENGLISH, speak

PERCENTS = (100, 200)
SETTLE_MS = 120
"""Milliseconds for a scene to lay itself out and fetch what it shows."""


def all_looks() -> list[StillLook]:
    """Every way to look, one language after the other: texts are made when a scene is."""
    return [
        StillLook(is_dark, percent, language)
        for language, is_dark, percent in itertools.product((ENGLISH, CHINESE), (False, True), PERCENTS)
    ]


def take(folder: Path, *, only: str = "", looks: Sequence[StillLook] | None = None) -> list[Path]:
    """Save a picture of every scene in every look; returns the files. only: a part of the names of the scenes wanted.

    Raises:
        BadInput: there is no such scene.
        StorageError: a picture cannot be saved.
    """
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    application(Settings())
    scenes = [scene for scene in all_scenes() if only in scene.name]
    if not scenes:
        raise BadInput(f"there is no scene {only!r}", mend="Leave it out for all of them.")
    folder.mkdir(parents=True, exist_ok=True)
    return list(_taken(folder, scenes, looks or all_looks()))


def draw(scene: Scene, still: StillLook) -> QImage:
    """The picture of a scene in a look."""
    speak(still.language)
    wear(chosen_look("dark" if still.is_dark else "light", scale=1.0))
    face = StillFace(scene.answers)
    bridge = Bridge(face)
    bridge.begin_with(scene.state)
    widget = scene.make(bridge)
    try:
        return _picture(widget, scene, face, still.percent / 100)
    finally:
        bridge.close()
        widget.hide()
        widget.deleteLater()
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        gc.collect()


def _picture(widget: QWidget, scene: Scene, face: StillFace, ratio: float) -> QImage:
    widget.resize(*scene.size)
    widget.show()
    QTest.qWait(SETTLE_MS)
    face.tell(*scene.events)
    if scene.then is not None:
        scene.then(widget)
    QTest.qWait(SETTLE_MS)
    picture = QImage(widget.size() * ratio, QImage.Format.Format_ARGB32_Premultiplied)
    picture.setDevicePixelRatio(ratio)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    widget.render(painter, QPoint())
    painter.end()
    return picture


def _taken(folder: Path, scenes: Sequence[Scene], looks: Sequence[StillLook]) -> Iterator[Path]:
    for still, scene in itertools.product(looks, scenes):
        shade = "dark" if still.is_dark else "light"
        file = folder / f"{scene.name}.{shade}.{still.percent}.{still.language}.png"
        if not draw(scene, still).save(str(file)):
            raise StorageError(
                f"{file} could not be written", file=str(file), mend="Free some space, or name another folder."
            )
        yield file
