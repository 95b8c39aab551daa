"""Speech to speech by a provider: cuts of the line, and every way to refuse."""

from __future__ import annotations

import asyncio
import base64
from http import HTTPStatus

import pytest
from doubles.realtime_server import Break, Call, Failure, Raw, RealtimeServer, Sound
from doubles.realtime_talk import begin, said, speech, spoken, talk, tone, tools, typed

from companion.dialects.openai_realtime import RealtimeSettings
from companion.errors import (
    MissingKey,
    OverBudget,
    Refused,
    StreamFailed,
    Throttled,
    Unreachable,
    Unsupported,
    WireBroken,
)
from companion.providers.remote.realtime_plan import RealtimePatience
from companion.stream import (
    Blob,
    MessageChunk,
    Role,
    StreamCtrl,
    Usage,
    end_of_stream,
)

COUNTED = {"input_tokens": 9, "output_tokens": 3}


async def test_a_cut_line_is_made_again_and_the_conversation_put_back() -> None:
    answers = [("Good day, Ada.", Sound(100)), ("It is", Sound(40), Break()), ("Noon.",)]
    server = RealtimeServer(answers, ["I am Ada.", "Time?"])
    async with server, talk(speech(server, settings=RealtimeSettings(transcriber="writes"))) as call:
        await call.say(*spoken("a"))
        await call.until("model end")
        await call.say(*typed("b", "Time?"))
        await server.until(lambda told: told.lines == 2 and len(told.sent("session.update")) == 2)
        await call.say(*typed("c", "Well?"))
        await call.until("model: Noon.")
        log = await call.rest()

    broken = next(line for line in log if line.startswith("model end: the line"))
    assert "broke" in broken
    first = next(place for place, event in enumerate(server.told) if event is server.sent("session.update")[1])
    back = [event["item"] for event in server.told[first:] if event["type"] == "conversation.item.create"]
    told = [(item["role"], item["content"][0].get("text")) for item in back]
    assert told == [
        ("user", "I am Ada."), ("assistant", "Good day, Ada."), ("user", "Time?"), ("assistant", "It is"),
        ("user", "Well?"),
    ]  # fmt: skip
    assert sum(line == "model: It is" for line in log) == 1


async def test_an_answer_of_which_nothing_came_is_asked_for_again() -> None:
    server = RealtimeServer([(Break(),), ("Here I am.",)])
    async with server, talk(speech(server)) as call:
        await call.say(*spoken("a"))
        log = await call.rest()

    assert [line for line in log if line.startswith("model")] == [
        "model begin", "model: Here I am.", "model end text/plain", "model end",
    ]  # fmt: skip
    again = server.sent("conversation.item.create")
    assert [item["item"]["content"][0]["type"] for item in again] == ["input_audio"]
    assert len(base64.b64decode(again[0]["item"]["content"][0]["audio"])) == pytest.approx(48 * 200, abs=96)


async def test_sound_that_belongs_to_no_message_yet_is_put_back_too() -> None:
    server = RealtimeServer([(Sound(40), Break()), ("Yes.",)])
    async with server, talk(speech(server)) as call:
        await call.say(*typed("t", "Hello."))
        await call.until("40 ms")
        await call.say(begin("s"), said("s", tone(200)))
        await server.until(lambda told: told.lines == 2 and len(told.sent("session.update")) == 2)
        await call.say(end_of_stream("s", role=Role.USER))
        await call.until("model: Yes.")
        await call.rest()
    assert server.refused == []


async def test_a_tool_that_returns_after_a_cut_is_told_with_its_call() -> None:
    may_return = asyncio.Event()

    async def get_time() -> str:
        await may_return.wait()
        return "noon"

    server = RealtimeServer([(Call("get_time"), Break()), ("It is noon.",)])
    async with server, talk(speech(server, settings=tools(get_time=get_time))) as call:
        await call.say(*typed("t", "Time?"))
        await call.until("get_time({})")
        await server.until(lambda told: len(told.sent("session.update")) == 2)
        may_return.set()
        await call.until("model: It is noon.")
        await call.rest()

    kinds = [event["item"]["type"] for event in server.sent("conversation.item.create")]
    assert kinds == ["message", "message", "function_call", "function_call_output"]


async def test_a_line_that_breaks_again_and_again_is_given_up() -> None:
    server = RealtimeServer([(Break(),)])
    pauses: list[float] = []

    async def sleep(seconds: float) -> None:
        pauses.append(seconds)

    patience = RealtimePatience(ready=5, silence=5, tries=3, pause=0.25)
    async with server, talk(speech(server, sleep=sleep, patience=patience)) as call:
        await call.say(*spoken("a"))
        with pytest.raises(StreamFailed) as caught:
            await call.rest()
    assert isinstance(caught.value.__cause__, Unreachable)
    assert pauses == [0.25, 0.5, 1.0]
    assert server.lines == 4


