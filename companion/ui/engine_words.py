"""What the engine says of its troubles, in the language of the window: the sentences people are most likely to meet.

The engine speaks English, and whoever runs it by commands reads that. Here its sentences are known again by their
form and said in the window's language; those that are not known stay as they are.
"""

from __future__ import annotations

import functools
import re

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication

from companion.ui.translations import ENGLISH, worn

SENTENCES = (
    QT_TRANSLATE_NOOP("Engine", "there is no microphone named '{name}'"),
    QT_TRANSLATE_NOOP("Engine", "there is no loudspeaker named '{name}'"),
    QT_TRANSLATE_NOOP("Engine", "there is no microphone"),
    QT_TRANSLATE_NOOP("Engine", "there is no loudspeaker"),
    QT_TRANSLATE_NOOP("Engine", "no sound system answers"),
    QT_TRANSLATE_NOOP("Engine", "the sound system does not answer: {reason}"),
    QT_TRANSLATE_NOOP("Engine", "the microphone '{name}' has gone"),
    QT_TRANSLATE_NOOP("Engine", "the microphone '{name}' has been unplugged"),
    QT_TRANSLATE_NOOP("Engine", "the microphone '{name}' has fallen silent"),
    QT_TRANSLATE_NOOP("Engine", "the microphone has sent only zeros for a long time"),
    QT_TRANSLATE_NOOP("Engine", "the microphone is in use by another program"),
    QT_TRANSLATE_NOOP("Engine", "the loudspeaker is in use by another program"),
    QT_TRANSLATE_NOOP("Engine", "that microphone is not there"),
    QT_TRANSLATE_NOOP("Engine", "that loudspeaker is not there"),
    QT_TRANSLATE_NOOP("Engine", "the microphone will not open: {reason}"),
    QT_TRANSLATE_NOOP("Engine", "the loudspeaker will not open: {reason}"),
    QT_TRANSLATE_NOOP("Engine", "there are no models yet; missing: {names}"),
    QT_TRANSLATE_NOOP("Engine", "there is no voice on the shelf for {language}; {meanwhile}"),
    QT_TRANSLATE_NOOP("Engine", "there is no voice on the shelf for {language}"),
    QT_TRANSLATE_NOOP("Engine", "espeak-ng speaks it meanwhile"),
    QT_TRANSLATE_NOOP("Engine", "the answer can only be read"),
    QT_TRANSLATE_NOOP("Engine", "there is no voice"),
    QT_TRANSLATE_NOOP("Engine", "there is no language model that could answer"),
    QT_TRANSLATE_NOOP(
        "Engine", "{what} needs {needed} ({bytes} bytes) in {folder}, but {free} ({left} bytes) are free"
    ),
    QT_TRANSLATE_NOOP("Engine", "{file} could not be written: {reason}"),
    QT_TRANSLATE_NOOP("Engine", "{file} cannot be written: {reason}"),
    QT_TRANSLATE_NOOP("Engine", "{file} cannot be changed: {reason}"),
    QT_TRANSLATE_NOOP("Engine", "{file} cannot be read: {reason}"),
    QT_TRANSLATE_NOOP("Engine", "the file of the timers cannot be read"),
    QT_TRANSLATE_NOOP("Engine", "{fault}; the last good settings are used"),
    QT_TRANSLATE_NOOP("Engine", "{fault}; the defaults are used"),
    QT_TRANSLATE_NOOP("Engine", "{fault}; the last good settings are used, and the broken file is kept as {name}"),
    QT_TRANSLATE_NOOP("Engine", "{fault}; the defaults are used, and the broken file is kept as {name}"),
    QT_TRANSLATE_NOOP("Engine", "{place}: this is no TOML ({reason})"),
    QT_TRANSLATE_NOOP("Engine", "that time has passed, or is more than a year away"),
    QT_TRANSLATE_NOOP("Engine", "its time has passed"),
    QT_TRANSLATE_NOOP("Engine", "a timer runs for up to 30 days"),
    QT_TRANSLATE_NOOP("Engine", "{count} are set already"),
    QT_TRANSLATE_NOOP("Engine", "the companion is starting"),
    QT_TRANSLATE_NOOP("Engine", "the companion is not listening yet"),
    QT_TRANSLATE_NOOP("Engine", "the companion did not get to it in time"),
    QT_TRANSLATE_NOOP("Engine", "the companion does not run"),
    QT_TRANSLATE_NOOP("Engine", "the companion has stopped listening"),
    QT_TRANSLATE_NOOP("Engine", "something went wrong inside ({kind})"),
    QT_TRANSLATE_NOOP("Engine", "the desktop has no key to talk for us ({reason})"),
    QT_TRANSLATE_NOOP("Engine", "'{keys}' is no key to talk"),
    QT_TRANSLATE_NOOP("Engine", "memory is turned off"),
    QT_TRANSLATE_NOOP("Engine", "there is no backup"),
    QT_TRANSLATE_NOOP("Engine", "this looks like a password, a code or a card number"),
    QT_TRANSLATE_NOOP("Engine", "there is no key for {provider}"),
    QT_TRANSLATE_NOOP("Engine", "there is nothing to take back"),
    QT_TRANSLATE_NOOP("Engine", "{folder} is no folder"),
    QT_TRANSLATE_NOOP("Engine", "stopped"),
    QT_TRANSLATE_NOOP("Engine", "it is locked with a password"),
    QT_TRANSLATE_NOOP("Engine", "it is locked with a password, or a file of an older Word"),
    QT_TRANSLATE_NOOP("Engine", "it has no text; it may be a scan"),
    QT_TRANSLATE_NOOP("Engine", "it is no PDF file, or a broken one"),
    QT_TRANSLATE_NOOP("Engine", "it is no Word file, or a broken one"),
    QT_TRANSLATE_NOOP("Engine", "it is no text, or in an encoding that is not known"),
    QT_TRANSLATE_NOOP("Engine", "it is larger than {size} MB"),
    QT_TRANSLATE_NOOP("Engine", "it cannot be opened: {reason}"),
    QT_TRANSLATE_NOOP("Engine", "it cannot be read: {reason}"),
    QT_TRANSLATE_NOOP("Engine", "nothing is known under that name any more"),
    QT_TRANSLATE_NOOP("Engine", "this cannot be taken back any more"),
    QT_TRANSLATE_NOOP("Engine", "{size} GB free"),
    QT_TRANSLATE_NOOP("Engine", "{url}: comes too slowly"),
    QT_TRANSLATE_NOOP("Engine", "the connection ended early"),
    QT_TRANSLATE_NOOP("Engine", "No space left on device"),
    QT_TRANSLATE_NOOP("Engine", "Permission denied"),
    QT_TRANSLATE_NOOP("Engine", "Read-only file system"),
    QT_TRANSLATE_NOOP("Engine", "No such file or directory"),
)
"""What went wrong."""

