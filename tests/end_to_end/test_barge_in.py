"""Speaking over a reply: it falls silent soon, and the history holds what was heard of it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from end_to_end.stage import Stage, now, on_stage
from end_to_end.voices import RATE, Listener, Speech, likeness, plain, rms

from companion.audio.resample import Samples

SETTINGS = "[models]\ntemperature = 0.0\n"
STORYTELLER = "You love to tell stories. Every answer is a long story of at least ten sentences."
SILENT_SOON = 1.0
"""Seconds from the voice to almost silence on a busy machine; the bench measures it on a quiet one."""
ALMOST_SILENT = 100
"""Root of the mean power; a reply has twenty times as much."""


@pytest.fixture
def stage(loop: asyncio.Runner, shelf_folder: Path, listener: Listener, tmp_path: Path) -> Iterator[Stage]:
    """A companion without a past: a small model goes on as the conversation was, and stories would become short."""
    home = tmp_path / "home"
    home.mkdir()
    (home / "personal.md").write_text(STORYTELLER)
    stack = AsyncExitStack()
    try:
        yield loop.run(stack.enter_async_context(on_stage(home, shelf_folder, listener, settings=SETTINGS)))
    finally:
        loop.run(stack.aclose())


async def test_stop_ends_a_story_at_once(stage: Stage, speech: Speech) -> None:
    mark, began = stage.companion.mark, now()
    await stage.say(speech.call("tell me a long story about the sea."))
    await stage.speaking(mark)
    await asyncio.sleep(3)

    await spoken_over(stage, speech.say("Stop!") + bytes(3 * RATE))
    await stage.settle()
    kept = stage.companion.history()[-1]
    heard = await stage.listener.words(stage.sound.spoken.between(began, now()))
    assert (kept["role"], kept["interrupted"]) == ("assistant", True)
    assert_holds_what_was_heard(str(kept["text"]), heard, stage.companion.said(mark))


async def test_a_question_over_a_story_is_answered(stage: Stage, speech: Speech) -> None:
    mark, began = stage.companion.mark, now()
    await stage.say(speech.call("tell me a long story about a mountain."))
    await stage.speaking(mark)
    await asyncio.sleep(3)

    interrupted, place = now(), stage.companion.mark
    await spoken_over(stage, speech.say("Please tell me now, what is five plus six?"))
    place, _ = await stage.companion.place("^you:", since=place)
    reply = await stage.reply(place, interrupted)
    assert plain(reply.said).endswith("eleven")
    assert "eleven" in plain(reply.sounded)

    story, question, answer = stage.companion.history()[-3:]
    heard = await stage.listener.words(stage.sound.spoken.between(began, interrupted + SILENT_SOON))
    assert story["interrupted"] is True
    assert_holds_what_was_heard(str(story["text"]), heard, stage.companion.said(mark, place))
    assert (question["role"], plain(str(question["text"]))) == ("user", "please tell me now what is five plus six")
    assert (answer["role"], answer["text"], "interrupted" in answer) == ("assistant", reply.said, False)


async def spoken_over(stage: Stage, sound: bytes) -> None:
    """Speak over the reply: it must be almost silent soon, and stay so while the voice goes on."""
    began = await in_the_midst_of_words(stage)
    await stage.say(sound)
    onset = stage.sound.heard.first_loud(began)
    assert onset is not None
    over = stage.sound.spoken.between(onset, onset + len(sound) / (2 * RATE) - 0.3)
    assert last_loud(over) < SILENT_SOON


async def in_the_midst_of_words(stage: Stage) -> float:
    """Wait until it talks, for between two sentences it may be silent; now."""
    for _ in range(50):
        if rms(stage.sound.spoken.between(now() - 0.5, now())) > 5 * ALMOST_SILENT:
            return now()
        await asyncio.sleep(0.1)
    pytest.fail("it was not talking")


def last_loud(sound: Samples, frame: int = RATE // 20) -> float:
    """Seconds until the sound is almost silent for good."""
    loud = [at for at in range(0, len(sound), frame) if rms(sound[at : at + frame]) > ALMOST_SILENT]
    return (loud[-1] + frame) / RATE if loud else 0.0


def assert_holds_what_was_heard(kept: str, heard: str, said: str) -> None:
    """The history holds the beginning of what was meant to be said, up to where the listener heard it end."""
    words, sounded = plain(kept).split(), plain(heard).split()
    assert words
    assert plain(said).startswith(plain(kept))
    assert len(words) == pytest.approx(len(sounded), rel=0.2, abs=5)
    assert likeness(heard, kept) >= 0.7