async def test_a_server_that_says_nothing_is_not_waited_for_for_ever() -> None:
    never = asyncio.Event()
    server = RealtimeServer([(never,)])
    patience = RealtimePatience(ready=5, silence=0.05, tries=1, pause=0.0)
    async with server, talk(speech(server, patience=patience)) as call:
        await call.say(*spoken("a"))
        with pytest.raises(StreamFailed) as caught:
            await call.rest()
    assert isinstance(caught.value.__cause__, TimeoutError)
    assert server.lines == 2


async def test_an_idle_line_is_waited_for_as_long_as_it_takes() -> None:
    server = RealtimeServer()
    patience = RealtimePatience(ready=5, silence=5, pause=0.0)
    async with server, talk(speech(server, patience=patience)) as call:
        await call.say(*typed("t", "Hello."))
        await call.until("model end")
        loop = asyncio.get_running_loop()
        real = loop.time
        loop.time = lambda: real() + 10.0  # type: ignore[method-assign]
        for _ in range(5):
            await asyncio.sleep(0)
        await call.say(*typed("u", "Hello?"))
        await call.until("model end")
        await call.rest()
    assert server.lines == 1


async def test_a_failed_answer_ends_with_its_error_and_the_talk_goes_on() -> None:
    server = RealtimeServer([(Failure("out of order"),), ("Again.", Failure("out of breath")), ("Well.",)])
    async with server, talk(speech(server)) as call:
        for route in "abc":
            await call.say(*typed(route, "Hello."))
            await call.until("model end", "model end: out of order", "model end: out of breath")
        log = await call.rest()

    ends = [call.chunks[place].ctrl for place, line in enumerate(log) if line.startswith("model end:")]
    assert {ctrl.error for ctrl in ends if ctrl} == {"out of order", "out of breath"}
    assert "model: Well." in log


@pytest.mark.parametrize(
    ("status", "error"), [(HTTPStatus.UNAUTHORIZED, Refused), (HTTPStatus.TOO_MANY_REQUESTS, Throttled)]
)
async def test_a_refused_line_says_why(status: HTTPStatus, error: type[Exception]) -> None:
    server = RealtimeServer(refuses=status)
    async with server, talk(speech(server)) as call:
        await call.say(*spoken("a"))
        with pytest.raises(StreamFailed, match="not for you") as caught:
            await call.rest()
    assert isinstance(caught.value.__cause__, error)


async def test_without_a_key_there_is_no_line() -> None:
    def none() -> str:
        raise MissingKey("there is no key for Here", mend="set HERE_KEY")

    server = RealtimeServer()
    async with server, talk(speech(server, key=none)) as call:
        with pytest.raises(StreamFailed) as caught:
            await call.rest()
    assert isinstance(caught.value.__cause__, MissingKey)
    assert server.lines == 0


async def test_a_server_that_opens_no_session_is_given_up() -> None:
    server = RealtimeServer(is_mute=True)
    async with server, talk(speech(server, patience=RealtimePatience(ready=0.05))) as call:
        with pytest.raises(StreamFailed) as caught:
            await call.rest()
    assert isinstance(caught.value.__cause__, TimeoutError)


async def test_nobody_there_is_told_at_once() -> None:
    server = RealtimeServer()
    async with server:
        pass
    async with talk(speech(server)) as call:
        with pytest.raises(StreamFailed) as caught:
            await call.rest()
    assert isinstance(caught.value.__cause__, Unreachable)


@pytest.mark.parametrize("text", ["no json", "{}", '{"type": "response.output_audio.delta", "delta": "?"}'])
async def test_a_malformed_event_breaks_the_line(text: str) -> None:
    server = RealtimeServer([(Raw(text),)])
    patience = RealtimePatience(ready=5, silence=5, tries=0)
    async with server, talk(speech(server, patience=patience)) as call:
        await call.say(*spoken("a"))
        with pytest.raises(StreamFailed) as caught:
            await call.rest()
    assert isinstance(caught.value.__cause__, WireBroken)


async def test_an_event_nobody_knows_is_passed_over() -> None:
    server = RealtimeServer([(Raw('{"type": "response.smile"}'), "Hello.")])
    async with server, talk(speech(server)) as call:
        await call.say(*spoken("a"))
        assert "model: Hello." in await call.rest()


async def test_a_route_that_ends_by_an_error_is_forgotten() -> None:
    server = RealtimeServer()
    async with server, talk(speech(server)) as call:
        await call.say(begin("a"), said("a", tone(100)), end_of_stream("a", role=Role.USER, error="gone"))
        assert await call.rest() == ["user begin", "user end: gone"]
    assert server.sent("response.create") == []
    assert [event["type"] for event in server.told][-1] == "input_audio_buffer.clear"


