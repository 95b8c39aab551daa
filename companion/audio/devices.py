"""Microphones and loudspeakers by name: what is there, which one is meant, and how it opens."""

from __future__ import annotations

import asyncio
import platform
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum

from companion.audio.portaudio import INVALID_CHANNELS, INVALID_RATE, PortAudio, RawStream, code_of, the_portaudio
from companion.audio.pulse import Kind, ServerDevice, Watch, pinned, server_devices
from companion.errors import DeviceError, NoMicrophone, NoSoundServer, NoSpeaker


class Direction(StrEnum):
    INPUT = "input"
    OUTPUT = "output"


@dataclass(frozen=True, slots=True)
class Device:
    """One microphone or loudspeaker."""

    name: str
    host: str
    """The sound system it belongs to."""
    rate: int
    """Its own rate in hertz."""
    channels: int
    is_default: bool
    key: str = ""
    """The sound server's name for it, where a server has it."""
    index: int = -1
    """PortAudio's number, which holds only until the next refresh."""


@dataclass(frozen=True, slots=True)
class Opening:
    """How to open a device."""

    block_seconds: float
    """Sound per callback."""
    latency: float
    """Seconds of buffer asked for."""
    callback: Callable[..., None]
    finished: Callable[[], None]


@dataclass(frozen=True, slots=True)
class OpenDevice:
    """A running stream of signed 16-bit samples."""

    device: Device
    stream: RawStream
    rate: int
    channels: int
    block: int
    """Frames per callback."""


# A sound server converts for whoever asks, and PortAudio can only guess its rate (44100, which no
# modern server runs at). A multiple of 16 kHz also needs no slow resampler.
_SERVER_RATE = 48_000
_SERVERS = ("pulse", "pipewire")
_FALLBACK_RATES = (48_000, 44_100, 32_000, 16_000, 96_000, 8_000)

_SERVER_KIND: dict[Direction, Kind] = {Direction.INPUT: "source", Direction.OUTPUT: "sink"}

ServerList = Callable[[Kind], list[ServerDevice] | None]


