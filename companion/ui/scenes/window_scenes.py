"""Scenes of the window itself: the engine frozen, ended and starting, no models, the help, the narrow rail."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtWidgets import QWidget

from companion.ui.bridge import Bridge
from companion.ui.help import Help
from companion.ui.scenes.scene import AWAKE, BRING_THEM, NO_MODELS, SMALL_SIZE, Scene, in_trouble, page_scene
from companion.ui.state import Engine, Fault, Mark, UiState
from companion.ui.theme import ROOMY, WIDE, mark
from companion.ui.widgets import Body, Card, Column, Heading, StateMark
from companion.ui.window import Window
from companion.voice.events import State


def _help(bridge: Bridge) -> QWidget:
    window = Window(bridge)  # its keys are what is listed
    return Help(window)


def _marks(bridge: Bridge) -> QWidget:
    whole = Column(margin=WIDE)
    whole.add(Heading("Companion"))
    for size in (16, 22, 48):
        card = Card()
        marks = []
        for which in Mark:
            shown = StateMark(size)
            shown.show_mark(which, which.value, -30.0)
            marks += [shown, Body(which.value)]
        card.add_beside(*marks).setSpacing(ROOMY)
        whole.add(card)
    whole.end()
    mark(whole, "page")
    return whole


NO_MICROPHONE = "the microphone 'USB Audio' has been unplugged"

SCENES = (
    page_scene("talk", "starting", state=UiState()),
    page_scene("talk", "narrow", size=SMALL_SIZE),
    page_scene("talk", "frozen", state=replace(AWAKE, engine=Engine.FROZEN)),
    page_scene(
        "talk",
        "ended",
        state=replace(
            AWAKE, engine=Engine.ENDED, ended=Fault("the model's library ended unexpectedly", "Start it again")
        ),
    ),
    page_scene("talk", "muted", state=replace(AWAKE, phase=State.MUTED)),
    page_scene(
        "talk",
        "no-microphone",
        state=replace(in_trouble(NO_MICROPHONE, "plug it in again", "microphone"), phase=State.DEAF),
    ),
    page_scene(
        "talk",
        "no-models",
        state=in_trouble(NO_MODELS, BRING_THEM, "start"),
    ),
    Scene("window-help", _help, size=(560, 560)),
    Scene("window-marks", _marks, size=(760, 420)),
)
