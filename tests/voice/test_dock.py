"""The dock: words in, an answer in text and sound out, one at a time, and nobody's mistake is anybody else's."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Coroutine, Sequence
from random import Random
from typing import Any

import pytest
from doubles import virtual_time
from hypothesis import given
from hypothesis import strategies as st

from companion.errors import CompanionError, ModelDied, ModelMissing, StreamFailed
from companion.model import FuncTool, ModelContext
from companion.providers.scripted import ScriptedGenerator, ScriptedRecogniser, ScriptedSynthesiser
from companion.providers.spoken import spoken_stream
from companion.stream import (
    Blob,
    FuncCall,
    MessageChunk,
    PulledStream,
    Role,
    Routes,
    Status,
    Stream,
    StreamBuilder,
    StreamCtrl,
    Text,
    Usage,
    begin_of_stream,
    end_of_stream,
    pcm,
    stream_of,
)
from companion.stream.laws import check_transformer
from companion.voice.dock import AudioDock
from companion.voice.docked import Patience

SOUND = pcm(bytes(640), 16_000)


class Agent:
    """Writes what a test hands it, one stream a question; after those it is out of words."""

    def __init__(self, *answers: Stream | CompanionError) -> None:
        self._answers = list(answers)
        self.asked: list[ModelContext] = []

    async def generate_stream(self, context: ModelContext, *, model: str = "") -> Stream:
        self.asked.append(context)
        answer = self._answers.pop(0)
        if isinstance(answer, CompanionError):
            raise answer
        return answer

    async def invoke(self, context: ModelContext, tool: FuncTool, *, model: str = "") -> tuple[Usage, FuncCall]:
        raise AssertionError("nobody calls a tool here")


class Voice:
    """Says each piece as one slice of its first letter, after ``seconds``; "!" makes it hoarse."""

    def __init__(self, seconds: float = 0.0) -> None:
        self._seconds = seconds
        self.said: list[str] = []
        self.closed = 0

    async def transform(self, source: Stream) -> PulledStream:
        return spoken_stream(source, self._speak)

    async def _speak(self, text: Text) -> AsyncGenerator[Blob, None]:
        try:
            await asyncio.sleep(self._seconds)
            if text.text == "!":
                raise ModelDied("hoarse")
            self.said.append(text.text)
            yield pcm(text.text[:1].encode() * 2, 16_000)
        finally:
            self.closed += 1


class Made:
    """A transformer whose output a test hands it, whatever it is fed."""

    def __init__(self, make: Callable[[str], Sequence[MessageChunk]]) -> None:
        self._make = make

    async def transform(self, source: Stream) -> Stream:
        begin = await source.next()
        self.stream = PulledStream(self._read(source, begin), source)
        return self.stream

    async def _read(self, source: Stream, begin: MessageChunk) -> AsyncGenerator[MessageChunk, None]:
        async for _ in source:
            pass
        for chunk in self._make(begin.stream_id):
            yield chunk


def written(*texts: str, route: str = "w", name: str = "", ends: bool = True) -> list[MessageChunk]:
    """An agent's answer, as it should be."""
    ctrl = StreamCtrl(route)
    chunks = [begin_of_stream(route, role=Role.MODEL)]
    chunks += [MessageChunk(Role.MODEL, name, Text(text, "en"), ctrl=ctrl) for text in texts]
    if ends:
        chunks += [end_of_stream(route, role=Role.MODEL, part=Text("")), end_of_stream(route, role=Role.MODEL)]
    return chunks


def typed(text: str, route: str = "u") -> list[MessageChunk]:
    return [
        begin_of_stream(route, role=Role.USER),
        MessageChunk(Role.USER, "ann", Text(text, "en"), ctrl=StreamCtrl(route)),
        end_of_stream(route, role=Role.USER, part=Text("")),
        end_of_stream(route, role=Role.USER),
    ]


def spoken(route: str = "u", *, ends: bool = True) -> list[MessageChunk]:
    chunks = [begin_of_stream(route, role=Role.USER), MessageChunk(Role.USER, "", SOUND, ctrl=StreamCtrl(route))]
    return [*chunks, end_of_stream(route, role=Role.USER)] if ends else chunks


