"""Microphones and loudspeakers as a person chooses between them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from companion.audio.devices import Devices, Direction
from companion.errors import DeviceError, NoSoundServer
from companion.settings.schema import Sound


@dataclass(frozen=True, slots=True)
class Listed:
    """One device. ``rate`` is its own, in hertz."""

    kind: str
    """microphone or loudspeaker."""
    name: str
    host: str
    rate: int
    is_default: bool
    is_used: bool


def all_devices(sound: Sound, devices: Devices | None = None) -> list[Listed]:
    """Every device, microphones first. Blocks for up to a second.

    Raises:
        NoSoundServer: there is no sound system to ask.
    """
    known = devices or Devices()
    return [
        *_listed(known, Direction.INPUT, "microphone", sound.microphone),
        *_listed(known, Direction.OUTPUT, "loudspeaker", sound.speaker),
    ]


def _listed(devices: Devices, direction: Direction, kind: str, wanted: str) -> Iterator[Listed]:
    used = _used(devices, direction, wanted)
    for device in devices.all(direction):
        is_used = (device.name, device.key) == used
        yield Listed(kind, device.name, device.host, device.rate, device.is_default, is_used)


def _used(devices: Devices, direction: Direction, wanted: str) -> tuple[str, str] | None:
    try:
        device = devices.choose(direction, wanted)
    except NoSoundServer:
        raise
    except DeviceError:  # the one that is wanted is not plugged in: none is used, and all are listed
        return None
    return device.name, device.key
