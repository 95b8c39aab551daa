"""A PortAudio that exists only in the test: devices come and go, calls fail as told, callbacks run when asked."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any

from companion.audio.devices import Devices
from companion.audio.portaudio import PortAudio


class PortAudioError(Exception):
    """As sounddevice raises it: a message and PortAudio's number."""


@dataclass
class Status:
    input_overflow: bool = False
    output_underflow: bool = False


@dataclass
class Times:
    currentTime: float = 0.0  # noqa: N815 - PortAudio's name
    outputBufferDacTime: float = 0.0  # noqa: N815
    inputBufferAdcTime: float = 0.0  # noqa: N815


@dataclass
class FakeStream:
    """An open stream; the test plays the part of the sound card."""

    library: FakeLibrary
    settings: dict[str, Any]
    latency: float = 0.05
    active: bool = False
    is_closed: bool = False

    @property
    def rate(self) -> int:
        return int(self.settings["samplerate"])

    def start(self) -> None:
        self.active = True

    def abort(self, ignore_errors: bool = True) -> None:
        self.active = False

    def close(self, ignore_errors: bool = True) -> None:
        self.is_closed = True
        self.library.open_streams.discard(id(self))

    def deliver(self, sound: bytes) -> None:
        """A microphone's callback, one block."""
        self.settings["callback"](sound, len(sound) // 2, Times(), Status())

    def take(self, frames: int = 0, *, underflow: bool = False) -> bytes:
        """A loudspeaker's callback, one block."""
        out = bytearray(2 * self.settings["channels"] * (frames or self.settings["blocksize"]))
        at = time.monotonic()
        self.settings["callback"](out, frames or self.settings["blocksize"], Times(at, at), Status(False, underflow))
        return bytes(out)

    def vanish(self) -> None:
        """What PortAudio does when the device goes: it only says that the stream has finished."""
        self.active = False
        self.settings["finished_callback"]()


@dataclass
class FakeLibrary:
    """What we use of the ``sounddevice`` module."""

    devices: list[dict[str, Any]] = field(default_factory=list)
    faults: list[PortAudioError] = field(default_factory=list)
    """Raised by the next openings, one each."""
    streams: list[FakeStream] = field(default_factory=list)
    open_streams: set[int] = field(default_factory=set)
    refreshed: int = 0
    PortAudioError = PortAudioError
    rates: tuple[int, ...] = ()
    """The only rates devices take; empty for any."""

    def __post_init__(self) -> None:
        self._seen = list(self.devices)

    @property
    def default(self) -> Any:
        inputs = [number for number, device in enumerate(self._seen) if device["max_input_channels"]]
        outputs = [number for number, device in enumerate(self._seen) if device["max_output_channels"]]

        class Default:
            device = (inputs[0] if inputs else -1, outputs[0] if outputs else -1)

        return Default

    def query_devices(self) -> list[dict[str, Any]]:
        return self._seen

    def query_hostapis(self) -> list[dict[str, Any]]:
        return [{"name": "ALSA"}]

    def RawInputStream(self, **settings: Any) -> FakeStream:  # noqa: N802 - sounddevice's name
        return self._open(settings)

    def RawOutputStream(self, **settings: Any) -> FakeStream:  # noqa: N802
        return self._open(settings)

    def _initialize(self) -> None:
        self.refreshed += 1
        self._seen = list(self.devices)

    def _terminate(self) -> None:
        assert not self.open_streams, "PortAudio ended under an open stream"

    def _open(self, settings: dict[str, Any]) -> FakeStream:
        if self.faults:
            raise self.faults.pop(0)
        if self.rates and settings["samplerate"] not in self.rates:
            raise PortAudioError("Error opening stream: Invalid sample rate", -9997)
        stream = FakeStream(self, settings)
        self.streams.append(stream)
        self.open_streams.add(id(stream))
        return stream


def microphone_named(name: str, rate: int = 48_000, channels: int = 1) -> dict[str, Any]:
    return _device(name, rate, channels, 0)


def loudspeaker_named(name: str, rate: int = 48_000, channels: int = 2) -> dict[str, Any]:
    return _device(name, rate, 0, channels)


def _device(name: str, rate: int, inputs: int, outputs: int) -> dict[str, Any]:
    return {
        "name": name,
        "hostapi": 0,
        "default_samplerate": float(rate),
        "max_input_channels": inputs,
        "max_output_channels": outputs,
    }


def devices_of(library: FakeLibrary) -> Devices:
    """Devices over the double, with no sound server to ask."""
    return Devices(PortAudio(lambda: library), on_server=lambda kind: None)