def shown(chunk: MessageChunk) -> str:
    """Who, what, and what it marks."""
    who = "I" if chunk.role is Role.USER else "it"
    mark = "begin " if chunk.is_begin else "end " if chunk.is_end else ""
    error = f" ({chunk.ctrl.error})" if chunk.ctrl and chunk.ctrl.error else ""
    match chunk.part:
        case Text(text):
            what = text or "text"
        case Blob(data=data):
            what = f"<{data[:1].decode()}>" if data else "sound"
        case None:
            what = "all"
    return f"{who}: {mark}{what}{error}"


async def read(stream: Stream) -> list[str]:
    return [shown(chunk) async for chunk in stream]


async def heard(dock: AudioDock, source: Sequence[MessageChunk]) -> list[str]:
    return await read(await dock.transform(stream_of(source)))


async def settle() -> None:
    for _ in range(60):
        await asyncio.sleep(0)


def in_virtual_time(scene: Callable[[], Coroutine[Any, Any, None]]) -> Callable[[], None]:
    def test() -> None:
        virtual_time.run(scene())

    test.__name__ = scene.__name__
    return test


async def test_what_is_typed_comes_out_and_is_answered_in_text_and_sound() -> None:
    agent, voice = Agent(stream_of(written("Hello.", "You!"))), Voice()
    out = await heard(AudioDock(agent, voices=lambda name: voice), typed("Hi"))
    assert out[:4] == ["I: begin all", "I: Hi", "I: end text", "I: end all"]
    mine = out[4:]
    assert [line for line in mine if "<" not in line and "sound" not in line] == [
        "it: begin all", "it: Hello.", "it: You!", "it: end text", "it: end all",
    ]  # fmt: skip
    assert [line for line in mine if "<" in line or "sound" in line] == ["it: begin <H>", "it: <Y>", "it: end sound"]
    (context,) = agent.asked
    assert [(message.text, message.name) for message in context.messages] == [("Hi", "ann")]


async def test_what_is_spoken_is_written_down_and_then_answered() -> None:
    dock = AudioDock(
        Agent(stream_of(written("Noon."))), voices=lambda name: None, hear=ScriptedRecogniser(["What time?"])
    )
    assert await heard(dock, spoken()) == [
        "I: begin all", "I: What time?", "I: end text", "I: end all",
        "it: begin all", "it: Noon.", "it: end text", "it: end all",
    ]  # fmt: skip


async def test_nothing_is_said_to_nothing() -> None:
    agent = Agent()
    dock = AudioDock(agent, voices=lambda name: None, hear=ScriptedRecogniser([""]))
    assert await heard(dock, spoken()) == ["I: begin all", "I: end text", "I: end all"]
    assert agent.asked == []


async def test_an_answer_has_a_stream_id_of_its_own_for_its_text_and_its_sound() -> None:
    dock = AudioDock(Agent(stream_of(written("Hello.", route="u"))), voices=lambda name: Voice())
    chunks = [chunk async for chunk in await dock.transform(stream_of(typed("Hi")))]
    assert {chunk.stream_id for chunk in chunks if chunk.role is Role.USER} == {"u"}
    (route,) = {chunk.stream_id for chunk in chunks if chunk.role is Role.MODEL}
    assert route not in ("", "u")


async def test_text_is_there_at_once_however_slow_its_voice() -> None:
    voice = Voice(seconds=1e6)
    stream = await AudioDock(Agent(stream_of(written("One.", "Two."))), voices=lambda name: voice).transform(
        stream_of(typed("Hi"))
    )
    assert [shown(await stream.next()) for _ in range(8)][4:] == [
        "it: begin all", "it: One.", "it: Two.", "it: end text",
    ]  # fmt: skip
    await stream.close()
    assert voice.closed == 1


async def test_each_speaker_has_a_voice_and_one_without_is_only_written() -> None:
    voices = {"wolf": Voice(), "sheep": Voice()}
    said = [
        *written("Grr.", route="1", name="wolf"),
        *written("Baa.", route="2", name="sheep"),
        *written("They looked.", route="3", name="narrator"),
    ]
    out = [
        chunk async for chunk in await AudioDock(Agent(stream_of(said)), voices=voices.get).transform(
            stream_of(typed("Tell me a story"))
        )
    ]  # fmt: skip
    assert (voices["wolf"].said, voices["sheep"].said) == (["Grr."], ["Baa."])
    names = {chunk.name for chunk in out if isinstance(chunk.part, Blob)}
    assert names == {"wolf", "sheep"}
    assert len({chunk.stream_id for chunk in out if chunk.role is Role.MODEL}) == 3


