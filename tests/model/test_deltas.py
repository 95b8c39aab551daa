"""Answers from a provider's pieces: how they end, what is counted, and which calls are delivered."""

from __future__ import annotations

import asyncio
import itertools
import json
from collections.abc import Iterable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.errors import EndOfStream, InvalidAnswer, ModelDied, StreamBlocked, StreamFailed
from companion.model.answer_stream import answer_of
from companion.model.calls import MOST_CALLS, CallAssembler, CallDelta
from companion.model.deltas import (
    Counted,
    Delta,
    Finish,
    Finished,
    TextDelta,
)
from companion.model.json_repair import LONGEST
from companion.stream import Channel, FuncCall, MessageChunk, PulledStream, Routes, Status, Text, ToolCall, Usage
from companion.stream.laws import check_stream


class Wire:
    """A provider that sends ``deltas``, then closes, fails, or says nothing more."""

    def __init__(self, *deltas: Delta, closes: bool = True, fault: Exception | None = None) -> None:
        self._pieces: Channel[Delta] = Channel(max(len(deltas), 1))
        for delta in deltas:
            self._pieces.send_nowait(delta)
        if fault is not None:
            self._pieces.abort(fault)
        elif closes:
            self._pieces.finish()
        self.is_closed = False

    async def next(self) -> Delta:
        return await self._pieces.receive()

    async def close(self) -> None:
        self.is_closed = True
        self._pieces.discard(EndOfStream())


class Dripping:
    """A provider that takes two seconds for each of ``deltas``, on the clock of the loop, which it turns on."""

    def __init__(self, deltas: Iterable[Delta]) -> None:
        self._deltas = iter(deltas)
        loop = asyncio.get_running_loop()
        self._passed, real = 0.0, loop.time
        loop.time = lambda: real() + self._passed  # type: ignore[method-assign]

    async def next(self) -> Delta:
        self._passed += 2.0
        delta = next(self._deltas, None)
        if delta is None:
            raise EndOfStream
        return delta

    async def close(self) -> None:
        pass


async def rest(stream: PulledStream) -> list[MessageChunk]:
    return [chunk async for chunk in stream]


async def calls_of(*deltas: Delta) -> list[ToolCall]:
    return [chunk.tool_call for chunk in await rest(answer_of(Wire(*deltas))) if chunk.tool_call]


STOP = Finished(Finish.STOP)
WEATHER = (
    CallDelta(0, "call_a", "weather", '{"city":'),
    CallDelta(0, arguments=' "Ulm"}'),
)
ASKED = [ToolCall("call_a", FuncCall("weather", '{"city": "Ulm"}'))]


async def test_words_begin_flow_and_end() -> None:
    stream = answer_of(Wire(TextDelta("Hel"), TextDelta("lo"), STOP))
    begin, *words, text_end, end = await rest(stream)

    assert begin.is_begin
    assert [chunk.part for chunk in words] == [Text("Hel"), Text("lo")]
    assert (text_end.is_end, text_end.mime_type) == (True, "text/plain")
    assert (end.is_end, end.part) == (True, None)
    routes = Routes()
    for chunk in (begin, *words, text_end, end):
        routes.accept(chunk)
    assert routes.open_routes == ()


async def test_an_answer_of_deltas_keeps_the_laws_of_streams() -> None:
    async def make() -> PulledStream:
        return answer_of(Wire(TextDelta("one "), *WEATHER, TextDelta("two"), STOP, Counted(Usage(3, 2))))

    await check_stream(make)


async def test_an_answer_without_a_finish_signal_is_an_error() -> None:
    wire = Wire(TextDelta("Hel"), *WEATHER)
    stream = answer_of(wire)
    assert (await stream.next()).is_begin
    assert (await stream.next()).part == Text("Hel")
    assert (await stream.next()).is_end
    with pytest.raises(StreamFailed, match="finish signal") as failed:
        await stream.next()
    assert isinstance(failed.value.__cause__, ModelDied)
    assert failed.value.__cause__.retryable
    assert wire.is_closed


async def test_an_answer_that_falls_silent_is_an_error_within_the_deadline() -> None:
    wire = Wire(TextDelta("Hel"), closes=False)
    with pytest.raises(StreamFailed, match="said nothing") as failed:
        await asyncio.wait_for(rest(answer_of(wire, silence=0.01)), 10)
    assert isinstance(failed.value.__cause__, TimeoutError)
    assert wire.is_closed


