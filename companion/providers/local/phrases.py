"""Frequent sentences, spoken beforehand and kept on the disk, so that they sound at once."""

from __future__ import annotations

import hashlib
import logging
import os
import zlib
from collections.abc import AsyncGenerator, Iterable
from pathlib import Path

from companion.errors import EndOfStream, StreamFailed
from companion.providers.local.captioned import words_to_say
from companion.stream import (
    Blob,
    MessageChunk,
    PulledStream,
    Role,
    Stream,
    StreamCtrl,
    Text,
    Transformer,
    end_of_stream,
    new_stream_id,
    pcm_format,
    stream_of,
)
from companion.stream.ops import Preceded

log = logging.getLogger(__name__)

_MAGIC = b"phrase 1"
_SLICE_SECONDS = 0.25


class PhraseCache:
    """A Transformer around a synthesiser: pieces it knows come from the disk, the rest from the synthesiser.

    As soon as one piece is not known, the synthesiser speaks all that follows, so that it can work ahead.

    folder: holds one file a phrase, named by a hash. voice: names the voice and its pace; another voice
    has other files. max_bytes: what the folder may hold; the phrase longest unused goes first.
    """

    def __init__(self, synthesiser: Transformer, folder: Path, *, max_bytes: int, voice: str = "") -> None:
        self._synthesiser = synthesiser
        self._folder = folder
        self._max_bytes = max_bytes
        self._voice = voice

    async def transform(self, source: Stream) -> Stream:
        return PulledStream(self._speak(source), source)

    async def prepare(self, phrases: Iterable[str], language: str) -> None:
        """Learn the phrases that are not known yet.

        Raises:
            ModelError, StreamError: the synthesiser cannot speak them.
            OSError: the disk does not take them.
        """
        for phrase in phrases:
            piece = Text(phrase, language)
            if self._recall(piece) is None:
                await self._learn(piece)

    async def _speak(self, source: Stream) -> AsyncGenerator[MessageChunk, None]:
        routes: dict[str, set[str]] = {}
        while True:
            try:
                chunk = await source.next()
            except EndOfStream:
                return
            known = self._recall(chunk.part) if isinstance(chunk.part, Text) and not chunk.is_end else None
            if known is not None:
                routes.setdefault(chunk.stream_id, set()).add(known.mime_type)
                yield chunk
                for sound in _slices(known):
                    yield MessageChunk(chunk.role, chunk.name, sound, ctrl=_unmarked(chunk))
            elif isinstance(chunk.part, Text) and not chunk.is_end:
                async for spoken in self._synthesised(chunk, source, routes):
                    yield spoken
                return
            elif not isinstance(chunk.part, Text):
                for ended in _ends(chunk, routes):
                    yield ended
                yield chunk

    async def _synthesised(
        self, first: MessageChunk, source: Stream, routes: dict[str, set[str]]
    ) -> AsyncGenerator[MessageChunk, None]:
        """The rest of the source, spoken; its channels end once, whoever opened them."""
        stream = await self._synthesiser.transform(Preceded([first], source))
        try:
            async for chunk in stream:
                if isinstance(chunk.part, Blob) and chunk.mime_type is not None:
                    opened = routes.setdefault(chunk.stream_id, set())
                    if chunk.is_end:
                        opened.discard(chunk.part.mime_type)
                for ended in _ends(chunk, routes):
                    yield ended
                yield chunk
        finally:
            await stream.close()

    # -- the files

    def _file(self, piece: Text) -> Path:
        key = "\n".join((self._voice, piece.language, words_to_say(piece)))
        return self._folder / f"{hashlib.sha256(key.encode()).hexdigest()[:32]}.phrase"

    def _recall(self, piece: Text) -> Blob | None:
        """The sound of a known piece. A file that is not whole counts as unknown and is removed."""
        file = self._file(piece)
        try:
            head, _, sound = file.read_bytes().partition(b"\n")
            os.utime(file)
        except OSError:
            return None
        blob = _proved(head, sound)
        if blob is None:
            log.warning("a kept phrase was damaged and will be spoken anew")
            file.unlink(missing_ok=True)
        return blob

    async def _learn(self, piece: Text) -> None:
        sound = await self._synthesise(piece)
        if sound is None:
            return
        head = b"%s %d %s" % (_MAGIC, zlib.crc32(sound.data), sound.mime_type.encode())
        self._folder.mkdir(parents=True, exist_ok=True)
        file = self._file(piece)
        half = file.with_suffix(f".{new_stream_id()}.part")
        try:
            half.write_bytes(head + b"\n" + sound.data)
            half.replace(file)
        finally:
            half.unlink(missing_ok=True)
        self._make_room(file)

    async def _synthesise(self, piece: Text) -> Blob | None:
        route = new_stream_id()
        asked = [MessageChunk(Role.MODEL, part=piece, ctrl=StreamCtrl(route)), end_of_stream(route, role=Role.MODEL)]
        stream = await self._synthesiser.transform(stream_of(asked))
        try:
            sounds = [chunk.part async for chunk in stream if isinstance(chunk.part, Blob) and chunk.part.data]
        except StreamFailed as error:
            raise error.__cause__ or error from error
        finally:
            await stream.close()
        if not sounds or len({sound.mime_type for sound in sounds}) != 1:
            return None
        return Blob(sounds[0].mime_type, b"".join(sound.data for sound in sounds))

    def _make_room(self, newest: Path) -> None:
        kept = sorted((file.stat().st_mtime_ns, file) for file in self._folder.glob("*.phrase"))
        surplus = sum(file.stat().st_size for _, file in kept) - self._max_bytes
        for _, file in kept:
            if surplus <= 0 or file == newest:
                return
            surplus -= file.stat().st_size
            file.unlink()


def _proved(head: bytes, sound: bytes) -> Blob | None:
    magic, _, rest = head.rpartition(_MAGIC + b" ")
    checksum, _, mime_type = rest.partition(b" ")
    if magic or checksum != b"%d" % zlib.crc32(sound):
        return None
    return Blob(mime_type.decode("ascii", "replace"), sound)


def _slices(sound: Blob) -> Iterable[Blob]:
    form = pcm_format(sound.mime_type)
    size = max(round(form.bytes_per_second * _SLICE_SECONDS) // 2 * 2, 2) if form else len(sound.data) or 1
    for start in range(0, len(sound.data), size):
        yield Blob(sound.mime_type, sound.data[start : start + size])


def _unmarked(chunk: MessageChunk) -> StreamCtrl:
    return StreamCtrl(chunk.stream_id, chunk.ctrl.label if chunk.ctrl else "")


def _ends(chunk: MessageChunk, routes: dict[str, set[str]]) -> Iterable[MessageChunk]:
    """The ends of the channels that the disk opened and nobody else has ended, before their route ends."""
    if chunk.is_end and chunk.part is None and chunk.ctrl is not None:
        for mime_type in sorted(routes.pop(chunk.stream_id, ())):
            yield end_of_stream(
                chunk.stream_id,
                role=chunk.role,
                label=chunk.ctrl.label,
                part=Blob(mime_type, b""),
                error=chunk.ctrl.error,
            )
