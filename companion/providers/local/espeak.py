"""Text to speech by the espeak-ng program: plain, and in over a hundred languages."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import struct
from collections.abc import AsyncGenerator
from pathlib import Path

from companion.errors import ModelDied, SetupError
from companion.providers.spoken import SLICE_SECONDS, spoken_stream, words_to_say
from companion.settings.language import primary
from companion.stream import Blob, PulledStream, Stream, Text, pcm

_DEADLINE = 20.0
"""Seconds the program may take for the next bit of sound."""
_HEADER_BYTES = 44
_PIPE_BYTES = 65_536
_WORDS_PER_MINUTE = 175
_VOICES = {"zh": "cmn", "zh-cn": "cmn", "zh-tw": "cmn", "zh-hk": "yue", "no": "nb", "jw": "jv"}
"""Languages that espeak-ng knows by another name."""


class EspeakSynthesiser:
    """A Transformer like PiperSynthesiser; each piece is one run of the program.

    program: espeak-ng. language: of pieces that do not say theirs. speed: 1 is the program's own.
    """

    def __init__(self, program: Path, *, language: str = "en", speed: float = 1.0) -> None:
        self._program = program
        self._language = language
        self._speed = speed

    async def transform(self, source: Stream) -> PulledStream:
        return spoken_stream(source, self.speak)

    async def speak(self, text: Text) -> AsyncGenerator[Blob, None]:
        """The sound of one piece, slice by slice; closing it ends the program.

        Raises:
            SetupError: the program cannot be started.
            ModelDied: it failed, or stopped answering.
        """
        process = await self._start(text.language or self._language)
        try:
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write(words_to_say(text).encode())
            process.stdin.close()
            async for blob in _sound(process.stdout):
                yield blob
            async with asyncio.timeout(_DEADLINE):
                if await process.wait() != 0:
                    raise ModelDied(
                        f'espeak-ng does not speak "{text.language}"', mend="install espeak-ng with all its voices"
                    )
        except (TimeoutError, asyncio.IncompleteReadError, BrokenPipeError) as error:
            raise ModelDied("espeak-ng stopped in the middle", mend="install espeak-ng again") from error
        finally:
            await _end(process)

    async def _start(self, language: str) -> asyncio.subprocess.Process:
        tag = language.replace("_", "-").lower()
        voice = _VOICES.get(tag) or _VOICES.get(primary(tag)) or tag
        rate = str(round(_WORDS_PER_MINUTE * self._speed))
        try:
            return await asyncio.create_subprocess_exec(
                self._program, "-v", voice, "-s", rate, "-b", "1", "--stdin", "--stdout",
                stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL,
                start_new_session=True,
            )  # fmt: skip
        except OSError as error:
            raise SetupError(f"{self._program} cannot be started", mend="install espeak-ng") from error


async def _sound(out: asyncio.StreamReader) -> AsyncGenerator[Blob, None]:
    """PCM out of the wave file that the program writes; its lengths are not known and mean nothing."""
    async with asyncio.timeout(_DEADLINE):
        header = await out.read(_HEADER_BYTES)
        while 0 < len(header) < _HEADER_BYTES and (more := await out.read(_HEADER_BYTES - len(header))):
            header += more
    if not header:
        return
    if len(header) < _HEADER_BYTES or not header.startswith(b"RIFF"):
        raise ModelDied("espeak-ng made no wave file", mend="install espeak-ng again")
    (rate,) = struct.unpack_from("<I", header, 24)
    size = 2 * int(rate * SLICE_SECONDS)
    while True:
        async with asyncio.timeout(_DEADLINE):
            data = await _read_up_to(out, size)
        if data:
            yield pcm(data[: len(data) // 2 * 2], rate)
        if len(data) < size:
            return


async def _read_up_to(out: asyncio.StreamReader, size: int) -> bytes:
    try:
        return await out.readexactly(size)
    except asyncio.IncompleteReadError as error:
        return error.partial


async def _end(process: asyncio.subprocess.Process) -> None:
    if process.returncode is None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        assert process.stdout is not None
        # A pipe that is full is not read, and one that is not read to its end is never seen to be closed.
        while await process.stdout.read(_PIPE_BYTES):
            pass
        await process.wait()