async def test_what_is_no_pcm_is_refused() -> None:
    server = RealtimeServer()
    async with server, talk(speech(server)) as call:
        await call.say(begin("a"), MessageChunk(Role.USER, part=Blob("audio/ogg", b"x"), ctrl=StreamCtrl("a")))
        with pytest.raises(StreamFailed) as caught:
            await call.rest()
    assert isinstance(caught.value.__cause__, Unsupported)


async def test_closing_closes_the_line() -> None:
    never = asyncio.Event()
    server = RealtimeServer([("Well.", never)])
    async with server, talk(speech(server)) as call:
        await call.say(*spoken("a"))
        await call.until("model: Well.")
        assert server.open_lines == 1
        await call.stream.close()
        await server.until(lambda server: server.open_lines == 0)
        assert call.user.stream.state is not None
    assert server.lines == 1


async def test_half_a_letter_does_not_break_the_line() -> None:
    server = RealtimeServer([("Hello.",)])
    async with server, talk(speech(server)) as call:
        await call.say(*typed("a", "half a letter: \ud83d"))
        assert "model: Hello." in await call.rest()
    (item,) = server.sent("conversation.item.create")
    assert item["item"]["content"][0]["text"] == "half a letter: \ufffd"


async def test_an_answer_that_is_asked_for_again_may_call_no_more_tools_than_before() -> None:
    async def get_time() -> str:
        return "noon"

    patience = RealtimePatience(ready=5, silence=5, tool=5, pause=0.0, rounds=1)
    server = RealtimeServer([(Call("get_time"),), (Break(),), ("It is noon.",)])
    async with server, talk(speech(server, settings=tools(get_time=get_time), patience=patience)) as call:
        await call.say(*typed("t", "Time?"))
        assert "model: It is noon." in await call.rest()
    wishes = [event.get("response") for event in server.sent("response.create")]
    assert wishes == [None, {"tool_choice": "none"}, {"tool_choice": "none"}]


class Purse:
    """A meter of so many answers; log: what became of them."""

    def __init__(self, answers: int) -> None:
        self._left = answers
        self._is_down = False
        self.log: list[str] = []

    async def open(self) -> None:
        await self.put_down()

    def ready(self) -> None:
        self.log.append("ready")

    async def put_down(self) -> None:
        if not self._is_down:
            if not self._left:
                raise OverBudget("the month is used up")
            self._left -= 1
            self._is_down = True

    async def counted(self, usage: Usage) -> None:
        self._is_down = False
        self.log.append("counted")

    async def lost(self) -> None:
        self._is_down = False
        self.log.append("lost")

    async def close(self, fault: Exception | None, *, is_owed: bool) -> None:
        self.log.append(f"{type(fault).__name__ if fault else 'closed'} {is_owed}")


async def test_the_last_answer_within_the_budget_ends_well() -> None:
    purse, server = Purse(1), RealtimeServer([("Hello.",)], usage=COUNTED)
    async with server, talk(speech(server, meter=lambda: purse)) as call:
        await call.say(*typed("a", "Hello?"))
        log = await call.rest()
    assert "model end" in log
    assert purse.log == ["ready", "counted", "closed False"]


async def test_an_answer_that_nobody_has_counted_is_paid_for_in_full() -> None:
    purse, server = Purse(1), RealtimeServer([("Hello.",)])
    async with server, talk(speech(server, meter=lambda: purse)) as call:
        await call.say(*typed("a", "Hello?"))
        await call.rest()
    assert purse.log == ["ready", "lost", "closed False"]


async def test_a_question_above_the_budget_ends_the_talk() -> None:
    purse, server = Purse(1), RealtimeServer([("Hello.",)])
    async with server, talk(speech(server, meter=lambda: purse)) as call:
        await call.say(*typed("a", "Hello?"))
        await call.until("model end")
        await call.say(*typed("b", "And now?"))
        with pytest.raises(StreamFailed) as caught:
            await call.rest()
    assert isinstance(caught.value.__cause__, OverBudget)
    assert len(server.sent("response.create")) == 1


async def test_an_answer_that_the_line_lost_is_paid_for_beside_the_one_asked_for_again() -> None:
    purse, server = Purse(2), RealtimeServer([(Break(),), ("Hello.",)], usage=COUNTED)
    async with server, talk(speech(server, meter=lambda: purse)) as call:
        await call.say(*typed("a", "Hello?"))
        assert "model: Hello." in await call.rest()
    assert purse.log == ["ready", "lost", "ready", "counted", "closed False"]