class Devices:
    """The devices of this machine. Calls block for up to a second: call them off the event loop."""

    def __init__(self, portaudio: PortAudio | None = None, *, on_server: ServerList = server_devices) -> None:
        self._portaudio = portaudio or the_portaudio()
        self._on_server = on_server
        self._makes_way: Callable[[], None] = lambda: None

    def all(self, direction: Direction) -> list[Device]:
        """Every device, the default first.

        Raises:
            NoSoundServer: there is no sound system to ask, or it has no device at all.
        """
        found = self._listed(direction)
        return sorted(found, key=lambda device: not device.is_default)

    def choose(self, direction: Direction, name: str) -> Device:
        """The device meant by ``name``: the whole name, else a part of it in any case; "" is the default.

        Raises:
            NoMicrophone, NoSpeaker: no device of that name, or none at all.
            NoSoundServer: there is no sound system to ask.
        """
        found = self.all(direction)
        if not name and found:
            return found[0]
        meant = [device for device in found if name in (device.name, device.key)]
        meant = meant or [device for device in found if name.lower() in device.name.lower()]
        if meant:
            return meant[0]
        missing, what = (NoMicrophone, "microphone") if direction is Direction.INPUT else (NoSpeaker, "loudspeaker")
        raise missing(
            f"there is no {what} named {name!r}" if name else f"there is no {what}",
            mend="plug it in, or choose another: companion devices" if name else "plug one in",
        )

    def refresh(self) -> bool:
        """See devices that came and went; only possible (True) while no stream is open.

        Raises:
            NoSoundServer: there is no sound system to ask.
        """
        return self._portaudio.refresh()

    def make_way(self) -> None:
        """A device was not found, perhaps because the list is old: whoever has one open lets go of it when it can."""
        self._makes_way()

    def on_make_way(self, let_go: Callable[[], None]) -> None:
        """What ``make_way`` calls, on any thread."""
        self._makes_way = let_go

    def open(self, direction: Direction, device: Device, opening: Opening) -> OpenDevice:
        """Open ``device`` at its own rate, or the next one it takes; in one channel if it can.

        Raises:
            DeviceError: it will not open; busy and gone are told apart.
        """
        with pinned(_SERVER_KIND[direction], device.key):
            return self._open(direction, device, opening)

    def is_there(self, direction: Direction, device: Device) -> bool:
        """Whether a device of the sound server that was opened earlier is still plugged in. True if in doubt."""
        if not _is_on_server(device):
            return True
        known = self._on_server(_SERVER_KIND[direction])
        return known is None or any(device.key in ("", other.key) for other in known)

    def watch(self, direction: Direction, device: Device, on_change: Callable[[], None]) -> Watch | None:
        """What tells that devices beside ``device`` come and go; None where nobody can tell."""
        return Watch(_SERVER_KIND[direction], on_change) if _is_on_server(device) else None

    def close(self, opened: OpenDevice) -> None:
        """Stop at once and let go. Never raises."""
        self._portaudio.close(opened.stream)

    def _open(self, direction: Direction, device: Device, opening: Opening) -> OpenDevice:
        rates = list(dict.fromkeys((device.rate, *_FALLBACK_RATES)))
        channels = 1
        while True:
            try:
                return self._try(direction, device, opening, rates[0], channels)
            except DeviceError as error:
                code = code_of(error.__cause__)
                if code == INVALID_CHANNELS and channels == 1 and device.channels > 1:
                    channels = 2
                elif code == INVALID_RATE and len(rates) > 1:
                    del rates[0]
                else:
                    raise

    def _try(self, direction: Direction, device: Device, opening: Opening, rate: int, channels: int) -> OpenDevice:
        block = round(opening.block_seconds * rate)
        stream = self._portaudio.open(
            direction,
            {
                "samplerate": rate,
                "blocksize": block,
                "device": device.index,
                "channels": channels,
                "dtype": "int16",
                "latency": opening.latency,
                "callback": opening.callback,
                "finished_callback": opening.finished,
            },
        )
        return OpenDevice(device, stream, rate, channels, block)

    def _listed(self, direction: Direction) -> list[Device]:
        entries, hosts, defaults = self._portaudio.table()
        field = f"max_{direction}_channels"
        default = defaults[0 if direction is Direction.INPUT else 1]
        found = [
            Device(
                name=str(entry["name"]),
                host=str(hosts[entry["hostapi"]]["name"]),
                rate=int(entry["default_samplerate"]),
                channels=int(entry[field]),
                is_default=index == default,
                index=index,
            )
            for index, entry in enumerate(entries)
            if entry[field] > 0
        ]
        if not entries:
            raise NoSoundServer("no sound system answers", mend=_server_mend())
        return self._with_server(direction, found)

    def _with_server(self, direction: Direction, found: list[Device]) -> list[Device]:
        """Put a sound server first: opening the hardware below it would only find it busy."""
        door = next((device for name in _SERVERS for device in found if device.name == name), None)
        if door is None:
            return found
        door = replace(door, rate=_SERVER_RATE, is_default=True)
        others = [replace(device, is_default=False) for device in found if device.index != door.index]
        known = self._on_server(_SERVER_KIND[direction])
        if known is None:
            return [door, *others]
        behind = [replace(door, name=device.title, key=device.key, is_default=False) for device in known]
        # A server without a microphone would hand out what its loudspeaker plays.
        return [door, *behind, *others] if behind else []


def _is_on_server(device: Device) -> bool:
    return device.name in _SERVERS or bool(device.key)


def _server_mend() -> str:
    if platform.system() == "Linux":
        return "start PulseAudio or PipeWire (and: sudo apt install libasound2-plugins), or plug in a sound device"
    return "plug in a sound device"


async def open_aside(devices: Devices, work: Callable[[], OpenDevice]) -> OpenDevice:
    """Run ``work``, which opens a device, off the event loop. Cancelled meanwhile, the device is closed again.

    Raises:
        DeviceError: from ``work``.
    """
    loop = asyncio.get_running_loop()
    opening = loop.run_in_executor(None, work)
    try:
        return await asyncio.shield(opening)
    except asyncio.CancelledError:
        await asyncio.wait([opening])
        if opening.exception() is None:
            await asyncio.to_thread(devices.close, opening.result())
        raise
