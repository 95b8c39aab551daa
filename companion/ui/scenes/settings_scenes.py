"""Scenes of the settings: every section full, some empty or in trouble, a search, and what waits for a restart."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from PySide6.QtCore import QDeadlineTimer
from PySide6.QtTest import QTest

from companion.app.desks.models_desk import TRY_LATER, UNREACHED
from companion.settings.applies import AT_ONCE
from companion.settings.describe import described, written
from companion.ui.pages.settings.everything import Everything
from companion.ui.pages.settings.page import SettingsPage
from companion.ui.pages.settings.personality import PersonalitySection
from companion.ui.scenes.scene import AWAKE, SMALL_SIZE, page_scene
from companion.ui.state import Fault, Task
from companion.ui.window import Window

MB = 1_000_000
TALL = (720, 1500)
WHOLE_MS = 5000
"""Milliseconds in which all settings are there."""


def listed(**changed: str) -> dict[str, Any]:
    """What the desk says of all settings. changed: values by name, with two underscores for the dot."""
    values = {name.replace("__", "."): value for name, value in changed.items()}
    rows = [
        {
            "name": setting.name,
            "meaning": setting.meaning,
            "form": setting.form.value,
            "choices": list(setting.choices),
            "low": setting.low,
            "high": setting.high,
            "allowed": setting.allowed,
            "default": written(setting.default),
            "value": values.get(setting.name, written(setting.default)),
            "is_changed": setting.name in values,
            "at_once": setting.name in AT_ONCE,
        }
        for setting in described().values()
    ]
    return {"settings": rows, "file": "~/.config/companion/settings.toml"} | NOTHING_WRONG


NOTHING_WRONG: dict[str, Any] = {"problem": "", "mend": "", "waiting": [], "undoable": 0}


def _model(name: str, kind: str, title: str, note: str, size: int, **more: object) -> dict[str, Any]:
    return {
        "name": name,
        "kind": kind,
        "title": title,
        "note": note,
        "licence": "Apache-2.0",
        "languages": ["en"],
        "knows": True,
        "bytes": size * MB,
        "memory_mb": size,
        "on_shelf": False,
        "begun": 0,
        "fit": "well",
        "is_chosen": False,
        "is_better": False,
        "is_starter": False,
        "is_coming": False,
        "is_verified": False,
    } | more


MANY = ["en", "zh", "de", "fr", "es", "it"]
MODELS = [
    _model(
        "whisper-base",
        "recogniser",
        "Whisper base",
        "Hears most languages; the one to have on a PC.",
        145,
        on_shelf=True,
        is_chosen=True,
    )
    | {"languages": MANY, "is_starter": True},
    _model(
        "whisper-small",
        "recogniser",
        "Whisper small",
        "Hears better than base, at about three times the work.",
        484,
        languages=MANY,
        begun=20 * MB,
    ),
    _model(
        "smollm2-135m",
        "language-model",
        "SmolLM2 135M",
        "Small talk in English on any machine; cannot use tools.",
        92,
        on_shelf=True,
    )
    | {"is_chosen": True, "is_starter": True},
    _model(
        "qwen3-1.7b",
        "language-model",
        "Qwen3 1.7B",
        "For machines of 4 to 8 GB with four cores or more.",
        1834,
        is_better=True,
    )
    | {"languages": MANY, "is_coming": True},
    _model(
        "qwen3-4b",
        "language-model",
        "Qwen3 4B",
        "For machines of 8 GB and more with six cores or more.",
        2497,
        fit="slow",
        languages=MANY,
    ),
    _model("joe", "voice", "Joe, American English", "A calm man's voice.", 63, is_starter=True),
    _model("turn", "turn-judge", "smart-turn v3.2", "Hears whether a sentence sounds finished.", 9, on_shelf=True)
    | {"is_chosen": True},
]
SHELF = {
    "models": MODELS,
    "folder": "~/.local/share/companion/models",
    "free": 120_000 * MB,
    "memory_mb": 7900,
    "cores": 4,
    "language": "en",
}
PERSONALITIES = {
    "personalities": [
        {"name": "personal", "text": "You live in our kitchen. You know a lot about bread, and you laugh easily."},
        {"name": "concise", "text": "Answer in one short sentence, without small talk."},
        {"name": "default", "text": "You speak warmly and calmly, in one to three short sentences."},
        {"name": "playful", "text": "You speak cheerfully and with dry wit."},
        {"name": "warm", "text": "You speak as a good friend of the family does."},
    ],
    "chosen": "personal",
    "file": "~/.config/companion/personal.md",
    "longest": 16384,
    "can_preview": True,
    "problem": "",
    "mend": "",
}
VOICES = {
    "voices": [
        {"name": "joe", "title": "Joe, American English", "note": "A calm man's voice.", "languages": ["en"]}
        | {"bytes": 63 * MB, "on_shelf": True, "speaks": True},
    ],
    "chosen": "auto",
    "speed": 1.0,
    "language": "en",
    "languages": ["en"],
}


def _provider(name: str, title: str, host: str, **more: object) -> dict[str, Any]:
    row = {"name": name, "title": title, "host": host, "is_local": False, "needs_key": True, "has_key": False}
    return row | {"variable": ""} | more


CLOUD: dict[str, Any] = {
    "providers": [
        _provider("openai", "OpenAI", "api.openai.com", has_key=True),
        _provider("anthropic", "Anthropic", "api.anthropic.com", variable="ANTHROPIC_API_KEY"),
        _provider("ollama", "Ollama", "127.0.0.1:11434", is_local=True, needs_key=False),
    ],
    "steps": [],
    "month": "2026-11",
    "spent": 0.42,
    "services": {"language model: openai/gpt-5-mini": 0.42},
    "budget": 5.0,
}


def _plugin(name: str, status: str, **more: object) -> dict[str, Any]:
    row = {"name": name, "home": "folder", "status": status, "reason": "", "is_ours": False, "version": "1.0"}
    asked: dict[str, Any] = {"description": "", "asks_for": [], "may": [], "left_alone": False, "failures": []}
    return row | asked | more


PLUGINS = {
    "plugins": [
        _plugin(
            "weather", "enabled", description="Says what the weather will be.", asks_for=["network"], may=["network"]
        ),
        _plugin("diary", "off", description="Keeps a diary of the day.", asks_for=["files", "memory-read"]),
        _plugin("lights", "failed to load", reason="Its file plugin.py has an error in line 12."),
        *(_plugin(name, "enabled", is_ours=True) for name in ("clock", "maths", "timers", "memory", "volume")),
    ]
}
DESKTOP = {"autostart": {"on": True, "place": ""}, "talk_key": {"way": "", "bound": "", "problem": ""}}
ANSWERS: Mapping[str, Any] = {
    "settings.list": listed(),
    "settings.set": next(row for row in listed()["settings"] if row["name"] == "models.voice") | NOTHING_WRONG,
    **{f"models.{action}": SHELF for action in ("list", "pull", "cancel", "verify", "remove")},
    "personality.list": PERSONALITIES,
    "voices.list": VOICES,
    "cloud.list": CLOUD,
    "plugins.list": PLUGINS,
    "desktop.show": DESKTOP,
    "personality.preview": {"question": "", "text": "How about a tomato soup? The basil on the sill wants to be used."},
}
COMING = replace(AWAKE, tasks=(Task("models.pull qwen3-1.7b", 640.0 * MB, 1834.0 * MB, 240, "fetching"),))
AWAY = listed(cloud__language_model="local_first", cloud__chat_model="openai/gpt-5-mini", models__speed="1.2")


def _search(window: Window) -> None:
    page = window.page
    assert isinstance(page, SettingsPage)
    page.search.setText("silence")
    page.search.returnPressed.emit()
    everything = page.section
    assert isinstance(everything, Everything)
    patience = QDeadlineTimer(WHOLE_MS)
    while not everything.is_whole and not patience.hasExpired():
        QTest.qWait(20)


def _ask_to_remove(window: Window) -> None:
    from companion.ui.pages.settings.model_row import ModelRow

    row = next(one for one in window.findChildren(ModelRow) if one.name == "whisper-base")
    row.remove.click()


def _allow(window: Window) -> None:
    from companion.ui.pages.settings.plugin_card import PluginCard

    card = next(one for one in window.findChildren(PluginCard) if one.name == "diary")
    card.switch.setChecked(True)


def _try(window: Window) -> None:
    page = window.page
    assert isinstance(page, SettingsPage)
    assert isinstance(page.section, PersonalitySection)
    page.section.ask.click()


SCENES = (
    *(
        page_scene(f"settings/{part}", "full", answers=ANSWERS)
        for part in ("general", "personality", "voices", "privacy", "plugins", "everything")
    ),
    page_scene("settings/models", "full", answers=ANSWERS, state=COMING, size=(1000, 1200)),
    page_scene("settings/models", "narrow", answers=ANSWERS, state=COMING, size=SMALL_SIZE),
    page_scene("settings/models", "removing", answers=ANSWERS, then=_ask_to_remove),
    page_scene(
        "settings/models",
        "not-brought",
        answers=ANSWERS,
        state=replace(
            AWAKE,
            tasks=(Task("models.pull joe", is_over=True, fault=Fault(UNREACHED, TRY_LATER)),),
        ),
        size=(1000, 1200),
    ),
    page_scene(
        "settings/voices",
        "none",
        answers={**ANSWERS, "voices.list": {**VOICES, "voices": [], "language": "zh"}},
    ),
    page_scene(
        "settings/privacy",
        "away",
        answers={**ANSWERS, "settings.list": AWAY},
        state=replace(AWAKE, sent=(("api.openai.com", 48_200),), waiting=("cloud.language_model", "cloud.chat_model")),
        size=(1000, 1200),
    ),
    page_scene("settings/privacy", "narrow", answers={**ANSWERS, "settings.list": AWAY}, size=TALL),
    page_scene("settings/personality", "narrow", answers=ANSWERS, size=TALL, then=_try),
    page_scene("settings/plugins", "asking", answers=ANSWERS, then=_allow),
    page_scene("settings/plugins", "none", answers={**ANSWERS, "plugins.list": {"plugins": PLUGINS["plugins"][3:]}}),
    page_scene("settings/general", "search", answers=ANSWERS, then=_search),
    page_scene(
        "settings/general",
        "broken-file",
        answers={
            **ANSWERS,
            "settings.list": listed()
            | {
                "problem": "settings.toml line 12: sound.volume is 'loud'",
                "mend": "Make it a number from 0 to 1.",
            },
        },
    ),
    page_scene("settings/general", "narrow", answers=ANSWERS, size=SMALL_SIZE),
)