async def test_a_deadline_of_the_source_is_told_in_its_own_words() -> None:
    with pytest.raises(StreamFailed, match="sent nothing for 2 s"):
        await rest(answer_of(Wire(TextDelta("Hel"), fault=TimeoutError("the line sent nothing for 2 s"))))


async def test_a_line_that_is_only_kept_open_is_silence() -> None:
    keeps_open: list[Delta] = [TextDelta(""), CallDelta(), Counted(Usage(3))] * 100
    with pytest.raises(StreamFailed, match="said nothing"):
        await rest(answer_of(Dripping([TextDelta("Hel"), *keeps_open])))


async def test_what_is_said_is_not_silence_however_long_it_takes() -> None:
    source = Dripping([*itertools.repeat(TextDelta("la "), 40), STOP])
    assert len(await rest(answer_of(source))) == 43


async def test_behind_the_finish_nobody_can_go_on_for_ever() -> None:
    counts = [Counted(Usage(3, number)) for number in range(100)]
    stream = answer_of(Dripping([TextDelta("Hello"), STOP, *counts]), trailing=5.0)
    await rest(stream)

    assert stream.state is not None
    assert (stream.state.status, stream.state.usage) == (Status.DONE, Usage(3, 2))


@pytest.mark.parametrize(
    "deltas", [[TextDelta("Hel")], [CallDelta(0, "a", "", "{}"), STOP], [TextDelta("Hel"), CallDelta(0, "a", "one")]]
)
async def test_a_route_is_ended_with_the_error_before_the_failure(deltas: Sequence[Delta]) -> None:
    stream = answer_of(Wire(*deltas))
    begin = end = await stream.next()
    while end.ctrl is None or not end.ctrl.error:
        end = await stream.next()

    assert (end.stream_id, end.is_end, end.part) == (begin.stream_id, True, None)
    with pytest.raises(StreamFailed) as failed:
        await stream.next()
    assert end.ctrl.error == str(failed.value.__cause__)


async def test_a_finished_answer_whose_provider_does_not_close_is_done() -> None:
    wire = Wire(TextDelta("Hello"), STOP, Counted(Usage(3, 1)), closes=False)
    stream = answer_of(wire, trailing=0.01)
    await asyncio.wait_for(rest(stream), 10)

    assert stream.state is not None
    assert (stream.state.status, stream.state.usage) == (Status.DONE, Usage(3, 1))
    assert wire.is_closed


@pytest.mark.parametrize("why", list(Finish))
async def test_a_call_that_was_fully_received_is_delivered_whatever_the_finish_says(why: Finish) -> None:
    stream = answer_of(Wire(*WEATHER, Finished(why)))
    calls = []
    try:
        async for chunk in stream:
            calls += [chunk.tool_call] if chunk.tool_call else []
    except StreamBlocked:
        assert why is Finish.REFUSED

    assert calls == ASKED


async def test_a_call_that_was_cut_is_left_out() -> None:
    whole, cut = WEATHER, CallDelta(1, "call_b", "weather", '{"city": "Mün')

    assert await calls_of(*whole, cut, Finished(Finish.LENGTH)) == ASKED


@pytest.mark.parametrize("arguments", ["", " ", "{", '{"all": '])
async def test_a_call_that_was_cut_before_its_arguments_is_left_out(arguments: str) -> None:
    assert await calls_of(CallDelta(0, "x", "delete_all", arguments), Finished(Finish.LENGTH)) == []


async def test_a_call_without_arguments_is_one_of_none() -> None:
    assert await calls_of(CallDelta(0, "x", "stop"), STOP) == [ToolCall("x", FuncCall("stop", "{}"))]


async def test_a_piece_without_an_index_belongs_to_the_call_of_its_id() -> None:
    calls = await calls_of(
        CallDelta(0, "a", "one", "{"),
        CallDelta(1, "b", "two", "["),
        CallDelta(id="a", arguments="}"),
        CallDelta(id="b", arguments="]"),
        STOP,
    )

    assert [(call.id, call.func_call.arguments) for call in calls] == [("a", "{}"), ("b", "[]")]


async def test_a_call_comes_before_the_counts_are_waited_for() -> None:
    stream = answer_of(Wire(*WEATHER, STOP, closes=False))
    assert (await stream.next()).is_begin
    assert (await stream.next()).tool_call == ASKED[0]
    await stream.close()


async def test_calls_that_come_in_turns_are_told_apart_by_their_index() -> None:
    calls = await calls_of(
        CallDelta(1, "b", "two", "[1"),
        CallDelta(0, "a", "one", "{"),
        CallDelta(1, arguments=",2]"),
        CallDelta(0, arguments="}"),
        STOP,
    )

    assert calls == [ToolCall("a", FuncCall("one", "{}")), ToolCall("b", FuncCall("two", "[1,2]"))]


