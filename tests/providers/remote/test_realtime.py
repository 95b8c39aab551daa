"""Speech to speech by a provider: turns, interruptions and tools."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Sequence

import pytest
from doubles.realtime_server import Call, RealtimeServer, Sound
from doubles.realtime_talk import CLOCK, begin, said, speech, spoken, talk, tone, tools, typed

from companion.dialects.openai_realtime import RealtimeSettings, Turns
from companion.model import FuncTool, Kind
from companion.model.toolkit import MOST_CALLS
from companion.providers.remote.realtime_line import address
from companion.providers.remote.realtime_plan import RealtimePatience
from companion.providers.remote.sent import Sent
from companion.stream import (
    MessageChunk,
    Role,
    Status,
    Usage,
    end_of_stream,
)
from companion.stream.laws import check_transformer


@pytest.mark.parametrize("base_url", ["https://h", "https://h/v1/", "wss://h/v1/realtime"])
def test_the_address_of_a_session_is_completed(base_url: str) -> None:
    assert address(base_url, "talks well") == "wss://h/v1/realtime?model=talks%20well"


async def test_a_spoken_turn_is_answered_in_words_and_sound() -> None:
    told: list[Sent] = []
    settings = RealtimeSettings("Be short.", "marin", transcriber="writes", language="en")
    server = RealtimeServer([("Good ", Sound(100), "day.", Sound(60))], ["Hello."], usage={"input_tokens": 9})
    async with server, talk(speech(server, settings=settings, key=lambda: "none", watch=told.append)) as call:
        await call.say(*spoken("s"))
        log = await call.rest()

    assert log == [
        "user begin", "user end", "user begin", "user: Hello.", "user end text/plain", "user end", "model begin",
        "model: Good ", "100 ms", "model: day.", "60 ms", "model end audio/pcm; channels=1; rate=24000",
        "model end text/plain", "model end",
    ]  # fmt: skip
    assert call.stream.state is not None
    assert (call.stream.state.status, call.stream.state.usage) == (Status.DONE, Usage(9))
    (update,) = server.sent("session.update")
    assert update["session"]["instructions"] == "Be short."
    assert update["session"]["audio"] == {
        "input": {
            "format": {"type": "audio/pcm", "rate": 24_000},
            "turn_detection": None,
            "transcription": {"model": "writes", "language": "en"},
        },
        "output": {"format": {"type": "audio/pcm", "rate": 24_000}, "voice": "marin"},
    }
    sound = b"".join(base64.b64decode(event["audio"]) for event in server.sent("input_audio_buffer.append"))
    assert len(sound) == pytest.approx(48 * 200, abs=96)
    assert (server.paths, server.headers[0]["authorization"]) == (["/v1/realtime?model=talks"], "Bearer none")
    assert [(one.provider, one.kinds, one.is_local) for one in told] == [("here", frozenset({Kind.AUDIO}), False)]
    assert told[0].bytes > len(sound)
    assert server.refused == []


async def test_typed_words_are_answered_and_pass() -> None:
    server = RealtimeServer([("Good day.",)])
    async with server, talk(speech(server)) as call:
        await call.say(*typed("t", "Hello."))
        log = await call.rest()

    assert log[:3] == ["user begin", "user: Hello.", "user end"]
    assert "model: Good day." in log
    (made,) = server.sent("conversation.item.create")
    assert made["item"]["content"] == [{"type": "input_text", "text": "Hello."}]


async def test_sound_of_any_rate_is_heard_as_24_khz() -> None:
    server = RealtimeServer()
    async with server, talk(speech(server)) as call:
        for route, rate in (("a", 24_000), ("b", 48_000), ("c", 8_000)):
            await call.say(begin(route), said(route, tone(100, rate), rate), end_of_stream(route, role=Role.USER))
            await call.until("model end")
        await call.rest()

    sound = b"".join(base64.b64decode(event["audio"]) for event in server.sent("input_audio_buffer.append"))
    assert len(sound) == pytest.approx(48 * 300, abs=300)
    assert len(server.sent("response.create")) == 3


async def test_a_new_route_interrupts_the_answer_and_tells_how_much_was_heard() -> None:
    never = asyncio.Event()
    server = RealtimeServer([("One two three four. ", Sound(400), Sound(600), never), ("Yes?",)])
    heard: list[str] = []

    def played(route: str) -> float:
        heard.append(route)
        return 0.25

    async with server, talk(speech(server, heard=played)) as call:
        await call.say(*spoken("a"))
        await call.until("400 ms")
        await server.until(lambda told: told.sent("response.create") != [])
        await call.say(*spoken("b"))
        await call.until("model: Yes?")
        log = await call.rest()

    assert log[-1] == "model end"
    assert "model end: interrupted" in log
    (cut,) = server.sent("conversation.item.truncate")
    assert (cut["audio_end_ms"], cut["content_index"]) == (250, 0)
    assert [event["type"] for event in server.told].index("response.cancel") < server.told.index(cut)
    answered = next(chunk.stream_id for chunk in call.chunks if chunk.role is Role.MODEL)
    assert heard == [answered]
    assert server.refused == []


async def test_an_answer_that_came_whole_is_cut_where_it_was_heard() -> None:
    server = RealtimeServer([(Sound(400), Sound(600)), ("Yes?",)])
    async with server, talk(speech(server)) as call:
        await call.say(*spoken("a"))
        await call.until("400 ms")
        await call.say(*spoken("b"))
        await server.until(lambda told: told.sent("conversation.item.truncate") != [])
        await call.until("model: Yes?")
        log = await call.rest()

    (cut,) = server.sent("conversation.item.truncate")
    assert cut["audio_end_ms"] == 400
    assert "600 ms" not in log
    assert server.refused == []


async def test_an_answer_that_was_heard_is_not_cut() -> None:
    server = RealtimeServer([(Sound(400),), ("Yes?",)])
    async with server, talk(speech(server)) as call:
        await call.say(*spoken("a"))
        await call.until("model end")
        await call.say(*spoken("b"))
        await call.until("model: Yes?")
        await call.rest()

    assert server.sent("conversation.item.truncate") == server.sent("response.cancel") == []


async def test_the_server_hears_where_a_turn_ends_and_a_voice_interrupts() -> None:
    never = asyncio.Event()
    server = RealtimeServer([(Sound(500), never), ("Yes?",)])
    settings = RealtimeSettings(turns=Turns.BY_SILENCE, silence_ms=200)
    async with server, talk(speech(server, settings=settings)) as call:
        await call.say(begin("mic"), said("mic", tone(100)), *[said("mic", tone(40, sample=0))] * 10)
        await call.until("500 ms")
        await call.say(said("mic", tone(100)), *[said("mic", tone(40, sample=0))] * 10)
        await call.until("model: Yes?")
        await call.say(end_of_stream("mic", role=Role.USER))
        log = await call.rest()

    detection = server.sent("session.update")[0]["session"]["audio"]["input"]["turn_detection"]
    assert (detection["type"], detection["silence_duration_ms"]) == ("server_vad", 200)
    assert server.sent("input_audio_buffer.commit") == server.sent("response.create") == []
    assert server.sent("response.cancel") == []
    assert "model end: interrupted" in log
    assert server.refused == []


async def test_tools_run_and_the_model_goes_on_with_what_they_return() -> None:
    async def get_time() -> str:
        return "noon"

    answers = [("Well. ", Call("get_time"), Call("lamp", '{"on":true}')), ("It is noon.",)]
    server = RealtimeServer(answers)
    async with server, talk(speech(server, settings=tools(get_time=get_time))) as call:
        await call.say(*typed("t", "What time is it?"))
        log = await call.rest()

    assert [line for line in log if line.startswith(("model:", "get_time", "lamp"))] == [
        "model: Well. ", "get_time({})", 'lamp({"on":true})', "model: It is noon.",
    ]  # fmt: skip
    assert outputs(server) == ["noon", "Error: there is no tool 'lamp' (there are: get_time)"]
    assert len(server.sent("response.create")) == 2
    assert server.sent("session.update")[0]["session"]["tools"][0]["name"] == "get_time"


def outputs(server: RealtimeServer) -> list[str]:
    items = [event["item"] for event in server.sent("conversation.item.create")]
    return [item["output"] for item in items if item["type"] == "function_call_output"]


async def test_a_tool_that_fails_or_takes_too_long_is_told() -> None:
    async def get_time() -> str:
        raise ValueError("no clock")

    async def slow() -> str:
        await asyncio.Event().wait()
        return ""

    async def gives_up() -> str:
        raise asyncio.CancelledError

    patience = RealtimePatience(ready=5, silence=5, tool=0.01)
    server = RealtimeServer([(Call("get_time"), Call("slow"), Call("gives_up")), ("Sorry.",)])
    settings = tools(get_time=get_time, slow=slow, gives_up=gives_up)
    async with server, talk(speech(server, settings=settings, patience=patience)) as call:
        await call.say(*typed("t", "Time?"))
        assert "model: Sorry." in await call.rest()

    assert outputs(server) == [
        "Error: the tool 'get_time' failed: no clock",
        "Error: the tool 'slow' took longer than 0.01 s",
        "Error: the tool 'gives_up' failed: CancelledError",
    ]


async def test_a_model_that_always_calls_is_asked_without_tools_in_the_end() -> None:
    numbers = iter(range(10))
    patience = RealtimePatience(ready=5, silence=5, rounds=2)
    calls = [(Call("count", f'{{"from": {number}}}'),) for number in range(2)]
    server = RealtimeServer([*calls, ("Enough.",)])
    settings = RealtimeSettings(
        tools=(FuncTool("count", "", {"type": "object", "properties": {"from": {}}}, lambda **_: str(next(numbers))),)
    )
    async with server, talk(speech(server, settings=settings, patience=patience)) as call:
        await call.say(*typed("t", "Time?"))
        await call.rest()

    assert [event.get("response") for event in server.sent("response.create")] == [None, None, {"tool_choice": "none"}]


async def test_a_model_that_repeats_itself_has_its_tool_run_once_and_answers_without_tools() -> None:
    runs = []

    async def get_time() -> str:
        runs.append("run")
        return "x" * 100_000

    server = RealtimeServer([(Call("get_time"),) * 50, ("Enough.",)])
    async with server, talk(speech(server, settings=tools(get_time=get_time))) as call:
        await call.say(*typed("t", "Time?"))
        assert "model: Enough." in await call.rest()

    assert runs == ["run"]
    assert len(outputs(server)) == 50
    assert max(map(len, outputs(server))) < 20_000
    assert [event.get("response") for event in server.sent("response.create")] == [None, {"tool_choice": "none"}]


async def test_one_turn_makes_only_so_many_calls() -> None:
    runs = []

    async def look(place: int) -> str:
        runs.append(place)
        return str(place)

    schema = {"type": "object", "properties": {"place": {"type": "integer"}}}
    settings = RealtimeSettings(tools=(FuncTool("look", "", schema, look),))
    server = RealtimeServer([tuple(Call("look", f'{{"place": {place}}}') for place in range(60)), ("Enough.",)])
    async with server, talk(speech(server, settings=settings)) as call:
        await call.say(*typed("t", "Where?"))
        await call.rest()
    assert runs == list(range(MOST_CALLS))
    assert len(outputs(server)) == 60


async def test_calls_are_only_given_on_where_nobody_runs_them() -> None:
    server = RealtimeServer([(Call("get_time"),)])
    async with server, talk(speech(server, settings=RealtimeSettings(tools=(CLOCK,)))) as call:
        await call.say(*typed("t", "Time?"))
        log = await call.rest()
    assert "get_time({})" in log
    assert len(server.sent("response.create")) == 1


async def test_it_keeps_the_laws_of_a_transformer() -> None:
    feed: Sequence[MessageChunk] = spoken("s")
    server = RealtimeServer([("Good day.", Sound(100), Sound(60))])
    async with server:
        model = speech(server)
        await check_transformer(lambda: model, feed, deadline=5)
    assert server.refused == []
