"""What was said, in words: of a sound file, or of the next sentence at the microphone."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from companion.app.models import ModelRoom
from companion.app.one_try import one_try
from companion.app.paths import Paths
from companion.app.shelf import build_shelf
from companion.audio.senses import RoomSenses
from companion.audio.wave import read_sound
from companion.errors import BadInput, SoundFileError, Unsupported
from companion.settings.schema import Settings
from companion.stream import Blob, Stream, Text
from companion.voice.contract import BYTES_PER_SECOND, RATE, Senses
from companion.voice.cues import Silence, Voice
from companion.voice.endpoint import Endpointer

if TYPE_CHECKING:
    from companion.providers.local.faster_whisper import WhisperRecogniser

PATIENCE = 15.0
"""Seconds to wait for somebody to speak."""
END_SILENCE = 0.8
"""Seconds of silence that end the sentence."""
LONGEST = 30.0
"""Seconds of a sentence."""
PRE_ROLL = 0.5
LONGEST_FILE = 60
"""Seconds of a file."""


async def listen_to_file(
    settings: Settings, paths: Paths, file: Path, *, language: str, translate: bool = False
) -> Text:
    """The words in a sound file, in English if they are to be translated; empty where nobody speaks.

    Raises:
        SoundFileError: it cannot be read, or is too long.
        ModelMissing: there is no recogniser.
    """
    sound = read_sound(file)
    if len(sound) > LONGEST_FILE * BYTES_PER_SECOND:
        raise SoundFileError(
            f"{file}: is longer than {LONGEST_FILE} s", file=str(file), mend="Cut it into shorter files."
        )
    recogniser = _recogniser(settings, paths, language, translate)
    try:
        return await _heard(recogniser, sound)
    finally:
        await recogniser.close()


async def listen_at_microphone(
    settings: Settings, paths: Paths, *, language: str, translate: bool = False, on_ready: Callable[[], None]
) -> Text:
    """The next sentence somebody says, in English if it is to be translated; empty where nobody does for a while.

    on_ready: told when the microphone hears.

    Raises:
        DeviceError: the microphone does not open.
        ModelMissing: there is no recogniser.
    """
    recogniser = _recogniser(settings, paths, language, translate)
    senses = await asyncio.to_thread(RoomSenses)
    try:
        async with one_try(settings.sound.microphone) as ears:
            sound = await sentence(ears, senses, on_ready)
        return await _heard(recogniser, sound)
    finally:
        await recogniser.close()


async def sentence(ears: Stream, senses: Senses, on_ready: Callable[[], None] = lambda: None) -> bytes:
    """The sound of the next sentence, from half a second before it; empty where nobody speaks.

    Raises:
        StreamError: the ears failed.
    """
    endpointer, heard = Endpointer(), bytearray()
    began: float | None = None
    at = 0.0
    async for chunk in ears:
        if not isinstance(chunk.part, Blob):
            continue
        if not heard:
            on_ready()
        heard += chunk.part.data
        sensed = senses.hear(chunk.part.data)
        before, at = at, at + len(chunk.part.data) / BYTES_PER_SECOND
        match endpointer.hear(sensed.voice, sensed.level, before, at):
            case Voice(since=since):
                began = since if began is None else began
            case Silence(since=since) if began is not None and at - since >= END_SILENCE:
                break
        if at >= (PATIENCE if began is None else began + LONGEST):
            break
    return b"" if began is None else bytes(heard[_byte_at(began - PRE_ROLL) :])


async def _heard(recogniser: WhisperRecogniser, sound: bytes) -> Text:
    try:
        return await recogniser.hear(sound)
    except Unsupported as refusal:  # the language or the translation, which the user asked for
        raise BadInput(str(refusal), mend=refusal.mend) from refusal


def _recogniser(settings: Settings, paths: Paths, language: str, translate: bool) -> WhisperRecogniser:
    room = ModelRoom.of(settings, paths, build_shelf(paths.shelf))
    return room.recogniser(language=language, translate=translate)


def _byte_at(seconds: float) -> int:
    return 2 * max(round(seconds * RATE), 0)
