"""A recording through the turn machine on its own clock, with a recogniser that takes a known time."""

from __future__ import annotations

import asyncio

import numpy as np
import pytest

from companion.app.bench import replay as replay_bench
from companion.app.bench.replay import Mind, Replay, utterance
from companion.stream import Text
from companion.voice.contract import Sensed
from companion.voice.phases import Rules

RATE = 16_000
RULES = Rules(open_microphone=True)


class LoudSenses:
    """Whatever is loud is a voice."""

    def hear(self, sound: bytes) -> Sensed:
        loud = max(abs(np.frombuffer(sound, np.int16).astype(int)), default=0) > 1000
        return Sensed(1.0 if loud else 0.0, -20.0 if loud else -90.0)

    async def verify(self, wake: str, sound: bytes) -> bool:
        return False

    def forget(self) -> None:
        pass


def voiced(seconds: float) -> bytes:
    return np.full(round(seconds * RATE), 9000, np.int16).tobytes()


def silent(seconds: float) -> bytes:
    return bytes(2 * round(seconds * RATE))


def mind(text: str = "tell me a story", *, command: bool = False, complete: float | None = None) -> Mind:
    async def hear(sound: bytes) -> Text:
        return Text(text)

    async def judge(sound: bytes) -> float:
        assert complete is not None
        return complete

    return Mind(hear, None if complete is None else judge, lambda _: command, lambda _: False)


@pytest.fixture
def models_take(monkeypatch: pytest.MonkeyPatch):
    """Sets how long every model takes, in seconds on the sample clock."""

    def take(seconds: float) -> None:
        async def timed(work):
            return await work, seconds

        monkeypatch.setattr(replay_bench, "_timed", timed)

    take(0.05)
    return take


async def ended(mind: Mind, sound: bytes = silent(0.2) + voiced(1.0)) -> list[float]:
    story = await Replay(LoudSenses(), RULES, mind).play(sound)
    return [answered.ended for answered in story.answered]


@pytest.mark.usefixtures("models_take")
async def test_a_command_ends_its_turn_first() -> None:
    assert await ended(mind(command=True)) == [pytest.approx(1.2 + RULES.command_silence, abs=0.03)]


@pytest.mark.usefixtures("models_take")
async def test_a_complete_sentence_ends_its_turn_next() -> None:
    assert await ended(mind(complete=0.9)) == [pytest.approx(1.2 + RULES.complete_silence, abs=0.03)]


@pytest.mark.usefixtures("models_take")
async def test_an_incomplete_one_waits() -> None:
    assert await ended(mind(complete=0.1)) == [pytest.approx(1.2 + RULES.incomplete_silence, abs=0.03)]


async def test_a_slow_recogniser_ends_the_turn_when_it_is_done(models_take) -> None:
    models_take(0.9)

    # 0.1 s of silence, then its work.
    assert await ended(mind(command=True)) == [pytest.approx(1.2 + 0.1 + 0.9, abs=0.04)]


async def test_an_attempt_that_was_thrown_away_holds_back_the_next(models_take) -> None:
    models_take(0.9)
    sound = silent(0.2) + voiced(0.5) + silent(0.2) + voiced(0.5)

    # The first begins at 0.8 s and ends at 1.7 s; the second must wait for it.
    assert await ended(mind(command=True), sound) == [pytest.approx(1.7 + 0.9, abs=0.04)]


@pytest.mark.usefixtures("models_take")
async def test_an_answer_is_taken_back_when_the_voice_goes_on_before_its_first_sound() -> None:
    sound = silent(0.2) + voiced(0.5) + silent(0.5) + voiced(0.5)
    story = await Replay(LoudSenses(), RULES, mind(complete=0.9)).play(sound)

    first, last = story.answered
    assert first.ended < 1.2
    assert first.sounded is None
    assert last.sounded is not None
    assert last.sounded > 1.7


@pytest.mark.usefixtures("models_take")
async def test_an_answer_is_heard_before_the_end_where_the_pause_is_long() -> None:
    sound = silent(0.2) + voiced(0.5) + silent(1.5) + voiced(0.5)
    story = await Replay(LoudSenses(), RULES, mind(complete=0.9)).play(sound)

    assert story.answered[0].sounded == pytest.approx(0.7 + RULES.complete_silence + replay_bench.MODEL_REPLY, abs=0.05)


async def test_an_utterance_is_cut_with_the_margins_of_the_loop() -> None:
    sound = silent(1.0) + voiced(0.5) + silent(0.5) + voiced(0.5) + silent(2.0)

    cut = await utterance(LoudSenses(), sound)

    # 0.3 s before it, and behind it the silence after which the recogniser starts.
    assert len(cut) / 2 / RATE == pytest.approx(0.3 + 1.5 + 0.1, abs=0.05)


async def test_of_silence_nothing_is_cut() -> None:
    assert await utterance(LoudSenses(), silent(3.0)) == b""


async def test_models_are_timed_for_real_where_nobody_says_otherwise() -> None:
    async def hear(sound: bytes) -> Text:
        await asyncio.sleep(0.01)
        return Text("hello there")

    story = await Replay(LoudSenses(), RULES, Mind(hear, None, lambda _: False, lambda _: False)).play(voiced(0.5))

    assert all(seconds >= 0.009 for seconds in story.recogniser_seconds)