async def test_a_new_route_interrupts_before_its_own_words_can_be_seen() -> None:
    source, first = StreamBuilder(), StreamBuilder()
    voice = Voice()
    stream = await AudioDock(Agent(first.stream, stream_of(written("B."))), voices=lambda name: voice).transform(
        source.stream
    )
    await source.add(*typed("one", "u1"))
    await first.add(*written("A1.", ends=False))
    assert [shown(await stream.next()) for _ in range(7)][4:] == ["it: begin all", "it: A1.", "it: begin <A>"]
    await first.add(MessageChunk(Role.MODEL, part=Text("A2.", "en"), ctrl=StreamCtrl("w")))
    await settle()
    await source.add(*typed("two", "u2"))
    await settle()
    assert first.stream.state is not None
    source.done()
    assert (await read(stream))[:6] == [
        "it: end sound (interrupted)", "it: end text (interrupted)", "it: end all (interrupted)",
        "I: begin all", "I: two", "I: end text",
    ]  # fmt: skip


async def test_an_answer_that_was_made_but_not_read_is_dropped_all_the_same() -> None:
    source = StreamBuilder()
    agent = Agent(stream_of(written("A1.", "A2.")), stream_of(written("B.")))
    stream = await AudioDock(agent, voices=lambda name: Voice()).transform(source.stream)
    await source.add(*typed("one", "u1"))
    assert [shown(await stream.next()) for _ in range(6)][4:] == ["it: begin all", "it: A1."]
    await settle()
    await source.add(*typed("two", "u2"))
    await settle()
    source.done()
    out = await read(stream)
    # The sound had begun, unheard; so it begins empty, and ends.
    assert out[:5] == [
        "it: begin sound", "it: end sound (interrupted)", "it: end text (interrupted)", "it: end all (interrupted)",
        "I: begin all",
    ]  # fmt: skip
    assert not [line for line in out if "A2" in line or "<A>" in line]
    assert "it: B." in out


async def test_only_the_newest_words_are_answered() -> None:
    source = StreamBuilder()
    agent = Agent(stream_of(written("B.")))
    hear = ScriptedRecogniser(["one", "two"])
    stream = await AudioDock(agent, voices=lambda name: None, hear=hear).transform(source.stream)
    await source.add(*spoken("u1", ends=False), *spoken("u2", ends=False))
    await source.add(end_of_stream("u1", role=Role.USER), end_of_stream("u2", role=Role.USER))
    source.done()
    out = await read(stream)
    assert [line for line in out if line in ("I: one", "I: two", "it: B.")] == ["I: one", "I: two", "it: B."]
    assert [context.messages[0].text for context in agent.asked] == ["two"]


@pytest.mark.parametrize(
    ("chunks", "mistake"),
    [
        (written("A.")[1:], "carries data before its begin"),
        ([*written("A.", ends=False), begin_of_stream("w", role=Role.MODEL)], "began twice"),
        ([*written("A.")[:-1], *written("B.", ends=False)[1:]], "has ended and cannot carry more"),
        (written("A.", ends=False), "never ended"),
    ],
)
async def test_what_an_agent_does_wrong_ends_its_route_and_nothing_else(
    chunks: list[MessageChunk], mistake: str
) -> None:
    agent = Agent(stream_of(chunks), stream_of(written("Fine.")))
    source = StreamBuilder()
    stream = await AudioDock(agent, voices=lambda name: None).transform(source.stream)
    await source.add(*typed("one", "u1"))
    out: list[str] = []
    while "it: end all" not in (out[-1] if out else ""):
        out.append(shown(await stream.next()))
    assert mistake in out[-1]
    await source.add(*typed("two", "u2"))
    source.done()
    assert (await read(stream))[-4:] == ["it: begin all", "it: Fine.", "it: end text", "it: end all"]


@pytest.mark.parametrize("broken", [ModelMissing("no model"), ModelDied("gone")])
async def test_an_agent_that_cannot_begin_is_an_answer_with_an_error(broken: CompanionError) -> None:
    out = await heard(AudioDock(Agent(broken), voices=lambda name: None), typed("Hi"))
    assert out[4:] == [f"it: end all ({broken})"]


