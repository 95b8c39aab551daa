"""Text to speech by the espeak-ng program, for languages that have no better voice yet."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

from companion.errors import ModelDied, SetupError
from companion.providers.local.captioned import captioned, words_to_say
from companion.stream import Blob, Stream, Text, pcm
from companion.stream.tasks import Tasks

RATE = 22_050
"""Hertz, whatever the voice."""
_WORDS_PER_MINUTE = 170
_PATIENCE = 10.0
"""Seconds for the next piece of sound; the program speaks a sentence in some hundredths."""
_SLICE = RATE // 2
"""Bytes; a quarter of a second."""
_HEADER = 4096
"""Bytes in which the sound must have begun."""


class EspeakSynthesiser:
    """A Transformer with the same manners as every synthesiser (see ``captioned``).

    program: the espeak-ng executable. speed: 1 is its usual pace.
    """

    def __init__(self, program: Path, *, speed: float = 1.0) -> None:
        self._program = program
        self._speed = speed
        self._tasks = Tasks()

    async def transform(self, source: Stream) -> Stream:
        return captioned(source, self._say, self._tasks)

    async def close(self) -> None:
        """End calls that still run."""
        await self._tasks.close()

    async def _say(self, piece: Text) -> AsyncIterator[Blob]:
        process = await self._start(piece.language or "en")
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            process.stdin.write(words_to_say(piece).encode())
            process.stdin.close()
            async with asyncio.timeout(_PATIENCE):
                sound = await _sound_begins(process.stdout)
            while sound:
                whole = len(sound) // 2 * 2
                if whole:
                    yield pcm(sound[:whole], RATE)
                async with asyncio.timeout(_PATIENCE):
                    sound = sound[whole:] + await process.stdout.read(_SLICE)
                if len(sound) < 2:
                    break
        except TimeoutError as error:
            raise ModelDied("espeak-ng stopped speaking", mend="try again", retryable=True) from error
        finally:
            if process.returncode is None:
                process.kill()
            await process.wait()

    async def _start(self, language: str) -> asyncio.subprocess.Process:
        pace = str(round(_WORDS_PER_MINUTE * self._speed))
        # The text goes in by standard input: a sentence that begins with a dash is no option.
        command = (str(self._program), "--stdin", "--stdout", "-b", "1", "-s", pace, "-v", _voice(language))
        try:
            return await asyncio.create_subprocess_exec(
                *command,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.DEVNULL,
            )
        except OSError as error:
            raise SetupError(f"{self._program} does not start: {error}", mend="sudo apt install espeak-ng") from error


def _voice(language: str) -> str:
    """Espeak's name of the language: Mandarin is "cmn" there."""
    bare = language.replace("_", "-").partition("-")[0].lower()
    return {"zh": "cmn"}.get(bare, bare if bare.isalpha() else "en")


async def _sound_begins(output: asyncio.StreamReader) -> bytes:
    """Read past the WAV header; return what came of the sound with it, empty where there is none.

    The lengths in the header of a stream are made up, so only the mark of the sound counts.
    """
    read = b""
    while len(read) < _HEADER:
        more = await output.read(_HEADER)
        read += more
        mark = read.find(b"data")
        if mark >= 0 and len(read) > mark + 8:
            return read[mark + 8 :]
        if not more:
            return b""
    raise ModelDied("espeak-ng sent no sound", mend="try again", retryable=True)
