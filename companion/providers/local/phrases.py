"""Frequent replies, synthesised once and kept on disk, so that their sound can start at once."""

from __future__ import annotations

import asyncio
import hashlib
import logging
import os
import tempfile
from collections.abc import AsyncGenerator, Iterable
from contextlib import aclosing, suppress
from dataclasses import dataclass
from pathlib import Path

from companion.errors import StorageError, reason_of
from companion.providers.spoken import slices, spoken_stream, words_to_say
from companion.stream import (
    Blob,
    MessageChunk,
    PulledStream,
    Role,
    Stream,
    StreamCtrl,
    Text,
    Transformer,
    new_stream_id,
    pcm_format,
    stream_of,
)
from companion.stream.threads import finish_in_thread

logger = logging.getLogger(__name__)

_MARK = b"companion phrase 1\n"
_SUM_BYTES = 32
_RATE_BYTES = 4
_HEADER = len(_MARK) + _SUM_BYTES + _RATE_BYTES
_LONGEST = 2_000_000
"""Bytes of the longest phrase that is kept, about 45 seconds."""


@dataclass(frozen=True, slots=True)
class _Sound:
    """Mono 16-bit sound. rate: hertz."""

    data: bytes
    rate: int


class PhraseCache:
    """A Transformer like the synthesiser it stands before; pieces it knows are served without any model.

    folder: where sounds are kept, oldest used thrown out first. max_bytes: of all of them.
    voice: whatever else the sound depends on (voice, speed), so that a change of it is not answered
    with the old sound.
    """

    def __init__(self, synthesiser: Transformer, folder: Path, *, max_bytes: int, voice: str = "") -> None:
        self._synthesiser = synthesiser
        self._folder = folder
        self._max_bytes = max_bytes
        self._voice = voice
        self._wanted = 0

    async def transform(self, source: Stream) -> PulledStream:
        return spoken_stream(source, self.speak)

    async def speak(self, text: Text) -> AsyncGenerator[Blob, None]:
        """The sound of one piece: from disk where it is known, else by the synthesiser.

        Raises:
            ModelError: the synthesiser failed.
        """
        known = await asyncio.to_thread(self._read, self._file(text))
        if known is not None:
            for blob in slices(known.data, known.rate):
                yield blob
            return
        # What is being prepared can wait, what is to be said cannot.
        self._wanted += 1
        async with aclosing(self._synthesise(text)) as sound:
            async for blob in sound:
                yield blob

    async def prepare(self, phrases: Iterable[str], language: str) -> None:
        """Learn the phrases that are not known yet. Returns early when the synthesiser is wanted for a reply.

        Raises:
            ModelError: the synthesiser failed.
            StorageError: the disk is full, or the folder cannot be written.
        """
        wanted = self._wanted
        for phrase in phrases:
            text = Text(phrase, language)
            file = self._file(text)
            if not words_to_say(text) or await asyncio.to_thread(self._read, file) is not None:
                continue
            sound = await self._whole(text, wanted)
            if sound is None:
                return
            if sound.data and len(sound.data) <= _LONGEST:
                await finish_in_thread(lambda file=file, sound=sound: self._keep(file, sound))  # type: ignore[misc]

    async def _whole(self, text: Text, wanted: int) -> _Sound | None:
        data, rate = bytearray(), 0
        async with aclosing(self._synthesise(text)) as sound:
            async for blob in sound:
                form = pcm_format(blob.mime_type)
                if self._wanted != wanted:
                    return None
                if form is not None and form.channels == 1:
                    rate = form.rate
                    data += blob.data
        return _Sound(bytes(data), rate)

    async def _synthesise(self, text: Text) -> AsyncGenerator[Blob, None]:
        piece = MessageChunk(role=Role.MODEL, part=text, ctrl=StreamCtrl(new_stream_id()))
        said = await self._synthesiser.transform(stream_of([piece]))
        try:
            async for chunk in said:
                if isinstance(chunk.part, Blob) and chunk.part.data:
                    yield chunk.part
        finally:
            await said.close()

    def _file(self, text: Text) -> Path:
        key = "\0".join((self._voice, text.language, words_to_say(text)))
        return self._folder / f"{hashlib.sha256(key.encode()).hexdigest()[:40]}.phrase"

    def _read(self, file: Path) -> _Sound | None:
        try:
            raw = file.read_bytes()
        except OSError:
            return None
        sound = _parsed(raw)
        if sound is None:
            logger.warning("%s is damaged and is made again", file.name)
            with suppress(OSError):
                file.unlink(missing_ok=True)
            return None
        # Its age is what it is thrown out by; where nothing can be written, nothing is thrown out.
        with suppress(OSError):
            os.utime(file)
        return sound

    def _keep(self, file: Path, sound: _Sound) -> None:
        body = sound.rate.to_bytes(_RATE_BYTES, "little") + sound.data
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            self._write(file, _MARK + hashlib.sha256(body).digest() + body)
            self._throw_out()
        except OSError as error:
            raise StorageError(
                f"{self._folder}: a phrase cannot be kept: {reason_of(error)}",
                file=str(self._folder),
                mend="free space",
            ) from error

    def _write(self, file: Path, content: bytes) -> None:
        handle, name = tempfile.mkstemp(dir=self._folder, prefix=".")
        half = Path(name)
        try:
            with os.fdopen(handle, "wb") as writing:
                writing.write(content)
            half.replace(file)
        except BaseException:
            half.unlink(missing_ok=True)
            raise

    def _throw_out(self) -> None:
        entries = sorted(
            ((entry.stat(), Path(entry)) for entry in os.scandir(self._folder) if entry.is_file()),
            key=lambda entry: entry[0].st_mtime_ns,
        )
        excess = sum(status.st_size for status, _ in entries) - self._max_bytes
        for status, file in entries:
            if excess <= 0:
                return
            file.unlink(missing_ok=True)
            excess -= status.st_size


def _parsed(raw: bytes) -> _Sound | None:
    body = raw[len(_MARK) + _SUM_BYTES :]
    is_whole = raw.startswith(_MARK) and len(raw) > _HEADER
    if not is_whole or hashlib.sha256(body).digest() != raw[len(_MARK) : len(_MARK) + _SUM_BYTES]:
        return None
    return _Sound(body[_RATE_BYTES:], int.from_bytes(body[:_RATE_BYTES], "little"))
