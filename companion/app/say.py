"""One text, said: into a sound file or through the loudspeaker."""

from __future__ import annotations

from pathlib import Path

from companion.agent.agent import said_at_once
from companion.app.ensemble import speaking
from companion.app.events import Telling
from companion.app.models import ModelRoom
from companion.app.orders import is_text
from companion.app.paths import Paths
from companion.app.shelf import build_shelf
from companion.app.sound import writable
from companion.audio.speaker import Speaker
from companion.audio.wave import write_sound
from companion.errors import BadInput, ModelDied
from companion.settings.schema import Settings, Sound
from companion.stream import Blob, Stream, pcm_format
from companion.voice.speech import SpeechCutter

LONGEST = 20_000
"""Characters."""


def checked(text: str) -> str:
    """A text that can be said.

    Raises:
        BadInput: it is empty, too long, or no text.
    """
    if not text.strip():
        raise BadInput("there is nothing to say", mend='Give the text in quotes: companion say "good morning".')
    if len(text) > LONGEST:
        raise BadInput(f"the text is longer than {LONGEST} characters", mend="Say it in parts.")
    if not is_text(text):
        raise BadInput("the text is no UTF-8", mend="Type it in a terminal that is set to UTF-8.")
    return text


async def say(
    settings: Settings, paths: Paths, text: str, *, language: str, out: Path | None, telling: Telling
) -> float:
    """Say ``text``; returns the seconds of sound.

    language: a tag as "en".
    out: the sound file to write; None plays it.

    Raises:
        SoundFileError: the file cannot be written.
        ModelMissing: there is no voice.
        DeviceError: there is no loudspeaker.
    """
    place = writable(out) if out is not None else None
    room = ModelRoom.of(settings, paths, build_shelf(paths.shelf))
    speak, models = speaking(room, telling)
    try:
        sound = await speak.transform(await SpeechCutter(language).transform(said_at_once(text, language)))
        return await (_played(sound, settings.sound) if place is None else _written(sound, place))
    finally:
        for model in models:
            await model.close()


async def _played(sound: Stream, settings: Sound) -> float:
    speaker = Speaker(settings.speaker, volume=settings.volume)
    try:
        played = await speaker.play(sound, on_first_sound=lambda: None)
    finally:
        await speaker.close()
    return sum(piece.played for piece in played.pieces)


async def _written(sound: Stream, out: Path) -> float:
    pcm, rate = bytearray(), 0
    async for chunk in sound:
        if isinstance(chunk.part, Blob) and (form := pcm_format(chunk.part.mime_type)):
            rate = rate or form.rate
            pcm += chunk.part.data
    if not pcm:
        raise ModelDied("the voice made no sound", mend="Check the text: only words are spoken.")
    write_sound(out, bytes(pcm), rate)
    return len(pcm) / 2 / rate
