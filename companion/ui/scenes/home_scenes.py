"""Scenes of the home page, and the answers of its desks."""

from __future__ import annotations

from datetime import datetime, timedelta

from PySide6.QtWidgets import QWidget

from companion.ui.pages.home.page import HomePage
from companion.ui.scenes.scene import page_scene
from companion.ui.state import Fault
from companion.ui.window import Window

_NOW = datetime(2026, 11, 30, 14, 20).astimezone()


def _set(number: int, kind: str, label: str, left: float, seconds: int = 0) -> dict[str, object]:
    due = _NOW + timedelta(seconds=left)
    return {"id": number, "kind": kind, "label": label, "seconds": seconds, "due": due.isoformat(), "left": left}


def _plugin(name: str, status: str = "enabled", reason: str = "", *, is_ours: bool = True) -> dict[str, object]:
    told = {"version": "1", "description": "commands", "asks_for": [], "may": [], "left_alone": False, "failures": []}
    return {"name": name, "home": "built in", "status": status, "reason": reason, "is_ours": is_ours, **told}


TIMERS = {
    "timers": [
        _set(1, "timer", "pasta", 252, 600),
        _set(2, "timer", "", 1930, 2700),
        _set(3, "reminder", "call Emma about the weekend", 4 * 3600),
        _set(4, "alarm", "", 16 * 3600 + 40 * 60),
        _set(5, "reminder", "take the winter tyres to the garage", 6 * 86_400),
    ],
    "most": 50,
}
PLUGINS = {
    "plugins": [
        *(_plugin(name) for name in ("clock", "maths", "courtesy", "repeat", "stop", "volume", "timers", "knowledge")),
        _plugin("memory"),
        {**_plugin("bus-times", is_ours=False), "description": "when the next bus leaves"},
        _plugin("garden", "failed self-check", "its sensor does not answer", is_ours=False),
    ]
}
ANSWERS = {"home.list": TIMERS, "plugins.list": PLUGINS}
EMPTY = {"home.list": {"timers": [], "most": 50}, "plugins.list": PLUGINS}
BROKEN = {
    "home.list": Fault("the file of the timers cannot be read", "Allow reading timers.ndjson, then start again."),
    "plugins.list": PLUGINS,
}


def _reminder(window: QWidget) -> None:
    if isinstance(window, Window) and isinstance(window.page, HomePage):
        window.page.setter.choose_kind("reminder")


SCENES = (
    page_scene("home", "full", answers=ANSWERS, size=(1000, 1450), then=_reminder),
    page_scene("home", "empty", answers=EMPTY),
    page_scene("home", "fault", answers=BROKEN, size=(720, 520)),
)
