"""What the choices of a setting are called."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication

translate = QCoreApplication.translate

Choice = tuple[str, str]
"""The value, and what it is called."""

_LANGUAGES: tuple[Choice, ...] = (
    ("en", "English"),
    ("zh", "中文（简体）"),
    ("de", "Deutsch"),
    ("fr", "Français"),
    ("es", "Español"),
    ("it", "Italiano"),
    ("pt", "Português"),
    ("nl", "Nederlands"),
    ("pl", "Polski"),
    ("ru", "Русский"),
    ("uk", "Українська"),
    ("tr", "Türkçe"),
    ("ja", "日本語"),
    ("ko", "한국어"),
    ("ar", "العربية"),
    ("hi", "हिन्दी"),
)


def choices_of(setting: str, allowed: Sequence[str]) -> Sequence[Choice]:
    """The choices of a setting. allowed: those it has by itself; a text may have some here, too."""
    if setting == "general.language":
        return (("auto", translate("Settings", "Whichever I hear")), *_LANGUAGES)
    names = _names()
    return tuple((value, names.get(value) or value.replace("_", " ").title()) for value in allowed)


def personality_name(which: str) -> str:
    """What a personality is called."""
    names = {
        "personal": translate("Settings", "Yours"),
        "default": translate("Settings", "Calm"),
        "concise": translate("Settings", "Brief"),
        "warm": translate("Settings", "Warm"),
        "playful": translate("Settings", "Playful"),
    }
    return names.get(which) or which.replace("-", " ").capitalize()


def personality_about(which: str) -> str:
    """What one that came with the companion is like; empty for others."""
    words = {
        "default": translate("Settings", "Warm and calm, in one to three short sentences."),
        "concise": translate("Settings", "One short sentence, and no small talk."),
        "warm": translate("Settings", "Like a good friend of the family: kind, patient, interested in you."),
        "playful": translate("Settings", "Cheerful, with dry wit; plain and quick when you are worried."),
    }
    return words.get(which, "")


def language_name(tag: str) -> str:
    """A language in its own words."""
    return dict(_LANGUAGES).get(tag.replace("_", "-").partition("-")[0].lower(), tag)


def _names() -> dict[str, str]:
    return {
        "local": translate("Settings", "Only this computer"),
        "local_first": translate("Settings", "This computer, else the provider"),
        "cloud_first": translate("Settings", "The provider, else this computer"),
        "auto": translate("Settings", "As it fits"),
        "always": translate("Settings", "Always"),
        "never": translate("Settings", "Never"),
        "debug": translate("Settings", "Everything"),
        "info": translate("Settings", "What happens"),
        "warning": translate("Settings", "What is strange"),
        "error": translate("Settings", "What is wrong"),
    }
