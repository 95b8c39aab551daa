"""What the echo canceller does to a voice over a reply, in rooms made of numbers.

``python tests/bench/echo_canceller.py`` prints a table, with ``--json`` the same for a script. Half a minute of read
speech comes back into a microphone; meanwhile six real people begin to give an order over it, as loud as recorded and
6 dB softer. For each room: when the canceller is trusted, how many of the voices the voice detector
confirms and how long after their onset, and how often it takes the echo for a voice.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from statistics import median

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))
from doubles.sounds import RATE, voice, white

from companion.app.bench.truth import voice_span
from companion.app.echo_path import Room
from companion.audio.echo import Cleaner
from companion.audio.echo_filter import HOP
from companion.audio.level import rms_dbfs
from companion.audio.resample import Floats, Samples, to_int16
from companion.audio.vad import VoiceDetector
from companion.voice.cues import Voice
from companion.voice.endpoint import Endpointer

SECONDS = 32
ONSETS = (2.5, 6.0, 12.0, 16.0, 22.0, 27.0)
SOFTER_DB = 6.0
WORDS = 1.2
"""Seconds of each order."""
EARLY, LATE = 0.05, 0.4
"""Seconds before and after a voice in which what is detected is that voice."""


@dataclass(frozen=True, slots=True)
class Way:
    """From the loudspeaker to the microphone."""

    room: Room = field(default_factory=Room)
    noise_dbfs: float = -75.0
    distortion: float = 0.0
    drift_ppm: float = 0.0
    changes_at: float | None = None
    loses_at: tuple[float, ...] = ()
    """Where 30 ms of sound are lost."""

    def echo(self, played: Floats) -> Floats:
        sound = np.tanh(played / 32768 * self.distortion) / self.distortion * 32768 if self.distortion else played
        heard = _through(sound, self.room)
        if self.drift_ppm:
            at = np.arange(len(heard))
            heard = np.interp(at * (1 + self.drift_ppm * 1e-6), at, heard)
        if self.changes_at is not None:
            change = round(self.changes_at * RATE)
            heard[change:] = _through(sound, Room(self.room.delay_ms + 5, self.room.loss_db, 0.2))[change:]
        for lost in sorted(self.loses_at, reverse=True):
            start = round(lost * RATE)
            heard = np.concatenate([heard[:start], heard[start + 480 :], np.zeros(480)])
        noise: Floats = white(len(heard) / RATE + 1, self.noise_dbfs)[: len(heard)].astype(np.float32)
        return (heard + noise).astype(np.float32)


WAYS = {
    "6 dB down, 50 ms": Way(),
    "150 ms": Way(Room(delay_ms=150)),
    "300 ms": Way(Room(delay_ms=300)),
    "4 dB up": Way(Room(loss_db=-4)),
    "25 dB down": Way(Room(loss_db=25)),
    "a room of 0.6 s": Way(Room(reverberation=0.6)),
    "noise at -50 dBFS": Way(noise_dbfs=-50),
    "noise at -40 dBFS": Way(noise_dbfs=-40),
    "a loudspeaker that distorts": Way(distortion=5.0),
    "clocks 50 ppm apart": Way(drift_ppm=50),
    "clocks 200 ppm apart": Way(drift_ppm=200),
    "the way changes": Way(changes_at=10.0),
    "sound is lost seven times": Way(loses_at=(5, 9, 10.5, 14, 18, 21, 25)),
}


@dataclass(frozen=True, slots=True)
class Found:
    """Seconds from the onset of each voice that was heard; how often the echo passed for a voice."""

    way: str
    softer_db: float
    trusted_after: float | None
    voices: int
    heard_after: tuple[float, ...]
    false_voices: int


def _through(sound: Floats, room: Room) -> Floats:
    late = np.concatenate([np.zeros(room.delay_ms * RATE // 1000), np.convolve(sound, room.response())])
    return late[: len(sound)]


def _opening(order: Samples) -> Samples:
    """Its first words: whoever is heard over a reply ends it soon."""
    span = voice_span(order)
    assert span is not None
    first = max(round((span.began - 0.2) * RATE), 0)
    return order[first : first + round((0.2 + WORDS) * RATE)]


def measure(name: str, way: Way, softer_db: float) -> Found:
    played = np.tile(np.concatenate([voice("lj", 0), voice("lj", 1)]), 8)[: SECONDS * RATE].astype(np.float32)
    near, spans = way.echo(played), []
    for number, onset in enumerate(ONSETS):
        user = _opening(voice("commands", number)).astype(np.float32)
        span = voice_span(to_int16(user))
        assert span is not None
        near[round(onset * RATE) :][: len(user)] += user * np.float32(10 ** (-softer_db / 20))
        spans.append((onset + span.began, onset + span.ended))
    trusted, starts = listen(to_int16(near).astype(np.float32), played)
    after = [_first(starts, began - EARLY, ended) for began, ended in spans]
    false = [at for at in starts if not any(began - EARLY <= at <= ended + LATE for began, ended in spans)]
    heard = tuple(round(at - began, 3) for at, (began, _) in zip(after, spans, strict=True) if at is not None)
    return Found(name, softer_db, trusted, len(spans), heard, len(false))


def listen(near: Floats, far: Floats) -> tuple[float | None, list[float]]:
    """When the canceller is trusted, and where the voice detector says that a voice begins."""
    cleaner, detector, ends = Cleaner(None, noise_suppression=False, gain=1.0), VoiceDetector(), Endpointer()
    trusted, starts, speaks = None, [], False
    for start in range(0, len(near) - HOP + 1, HOP):
        at = start / RATE
        residual, gate = cleaner._hop(near[start : start + HOP], far[start : start + HOP], speaks=True)
        trusted = at if trusted is None and cleaner._trust.is_earned else trusted
        sound = to_int16(residual * gate)
        level = rms_dbfs(sound)
        cue = ends.hear(detector.hear(sound, level), level, at, at + HOP / RATE)
        if isinstance(cue, Voice) and not speaks:
            starts.append(cue.at)
        speaks = isinstance(cue, Voice)
    return trusted, starts


def _first(starts: Sequence[float], low: float, high: float) -> float | None:
    return next((at for at in starts if low <= at <= high), None)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--quick", action="store_true", help="the first room only")
    given = parser.parse_args()
    ways = dict(list(WAYS.items())[: 1 if given.quick else None])
    found = [measure(name, way, softer) for name, way in ways.items() for softer in (0.0, SOFTER_DB)]
    if given.json:
        print(json.dumps([asdict(one) for one in found], indent=1))
        return
    for one in found:
        after = f"{median(one.heard_after):.2f} s, at most {max(one.heard_after):.2f}" if one.heard_after else "never"
        print(
            f"{one.way:28} {one.softer_db:3.0f} dB softer: {len(one.heard_after)} of {one.voices} heard after {after}; "
            f"{one.false_voices} false; trusted after {one.trusted_after}"
        )


if __name__ == "__main__":
    main()
