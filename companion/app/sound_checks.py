"""What the doctor hears: whether there is a sound system, a microphone that delivers, and a loudspeaker."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator

from companion.app.doctor import Check, Finding, bad, of_error, ok, warn
from companion.app.one_try import one_try
from companion.audio.devices import Devices, Direction
from companion.audio.level import rms_dbfs
from companion.audio.microphone import Microphone
from companion.audio.resample import samples_of
from companion.errors import CompanionError
from companion.settings.schema import Sound
from companion.stream import Blob

LISTEN_SECONDS = 1.5
OPEN_WITHIN = 8.0
"""Seconds until a microphone delivers; a sound server whose device slept takes a while."""
QUIET = -75.0
DEAD = -110.0
"""dBFS of the loudest tenth of a second."""


def sound_checks(sound: Sound, devices: Devices) -> list[Check]:
    """The checks of this file."""
    return [
        Check("sound", lambda: server(devices)),
        Check("microphone", lambda: microphone(sound, devices)),
        Check("loudspeaker", lambda: loudspeaker(sound, devices)),
    ]


def server(devices: Devices) -> Iterator[Finding]:
    microphones = devices.all(Direction.INPUT)
    loudspeakers = devices.all(Direction.OUTPUT)
    host = (microphones or loudspeakers)[0].host if microphones or loudspeakers else "no device"
    yield ok("sound", f"{host}: {len(microphones)} microphones, {len(loudspeakers)} loudspeakers")


async def microphone(
    sound: Sound, devices: Devices, listen: Callable[[str, Devices], Awaitable[float]] | None = None
) -> list[Finding]:
    try:
        device = await asyncio.to_thread(devices.choose, Direction.INPUT, sound.microphone)
        level = await (listen or loudest)(sound.microphone, devices)
    except CompanionError as fault:
        return [of_error("microphone", fault)]
    except TimeoutError:
        return [
            bad("microphone", f"nothing came within {OPEN_WITHIN:g} s", "Close other programs, or plug it in again.")
        ]
    told = f"{device.name}: {level:.0f} dBFS"
    if level <= DEAD:
        return [bad("microphone", f"{told}, which is digital silence", "Switch it on, and unmute it in the mixer.")]
    if level < QUIET:
        return [
            warn("microphone", f"{told}, which is very quiet", "Say something during the check, or raise its level.")
        ]
    return [ok("microphone", told)]


def loudspeaker(sound: Sound, devices: Devices) -> Iterator[Finding]:
    device = devices.choose(Direction.OUTPUT, sound.speaker)
    if sound.volume == 0:
        yield warn("loudspeaker", f"{device.name}, but the volume is 0", "companion settings set sound.volume 0.8")
    else:
        yield ok("loudspeaker", f"{device.name}, volume {sound.volume:g}")


async def loudest(name: str, devices: Devices) -> float:
    """The loudest tenth of a second of the microphone's next sound, in dBFS.

    Raises:
        DeviceError: it does not open.
        TimeoutError: it delivers nothing.
    """
    async with asyncio.timeout(OPEN_WITHIN), one_try(name, devices, block_ms=100) as ears:
        return max([rms_dbfs(samples_of(block)) async for block in _blocks(ears, LISTEN_SECONDS)])


async def _blocks(ears: Microphone, seconds: float) -> AsyncIterator[bytes]:
    left = round(seconds * 10)
    async for chunk in ears:
        match chunk.part:
            case Blob(_, data):
                yield data
                left -= 1
        if left <= 0:
            return