async def test_calls_of_one_index_are_told_apart_by_their_id() -> None:
    calls = await calls_of(
        CallDelta(0, "a", "one", "{"), CallDelta(0, arguments="}"), CallDelta(0, "b", "two", "{}"), STOP
    )

    assert [call.id for call in calls] == ["a", "b"]
    assert [call.func_call.arguments for call in calls] == ["{}", "{}"]


async def test_calls_without_an_index_are_told_apart_by_their_id() -> None:
    calls = await calls_of(
        CallDelta(id="a", name="one", arguments="{"),
        CallDelta(id="b", name="two", arguments="["),
        CallDelta(id="a", arguments="}"),
        CallDelta(id="b", arguments="]"),
        STOP,
    )

    assert [(call.id, call.func_call.arguments) for call in calls] == [("a", "{}"), ("b", "[]")]


async def test_whole_calls_without_index_and_id_get_ids() -> None:
    calls = await calls_of(CallDelta(name="one", arguments="{}"), CallDelta(name="one"), STOP)

    assert [call.func_call for call in calls] == [FuncCall("one", "{}"), FuncCall("one", "{}")]
    assert len({call.id for call in calls}) == 2


async def test_a_name_may_be_repeated_or_come_in_pieces() -> None:
    calls = await calls_of(
        CallDelta(0, "a", "weather"),
        CallDelta(0, "a", "weather", "{}"),
        CallDelta(1, "b", "wea"),
        CallDelta(1, name="ther"),
        STOP,
    )

    assert [call.func_call.name for call in calls] == ["weather", "weather"]


async def test_what_is_counted_behind_the_finish_counts() -> None:
    stream = answer_of(Wire(Counted(Usage(10)), TextDelta("Hi"), Finished(Finish.LENGTH), Counted(Usage(0, 7, 4))))
    await rest(stream)

    assert stream.state is not None
    assert stream.state.status is Status.TRUNCATED
    assert stream.state.usage == Usage(10, 7, 4)


async def test_a_refusal_gives_its_reason_and_what_it_cost() -> None:
    stream = answer_of(Wire(Finished(Finish.REFUSED, "not nice"), Counted(Usage(10, 1))))
    with pytest.raises(StreamBlocked, match="not nice"):
        await rest(stream)

    assert stream.state is not None
    assert stream.state.usage == Usage(10, 1)


@pytest.mark.parametrize(
    ("deltas", "reason"),
    [
        ([CallDelta(0, "a", "", "{}"), STOP], "no name"),
        ([CallDelta(index, "", "one") for index in range(MOST_CALLS + 1)], "more than"),
        ([CallDelta(0, "a", "one", "x" * (LONGEST // 2 + 1))] * 2, "longer"),
    ],
)
async def test_calls_that_cannot_be_put_together_are_refused(deltas: Sequence[Delta], reason: str) -> None:
    with pytest.raises(StreamFailed, match=reason) as failed:
        await rest(answer_of(Wire(*deltas)))
    assert isinstance(failed.value.__cause__, InvalidAnswer)


NAMES = st.text("abc_", min_size=1, max_size=6)


@given(st.lists(st.tuples(NAMES, st.dictionaries(NAMES, st.integers(), max_size=3)), max_size=5), st.data())
def test_however_calls_are_cut_and_mixed_they_come_out_whole(
    asked: list[tuple[str, dict[str, int]]], data: st.DataObject
) -> None:
    wanted = [ToolCall(f"id{place}", FuncCall(name, json.dumps(said))) for place, (name, said) in enumerate(asked)]
    by_index = data.draw(st.booleans())
    pieces: list[list[CallDelta]] = []
    for place, call in enumerate(wanted):
        index, text = place if by_index else None, call.func_call.arguments
        cuts = sorted({0, len(text), *data.draw(st.lists(st.integers(0, len(text)), max_size=4))})
        more = [
            CallDelta(index, "" if by_index else call.id, "", text[one:other])
            for one, other in itertools.pairwise(cuts)
        ]
        pieces.append([CallDelta(index, call.id, call.func_call.name), *more])
    assembler = CallAssembler()
    while left := [queue for queue in pieces if queue]:
        assembler.add(data.draw(st.sampled_from(left) if by_index else st.just(left[0])).pop(0))

    assert assembler.take(is_cut=False) == wanted
