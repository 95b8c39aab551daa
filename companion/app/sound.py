"""The ears and the mouth: the real devices of this machine, or files in their place."""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from companion.app.events import Problem, Solved, Telling
from companion.app.paths import bundled
from companion.audio.devices import Devices
from companion.audio.echo import EchoCanceller
from companion.audio.files import FileMicrophone, FileSpeaker, at_once
from companion.audio.microphone import Microphone, MicrophoneState
from companion.audio.speaker import Speaker
from companion.audio.vad import QUIET_BELOW
from companion.audio.wave import read_sound
from companion.errors import SoundFileError
from companion.settings.schema import Sound
from companion.stream import Stream
from companion.voice.contract import Mouth
from companion.voice.events import Ignored, Level, State, StateChanged
from companion.voice.orders import Reason

QUIET_BLOCK_MS = 400
"""While it sleeps in a quiet room: few wake-ups, so that idling costs little, yet none longer than a wake word."""
NOISY_BLOCK_MS = 80
"""While it sleeps and something is to be heard, which may be the wake word."""
AWAKE_BLOCK_MS = 20
SOUND_ENDINGS = (".wav", ".flac", ".ogg")
FILE_SILENCE = 180.0
"""Seconds of silence behind a sound file: room for the longest answer."""


@dataclass(frozen=True, slots=True)
class Ends:
    """Both ends of the voice loop. ``close`` gives the devices back; ``adopt`` has them go by other settings."""

    ears: Stream
    mouth: Mouth
    close: Callable[[], Awaitable[None]]
    adopt: Callable[[Sound], None] = lambda sound: None


OpenEnds: TypeAlias = Callable[[Telling], Awaitable[Ends]]


def of_this_machine(wanted: Callable[[], Sound]) -> OpenEnds:
    """The microphone and the loudspeaker that the settings name at that time, the echo between them taken out."""

    async def open_ends(telling: Telling) -> Ends:
        sound = wanted()
        devices = Devices()
        speaker = Speaker(
            sound.speaker,
            devices=devices,
            volume=sound.volume,
            sounds=bundled("assets") / "sounds",
            chimes=sound.chimes,
        )
        microphone = Microphone(
            sound.microphone, devices=devices, on_state=lambda state: telling.tell(_as_event(state))
        )
        canceller = EchoCanceller(
            speaker.reference,
            microphone.time_of,
            echo_cancellation=sound.echo_cancellation,
            noise_suppression=sound.noise_suppression,
            gain_db=sound.gain,
        )
        ears = await canceller.transform(microphone)
        unsubscribe = telling.subscribe(_Attention(microphone, speaker, canceller).notice)

        async def close() -> None:
            unsubscribe()
            try:
                await ears.close()
            finally:
                await speaker.close()

        def adopt(sound: Sound) -> None:
            speaker.volume, speaker.chimes = sound.volume, sound.chimes
            canceller.adopt(
                echo_cancellation=sound.echo_cancellation,
                noise_suppression=sound.noise_suppression,
                gain_db=sound.gain,
            )

        return Ends(ears, speaker, close, adopt)

    return open_ends


class _Attention:
    """Rests the devices while nobody speaks, and has them ready before they are needed."""

    def __init__(self, microphone: Microphone, speaker: Speaker, canceller: EchoCanceller) -> None:
        self._microphone = microphone
        self._speaker = speaker
        self._canceller = canceller
        self._sleeps = True

    def notice(self, event: object) -> None:
        match event:
            case Level(dbfs) if self._sleeps:
                self._microphone.block_ms = QUIET_BLOCK_MS if dbfs < QUIET_BELOW else NOISY_BLOCK_MS
            case StateChanged(state):
                self._sleeps = state in (State.ASLEEP, State.MUTED, State.DEAF)
                self._microphone.block_ms = NOISY_BLOCK_MS if self._sleeps else AWAKE_BLOCK_MS
                if state is State.HEARING:
                    self._speaker.prime()
            case Ignored(Reason.OWN_VOICE):
                self._canceller.doubt()
            case _:
                pass


def _as_event(state: MicrophoneState) -> Problem | Solved:
    return Solved("microphone") if state.is_open else Problem("microphone", state.error, state.mend)


def writable(file: Path) -> Path:
    """The place of a sound file that is to be written later, looked at before the work begins.

    Raises:
        SoundFileError: it cannot be written there, or the ending names no kind of sound.
    """
    if file.suffix.lower() not in SOUND_ENDINGS:
        endings = ", ".join(SOUND_ENDINGS)
        raise SoundFileError(f"{file}: the ending names no kind of sound", file=str(file), mend=f"Use {endings}.")
    if not file.parent.is_dir() or not os.access(file.parent, os.W_OK | os.X_OK) or file.is_dir():
        raise SoundFileError(f"{file}: it cannot be written there", file=str(file), mend="Name another place.")
    return file


class FileEnds:
    """A question in one sound file, the answer in another.

    question: any sound file; it is read at once.

    Raises:
        SoundFileError: it cannot be read.
    """

    def __init__(self, question: Path) -> None:
        self._microphone = FileMicrophone(read_sound(question), silence=FILE_SILENCE, pace=at_once)
        self._speaker = FileSpeaker(self._microphone)

    async def open(self, telling: Telling) -> Ends:
        return Ends(self._microphone, self._speaker, self._microphone.close)

    def write(self, answer: Path) -> None:
        """Write what was said.

        Raises:
            SoundFileError: the place cannot be written.
        """
        self._speaker.write(answer)