async def test_an_agent_that_breaks_ends_what_it_had_begun() -> None:
    answer = StreamBuilder()
    await answer.add(*written("A.", ends=False))
    answer.abort(ModelDied("the model died"))
    # It ends, though its voice would have gone on for days.
    out = await heard(AudioDock(Agent(answer.stream), voices=lambda name: Voice(seconds=1e6)), typed("Hi"))
    assert out[4:] == [
        "it: begin all", "it: A.", "it: end text (the model died)", "it: end all (the model died)",
    ]  # fmt: skip


def _sound(route: str) -> MessageChunk:
    return MessageChunk(Role.MODEL, part=SOUND, ctrl=StreamCtrl(route))


@pytest.mark.parametrize(
    ("make", "mistake"),
    [
        (lambda route: [_sound(route), end_of_stream(route)], "data before its begin"),
        (lambda route: [begin_of_stream(route), begin_of_stream(route)], "began twice"),
        (lambda route: [begin_of_stream(route), end_of_stream(route), _sound(route)], "cannot carry more"),
        (lambda route: [begin_of_stream(route), _sound(route)], "never ended"),
        (lambda route: [begin_of_stream("other"), _sound("other"), end_of_stream("other")], "does not belong"),
    ],
)
async def test_what_a_voice_does_wrong_is_told_at_the_end_of_its_text(
    make: Callable[[str], Sequence[MessageChunk]], mistake: str
) -> None:
    voice = Made(make)
    out = await heard(AudioDock(Agent(stream_of(written("A.", "B."))), voices=lambda name: voice), typed("Hi"))
    assert voice.stream.state is not None
    assert {"it: A.", "it: B.", "it: end text"} <= set(out)
    assert out[-1].startswith("it: end all (")
    assert mistake in out[-1]


async def test_a_voice_that_fails_does_not_silence_the_text() -> None:
    out = await heard(AudioDock(Agent(stream_of(written("A.", "!", "C."))), voices=lambda name: Voice()), typed("Hi"))
    assert [line for line in out if line in ("it: A.", "it: !", "it: C.", "it: end text")] == [
        "it: A.", "it: !", "it: C.", "it: end text",
    ]  # fmt: skip
    assert [line for line in out if "end sound" in line or "end all" in line][1:] == [
        "it: end sound (hoarse)", "it: end all (hoarse)",
    ]  # fmt: skip


@in_virtual_time
async def test_a_voice_has_one_minute_from_the_end_of_its_text() -> None:
    loop = asyncio.get_running_loop()
    answer = StreamBuilder()
    stream = await AudioDock(Agent(answer.stream), voices=lambda name: Voice(seconds=1e6)).transform(
        stream_of(typed("Hi"))
    )
    await answer.add(*written("A.", ends=False))
    assert [shown(await stream.next()) for _ in range(6)][-1] == "it: A."
    await asyncio.sleep(50)
    await answer.add(*written("B.")[1:])
    answer.done()
    assert [shown(await stream.next()) for _ in range(2)] == ["it: B.", "it: end text"]
    began = loop.time()
    assert shown(await stream.next()) == "it: end all (the voice of '' did not end within 60 s)"
    assert loop.time() - began == pytest.approx(60, abs=1e-6)
    assert await read(stream) == []


@in_virtual_time
async def test_an_agent_that_falls_silent_is_given_up() -> None:
    answer = StreamBuilder()
    dock = AudioDock(Agent(answer.stream), voices=lambda name: None, patience=Patience(agent=5))
    await answer.add(*written("A.", ends=False))
    out = await heard(dock, typed("Hi"))
    assert out[-1] == "it: end all (the agent wrote nothing for 5 s)"
    assert asyncio.get_running_loop().time() == pytest.approx(5, abs=1e-6)


@in_virtual_time
async def test_a_recogniser_that_falls_silent_is_given_up() -> None:
    hear = ScriptedRecogniser(["late"], seconds=1e6, sleep=asyncio.sleep)
    dock = AudioDock(Agent(), voices=lambda name: None, hear=hear)
    assert await heard(dock, spoken()) == ["I: begin all", "I: end all (the recogniser did not end within 60 s)"]


