"""The sections of the settings: what they are called, what they are about, and what builds them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication

from companion.ui.bridge import Bridge
from companion.ui.pages.settings.book import Book
from companion.ui.pages.settings.section import Section


@dataclass(frozen=True, slots=True)
class Part:
    """name: how it is asked for. title, topics: untranslated; the latter is what else it is found by."""

    name: str
    title: str
    icon: str
    topics: str
    build: Callable[[Bridge, Book], Section]

    @property
    def shown(self) -> str:
        """Its title in the language of the window."""
        return QCoreApplication.translate("SettingsParts", self.title)

    @property
    def about(self) -> str:
        """What it is found by, in the language of the window."""
        return QCoreApplication.translate("SettingsParts", self.topics)


def _general(bridge: Bridge, book: Book) -> Section:
    from companion.ui.pages.settings.general import GeneralSection

    return GeneralSection(bridge, book)


def _personality(bridge: Bridge, book: Book) -> Section:
    from companion.ui.pages.settings.personality import PersonalitySection

    return PersonalitySection(bridge, book)


def _voices(bridge: Bridge, book: Book) -> Section:
    from companion.ui.pages.settings.voices import VoicesSection

    return VoicesSection(bridge, book)


def _models(bridge: Bridge, book: Book) -> Section:
    from companion.ui.pages.settings.models import ModelsSection

    return ModelsSection(bridge, book)


def _sound(bridge: Bridge, book: Book) -> Section:
    from companion.ui.pages.settings.sound_section import SoundSection

    return SoundSection(bridge, book)


def _privacy(bridge: Bridge, book: Book) -> Section:
    from companion.ui.pages.settings.privacy import PrivacySection

    return PrivacySection(bridge, book)


def _plugins(bridge: Bridge, book: Book) -> Section:
    from companion.ui.pages.settings.plugins import PluginsSection

    return PluginsSection(bridge, book)


def _everything(bridge: Bridge, book: Book) -> Section:
    from companion.ui.pages.settings.everything import Everything

    return Everything(bridge, book)


PARTS = (
    Part(
        "general",
        str(QT_TRANSLATE_NOOP("SettingsParts", "General")),
        "settings",
        str(QT_TRANSLATE_NOOP("SettingsParts", "language name start login key")),
        _general,
    ),
    Part(
        "personality",
        str(QT_TRANSLATE_NOOP("SettingsParts", "Personality")),
        "person",
        str(QT_TRANSLATE_NOOP("SettingsParts", "character manner who")),
        _personality,
    ),
    Part(
        "voices",
        str(QT_TRANSLATE_NOOP("SettingsParts", "Voice")),
        "voice",
        str(QT_TRANSLATE_NOOP("SettingsParts", "voices speed speak sound")),
        _voices,
    ),
    Part(
        "models",
        str(QT_TRANSLATE_NOOP("SettingsParts", "Models")),
        "brain",
        str(QT_TRANSLATE_NOOP("SettingsParts", "download brain whisper memory size disk")),
        _models,
    ),
    Part(
        "sound",
        str(QT_TRANSLATE_NOOP("SettingsParts", "Sound")),
        "sound",
        str(QT_TRANSLATE_NOOP("SettingsParts", "microphone loudspeaker echo wake word volume")),
        _sound,
    ),
    Part(
        "privacy",
        str(QT_TRANSLATE_NOOP("SettingsParts", "Privacy")),
        "shield",
        str(QT_TRANSLATE_NOOP("SettingsParts", "cloud provider key budget internet cost")),
        _privacy,
    ),
    Part(
        "plugins",
        str(QT_TRANSLATE_NOOP("SettingsParts", "Plugins")),
        "plugin",
        str(QT_TRANSLATE_NOOP("SettingsParts", "talents permissions extensions")),
        _plugins,
    ),
    Part(
        "everything",
        str(QT_TRANSLATE_NOOP("SettingsParts", "All settings")),
        "list",
        str(QT_TRANSLATE_NOOP("SettingsParts", "advanced expert")),
        _everything,
    ),
)
