"""Takes the companion's own voice, and steady noise, out of the microphone."""

from __future__ import annotations

import math
from collections.abc import AsyncGenerator, Callable
from dataclasses import replace

import numpy as np
from pywebrtc_audio import AudioProcessor

from companion.audio.echo_filter import HOP, MEMORY, EchoFilter
from companion.audio.level import NoiseFloor
from companion.audio.near_end import NearEnd
from companion.audio.reference import Reference
from companion.audio.resample import Floats, Samples, samples_of, to_int16
from companion.audio.trust import Trust
from companion.stream import Blob, MessageChunk, PulledStream, Stream, pcm, pcm_format
from companion.voice.contract import RATE

TAIL_SECONDS = 1.5
"""How long after the last played sound the canceller still works: the longest path and a room's echo."""
LATEST_ECHO = 0.7
"""How long after the last of a reply its echo may still arrive where the canceller is not trusted."""
LEAD_SECONDS = 0.01
"""The reference runs ahead by this, so that a wrong latency report cannot put the echo before its cause."""
LATE_SECONDS, EARLY_SECONDS = 0.06, 0.03
"""By how much the clocks of what was played and what was heard may part before both are laid on each other anew.
Busy moments move their readings by some 20 ms though nothing has moved; an echo must not come before its cause."""
NOISY_ABOVE = -55.0
"""dBFS of steady noise from which it is suppressed; in a quieter room speech passes untouched."""
_NOISE_LEVEL = 1

Clock = Callable[[int], float | None]
"""Milliseconds on the sample clock to monotonic seconds."""


