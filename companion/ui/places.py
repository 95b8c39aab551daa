"""The six places of the window: what they are called, their icon, and what builds them when they are first entered."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication

from companion.ui.bridge import Bridge
from companion.ui.pages.page import Page


@dataclass(frozen=True, slots=True)
class Place:
    """name: how it is asked for. title: untranslated. is_apart: whether a line stands above it in the rail."""

    name: str
    title: str
    icon: str
    build: Callable[[Bridge], Page]
    is_apart: bool = False

    @property
    def shown(self) -> str:
        """Its title in the language of the window."""
        return QCoreApplication.translate("Places", self.title)


def _talk(bridge: Bridge) -> Page:
    from companion.ui.pages.talk.page import TalkPage

    return TalkPage(bridge)


def _memory(bridge: Bridge) -> Page:
    from companion.ui.pages.memory.page import MemoryPage

    return MemoryPage(bridge)


def _knowledge(bridge: Bridge) -> Page:
    from companion.ui.pages.knowledge.page import KnowledgePage

    return KnowledgePage(bridge)


def _home(bridge: Bridge) -> Page:
    from companion.ui.pages.home.page import HomePage

    return HomePage(bridge)


def _settings(bridge: Bridge) -> Page:
    from companion.ui.pages.settings.page import SettingsPage

    return SettingsPage(bridge)


def _health(bridge: Bridge) -> Page:
    from companion.ui.pages.health.page import HealthPage

    return HealthPage(bridge)


PLACES = (
    Place("talk", str(QT_TRANSLATE_NOOP("Places", "Talk")), "talk", _talk),
    Place("memory", str(QT_TRANSLATE_NOOP("Places", "Memory")), "memory", _memory),
    Place("knowledge", str(QT_TRANSLATE_NOOP("Places", "Knowledge")), "knowledge", _knowledge),
    Place("home", str(QT_TRANSLATE_NOOP("Places", "Home")), "home", _home),
    Place("settings", str(QT_TRANSLATE_NOOP("Places", "Settings")), "settings", _settings, is_apart=True),
    Place("health", str(QT_TRANSLATE_NOOP("Places", "Health")), "health", _health),
)
