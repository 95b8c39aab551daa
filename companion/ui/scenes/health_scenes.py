"""Scenes of the health page, and the answers of its desk."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta

from PySide6.QtWidgets import QWidget

from companion.app.events import Progress
from companion.ui.bridge import Bridge
from companion.ui.pages.health.bundle import BundleWindow
from companion.ui.scenes.scene import AWAKE, Scene, page_scene
from companion.ui.state import Fault

_NOW = datetime(2026, 11, 30, 14, 20).astimezone()


def _turn(number: int) -> dict[str, object]:
    """One of several kinds of turns, the same in every picture."""
    wave = 0.5 + 0.5 * math.sin(number * 1.7)
    is_rule = number % 3 == 0
    steps = {
        "wait": 0.2 if is_rule else 0.25 + 0.3 * wave,
        "recogniser": 0.12 + 0.08 * wave,
        "first_token": 0.0 if is_rule else 0.35 + 0.9 * wave * wave,
        "first_sound": 0.05 if is_rule else 0.12 + 0.1 * wave,
    }
    return {
        "at": (_NOW - timedelta(minutes=3 * (50 - number))).isoformat(),
        "spoken": True,
        "by_model": not is_rule,
        "steps": [{"step": step, "seconds": took} for step, took in steps.items()],
        "total": sum(steps.values()),
    }


NOW = {
    "cpu": 0.034,
    "seconds": 2.0,
    "cores": 4,
    "own_memory": 742e6,
    "memory": 8.2e9,
    "free_memory": 4.6e9,
    "disk": 250e9,
    "free_disk": 83.4e9,
    "threads": 14,
    "running": 5 * 3600 + 300,
    "models": [
        {"name": "whisper-base", "load_seconds": 1.1},
        {"name": "qwen3-1.7b", "load_seconds": 4.2},
        {"name": "piper-en_US-joe-medium", "load_seconds": 0.9},
    ],
}
FOUND = {
    "findings": [
        {"topic": "python", "state": "ok", "message": "3.11.2", "mend": ""},
        {
            "topic": "disk",
            "state": "warn",
            "message": "0.4 GB free",
            "mend": "Free some space before you pull models.",
        },
    ],
    "is_done": True,
    "is_busy": False,
}
NOT_YET = {"findings": [], "is_done": False, "is_busy": False}
SHEETS = {
    "id": "abcd",
    "sheets": [
        {"name": "about.txt", "text": "companion: 0.5.0\nsystem: Linux 6.1.0 (x86_64)\nmemory: 8.2 GB, 4.6 GB free\n"},
        {"name": "problems.txt", "text": "none\n"},
        {"name": "times.txt", "text": "spoken, model, answered: wait 0.30, first_token 0.52, total 0.97\n"},
        {"name": "settings.txt", "text": "sound.volume = 0.6\ngeneral.name is changed\n"},
        {
            "name": "log.txt",
            "text": "2026-11-30 14:20:00,123 INFO    companion.app.companion: whisper-base is loaded\n",
        },
    ],
}
ANSWERS = {
    "health.now": NOW,
    "health.turns": {"turns": [_turn(number) for number in range(1, 51)]},
    "health.findings": FOUND,
    "health.bundle": SHEETS,
}
EMPTY = {"health.now": NOW, "health.turns": {"turns": []}, "health.findings": NOT_YET}
UNWELL = replace(
    AWAKE,
    problems=(
        Fault(
            "the microphone 'USB Audio' has been unplugged",
            "plug it in again",
            "microphone",
        ),
        Fault("memory.db could not be written: No space left on device", "Free some space.", "memory"),
    ),
)


def _bundle() -> Callable[[Bridge], QWidget]:
    return lambda bridge: BundleWindow(bridge)


SCENES = (
    page_scene("health", "full", answers=ANSWERS, size=(1000, 1250)),
    page_scene("health", "empty", answers=EMPTY, size=(720, 900)),
    page_scene("health", "faults", state=UNWELL, answers=ANSWERS),
    page_scene("health", "checking", answers=EMPTY, events=(Progress("health.checkup", 4, 12, note="disk"),)),
    Scene("health-bundle", _bundle(), answers=ANSWERS, size=(760, 560)),
)