MENDS = (
    QT_TRANSLATE_NOOP("Engine", "plug it in, or choose another: companion devices"),
    QT_TRANSLATE_NOOP("Engine", "plug it in again"),
    QT_TRANSLATE_NOOP("Engine", "plug one in"),
    QT_TRANSLATE_NOOP("Engine", "plug in a sound device"),
    QT_TRANSLATE_NOOP(
        "Engine", "start PulseAudio or PipeWire (and: sudo apt install libasound2-plugins), or plug in a sound device"
    ),
    QT_TRANSLATE_NOOP("Engine", "Turn it on in the settings: memory.keep."),
    QT_TRANSLATE_NOOP("Engine", "Make one: companion memory backup"),
    QT_TRANSLATE_NOOP("Engine", "Look at the whole picture."),
    QT_TRANSLATE_NOOP("Engine", "Correct it by hand."),
    QT_TRANSLATE_NOOP("Engine", "Make it {what}."),
    QT_TRANSLATE_NOOP("Engine", "check that it is not muted"),
    QT_TRANSLATE_NOOP("Engine", "check that it is plugged in"),
    QT_TRANSLATE_NOOP("Engine", "start PulseAudio or PipeWire, then try again"),
    QT_TRANSLATE_NOOP(
        "Engine",
        "Run `companion models pull {names}`. Without a network: run it with `--to /media/stick` on a "
        "machine that has one, then with `--from /media/stick` here.",
    ),
    QT_TRANSLATE_NOOP("Engine", "{mend} Then move {name} back to {file}."),
    QT_TRANSLATE_NOOP("Engine", "Free some space there, or set COMPANION_HOME to a folder on a larger disk."),
    QT_TRANSLATE_NOOP("Engine", "Free some space or allow writing there; the file is as it was."),
    QT_TRANSLATE_NOOP("Engine", "Choose another place, or free some space."),
    QT_TRANSLATE_NOOP("Engine", "Free some space: conversations and timers cannot be kept."),
    QT_TRANSLATE_NOOP("Engine", "Free some space before you pull models."),
    QT_TRANSLATE_NOOP("Engine", "Close other programs, or choose smaller models: companion models list."),
    QT_TRANSLATE_NOOP("Engine", "Free some space."),
    QT_TRANSLATE_NOOP("Engine", "Allow writing there."),
    QT_TRANSLATE_NOOP("Engine", "Allow reading it."),
    QT_TRANSLATE_NOOP("Engine", "Allow reading {file}, then start again."),
    QT_TRANSLATE_NOOP("Engine", "Allow your user to read it."),
    QT_TRANSLATE_NOOP("Engine", "Choose another."),
    QT_TRANSLATE_NOOP("Engine", "Choose a shorter time."),
    QT_TRANSLATE_NOOP("Engine", "Cancel one first."),
    QT_TRANSLATE_NOOP("Engine", "Set it anew."),
    QT_TRANSLATE_NOOP("Engine", "Try again."),
    QT_TRANSLATE_NOOP("Engine", "Try again in a moment."),
    QT_TRANSLATE_NOOP("Engine", "Try again later."),
    QT_TRANSLATE_NOOP("Engine", "Start it again."),
    QT_TRANSLATE_NOOP("Engine", "Start it again. The log tells more."),
    QT_TRANSLATE_NOOP("Engine", "See the log."),
    QT_TRANSLATE_NOOP("Engine", "Check the network, or try again later."),
    QT_TRANSLATE_NOOP("Engine", "Those are never kept."),
    QT_TRANSLATE_NOOP("Engine", "Name one that is there."),
    QT_TRANSLATE_NOOP("Engine", "Turn it on: companion settings set memory.keep true"),
    QT_TRANSLATE_NOOP("Engine", "Bind `companion toggle` to a key in the desktop's own keyboard settings."),
    QT_TRANSLATE_NOOP("Engine", "Write some of ctrl, alt, shift, super and a key: ctrl+alt+space."),
)
"""What to do about it."""

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

