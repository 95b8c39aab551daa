"""A sound server with a virtual microphone and loudspeaker, for tests and ``companion bench``.

What ``say`` plays is what the microphone hears; what the companion plays is recorded; an echo path may
lead from one to the other. Devices can be unplugged, and the server can die. It is PulseAudio in a
folder of its own; nothing of the user's sound is touched.
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from companion.app.echo_path import Room
from companion.audio.clock import ArrivalClock
from companion.audio.resample import Samples, samples_of
from companion.audio.wave import read_sound
from companion.errors import SetupError
from companion.stream.tasks import Tasks
from companion.voice.contract import BYTES_PER_SECOND, RATE

LOUD = 300
"""Samples larger than this are sound, not hiss."""
_DEADLINE = 10.0
_LOOK = 0.02
_PIPE = asyncio.subprocess.PIPE
_KEPT_SECONDS = 900
_PROGRAMS = ("pulseaudio", "pactl", "pacat", "parec")
_RAW = ("--raw", "--format=s16le", f"--rate={RATE}", "--channels=1")

_SPEAKER = ("module-null-sink", "sink_name=speaker", "rate=48000", "sink_properties=device.description=Loudspeaker")
_VIRTMIC = ("module-null-sink", "sink_name=virtmic", "rate=48000", "sink_properties=device.description=Room")
_MICROPHONE = (
    "module-remap-source",
    "master=virtmic.monitor",
    "source_name=mic",
    "source_properties=device.description=Microphone",
)


class Recorder:
    """Records one source, bounded, and knows when each sample was heard (monotonic seconds)."""

    def __init__(self, source: str, environment: Mapping[str, str]) -> None:
        self.source = source
        self._environment = environment
        self._process: asyncio.subprocess.Process | None = None
        self._sound = bytearray()
        self._dropped = 0
        self._clock = ArrivalClock(RATE)
        self._tasks = Tasks()
        self.flowing = asyncio.Event()
        """Set once sound, or silence, arrives."""

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    async def start(self) -> None:
        # A client that asks for little latency also keeps the null sink awake: an idle one renders two
        # seconds at once, and whoever opens it then waits that long.
        self._process = await _start(
            *("parec", *_RAW, "-d", self.source, "--latency-msec=10"), env=self._environment, stdout=_PIPE
        )
        self._clock.restart()
        self.flowing.clear()
        self._tasks.start(self._read(self._process), name=f"record {self.source}")

    async def stop(self) -> None:
        if self._process is not None:
            await _end(self._process)
        await self._tasks.close()

    def between(self, begin: float, end: float) -> Samples:
        """The sound heard between two moments."""
        offset = self._clock.time_of(0)
        if offset is None:
            return np.empty(0, np.int16)
        first, last = (max(round((moment - offset) * RATE) - self._dropped, 0) for moment in (begin, end))
        return samples_of(bytes(self._sound[2 * first : 2 * last]))

    def first_loud(self, begin: float, *, above: int = LOUD) -> float | None:
        """When sound was first heard after ``begin``; None for not yet."""
        return self._loud(begin, above, -1)

    def last_loud(self, begin: float, *, above: int = LOUD) -> float | None:
        """When sound was last heard after ``begin``; None for not at all."""
        return self._loud(begin, above, 1)

    def _loud(self, begin: float, above: int, which: int) -> float | None:
        offset = self._clock.time_of(0)
        if offset is None:
            return None
        first = max(round((begin - offset) * RATE) - self._dropped, 0)
        loud = np.flatnonzero(np.abs(samples_of(bytes(self._sound[2 * first :])).astype(np.int32)) > above)
        if not len(loud):
            return None
        return offset + (self._dropped + first + int(loud[0 if which < 0 else -1])) / RATE

    async def _read(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdout is not None
        while sound := await process.stdout.read(4096):
            self._sound += sound
            self.flowing.set()
            self._clock.arrived(self._dropped + len(self._sound) // 2, asyncio.get_running_loop().time())
            surplus = len(self._sound) - BYTES_PER_SECOND * _KEPT_SECONDS
            if surplus > BYTES_PER_SECOND:
                del self._sound[: surplus // 2 * 2]
                self._dropped += surplus // 2


class VirtualSound:
    """An async context: the server runs within it, and this process and its children use it.

    Raises on entering:
        SetupError: PulseAudio's programs are not installed, or it does not start.
    """

    def __init__(self) -> None:
        self._folder = Path()
        self._environment: dict[str, str] = {}
        self._before: dict[str, str | None] = {}
        self._server: asyncio.subprocess.Process | None = None
        self._echo: list[asyncio.subprocess.Process] = []
        self._modules: dict[str, str] = {}

    @property
    def environment(self) -> dict[str, str]:
        """The variables that send a process's sound here."""
        return {"PULSE_SERVER": f"unix:{self._folder / 'native'}"}

    async def __aenter__(self) -> VirtualSound:
        missing = [program for program in _PROGRAMS if shutil.which(program) is None]
        if missing:
            raise SetupError(
                f"{missing[0]} is not installed", mend="sudo apt install pulseaudio pulseaudio-utils libasound2-plugins"
            )
        self._folder = Path(tempfile.mkdtemp(prefix="companion-sound-"))
        try:
            await self.start_server()
        except BaseException:
            await self.__aexit__()
            raise
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.kill_server()
        self._restore()
        shutil.rmtree(self._folder, ignore_errors=True)

    async def start_server(self) -> None:
        """Start the server with both devices plugged in."""
        self._take_over()
        home = str(self._folder)
        own = {"HOME": home, "XDG_RUNTIME_DIR": home, "XDG_CONFIG_HOME": home, "DBUS_SESSION_BUS_ADDRESS": ""}
        script = self._folder / "server.pa"
        script.write_text(
            f"load-module module-native-protocol-unix auth-anonymous=1 socket={self._folder / 'native'}\n"
        )
        self._server = await _start(
            *("pulseaudio", "-n", "-F", str(script), "--daemonize=no", "--exit-idle-time=-1"),
            *("--realtime=no", "--high-priority=yes", "--log-level=error"),
            env={**os.environ, **own},
        )
        await self._until_it_answers()
        self._modules = {"virtmic": await self._load(*_VIRTMIC)}
        self.heard = Recorder("virtmic.monitor", dict(os.environ))
        self.spoken = Recorder("speaker.monitor", dict(os.environ))
        await self.plug_microphone()
        await self.plug_speaker()
        await self._record("virtmic", self.heard)

    async def kill_server(self) -> None:
        """End the server as a crash would, and what hangs on it."""
        await self.stop_echo()
        for recorder in (getattr(self, "heard", None), getattr(self, "spoken", None)):
            if recorder is not None:
                await recorder.stop()
        if self._server is not None:
            await _end(self._server)
            self._server = None
        (self._folder / "native").unlink(missing_ok=True)

    async def say(self, sound: bytes | Path, *, latency_ms: int = 20) -> None:
        """Play into the microphone; returns when all of it has been heard. ``bytes`` are 16 kHz mono PCM.

        latency_ms: a longer buffer begins later and does not stutter on a busy machine.
        """
        pcm = sound if isinstance(sound, bytes) else await asyncio.to_thread(read_sound, sound)
        player = await _start(
            *("pacat", *_RAW, "-d", "virtmic", f"--latency-msec={latency_ms}"), env=dict(os.environ), stdin=_PIPE
        )
        try:
            async with asyncio.timeout(len(pcm) / BYTES_PER_SECOND + _DEADLINE):
                await player.communicate(pcm)
        finally:
            await _end(player)

    async def plug_microphone(self) -> None:
        self._modules["mic"] = await self._load(*_MICROPHONE)
        await self._control("set-default-source", "mic")
        await self._rouse("virtmic")

    async def unplug_microphone(self) -> None:
        await self._control("unload-module", self._modules.pop("mic"))

    async def plug_speaker(self) -> None:
        self._modules["speaker"] = await self._load(*_SPEAKER)
        await self._control("set-default-sink", "speaker")
        await self._record("speaker", self.spoken)

    async def unplug_speaker(self) -> None:
        await self.spoken.stop()
        await self._control("unload-module", self._modules.pop("speaker"))

    async def start_echo(self, room: Room) -> None:
        """Lead what the loudspeaker plays into the microphone."""
        source, sink = os.pipe(), os.pipe()
        latency = "--latency-msec=10"
        environment = dict(os.environ)
        try:
            self._echo = [
                await _start("parec", *_RAW, "-d", "speaker.monitor", latency, env=environment, stdout=source[1]),
                await _start(*room.command(sys.executable), env=environment, stdin=source[0], stdout=sink[1]),
                await _start("pacat", *_RAW, "-d", "virtmic", "--latency-msec=20", env=environment, stdin=sink[0]),
            ]
        finally:
            for end in (*source, *sink):
                os.close(end)

    async def stop_echo(self) -> None:
        echo, self._echo = self._echo, []
        for process in echo:
            await _end(process)

    async def _record(self, sink: str, recorder: Recorder) -> None:
        """Record a new sink."""
        await recorder.start()
        await self._hold(recorder)
        await self._rouse(sink)
        recorder.flowing.clear()
        async with asyncio.timeout(_DEADLINE):
            await recorder.flowing.wait()

    async def _rouse(self, sink: str) -> None:
        """Make a sink, and what listens to it, forget the two seconds of silence rendered when it was alone."""
        for suspended in ("1", "0"):
            await self._control("suspend-sink", sink, suspended)

    async def _hold(self, recorder: Recorder) -> None:
        """Keep a recording where it is. When the default source changes, what sits on the old one goes along, but
        for what was moved by hand to a source that was not the default then."""
        place = None
        for _ in range(round(_DEADLINE / _LOOK)):
            place = await self._place_of(recorder)
            if place is not None:
                break
            await asyncio.sleep(_LOOK)
        if place is None:
            raise SetupError(f"the virtual sound server does not record {recorder.source}")
        sources = [line.split("\t")[1] for line in (await self._control("list", "short", "sources")).splitlines()]
        for source in (*(other for other in sources if other != recorder.source), recorder.source):
            await self._control("move-source-output", place, source)

    async def _place_of(self, recorder: Recorder) -> str | None:
        """The server's number for a recording; None where it does not know it yet."""
        for output in json.loads(await self._control("--format=json", "list", "source-outputs")):
            if output["properties"].get("application.process.id") == str(recorder.pid):
                return str(output["index"])
        return None

    async def _until_it_answers(self) -> None:
        async with asyncio.timeout(_DEADLINE):
            while not (self._folder / "native").exists() or await self._exit_status("info") != 0:
                assert self._server is not None
                if self._server.returncode is not None:
                    raise SetupError("PulseAudio does not start", mend="run: pulseaudio -n --daemonize=no -v")
                await asyncio.sleep(_LOOK)

    async def _load(self, *module: str) -> str:
        return (await self._control("load-module", *module)).strip()

    async def _control(self, *order: str) -> str:
        process = await _start("pactl", *order, env=dict(os.environ), stdout=_PIPE)
        async with asyncio.timeout(_DEADLINE):
            said, _ = await process.communicate()
        if process.returncode != 0:
            raise SetupError(f"the virtual sound server refused: {' '.join(order)}")
        return said.decode()

    async def _exit_status(self, *order: str) -> int:
        process = await _start("pactl", *order, env=dict(os.environ))
        await process.communicate()
        return process.returncode or 0

    def _take_over(self) -> None:
        for name, value in self.environment.items():
            self._before.setdefault(name, os.environ.get(name))
            os.environ[name] = value

    def _restore(self) -> None:
        for name, value in self._before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
        self._before.clear()


async def _start(
    *command: str,
    env: Mapping[str, str],
    stdin: int = asyncio.subprocess.DEVNULL,
    stdout: int = asyncio.subprocess.PIPE,
) -> asyncio.subprocess.Process:
    # A sound card is never late because a computer is busy; where the system allows it, neither is this one.
    # And it ends with the process it was started for, however that one ends.
    bound = ("setpriv", "--pdeathsig", "KILL") if shutil.which("setpriv") else ()
    return await asyncio.create_subprocess_exec(
        *bound,
        "nice",
        "-n",
        "-11",
        *command,
        env=dict(env),
        stdin=stdin,
        stdout=stdout,
        stderr=asyncio.subprocess.DEVNULL,
    )


async def _end(process: asyncio.subprocess.Process) -> None:
    if process.returncode is None:
        process.kill()
    await process.wait()