class EchoCanceller:
    """A Transformer over the microphone's stream; everything but 16 kHz mono sound passes through.

    It rests, and costs nothing, while nothing was played lately and the room is quiet. While the
    loudspeaker speaks, what is no more than its echo comes out as silence; so does everything until the
    canceller has earned ``trust``.

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

    def adopt(self, *, echo_cancellation: bool, noise_suppression: bool, gain_db: float) -> None:
        """Go by other settings from the next sound on."""
        self._echo_cancellation = echo_cancellation
        self._noise_suppression = noise_suppression
        self._gain = 10 ** (gain_db / 20)

    def doubt(self) -> None:
        """What was taken for a voice over a reply was the reply: learn the way anew.

        The way from the loudspeaker to the microphone may have changed, as when one of them was moved.
        """
        self._doubts += 1

    async def transform(self, source: Stream) -> Stream:
        return PulledStream(self._clean(source), source)

    async def _clean(self, source: Stream) -> AsyncGenerator[MessageChunk, None]:
        cleaner = Cleaner(None, noise_suppression=False, gain=1.0)
        doubts = self._doubts
        async for chunk in source:
            cleaner.adopt(
                self._reference if self._echo_cancellation else None,
                noise_suppression=self._noise_suppression,
                gain=self._gain,
            )
            if doubts != self._doubts:
                doubts = self._doubts
                cleaner.forget()
            match chunk.part:
                case Blob(mime_type, data) if data and pcm_format(mime_type) == (RATE, 1):
                    at = chunk.ctrl.timestamp if chunk.ctrl is not None else None
                    heard_at = self._clock(at) if at is not None else None
                    yield replace(chunk, part=pcm(cleaner.clean(data, heard_at), RATE))
                case _:
                    if chunk.is_begin:
                        cleaner.forget()
                    yield chunk


class Cleaner:
    """The sound half of the canceller, for one stream."""

    def __init__(self, reference: Reference | None, *, noise_suppression: bool, gain: float) -> None:
        self._reference = reference
        self._suppresses = noise_suppression
        self._gain = np.float32(gain)
        self._floor = NoiseFloor()
        self._filter = EchoFilter()
        self._near_end = NearEnd()
        self._trust = Trust()
        self._played_to: float | None = None
        self._gate = 1.0
        self._noise = _NoiseSuppressor()
        self.worked = 0
        """Samples that were not just passed through."""

    def adopt(self, reference: Reference | None, *, noise_suppression: bool, gain: float) -> None:
        """Work by these from now on."""
        if reference is not self._reference:
            self._reference = reference
            self.forget()
        self._suppresses = noise_suppression
        self._gain = np.float32(gain)

    def forget(self) -> None:
        """The devices, or the way between them, have changed."""
        self._filter.forget()
        self._near_end = NearEnd()
        self._trust = Trust()
        self._played_to = None

    def clean(self, sound: bytes, heard_at: float | None) -> bytes:
        """The same stretch without echo and noise; ``heard_at``: monotonic seconds of its first sample."""
        samples = samples_of(sound)
        if self._suppresses:
            self._floor.hear(samples)
        is_noisy = self._suppresses and self._floor.dbfs > NOISY_ABOVE
        plays = self._plays(heard_at)
        if not plays:
            self._played_to = None
        if not (plays or is_noisy):
            return sound if self._gain == 1.0 else to_int16(samples * self._gain).tobytes()
        self.worked += len(samples)
        gain: Floats | np.float32 = self._gain
        if plays:
            assert heard_at is not None
            samples, gates = self._without_echo(samples, heard_at)
            gain = gain * gates
        if is_noisy:
            samples = self._noise.process(samples)
        return to_int16(samples * gain).tobytes()

    def _plays(self, heard_at: float | None) -> bool:
        if self._reference is None or heard_at is None:
            return False
        last = self._reference.last_sound
        return last > -math.inf and heard_at - last < TAIL_SECONDS

    def _without_echo(self, samples: Samples, heard_at: float) -> tuple[Samples, Floats]:
        """The microphone without the echo, and how much of each sample is to be let through."""
        assert self._reference is not None
        if len(samples) % HOP:
            raise ValueError("the echo canceller takes multiples of 20 ms")
        near, far = samples.astype(np.float32), self._far(heard_at + LEAD_SECONDS, len(samples))
        # A chime is no voice that could be answered, and who has just been told by one to speak does so.
        speaks = heard_at - self._reference.last_speech < LATEST_ECHO
        hops = [self._hop(near[at : at + HOP], far[at : at + HOP], speaks=speaks) for at in range(0, len(near), HOP)]
        residuals, gates = zip(*hops, strict=True)
        return to_int16(np.concatenate(residuals)), np.concatenate(gates)

    def _hop(self, near: Floats, far: Floats, *, speaks: bool) -> tuple[Floats, Floats]:
        cancelled = self._filter.cancel(near, far)
        gate = self._near_end.gain(cancelled)
        was_trusted = self._trust.is_earned
        if not self._trust.follow(near, far, cancelled):
            gate = 0.0 if speaks else 1.0
        if self._near_end.has_lost_its_way or was_trusted > self._trust.is_earned:
            self._lose_the_way()
        ramp = np.linspace(self._gate, gate, HOP, dtype=np.float32)
        self._gate = gate
        return cancelled.residual, ramp

    def _lose_the_way(self) -> None:
        self._filter.forget()
        self._near_end.begin_afresh()

    def _far(self, at: float, count: int) -> Floats:
        """What was played in step with what was heard, without the jitter of both clocks."""
        assert self._reference is not None
        if self._played_to is None or not -EARLY_SECONDS < at - self._played_to < LATE_SECONDS:
            self._lose_the_way()
            self._filter.recall(self._reference.read(at - MEMORY / RATE, MEMORY).astype(np.float32))
            self._played_to = at
        far = self._reference.read(self._played_to, count)
        self._played_to += count / RATE
        return far.astype(np.float32)


class _NoiseSuppressor:
    """WebRTC's, made when first needed and kept."""

    def __init__(self) -> None:
        self._processor: AudioProcessor | None = None

    def process(self, samples: Samples) -> Samples:
        if self._processor is None:
            self._processor = AudioProcessor(
                sample_rate=RATE,
                echo_cancellation=False,
                noise_suppression=True,
                high_pass_filter=True,
                ns_level=_NOISE_LEVEL,
            )
        suppressed: Samples = self._processor.process(samples)
        return suppressed