_PART = re.compile(r"\\\{(\w+)\\\}")
_NUMBERS = frozenset({"size", "bytes", "left", "count"})
"""Blanks that hold nothing but a number."""


def in_window_language(text: str) -> str:
    """A sentence of the engine in the language of the window, where it is known; else as it is."""
    if not text or worn() == ENGLISH:
        return text
    plain = text.strip()
    for pattern, sentence in _known():
        found = pattern.fullmatch(plain)
        if found is not None:
            said = QCoreApplication.translate("Engine", sentence)
            # What is filled in may be a sentence itself, as what is wrong in a file.
            return said.format(**{name: in_window_language(part) for name, part in found.groupdict().items()})
    return text


@functools.cache
def _known() -> list[tuple[re.Pattern[str], str]]:
    """Every sentence with the form by which it is known; those with fewer blanks come first."""
    sentences = sorted(map(str, (*SENTENCES, *MENDS, *NOTES)), key=lambda one: one.count("{"))
    return [(re.compile(_form(one), re.IGNORECASE), one) for one in sentences]


def _form(sentence: str) -> str:
    return _PART.sub(_blank, re.escape(sentence.rstrip("."))) + r"\.?"


def _blank(part: re.Match[str]) -> str:
    what = r"[\d.,]+" if part[1] in _NUMBERS else ".+?"
    return f"(?P<{part[1]}>{what})"
