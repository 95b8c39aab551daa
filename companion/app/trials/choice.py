"""Microphones and loudspeakers as a person chooses between them: by the names the system shows."""

from __future__ import annotations

from contextlib import suppress

from companion.audio.devices import Device, Devices, Direction
from companion.errors import DeviceError
from companion.settings.schema import Sound

Row = dict[str, object]


def device_rows(devices: Devices, sound: Sound) -> Row:
    """What can be chosen, what is chosen, and what is wrong with that. Blocks for up to a second."""
    with suppress(DeviceError):  # told of each of them below
        devices.refresh()
    return {
        "microphone": _choice(devices, Direction.INPUT, sound.microphone),
        "speaker": _choice(devices, Direction.OUTPUT, sound.speaker),
    }


def _choice(devices: Devices, direction: Direction, wanted: str) -> Row:
    """``wanted`` is as in the settings; ``used`` the name of what that means, empty for the system's own or none."""
    names: list[str] = []
    told: Row = {"wanted": wanted, "used": "", "problem": "", "mend": ""}
    try:
        names = _names(devices.all(direction))
        chosen = devices.choose(direction, wanted)
        told["used"] = chosen.name if wanted else ""
    except DeviceError as fault:
        told |= {"problem": str(fault), "mend": fault.mend}
    return told | {"names": names}


def _names(found: list[Device]) -> list[str]:
    """Those of the sound server, where there is one: what lies below it is the same devices once more."""
    served = [device for device in found if device.key]
    return list(dict.fromkeys(device.name for device in served or found))
