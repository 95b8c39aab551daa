"""What a trial works with: one microphone, one loudspeaker, and whoever has to let go of them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass

from companion.app.loan import Borrow, nobody_has_them
from companion.app.one_try import one_try
from companion.app.paths import bundled
from companion.audio.devices import Devices
from companion.audio.level import rms_dbfs
from companion.audio.microphone import Microphone
from companion.audio.resample import samples_of
from companion.audio.speaker import Speaker
from companion.audio.wave import read_sound
from companion.settings.schema import Sound
from companion.stream import (
    Blob,
    MessageChunk,
    Role,
    Stream,
    StreamCtrl,
    Text,
    begin_of_stream,
    end_of_stream,
    pcm,
    stream_of,
)
from companion.voice.contract import BYTES_PER_SECOND, RATE

_SLICE = BYTES_PER_SECOND // 10
_ROUTE = "trial"


@dataclass(frozen=True, slots=True)
class Equipment:
    """``sound`` names the devices."""

    sound: Sound
    devices: Devices
    borrow: Borrow = nobody_has_them

    def ears(self, *, block_ms: int = 20) -> AbstractAsyncContextManager[Microphone]:
        """The microphone, open while the block runs; see ``one_try`` for what it raises."""
        return one_try(self.sound.microphone, self.devices, block_ms=block_ms)

    @asynccontextmanager
    async def mouth(self) -> AsyncIterator[Speaker]:
        """The loudspeaker while the block runs; one that is not there is not waited for."""
        speaker = Speaker(
            self.sound.speaker,
            devices=self.devices,
            volume=self.sound.volume,
            is_patient=False,
        )
        try:
            yield speaker
        finally:
            await speaker.close()


def sound_in(chunk: MessageChunk) -> bytes:
    """The sound of a chunk; empty where it has none."""
    return chunk.part.data if isinstance(chunk.part, Blob) else b""


def loudness(sound: bytes) -> float:
    """In dBFS."""
    return rms_dbfs(samples_of(sound))


def chime() -> bytes:
    """The sound of a companion that is ready, with a little silence behind it. Blocking."""
    return read_sound(bundled("assets") / "sounds" / "ready.wav") + bytes(_SLICE)


def to_play(sound: bytes) -> Stream:
    """16 kHz sound as the loudspeaker takes it."""
    ctrl = StreamCtrl(_ROUTE)
    slices = [sound[at : at + _SLICE] for at in range(0, len(sound), _SLICE)]
    return stream_of(
        [
            begin_of_stream(_ROUTE, role=Role.MODEL),
            MessageChunk(Role.MODEL, part=Text("."), ctrl=ctrl),
            *(MessageChunk(Role.MODEL, part=pcm(piece, RATE), ctrl=ctrl) for piece in slices),
            end_of_stream(_ROUTE, role=Role.MODEL, part=pcm(b"", RATE)),
            end_of_stream(_ROUTE, role=Role.MODEL),
        ]
    )
