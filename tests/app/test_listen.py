"""One sentence at the microphone, from its first sound to the silence behind it."""

from __future__ import annotations

import asyncio

import pytest
from doubles import virtual_time
from doubles.ears import Room, words_in
from doubles.senses import RoomSenses

from companion.app.listen import sentence
from companion.app.one_try import one_try
from companion.audio.devices import Devices, Direction
from companion.errors import DeviceError, NoMicrophone


def test_a_sentence_is_taken_whole_until_the_silence_behind_it() -> None:
    async def scene() -> None:
        room, ready = Room(), []
        hearing = asyncio.create_task(sentence(room, RoomSenses(), lambda: ready.append(True)))
        await room.quiet(2)
        await room.say("good morning to you")
        sound = await hearing
        await room.close()
        assert words_in(sound) == "good morning to you"
        assert ready == [True]

    virtual_time.run(scene())


def test_nobody_speaking_is_given_up() -> None:
    async def scene() -> None:
        room = Room()
        assert await sentence(room, RoomSenses()) == b""
        assert asyncio.get_running_loop().time() < 20
        await room.close()

    virtual_time.run(scene())


def test_somebody_who_never_stops_is_cut() -> None:
    async def scene() -> None:
        room = Room()
        talking = asyncio.create_task(room.say("on " * 150))
        sound = await sentence(room, RoomSenses())
        talking.cancel()
        await asyncio.gather(talking, return_exceptions=True)
        await room.close()
        assert 25 < len(sound) / 32_000 < 35

    virtual_time.run(scene())


class NoDevices(Devices):
    """A machine without a microphone."""

    def refresh(self) -> bool:
        return True

    def choose(self, direction: Direction, name: str):
        raise NoMicrophone("there is no microphone", mend="plug one in")


async def test_a_microphone_that_is_not_there_is_not_waited_for() -> None:
    with pytest.raises(DeviceError) as fault:
        async with one_try("", NoDevices()) as microphone:
            await microphone.next()
    assert fault.value.mend == "plug one in"
