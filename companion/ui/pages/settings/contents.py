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


_PARTS = (
    ("general", QT_TRANSLATE_NOOP("SettingsParts", "General"), "settings",
     QT_TRANSLATE_NOOP("SettingsParts", "language name start login key"), _general),
    ("personality", QT_TRANSLATE_NOOP("SettingsParts", "Personality"), "person",
     QT_TRANSLATE_NOOP("SettingsParts", "character manner who"), _personality),
    ("voices", QT_TRANSLATE_NOOP("SettingsParts", "Voice"), "voice",
     QT_TRANSLATE_NOOP("SettingsParts", "voices speed speak sound"), _voices),
    ("models", QT_TRANSLATE_NOOP("SettingsParts", "Models"), "brain",
     QT_TRANSLATE_NOOP("SettingsParts", "download brain whisper memory size disk"), _models),
    ("sound", QT_TRANSLATE_NOOP("SettingsParts", "Sound"), "sound",
     QT_TRANSLATE_NOOP("SettingsParts", "microphone loudspeaker echo wake word volume"), _sound),
    ("privacy", QT_TRANSLATE_NOOP("SettingsParts", "Privacy"), "shield",
     QT_TRANSLATE_NOOP("SettingsParts", "cloud provider key budget internet cost"), _privacy),
    ("plugins", QT_TRANSLATE_NOOP("SettingsParts", "Plugins"), "plugin",
     QT_TRANSLATE_NOOP("SettingsParts", "talents permissions extensions"), _plugins),
    ("everything", QT_TRANSLATE_NOOP("SettingsParts", "All settings"), "list",
     QT_TRANSLATE_NOOP("SettingsParts", "advanced expert"), _everything),
)  # fmt: skip
PARTS = tuple(Part(name, str(title), icon, str(topics), build) for name, title, icon, topics, build in _PARTS)
