"""Scenes of the first steps: each of the seven, empty and full, with what may be wrong."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from PySide6.QtWidgets import QWidget

from companion.app.events import Finished, Metered, Progress, WakeTried
from companion.ui.bridge import Bridge
from companion.ui.scenes.scene import AWAKE, BRING_THEM, NO_MODELS, SMALL_SIZE, Answers, Scene, in_trouble
from companion.ui.scenes.sound_scenes import LISTED
from companion.ui.state import Fault, UiState, reduce
from companion.ui.wizard.brains_step import BrainsStep
from companion.ui.wizard.sound_steps import WakeStep
from companion.ui.wizard.wizard import NAMES, Wizard
from companion.voice.events import AnswerStarted, HeardText, Speaking, State, StateChanged

WORKS = {"hears": True, "answers": False, "speaks": True}
NOTHING = {"hears": False, "answers": False, "speaks": False}
SIZE = (820, 680)


def bundle(tier: str, size: int, model: str) -> dict[str, object]:
    """As the setup desk tells it."""
    names = ["whisper-base", "piper-en_US-joe-medium", "smart-turn-v3.2", model]
    return {
        "tier": tier,
        "title": model,
        "note": "",
        "names": names,
        "bytes": 220_000_000 + size,
        "missing": {"whisper-base": 148_000_000, "piper-en_US-joe-medium": 63_000_000, model: size},
        "seconds": (211_000_000 + size) / 5e6,
    }


BRAINS = {
    "bundles": [
        bundle("quick", 93_000_000, "smollm2-135m"),
        bundle("good", 1_117_000_000, "qwen2.5-1.5b"),
        bundle("clever", 1_834_000_000, "qwen3-1.7b"),
    ],
    "free_bytes": 48_300_000_000,
    "memory_gb": 8,
    "cores": 4,
    "works": WORKS,
    "offline": False,
    "language": "en",
}
SETTINGS = {
    "settings": [
        {"name": "general.language", "value": "en"},
        {"name": "general.name", "value": "Emma"},
        {"name": "personality.which", "value": "warm"},
        {"name": "memory.keep", "value": "true"},
    ],
    "waiting": [],
}
ANSWERS: Answers = {
    "sound.list": LISTED,
    "sound.level": {"on": True, "muted": False},
    "settings.list": SETTINGS,
    "setup.brains": BRAINS,
    "setup.mark": {},
    "sound.wake": {"word": "okay_nabu", "threshold": 0.7},
    "desktop.show": {"autostart": {"on": True, "place": ""}, "talk_key": {}},
}


def _wizard(at: str) -> Callable[[Bridge], QWidget]:
    def make(bridge: Bridge) -> QWidget:
        wizard = Wizard(bridge)
        wizard.go(NAMES.index(at))
        return wizard

    return make


def _scene(
    at: str,
    name: str = "",
    *,
    state: UiState = AWAKE,
    answers: Answers | None = None,
    events: Sequence[object] = (),
    size: tuple[int, int] = SIZE,
    then: Callable[[Wizard], object] | None = None,
) -> Scene:
    def act(widget: QWidget) -> None:
        if then is not None and isinstance(widget, Wizard):
            then(widget)

    whole = f"wizard-{NAMES.index(at) + 1}-{at}{'-' if name else ''}{name}"
    return Scene(whole, _wizard(at), state, {**ANSWERS, **(answers or {})}, events, size, act)


def _pull(name: str, done: float, total: float, left: float | None) -> Progress:
    return Progress(f"models.pull {name}", done, total, left, "fetching")


ON_THE_WAY = (
    _pull("whisper-base", 148e6, 148e6, None),
    Finished("models.pull whisper-base"),
    _pull("piper-en_US-joe-medium", 40e6, 63e6, 6.0),
    _pull("qwen2.5-1.5b", 0, 0, None),
)
NO_NETWORK = Fault("whisper-base is not on the shelf; the Python package index cannot be reached", "Try again later")


def _try_wake(wizard: Wizard) -> None:
    if isinstance(wizard.step, WakeStep):
        wizard.step.cards.wake.turn()


def _hear_it_twice(wizard: Wizard) -> None:
    _try_wake(wizard)
    if isinstance(wizard.step, WakeStep):
        wizard.step.cards.wake.draw(reduce(reduce(AWAKE, Metered(-25.0)), WakeTried("okay_nabu", "heard", 2, 0.97)))


def _bring(wizard: Wizard) -> None:
    if isinstance(wizard.step, BrainsStep):
        wizard.step.bring.click()


SCENES = (
    _scene("hello"),
    _scene("hello", "small", size=SMALL_SIZE),
    _scene("sound", events=(Metered(-28.0),), size=(820, 900)),
    _scene("sound", "small", events=(Metered(-28.0),), size=SMALL_SIZE),
    _scene(
        "sound",
        "unplugged",
        events=(Metered(-120.0, "USB Audio", "the microphone 'USB Audio' has been unplugged", "plug it in again"),),
    ),
    _scene("wake"),
    _scene("wake", "heard", then=_hear_it_twice),
    _scene("brains"),
    _scene("brains", "on-the-way", events=ON_THE_WAY),
    _scene("brains", "offline", answers={"setup.brains": {**BRAINS, "offline": True, "works": WORKS}}),
    _scene("brains", "offline-nothing", answers={"setup.brains": {**BRAINS, "offline": True, "works": NOTHING}}),
    _scene("brains", "disk-full", answers={"models.pull": Fault("the disk is full", "Free 1.1 GB")}, then=_bring),
    _scene("personality", events=ON_THE_WAY),
    _scene("privacy"),
    _scene("talk"),
    _scene(
        "talk",
        "answer",
        state=replace(AWAKE, phase=State.SPEAKING),
        events=(
            HeardText("What can you do?", "en", final=True),
            AnswerStarted("rule:help"),
            StateChanged(State.SPEAKING, "answer"),
            Speaking("I can tell the time, set timers, do sums, and remember what you tell me."),
        ),
    ),
    _scene("talk", "no-models", state=in_trouble(NO_MODELS, BRING_THEM, "start")),
)
