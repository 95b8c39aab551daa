"""The doctor hears what a microphone delivers and says what to do about silence."""

from __future__ import annotations

import pytest

from companion.app.devices import all_devices
from companion.app.doctor import State
from companion.app.sound_checks import loudspeaker, microphone, server
from companion.audio.devices import Device, Devices, Direction
from companion.errors import DeviceError, NoMicrophone, NoSoundServer, NoSpeaker
from companion.settings.schema import Sound


class Desk(Devices):
    """A machine with so many microphones and loudspeakers."""

    def __init__(self, microphones: int = 1, loudspeakers: int = 1) -> None:
        super().__init__()
        self._there = {Direction.INPUT: microphones, Direction.OUTPUT: loudspeakers}

    def all(self, direction: Direction) -> list[Device]:
        if not any(self._there.values()):
            raise NoSoundServer("no sound system answers", mend="Start one.")
        return [
            Device(f"{direction} {number}", "ALSA", 48_000, 1, is_default=number == 0, key=f"k{number}")
            for number in range(self._there[direction])
        ]


def heard(level: float | DeviceError | TimeoutError):
    async def listen(name: str, devices: Devices) -> float:
        if isinstance(level, BaseException):
            raise level
        return level

    return listen


@pytest.mark.parametrize(
    ("level", "state"),
    [
        (-30.0, State.OK),
        (-80.0, State.WARN),
        (-120.0, State.BAD),
        (TimeoutError(), State.BAD),
        (DeviceError("it is in use", mend="Close it."), State.BAD),
    ],
)
async def test_what_the_microphone_delivers_is_judged(level: float | DeviceError | TimeoutError, state: State) -> None:
    (finding,) = await microphone(Sound(), Desk(), heard(level))
    assert finding.state is state
    assert bool(finding.mend) == (state is not State.OK)


async def test_a_microphone_that_is_not_there_is_named() -> None:
    (finding,) = await microphone(Sound(microphone="Jabra"), Desk(), heard(-30.0))
    assert finding.state is State.BAD
    assert "Jabra" in finding.message


def test_a_loudspeaker_that_is_turned_down_is_told() -> None:
    assert [finding.state for finding in loudspeaker(Sound(), Desk())] == [State.OK]
    assert [finding.state for finding in loudspeaker(Sound(volume=0), Desk())] == [State.WARN]
    with pytest.raises(NoSpeaker):
        list(loudspeaker(Sound(speaker="Jabra"), Desk()))


def test_the_sound_system_is_counted() -> None:
    (finding,) = server(Desk(2, 1))
    assert "2 microphones, 1 loudspeakers" in finding.message
    with pytest.raises(NoSoundServer):
        list(server(Desk(0, 0)))


def test_devices_are_listed_with_the_one_that_is_used() -> None:
    listed = all_devices(Sound(microphone="input 1"), Desk(2, 1))
    assert [(device.name, device.is_used) for device in listed] == [
        ("input 0", False),
        ("input 1", True),
        ("output 0", True),
    ]


def test_a_wanted_device_that_is_not_plugged_in_leaves_the_list_whole() -> None:
    listed = all_devices(Sound(microphone="Jabra"), Desk(2, 1))
    assert [device.is_used for device in listed] == [False, False, True]
    with pytest.raises(NoMicrophone):
        Desk(0, 1).choose(Direction.INPUT, "")
