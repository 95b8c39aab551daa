"""When turns end: cut off too early, and how long the user waits behind the end of a sentence.

Recordings go through senses, endpointer, turn machine, votes, smart-turn and recogniser as in the voice loop (see
``replay``). The true end is found as ``truth`` describes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from companion.app.bench.figures import Figure, Note, Section, Share, Spread
from companion.app.bench.made import with_pause
from companion.app.bench.noise import Noise, in_noise
from companion.app.bench.replay import COMMAND_REPLY, LEAD, MODEL_REPLY, Replay, Story
from companion.app.bench.truth import Span, voice_span
from companion.audio.resample import Samples

PAUSE = 0.7
"""Seconds of silence inside a sentence."""
AT = (0.4, 0.6)
"""Where in a sentence, as a share of it; one after the other."""
NOISE_BELOW_DB = 10.0


@dataclass(frozen=True, slots=True)
class Recording:
    """Something said, and where its voice is."""

    samples: Samples
    span: Span

    @classmethod
    def of(cls, samples: Samples) -> Recording | None:
        """None where nobody speaks."""
        span = voice_span(samples)
        return None if span is None else cls(samples, span)


@dataclass(slots=True)
class Tally:
    """What became of many recordings."""

    total: int = 0
    ended_early: int = 0
    """The turn ended before the speaker had."""
    answered_early: int = 0
    """An answer would have been heard before the speaker had ended."""
    never: int = 0
    waits: list[float] = field(default_factory=list)
    recogniser: list[float] = field(default_factory=list)
    judge: list[float] = field(default_factory=list)

    def add(self, recording: Recording, story: Story) -> None:
        end = recording.span.ended
        self.total += 1
        self.ended_early += any(answered.ended < end for answered in story.answered)
        self.answered_early += any(
            answered.sounded is not None and answered.sounded < end for answered in story.answered
        )
        after = [answered.ended - end for answered in story.answered if answered.ended >= end]
        self.waits += after[:1]
        self.never += not story.answered
        self.recogniser += story.recogniser_seconds
        self.judge += story.judge_seconds

    def figures(self, name: str) -> dict[str, Figure]:
        return {
            f"{name}: turn ended before the speaker had": Share(self.ended_early, self.total),
            f"{name}: answered before the speaker had ended": Share(self.answered_early, self.total),
            f"{name}: wait behind the true end": Spread.of(self.waits, "s"),
            f"{name}: never ended": Share(self.never, self.total),
        }


async def measure(real: Sequence[Samples], made: Sequence[Samples], replay: Replay, *, noisy: bool = True) -> Section:
    """real: recorded sentences; made: synthesised commands and questions. 16 kHz, one utterance each."""
    spoken, synthetic = _known(real), _known(made)
    paused = _known(with_pause(one.samples, PAUSE, around=AT[number % 2]) for number, one in enumerate(spoken))
    kinds = {"real": spoken, f"real, with {PAUSE:g} s of pause inside": paused, "made": synthetic}
    if noisy:
        kinds[f"real, in pink noise {NOISE_BELOW_DB:g} dB below"] = list(map(_noisy, spoken))
    figures: dict[str, Figure] = {}
    tallies = {name: await _tally(replay, recordings) for name, recordings in kinds.items() if recordings}
    for name, tally in tallies.items():
        figures |= tally.figures(name)
    figures["recogniser, an attempt"] = Spread.of([s for tally in tallies.values() for s in tally.recogniser], "s")
    figures["turn judge, an attempt"] = Spread.of([s for tally in tallies.values() for s in tally.judge], "s")
    figures["how"] = Note(
        f"{LEAD:g} s of silence before each; an answer is heard {COMMAND_REPLY:g} s (a command) or {MODEL_REPLY:g} s "
        "after the end of its turn, unless it was taken back by then; true ends by Silero and loudness, clean clips"
    )
    return Section("Turn end", figures)


def _known(sounds: Iterable[Samples]) -> list[Recording]:
    return [recording for sound in sounds if (recording := Recording.of(sound)) is not None]


def _noisy(recording: Recording) -> Recording:
    noise = Noise().make("pink", len(recording.samples))
    return Recording(in_noise(recording.samples, noise, NOISE_BELOW_DB), recording.span)


async def _tally(replay: Replay, recordings: Sequence[Recording]) -> Tally:
    tally = Tally()
    for recording in recordings:
        tally.add(recording, await replay.play(recording.samples.tobytes()))
    return tally
