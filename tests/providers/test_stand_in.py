"""Where one recogniser or voice fails, another steps in, and what is paid for stays within the budget."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from datetime import datetime
from pathlib import Path

import pytest
from doubles import virtual_time

from companion.compose.breaker import Circuit, CircuitState
from companion.compose.ledger import Ledger
from companion.errors import (
    ModelBroken,
    NobodyAnswered,
    OverBudget,
    Refused,
    SettingsError,
    StorageError,
    StreamFailed,
    Unreachable,
    WireBroken,
)
from companion.providers.paid import PaidRecogniser, PaidVoice, Till
from companion.providers.stand_in import StandInRecogniser, StandInVoice
from companion.stream import Blob, MessageChunk, Role, StreamCtrl, Text, begin_of_stream, end_of_stream, pcm, stream_of

MINUTE = bytes(2 * 16_000 * 60)
PIECE = Text("Good morning.")


class Ears:
    """Hears the same words in everything, after some seconds, unless it fails."""

    def __init__(self, words: str, *, fault: Exception | None = None, seconds: float = 0.0) -> None:
        self._words = words
        self._fault = fault
        self._seconds = seconds
        self.heard = 0

    async def hear(self, sound: bytes) -> Text:
        self.heard += 1
        await asyncio.sleep(self._seconds)
        if self._fault is not None:
            raise self._fault
        return Text(self._words)


class Mouth:
    """Says a piece in slices, and fails behind so many of them."""

    def __init__(self, name: bytes, *, fault: Exception | None = None, after: int = 0) -> None:
        self._name = name
        self._fault = fault
        self._after = after

    async def speak(self, text: Text) -> AsyncGenerator[Blob, None]:
        for place in range(3):
            if self._fault is not None and place == self._after:
                raise self._fault
            yield pcm(self._name * 2, 16_000)


async def said(voice: StandInVoice | PaidVoice) -> bytes:
    return b"".join([blob.data async for blob in voice.speak(PIECE)])


def ledger(folder: Path, budget: float) -> Ledger:
    return Ledger(folder / "spent.json", budget=budget, clock=lambda: datetime(2026, 11, 1))  # noqa: DTZ001


def till(folder: Path, budget: float = 10.0, threshold: int = 1) -> Till:
    return Till(ledger(folder, budget), Circuit("paid", threshold=threshold, clock=lambda: 0.0), "voice: paid")


async def test_the_first_that_can_is_believed_and_named() -> None:
    served: list[str] = []
    away, here = Ears("from away", fault=Unreachable("gone")), Ears("from here")

    one = StandInRecogniser([("away", away), ("here", here)], patience=1.0, on_served=served.append)
    assert (await one.hear(b"")).text == "from here"

    other = StandInRecogniser([("here", here), ("away", away)], patience=1.0, on_served=served.append)
    assert (await other.hear(b"")).text == "from here"
    assert served == ["here", "here"]
    assert away.heard == 1


def test_one_that_takes_too_long_is_left_for_the_next() -> None:
    slow, quick = Ears("late", seconds=30.0), Ears("in time")
    recogniser = StandInRecogniser([("slow", slow), ("quick", quick)], patience=1.0)
    assert virtual_time.run(recogniser.hear(b"")).text == "in time"


def test_the_last_one_may_take_its_time() -> None:
    gone, slow = Ears("", fault=Unreachable("gone")), Ears("late", seconds=60.0)
    recogniser = StandInRecogniser([("gone", gone), ("slow", slow)], patience=1.0)
    assert virtual_time.run(recogniser.hear(b"")).text == "late"


async def test_where_nobody_can_each_failure_is_told() -> None:
    both = [("away", Ears("", fault=Unreachable("gone"))), ("here", Ears("", fault=ModelBroken("broken")))]
    with pytest.raises(NobodyAnswered, match=r"away: gone; here: broken"):
        await StandInRecogniser(both, patience=1.0).hear(b"")
    with pytest.raises(ModelBroken):
        await StandInRecogniser(both[1:], patience=1.0).hear(b"")


async def test_a_mistake_in_the_program_is_not_hidden_behind_another_voice() -> None:
    with pytest.raises(ZeroDivisionError):
        await StandInRecogniser([("a", Ears("", fault=ZeroDivisionError())), ("b", Ears("words"))], patience=1.0).hear(
            b""
        )


async def test_it_hears_streams_as_every_recogniser_does() -> None:
    route = [
        begin_of_stream("r", role=Role.USER),
        MessageChunk(role=Role.USER, part=pcm(bytes(640), 16_000), ctrl=StreamCtrl("r")),
        end_of_stream("r", role=Role.USER),
    ]
    heard = await StandInRecogniser([("here", Ears("words"))], patience=1.0).transform(stream_of(route))
    assert [chunk.part.text async for chunk in heard if isinstance(chunk.part, Text) and chunk.part.text] == ["words"]


@pytest.mark.parametrize("after", [0, 2])
async def test_a_voice_that_breaks_in_a_piece_is_replaced_and_nothing_is_said_twice(after: int) -> None:
    away = Mouth(b"a", fault=Unreachable("gone"), after=after)
    assert await said(StandInVoice([("away", away), ("here", Mouth(b"h"))], patience=1.0)) == b"h" * 6


async def test_where_no_voice_can_speak_each_failure_is_told() -> None:
    away, here = Mouth(b"a", fault=Unreachable("gone")), Mouth(b"h", fault=ModelBroken("broken"))
    with pytest.raises(NobodyAnswered, match=r"gone.*broken"):
        await said(StandInVoice([("away", away), ("here", here)], patience=1.0))


async def test_a_minute_of_sound_costs_its_price_and_a_failure_nothing(tmp_path: Path) -> None:
    purse = till(tmp_path)
    await PaidRecogniser(Ears("words"), purse, price=4.0).hear(MINUTE)
    assert purse.ledger.left == pytest.approx(6.0)

    with pytest.raises(Unreachable):
        await PaidRecogniser(Ears("", fault=Unreachable("gone")), purse, price=4.0).hear(MINUTE)
    assert purse.ledger.left == pytest.approx(6.0)


async def test_a_provider_that_failed_is_left_alone_for_a_while(tmp_path: Path) -> None:
    purse, ears = till(tmp_path), Ears("", fault=Unreachable("gone"))
    for match in ("gone", "left alone"):
        with pytest.raises(Unreachable, match=match):
            await PaidRecogniser(ears, purse, price=4.0).hear(MINUTE)
    assert ears.heard == 1


async def test_nothing_is_sent_above_the_budget(tmp_path: Path) -> None:
    ears = Ears("words")
    with pytest.raises(OverBudget):
        await PaidRecogniser(ears, till(tmp_path, budget=3.0), price=4.0).hear(MINUTE)
    assert not ears.heard


async def test_a_voice_that_is_left_in_a_piece_is_paid_for(tmp_path: Path) -> None:
    purse = till(tmp_path)
    sound = PaidVoice(Mouth(b"p"), purse, price=100_000.0).speak(PIECE)
    await anext(sound)
    await sound.aclose()
    assert purse.ledger.left == pytest.approx(10.0 - len(PIECE.text) * 0.1)


class Steady:
    """A voice that takes some seconds for each slice."""

    def __init__(self, seconds: list[float]) -> None:
        self._seconds = seconds

    async def speak(self, text: Text) -> AsyncGenerator[Blob, None]:
        for seconds in self._seconds:
            await asyncio.sleep(seconds)
            yield pcm(b"s" * 2, 16_000)


def test_a_voice_that_goes_on_speaking_is_not_too_slow_however_long_the_piece_is() -> None:
    steady = Steady([0.5] * 10)
    voice = StandInVoice([("away", steady), ("here", Mouth(b"h"))], patience=3.0)
    assert virtual_time.run(said(voice)) == b"s" * 20


@pytest.mark.parametrize("seconds", [[10.0], [0.0, 10.0]])
def test_a_voice_that_falls_silent_is_replaced(seconds: list[float]) -> None:
    voice = StandInVoice([("away", Steady(seconds)), ("here", Mouth(b"h"))], patience=3.0)
    assert virtual_time.run(said(voice)) == b"h" * 6


@pytest.mark.parametrize(
    ("fault", "left"),
    [(Refused("no"), 10.0), (Unreachable("it broke", was_sent=True), 6.0), (WireBroken("no JSON"), 6.0)],
)
async def test_what_was_sent_is_paid_for_unless_the_provider_refused(
    tmp_path: Path, fault: Exception, left: float
) -> None:
    purse = till(tmp_path)
    with pytest.raises(type(fault)):
        await PaidRecogniser(Ears("", fault=fault), purse, price=4.0).hear(MINUTE)
    assert purse.ledger.left == pytest.approx(left)


async def test_one_that_hangs_is_left_alone_as_one_that_is_gone(tmp_path: Path) -> None:
    purse, slow = till(tmp_path, budget=100.0), Ears("late", seconds=30.0)
    paid = PaidRecogniser(slow, purse, price=4.0)
    both = StandInRecogniser([("away", paid), ("here", Ears("from here"))], patience=0.2)
    assert [(await both.hear(MINUTE)).text for _ in range(3)] == ["from here"] * 3
    assert slow.heard == 1

    purse = till(tmp_path / "voice")
    voice = PaidVoice(Steady([30.0]), purse, price=1.0)
    assert await said(StandInVoice([("away", voice), ("here", Mouth(b"h"))], patience=0.2)) == b"h" * 6
    assert purse.circuit.state is CircuitState.OPEN


async def test_to_interrupt_a_voice_that_speaks_says_nothing_against_it(tmp_path: Path) -> None:
    now = 0.0
    circuit = Circuit("paid", threshold=1, clock=lambda: now)
    sound = PaidVoice(Mouth(b"p"), Till(ledger(tmp_path, 10.0), circuit, "voice: paid"), price=1.0).speak(PIECE)
    await anext(sound)
    now = 60.0
    await sound.aclose()
    assert circuit.state is CircuitState.CLOSED


async def test_a_setting_that_cannot_be_used_is_a_reason_to_ask_the_next() -> None:
    away = Ears("", fault=SettingsError("the proxy is no URL"))
    assert (await StandInRecogniser([("away", away), ("here", Ears("words"))], patience=1.0).hear(b"")).text == "words"


async def test_a_cost_that_cannot_be_written_down_ends_the_route_that_was_heard() -> None:
    ears = StandInRecogniser([("away", Ears("", fault=StorageError("no room", file="spent.json")))], patience=1.0)
    route = [begin_of_stream("r", role=Role.USER), end_of_stream("r", role=Role.USER)]
    heard = await ears.transform(stream_of(route))
    assert (await heard.next()).is_begin
    end = await heard.next()
    assert end.ctrl is not None
    assert (end.is_end, end.ctrl.error) == (True, "no room")
    with pytest.raises(StreamFailed):
        await heard.next()
