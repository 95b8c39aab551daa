"""The benches of single parts: each builds what it measures, measures it, and closes it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from companion.app.bench import model as model_bench
from companion.app.bench import recogniser as recogniser_bench
from companion.app.bench import turn_end as turn_end_bench
from companion.app.bench import voice as voice_bench
from companion.app.bench import wake as wake_bench
from companion.app.bench.figures import Section
from companion.app.bench.replay import Mind, Replay
from companion.app.bench.setup import THREADS, Setup
from companion.app.bench.utterances import COMMANDS, QUESTIONS
from companion.audio.resample import samples_of
from companion.audio.senses import RoomSenses
from companion.audio.wave import read_sound
from companion.catalog.manifest import Kind
from companion.voice.phases import Rules

QUICK_CLIPS = 6


async def recogniser(setup: Setup) -> Sequence[Section]:
    """Ours beside its library, for each recogniser of the shelf."""
    shelf = setup.room().shelf
    return [
        await recogniser_bench.measure(
            shelf.folder(name), setup.voices, threads=THREADS, most=QUICK_CLIPS if setup.quick else None
        )
        for name in setup.recognisers()
    ]


async def model(setup: Setup) -> Sequence[Section]:
    """The language model."""
    room = setup.room()
    thinker = room.language_model()
    try:
        name = room.manifest(Kind.LANGUAGE_MODEL).name
        return [await model_bench.measure(thinker, name, rounds=1 if setup.quick else 4)]
    finally:
        await thinker.close()


async def voice(setup: Setup) -> Sequence[Section]:
    """The voice."""
    room = setup.room()
    speaker = room.voice()
    try:
        return [await voice_bench.measure(speaker, room.manifest(Kind.VOICE).name, rounds=3 if setup.quick else 20)]
    finally:
        await speaker.close()


async def wake(setup: Setup) -> Sequence[Section]:
    """The wake word."""
    effort = wake_bench.Effort()
    if setup.quick:
        effort = wake_bench.Effort(made=60.0, words=(wake_bench.WORD,), most=QUICK_CLIPS)
    async with setup.made_speech() as made:
        return [await wake_bench.measure(setup.voices, made, setup.settings.wake, effort)]


async def turn_end(setup: Setup) -> Sequence[Section]:
    """The end of turns, with each recogniser of the shelf."""
    most = QUICK_CLIPS if setup.quick else None
    real = [samples_of(read_sound(order.file)) for order in setup.voices.orders()[:most]]
    async with setup.made_speech() as speech:
        made = [await speech.say(text) for text in (*COMMANDS[:most], *QUESTIONS[:most])]
    sections = []
    for name in setup.recognisers():
        async with _replay(setup, name) as replay:
            section = await turn_end_bench.measure(real, made, replay, noisy=not setup.quick)
        sections.append(Section(f"{section.title}, {name}", section.figures))
    return sections


@asynccontextmanager
async def _replay(setup: Setup, recogniser_name: str) -> AsyncIterator[Replay]:
    room = setup.room(recogniser=recogniser_name)
    hears, judge = room.recogniser(), room.turn_judge()
    open_ears = setup.settings.wake.model_copy(update={"open_microphone": True})
    try:
        await hears.load()
        await judge.load()
        async with setup.agent() as agent:
            mind = Mind(hears.hear, judge.judge, agent.is_command, agent.may_go_on)
            senses = RoomSenses(setup.settings.wake.word, verifier_threshold=0.0)
            yield Replay(senses, Rules.of(open_ears, setup.settings.turn), mind)
    finally:
        await hears.close()
