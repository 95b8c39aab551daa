"""The door to PortAudio: opened when first needed, guarded by one lock, its faults told as ours."""

from __future__ import annotations

import ctypes
import ctypes.util
import logging
import os
import platform
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import lru_cache
from typing import Any, Protocol

from companion.errors import DeviceError, DeviceLost, NoMicrophone, NoSoundServer, NoSpeaker

logger = logging.getLogger(__name__)

INVALID_CHANNELS = -9998
INVALID_RATE = -9997
INVALID_DEVICE = -9996
DEVICE_UNAVAILABLE = -9985
_HURRIED = -11


class RawStream(Protocol):
    """An open sounddevice stream."""

    def start(self) -> None: ...

    def abort(self, ignore_errors: bool = True) -> None: ...

    def close(self, ignore_errors: bool = True) -> None: ...


class SoundLibrary(Protocol):
    """What we use of the ``sounddevice`` module."""

    PortAudioError: type[Exception]

    @property
    def default(self) -> Any: ...

    def query_devices(self) -> Any: ...

    def query_hostapis(self) -> Any: ...

    def RawInputStream(self, **settings: Any) -> RawStream: ...  # noqa: N802 - sounddevice's name

    def RawOutputStream(self, **settings: Any) -> RawStream: ...  # noqa: N802 - sounddevice's name

    def _initialize(self) -> None: ...

    def _terminate(self) -> None: ...


def sounddevice() -> SoundLibrary:
    """The ``sounddevice`` module, with ALSA's messages kept off the terminal.

    Raises:
        NoSoundServer: the PortAudio library is not installed.
    """
    try:
        import sounddevice as library
    except (ImportError, OSError) as error:
        raise NoSoundServer("PortAudio is not installed", mend=_portaudio_mend(), retryable=False) from error
    _quieten_alsa()
    found: SoundLibrary = library
    return found


def _portaudio_mend() -> str:
    if platform.system() == "Linux":
        return "sudo apt install libportaudio2 libasound2-plugins"
    return "pip install --force-reinstall sounddevice, which brings PortAudio"


# ALSA keeps the pointer, so the callable must live as long as the process.
_ignore_message = ctypes.CFUNCTYPE(None)(lambda: None)


def _quieten_alsa() -> None:
    if platform.system() != "Linux":
        return
    name = ctypes.util.find_library("asound") or "libasound.so.2"
    try:
        ctypes.CDLL(name).snd_lib_error_set_handler(_ignore_message)
    except (OSError, AttributeError) as error:
        logger.debug("ALSA's messages stay on: %s", error)


def hurry_this_thread() -> None:
    """Let this thread run before others, where the system allows it: late callbacks are heard as gaps."""
    if platform.system() == "Linux":
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _HURRIED)


class PortAudio:
    """PortAudio's device list and streams. Calls block for up to a second: call them off the event loop.

    PortAudio's device list is frozen until it is started afresh, which ends every open stream; so
    ``refresh`` does nothing while one is open.
    """

    def __init__(self, load: Callable[[], SoundLibrary] = sounddevice) -> None:
        self._load = load
        self._library: SoundLibrary | None = None
        self._lock = threading.RLock()
        self._open = 0

    def table(self) -> tuple[list[Mapping[str, Any]], list[Mapping[str, Any]], tuple[int, int]]:
        """Devices, host APIs, and the indices of the default input and output (-1: none).

        Raises:
            NoSoundServer: PortAudio is missing or will not start.
        """
        with self._lock:
            library = self._started()
            try:
                devices, hosts = list(library.query_devices()), list(library.query_hostapis())
                default_input, default_output = library.default.device
            except library.PortAudioError as error:
                raise self._server_error(error) from error
            return devices, hosts, (int(default_input), int(default_output))

    def refresh(self) -> bool:
        """See devices that came and went. False while a stream is open.

        Raises:
            NoSoundServer: PortAudio is missing or will not start.
        """
        with self._lock:
            if self._open:
                return False
            library = self._started()
            # It does not run after a start that failed; that must not keep it from ever starting again.
            with suppress(library.PortAudioError):
                library._terminate()  # noqa: SLF001 - the only way to a fresh list
            try:
                library._initialize()  # noqa: SLF001
            except library.PortAudioError as error:
                raise self._server_error(error) from error
            return True

    def open(self, kind: str, settings: Mapping[str, Any]) -> RawStream:
        """Open and start a stream; ``kind`` is "input" or "output". Close it with ``close``.

        Raises:
            DeviceError: it will not open.
        """
        with self._lock:
            library = self._started()
            make = library.RawInputStream if kind == "input" else library.RawOutputStream
            try:
                stream = make(**settings)
                try:
                    stream.start()
                except BaseException:
                    stream.close(ignore_errors=True)
                    raise
            except library.PortAudioError as error:
                raise device_error(kind, error) from error
            except ValueError as error:
                missing = NoMicrophone if kind == "input" else NoSpeaker
                raise missing(str(error), mend="see what is there with: companion devices") from error
            self._open += 1
            return stream

    def close(self, stream: RawStream) -> None:
        """Stop at once and let go. Never raises."""
        with self._lock:
            self._open -= 1
            stream.abort(ignore_errors=True)
            stream.close(ignore_errors=True)

    def _started(self) -> SoundLibrary:
        if self._library is None:
            self._library = self._load()
        return self._library

    @staticmethod
    def _server_error(error: Exception) -> NoSoundServer:
        return NoSoundServer(
            f"the sound system does not answer: {_reason(error)}", mend="start PulseAudio or PipeWire, then try again"
        )


def device_error(kind: str, error: Exception) -> DeviceError:
    """A PortAudio error as one of ours; ``code`` stays in ``__cause__``."""
    what = "microphone" if kind == "input" else "loudspeaker"
    match code_of(error):
        case code if code == DEVICE_UNAVAILABLE:
            return DeviceError(
                f"the {what} is in use by another program",
                mend="close that program, or run PulseAudio or PipeWire so that programs can share it",
            )
        case code if code == INVALID_DEVICE:
            return (NoMicrophone if kind == "input" else NoSpeaker)(
                f"that {what} is not there", mend="see what is there with: companion devices"
            )
        case _:
            return DeviceLost(f"the {what} will not open: {_reason(error)}", mend="check that it is plugged in")


def code_of(error: BaseException | None) -> int:
    """PortAudio's number for what went wrong; 0 where there is none."""
    arguments = getattr(error, "args", ())
    return next((argument for argument in arguments if isinstance(argument, int)), 0)


def _reason(error: Exception) -> str:
    return str(error.args[0] if error.args else error).splitlines()[0]


@lru_cache(maxsize=1)
def the_portaudio() -> PortAudio:
    """This process's one door: the library has one device list, which a refresh takes from every stream."""
    return PortAudio()
