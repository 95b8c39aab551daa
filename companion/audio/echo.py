"""Takes the companion's own voice, and steady noise, out of the microphone (WebRTC's AEC3 and NS)."""

from __future__ import annotations

import math
from collections.abc import AsyncGenerator, Callable
from dataclasses import replace

import numpy as np
from pywebrtc_audio import AudioProcessor

from companion.audio.level import NoiseFloor
from companion.audio.reference import RATE, Reference
from companion.audio.resample import Floats, Samples, samples_of, to_int16
from companion.audio.settle import LATEST_ECHO, Settling
from companion.stream import Blob, MessageChunk, PulledStream, Stream, pcm, pcm_format

TAIL_SECONDS = 1.5
"""How long after the last played sound the canceller still works: the longest path and a room's echo."""
LEAD_SECONDS = 0.01
"""The reference runs ahead by this, so that a wrong latency report cannot put the echo before its cause."""
NOISY_ABOVE = -55.0
"""dBFS of steady noise from which it is suppressed; in a quieter room speech passes untouched."""
_NOISE_LEVEL = 1

Clock = Callable[[int], float | None]
"""Milliseconds on the sample clock to monotonic seconds."""


class EchoCanceller:
    """A Transformer over the microphone's stream; everything but 16 kHz mono sound passes through.

    It rests, and costs nothing, while nothing was played lately and the room is quiet. Until it has
    settled (``settle.py``), the microphone is silent while the loudspeaker speaks.

    reference: what the loudspeaker played.
    clock: when a moment of the sample clock was heard (``Microphone.time_of``).
    gain_db: added to what it lets through.
    """

    def __init__(
        self,
        reference: Reference,
        clock: Clock,
        *,
        echo_cancellation: bool = True,
        noise_suppression: bool = True,
        gain_db: float = 0.0,
    ) -> None:
        self._reference = reference
        self._clock = clock
        self._echo_cancellation = echo_cancellation
        self._noise_suppression = noise_suppression
        self._gain = 10 ** (gain_db / 20)
        self._doubts = 0

    def doubt(self) -> None:
        """What was taken for a voice over a reply was the reply: let the canceller prove anew that it has settled.

        The way from the loudspeaker to the microphone may have changed, as when one of them was moved.
        """
        self._doubts += 1

    async def transform(self, source: Stream) -> Stream:
        return PulledStream(self._clean(source), source)

    async def _clean(self, source: Stream) -> AsyncGenerator[MessageChunk, None]:
        cleaner = Cleaner(
            self._reference if self._echo_cancellation else None,
            noise_suppression=self._noise_suppression,
            gain=self._gain,
        )
        doubts = self._doubts
        async for chunk in source:
            if doubts != self._doubts:
                doubts = self._doubts
                cleaner.settling.forget()
            match chunk.part:
                case Blob(mime_type, data) if data and pcm_format(mime_type) == (RATE, 1):
                    at = chunk.ctrl.timestamp if chunk.ctrl is not None else None
                    heard_at = self._clock(at) if at is not None else None
                    yield replace(chunk, part=pcm(cleaner.clean(data, heard_at), RATE))
                case _:
                    if chunk.is_begin:
                        cleaner.settling.forget()
                    yield chunk


class Cleaner:
    """The sound half of the canceller, for one stream."""

    def __init__(self, reference: Reference | None, *, noise_suppression: bool, gain: float) -> None:
        self._reference = reference
        self._suppresses = noise_suppression
        self._gain = np.float32(gain)
        self._floor = NoiseFloor()
        self._echo = _Lazy(echo_cancellation=True, noise_suppression=noise_suppression)
        self._noise = _Lazy(echo_cancellation=False, noise_suppression=True)
        self.settling = Settling(RATE)
        self.worked = 0
        """Samples that were not just passed through."""

    def clean(self, sound: bytes, heard_at: float | None) -> bytes:
        """The same stretch without echo and noise; ``heard_at``: monotonic seconds of its first sample."""
        samples = samples_of(sound)
        if self._suppresses:
            self._floor.hear(samples)
        if self._reference is not None and self._hears_itself(heard_at):
            assert heard_at is not None
            cleaned = self._without_echo(samples, heard_at)
        elif self._suppresses and self._floor.dbfs > NOISY_ABOVE:
            cleaned = self._noise.process(samples, None)
        elif self._gain == 1.0:
            return sound
        else:
            return self._amplified(samples.astype(np.float32))
        self.worked += len(samples)
        return self._amplified(cleaned.astype(np.float32)) if self._gain != 1.0 else cleaned.tobytes()

    def _without_echo(self, samples: Samples, heard_at: float) -> Samples:
        assert self._reference is not None
        far = self._reference.read(heard_at + LEAD_SECONDS, len(samples))
        cleaned = self._echo.process(samples, far)
        may_be_heard = self.settling.follow(far, samples, cleaned)
        if self.settling.is_settled and self.settling.hears_echo:
            return cleaned
        # A chime is no voice that could be answered, and who has just been told by one to speak does so.
        speaks = heard_at - self._reference.last_speech < LATEST_ECHO
        return samples if may_be_heard or not speaks else np.zeros_like(samples)

    def _hears_itself(self, heard_at: float | None) -> bool:
        assert self._reference is not None
        last = self._reference.last_sound
        return heard_at is not None and last > -math.inf and heard_at - last < TAIL_SECONDS

    def _amplified(self, samples: Floats) -> bytes:
        return to_int16(samples * self._gain).tobytes()


class _Lazy:
    """WebRTC's processor, made when first needed and kept: a filter that has converged stays so."""

    def __init__(self, *, echo_cancellation: bool, noise_suppression: bool) -> None:
        self._echo_cancellation = echo_cancellation
        self._noise_suppression = noise_suppression
        self._processor: AudioProcessor | None = None

    def process(self, near: Samples, far: Samples | None) -> Samples:
        if self._processor is None:
            self._processor = AudioProcessor(
                sample_rate=RATE,
                echo_cancellation=self._echo_cancellation,
                noise_suppression=self._noise_suppression,
                high_pass_filter=True,
                ns_level=_NOISE_LEVEL,
            )
        cleaned: Samples = self._processor.process(near, far) if far is not None else self._processor.process(near)
        return cleaned
