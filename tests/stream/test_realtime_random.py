"""Whatever is pushed and whenever it is read, a realtime stream keeps its laws."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace

from doubles.step_clock import StepClock
from hypothesis import given
from hypothesis import strategies as st

from companion.stream import Blob, MessageChunk, Part, Routes, StreamCtrl, Text
from companion.stream.realtime import Loss, RealtimeStream

OPUS = Blob("audio/opus", b"...")


@dataclass
class Push:
    chunk: MessageChunk


@dataclass
class Tick:
    """The clock goes on, or back."""

    milliseconds: int


@dataclass
class Read:
    times: int


Step = Push | Tick | Read


def chunk(route: str, label: str, part: Part | None, at: int | None, begin=False, end=False) -> MessageChunk:
    ctrl = StreamCtrl(route, label, begin_of_stream=begin, end_of_stream=end, timestamp=at)
    return MessageChunk(part=part, ctrl=ctrl)


class Run:
    """One stream, and a note of all that went in and came out."""

    def __init__(self, delay: int = 5, window: int = 1000, max_items: int = 1000) -> None:
        self.clock = StepClock()
        self.delay = delay
        self.pushed: list[MessageChunk] = []
        self.lost: list[tuple[MessageChunk, Loss]] = []
        self.out: list[MessageChunk] = []
        self.stream = RealtimeStream(
            clock=self.clock,
            delay_ms=delay,
            window_ms=window,
            max_items=max_items,
            on_drop=lambda *loss: self.lost.append(loss),
        )

    async def play(self, steps: list[Step]) -> None:
        for step in steps:
            match step:
                case Push(one):
                    # A name of its own tells where each one went.
                    named = replace(one, name=str(len(self.pushed)))
                    self.pushed.append(named)
                    self.stream.push(named)
                case Tick(milliseconds):
                    self.clock.set(self.clock.now() + milliseconds)
                case Read(times):
                    await self.read(times)
        self.stream.done()
        self.out += [one async for one in self.stream]

    async def read(self, times: int) -> None:
        for _ in range(times):
            async with asyncio.TaskGroup() as group:
                reading = group.create_task(self.stream.next())
                await asyncio.sleep(0)
                reading.cancel()
            if reading.cancelled():
                return
            one = reading.result()
            assert at(one) + self.delay <= self.clock.now(), "read before its time"
            self.out.append(one)

    def adds_up(self) -> None:
        """Each chunk comes out or is told lost, once; nothing else comes but ends that say why."""
        names = [one.name for one in self.out if one.name] + [one.name for one, _ in self.lost if one.name]
        assert sorted(names, key=int) == [one.name for one in self.pushed]
        assert {one.ctrl.error for one in self.out if not one.name and one.ctrl} <= {"superseded", ""}
        assert all(one.is_end for one in self.out if not one.name)

    def is_in_order(self) -> None:
        assert [at(one) for one in self.out] == sorted(at(one) for one in self.out)
        for one, other in zip(self.out, self.out[1:], strict=False):
            if at(one) == at(other) and one.name and other.name:
                assert int(one.name) < int(other.name)

    def pairs_up(self) -> None:
        routes = Routes(remember=1000)
        for one in self.out:
            routes.accept(one)
        routes.finish()


def at(one: MessageChunk) -> int:
    assert one.ctrl is not None
    assert one.ctrl.timestamp is not None
    return one.ctrl.timestamp


TIMES = st.none() | st.integers(0, 40)
OTHERS = st.builds(Tick, st.integers(-10, 20)) | st.builds(Read, st.integers(1, 4))
DATA = st.builds(chunk, st.sampled_from("ab"), st.just(""), st.sampled_from([OPUS, Text("x")]), TIMES)
ANYTHING = st.builds(
    chunk,
    st.sampled_from("abc"),
    st.sampled_from(["", "mic", "speaker"]),
    st.sampled_from([OPUS, Text("x"), None]),
    TIMES,
    st.booleans(),
    st.booleans(),
)


@given(st.lists(st.builds(Push, ANYTHING) | OTHERS, max_size=40), st.integers(0, 30), st.integers(1, 60))
def test_in_order_not_before_its_time_and_nothing_lost_untold(steps: list[Step], delay: int, window: int) -> None:
    run = Run(delay, window)
    asyncio.run(run.play(steps))

    run.adds_up()
    run.is_in_order()


@given(st.lists(st.builds(Push, DATA) | OTHERS, max_size=40))
def test_of_data_only_what_is_older_than_the_last_one_out_is_lost(steps: list[Step]) -> None:
    run = Run()
    asyncio.run(run.play(steps))

    assert {loss for _, loss in run.lost} <= {Loss.LATE}
    told = {one.name: one.ctrl and one.ctrl.timestamp for one in run.pushed}
    kept = {one.name: at(one) for one in run.out}
    assert all(told[name] in (None, when) for name, when in kept.items())


@given(st.lists(st.integers(0, 40), max_size=40), st.integers(1, 10))
def test_beyond_its_bounds_the_newest_stays(times: list[int], bound: int) -> None:
    run = Run(max_items=bound)
    asyncio.run(run.play([Push(chunk("a", "", Text("x"), when)) for when in times]))

    kept: list[int] = []
    for when in times:
        kept = sorted([*kept, when])[-bound:]
    assert [at(one) for one in run.out] == kept
    run.adds_up()


def script(draw: st.DrawFn, route: str) -> list[MessageChunk]:
    """What one well-behaved producer says: its times only go up, and what it opens it ends."""
    label = draw(st.sampled_from(["mic", "mic", "speaker", ""]))
    parts = draw(st.lists(st.sampled_from([OPUS, OPUS, Text("x")]), max_size=4))
    times = iter(sorted(draw(st.lists(st.integers(0, 60), min_size=8, max_size=8))))
    said = [chunk(route, label, None, next(times), begin=True)] if draw(st.sampled_from([True, True, False])) else []
    said += [chunk(route, label, part, next(times)) for part in parts]
    said += [chunk(route, label, empty(part), next(times), end=True) for part in dict.fromkeys(parts)]
    return [*said, chunk(route, label, None, next(times), end=True)]


@st.composite
def speakers(draw: st.DrawFn) -> list[Step]:
    """Two to four producers in turns, and a reader who follows them more or less."""
    scripts = [script(draw, route) for route in draw(st.sampled_from(["ab", "abc", "abcd"]))]
    steps: list[Step] = []
    while any(scripts):
        turn = draw(st.sampled_from([said for said in scripts if said]))
        steps.append(Push(turn.pop(0)))
        steps += draw(st.sampled_from([[], [Tick(7)], [Read(1)], [Tick(30), Read(3)]]))
    return steps


def empty(part: Part) -> Part:
    return Text("") if isinstance(part, Text) else replace(part, data=b"")


@given(speakers(), st.integers(0, 10), st.integers(5, 60))
def test_what_well_behaved_producers_say_pairs_up_whoever_takes_over(
    steps: list[Step], delay: int, window: int
) -> None:
    run = Run(delay, window)
    asyncio.run(run.play(steps))

    run.adds_up()
    run.is_in_order()
    run.pairs_up()