async def test_a_recogniser_that_fails_ends_its_route_and_the_next_one_is_heard() -> None:
    class Deaf(ScriptedRecogniser):
        async def transform(self, source: Stream) -> Stream:
            if not self.heard:
                self.heard.append(b"")
                raise ModelDied("deaf")
            return await super().transform(source)

    dock = AudioDock(Agent(stream_of(written("A."))), voices=lambda name: None, hear=Deaf(["Hi"]))
    out = await heard(dock, [*spoken("u1"), *spoken("u2")])
    assert "I: end all (deaf)" in out
    assert "I: Hi" in out
    assert "it: A." in out


async def test_without_a_recogniser_sound_is_an_error_of_its_route() -> None:
    out = await heard(AudioDock(Agent(), voices=lambda name: None), spoken())
    assert out == ["I: begin all", "I: end all (stream 'u': nobody here hears sound)"]


async def test_a_route_that_ends_with_an_error_is_not_answered() -> None:
    agent = Agent()
    chunks = [*typed("Hi")[:2], end_of_stream("u", role=Role.USER, error="thought better of it")]
    out = await heard(AudioDock(agent, voices=lambda name: None), chunks)
    assert out[-1] == "I: end all (thought better of it)"
    hear = ScriptedRecogniser(["Hi"])
    chunks = [*spoken(ends=False), end_of_stream("u", role=Role.USER, error="the microphone is gone")]
    out = await heard(AudioDock(agent, voices=lambda name: None, hear=hear), chunks)
    assert out == ["I: begin all", "I: end all (the microphone is gone)"]
    assert hear.heard == []
    assert agent.asked == []


async def test_words_without_stream_id_and_without_an_end_are_answered() -> None:
    dock = AudioDock(Agent(stream_of(written("A."))), voices=lambda name: None)
    out = [chunk async for chunk in await dock.transform(stream_of([MessageChunk(part=Text("Hi"))]))]
    assert [shown(chunk) for chunk in out][:3] == ["I: Hi", "I: end text", "I: end all"]
    assert "" not in {chunk.stream_id for chunk in out}
    assert shown(out[-1]) == "it: end all"


async def test_what_others_say_passes_through() -> None:
    tool = [
        begin_of_stream("t", role=Role.TOOL),
        MessageChunk(Role.TOOL, "clock", Text("12:00"), ctrl=StreamCtrl("t")),
        end_of_stream("t", role=Role.TOOL),
    ]
    stream = await AudioDock(Agent(), voices=lambda name: None).transform(stream_of(tool))
    assert [chunk async for chunk in stream] == tool


async def test_closing_closes_the_source_the_recogniser_the_agent_and_the_voice() -> None:
    source, answer, voice = StreamBuilder(), StreamBuilder(), Voice(seconds=1e6)
    hear = ScriptedRecogniser(["Hi", "late"])
    stream = await AudioDock(Agent(answer.stream), voices=lambda name: voice, hear=hear).transform(source.stream)
    await source.add(*spoken("u1"))
    await answer.add(*written("A.", ends=False))
    assert [shown(await stream.next()) for _ in range(6)][-1] == "it: A."
    await source.add(*spoken("u2", ends=False)[1:])
    await settle()
    await stream.close()
    assert source.stream.state is not None
    assert answer.stream.state is not None
    assert voice.closed == 1


async def test_a_source_that_breaks_ends_the_answer_and_the_stream() -> None:
    source, answer = StreamBuilder(), StreamBuilder()
    stream = await AudioDock(Agent(answer.stream), voices=lambda name: None).transform(source.stream)
    await source.add(*typed("Hi"))
    await answer.add(*written("A.", ends=False))
    assert [shown(await stream.next()) for _ in range(6)][-1] == "it: A."
    source.abort(OSError("unplugged"))
    assert shown(await stream.next()) == "it: end text (unplugged)"
    assert shown(await stream.next()) == "it: end all (unplugged)"
    with pytest.raises(StreamFailed, match="unplugged"):
        await stream.next()
    assert answer.stream.state is not None


