"""The words of the health page: what a problem is about, where it is mended, what a step is called."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication, QLocale

from companion.ui.counts import Counts
from companion.ui.state import Fault

translate = QCoreApplication.translate

STEPS = ("wait", "recogniser", "first_token", "first_sound")
"""Of a turn, in their order."""
COLOURS = {"wait": "edge", "recogniser": "listening", "first_token": "thinking", "first_sound": "accent"}
_STEPS = {
    "wait": QT_TRANSLATE_NOOP("Health", "Waiting for the end of your sentence"),
    "recogniser": QT_TRANSLATE_NOOP("Health", "Writing down what you said"),
    "first_token": QT_TRANSLATE_NOOP("Health", "Thinking"),
    "first_sound": QT_TRANSLATE_NOOP("Health", "Making the voice"),
}
_TOPICS = {
    "microphone": (QT_TRANSLATE_NOOP("Health", "Microphone"), "settings/sound"),
    "speaker": (QT_TRANSLATE_NOOP("Health", "Loudspeaker"), "settings/sound"),
    "sound": (QT_TRANSLATE_NOOP("Health", "Sound"), "settings/sound"),
    "wake word": (QT_TRANSLATE_NOOP("Health", "Wake word"), "settings/sound"),
    "start": (QT_TRANSLATE_NOOP("Health", "Models"), "settings/models"),
    "models": (QT_TRANSLATE_NOOP("Health", "Models"), "settings/models"),
    "recogniser": (QT_TRANSLATE_NOOP("Health", "Hearing"), "settings/models"),
    "language model": (QT_TRANSLATE_NOOP("Health", "Thinking"), "settings/models"),
    "voice": (QT_TRANSLATE_NOOP("Health", "Voice"), "settings/models"),
    "conversation": (QT_TRANSLATE_NOOP("Health", "Conversation"), ""),
    "settings": (QT_TRANSLATE_NOOP("Health", "Settings"), "settings/everything"),
    "personality": (QT_TRANSLATE_NOOP("Health", "Personality"), "settings/personality"),
    "cloud": (QT_TRANSLATE_NOOP("Health", "Cloud"), "settings/privacy"),
    "memory": (QT_TRANSLATE_NOOP("Health", "Memory"), "memory"),
    "knowledge": (QT_TRANSLATE_NOOP("Health", "Knowledge"), "knowledge"),
    "plugins": (QT_TRANSLATE_NOOP("Health", "Plugins"), "settings/plugins"),
    "timers": (QT_TRANSLATE_NOOP("Health", "Timers"), "home"),
    "history": (QT_TRANSLATE_NOOP("Health", "Conversation"), "settings/everything"),
    "talk key": (QT_TRANSLATE_NOOP("Health", "Talk key"), "settings/general"),
    "python": (QT_TRANSLATE_NOOP("Health", "Program"), ""),
    "libraries": (QT_TRANSLATE_NOOP("Health", "Program"), ""),
    "folders": (QT_TRANSLATE_NOOP("Health", "Folders"), ""),
    "disk": (QT_TRANSLATE_NOOP("Health", "Disk"), "settings/models"),
    "running": (QT_TRANSLATE_NOOP("Health", "Program"), ""),
    "espeak": (QT_TRANSLATE_NOOP("Health", "Voice"), "settings/models"),
}
"""What a topic of the engine is called, and where it is mended."""


def _tr(text: object) -> str:
    return translate("Health", str(text))


def step_name(step: str) -> str:
    """What a step of a turn is called."""
    return _tr(_STEPS[step]) if step in _STEPS else step


def topic_name(topic: str) -> str:
    """What a problem is about."""
    known = _known(topic)
    return _tr(_TOPICS[known][0]) if known else topic[:1].upper() + topic[1:]


def place_of(topic: str) -> str:
    """Where it is mended; empty where no page does that."""
    known = _known(topic)
    return _TOPICS[known][1] if known else ""


def _known(topic: str) -> str:
    """The topic itself, or the one it is a part of, as "voice" of "voice for zh"."""
    return next((known for known in _TOPICS if topic == known or topic.startswith(f"{known} ")), "")


def fault_of(finding: Mapping[str, Any]) -> Fault:
    """What a check found, as a problem."""
    return Fault(str(finding["message"]), str(finding["mend"]), str(finding["topic"]))


def seconds(value: float) -> str:
    """ "0.8 s"."""
    return translate("Health", "{seconds} s").format(seconds=QLocale().toString(value, "f", 1 if value < 10 else 0))


def size(count: float) -> str:
    """A number of bytes, for people."""
    if count >= 1e9:
        return translate("Health", "{count} GB").format(count=QLocale().toString(count / 1e9, "f", 1))
    return translate("Health", "{count} MB").format(count=QLocale().toString(count / 1e6, "f", 0))


def percent(share: float) -> str:
    """A share of 1 as "3 %"."""
    return translate("Health", "{share} %").format(share=QLocale().toString(100 * share, "f", 0))


def length(seconds: float) -> str:
    """How long something goes on: minutes, hours or days."""
    minutes, hours, days = max(int(seconds // 60), 1), int(seconds // 3600), int(seconds // 86_400)
    if seconds < 3600:
        return Counts().minutes(minutes)
    if seconds < 2 * 86_400:
        return Counts().hours(hours)
    return Counts().days(days)
