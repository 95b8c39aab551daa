"""What the engine says of its troubles, in the language of the window.

The engine speaks English, and whoever runs it by commands reads that. Here its sentences are known again by their
form and said in the window's language; those that are not known, as the words of a library, stay as they are.
"""

from __future__ import annotations

import functools
import re

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication

from companion.ui.engine_sentences import cloud, files, memory, models, sound, talking
from companion.ui.translations import ENGLISH, worn

SENTENCES = (
    *sound.SENTENCES,
    *models.SENTENCES,
    *talking.SENTENCES,
    *files.SENTENCES,
    *memory.SENTENCES,
    *cloud.SENTENCES,
)
"""What went wrong, and what to do about it."""

LAST = QT_TRANSLATE_NOOP("Engine", "{place}: {reason}")
"""What is left of a sentence that is not known, and may be so in its parts."""

NOTES = (
    QT_TRANSLATE_NOOP("Engine", "A calm man's voice."),
    QT_TRANSLATE_NOOP("Engine", "English only; quick enough for a Raspberry Pi."),
    QT_TRANSLATE_NOOP("Engine", "Finds texts by their meaning, thousands a second."),
    QT_TRANSLATE_NOOP("Engine", "For machines of 2 to 4 GB; many languages and tools."),
    QT_TRANSLATE_NOOP("Engine", "For machines of 4 to 8 GB with four cores or more."),
    QT_TRANSLATE_NOOP("Engine", "For machines of 4 to 8 GB; quick for its cleverness."),
    QT_TRANSLATE_NOOP("Engine", "For machines of 8 GB and more with six cores or more."),
    QT_TRANSLATE_NOOP("Engine", "Hears better than base, at about three times the work."),
    QT_TRANSLATE_NOOP("Engine", "Hears most languages; the one to have on a PC."),
    QT_TRANSLATE_NOOP("Engine", "Hears whether a sentence sounds finished."),
    QT_TRANSLATE_NOOP("Engine", "Made for code; small, and can use tools."),
    QT_TRANSLATE_NOOP("Engine", "Small talk in English on any machine; cannot use tools."),
)
"""What the manifests say of the models."""

MOST_KEPT = 256
"""Texts of which it is known how they are said: a state that is shown is told many times a second."""
_PART = re.compile(r"\\\{(\w+)\\\}")
_NUMBERS = frozenset({"size", "bytes", "left", "count", "number", "seconds", "line", "low", "high", "level"})
"""Blanks that hold nothing but a number."""
_NUMBER = r"-?[\d.,]+"
_NARROW = {"setting": r"[\w.]+", "desk": r"\w+", "action": r"\w+"}
"""Blanks that hold a single word."""


def in_window_language(text: str) -> str:
    """A sentence of the engine in the language of the window, where it is known; else as it is."""
    return text if not text or worn() == ENGLISH else _said(text, worn())


@functools.lru_cache(maxsize=MOST_KEPT)
def _said(text: str, language: str) -> str:
    """As above; the language is the one that is worn."""
    plain = text.strip()
    several = plain.split(". ")
    if len(several) > 1 and all(form_of(one) not in ("", LAST) for one in several):
        # Where one says what is wrong and the next what helps.
        return QCoreApplication.translate("Engine", ". ").join(map(in_window_language, several))
    for pattern, sentence in _known():
        found = pattern.fullmatch(plain)
        if found is not None:
            said = QCoreApplication.translate("Engine", sentence)
            # What is filled in may be a sentence itself, as what is wrong in a file.
            return said.format(**{name: in_window_language(part) for name, part in found.groupdict().items()})
    return text


def form_of(text: str) -> str:
    """The sentence that the text is known by; empty where it is not."""
    return next((sentence for pattern, sentence in _known() if pattern.fullmatch(text.strip())), "")


@functools.cache
def _known() -> list[tuple[re.Pattern[str], str]]:
    """Every sentence with the form by which it is known; those that say most by themselves come first."""
    sentences = sorted(map(str, (*SENTENCES, *NOTES, LAST)), key=lambda one: -len(re.sub(r"\{\w+\}", "", one)))
    return [(re.compile(_form(one), re.IGNORECASE | re.DOTALL), one) for one in sentences]


def _form(sentence: str) -> str:
    """Names stand between quotation marks of either kind, as there may be one in a name."""
    form = _PART.sub(_blank, re.escape(sentence.rstrip(".")))
    return form.replace("'(?P", "['\"](?P").replace(")'", ")['\"]") + r"\.?"


def _blank(part: re.Match[str]) -> str:
    what = _NUMBER if part[1] in _NUMBERS else _NARROW.get(part[1], ".+?")
    return f"(?P<{part[1]}>{what})"