async def test_more_than_may_wait_unread_fails_the_stream() -> None:
    dock = AudioDock(Agent(stream_of(written("A" * 5000))), voices=lambda name: None, most_unread=2000)
    stream = await dock.transform(stream_of(typed("Hi")))
    with pytest.raises(StreamFailed, match="bytes wait to be read"):
        await read(stream)
    assert stream.state is not None
    assert stream.state.status is Status.ERROR


async def test_an_observer_is_told_what_was_pulled_and_what_was_dropped() -> None:
    told: list[tuple[str, str]] = []

    class Observer:
        def delivered(self, chunk: MessageChunk) -> None:
            told.append(("pulled", shown(chunk)))

        def abandoned(self, chunk: MessageChunk) -> None:
            told.append(("dropped", shown(chunk)))

    source = StreamBuilder()
    agent = Agent(stream_of(written("A1.", "A2.")), stream_of(written("B.")))
    stream = await AudioDock(agent, voices=lambda name: None, observer=Observer()).transform(source.stream)
    await source.add(*typed("one", "u1"))
    assert [shown(await stream.next()) for _ in range(6)][-1] == "it: A1."
    await source.add(*typed("two", "u2"))
    await settle()
    source.done()
    await read(stream)
    assert [(fate, what) for fate, what in told if what in ("it: A1.", "it: A2.", "it: B.")] == [
        ("pulled", "it: A1."), ("dropped", "it: A2."), ("pulled", "it: B."),
    ]  # fmt: skip


class Moody(ScriptedGenerator):
    """An agent whose answers are sometimes wrong, or break off."""

    def __init__(self, chance: Random) -> None:
        super().__init__([""])
        self._chance = chance

    async def generate_stream(self, context: ModelContext, *, model: str = "") -> Stream:
        chunks = written(*["One.", "!", "Three."][: self._chance.randrange(1, 4)], name=self._chance.choice("ab"))
        answer = StreamBuilder()
        at = self._chance.randrange(len(chunks))
        match self._chance.randrange(6):
            case 0:
                del chunks[at]
            case 1:
                chunks.insert(at, chunks[at])
            case 2:
                del chunks[at:]
                answer.add_nowait(begin_of_stream("other", role=Role.MODEL))
        for chunk in chunks:
            answer.add_nowait(chunk)
        answer.done() if self._chance.random() < 0.8 else answer.abort(ModelDied("the model died"))
        return answer.stream


@given(st.integers(), st.lists(st.sampled_from(["type", "speak", "begin", "end", "wait"]), max_size=30))
def test_whatever_happens_begins_and_ends_pair_up_and_nothing_stays_behind(seed: int, moves: list[str]) -> None:
    virtual_time.run(_any_talk(Random(seed), moves))


async def _any_talk(chance: Random, moves: list[str]) -> None:
    source, routes = StreamBuilder(1000), Routes()
    dock = AudioDock(
        Moody(chance),
        voices=lambda name: Voice(seconds=chance.random()) if name == "a" else None,
        hear=ScriptedRecogniser(["Hi"], seconds=chance.random(), sleep=asyncio.sleep),
    )
    stream = await dock.transform(source.stream)
    closes_early = chance.random() < 0.2

    async def read_on() -> None:
        async for chunk in stream:
            routes.accept(chunk)
            if chance.random() < 0.3:
                await asyncio.sleep(chance.random())

    async with asyncio.TaskGroup() as tasks:
        reading = tasks.create_task(read_on())
        await _talk(source, chance, moves)
        if closes_early:
            reading.cancel()
        source.done()
    await stream.close()
    if not closes_early:
        routes.finish()


async def _talk(source: StreamBuilder, chance: Random, moves: list[str]) -> None:
    begun: list[str] = []
    for number, move in enumerate(moves):
        route = f"u{number}"
        match move:
            case "type":
                await source.add(*typed("Hi", route))
            case "speak":
                await source.add(*spoken(route))
            case "begin":
                begun.append(route)
                await source.add(*spoken(route, ends=False))
            case "end" if begun:
                await source.add(end_of_stream(begun.pop(chance.randrange(len(begun))), role=Role.USER))
            case _:
                await asyncio.sleep(chance.random())


async def test_it_keeps_the_laws_of_a_transformer() -> None:
    def make() -> AudioDock:
        return AudioDock(ScriptedGenerator([["Hello."]]), voices=lambda name: ScriptedSynthesiser())

    await check_transformer(make, typed("Hi"))
