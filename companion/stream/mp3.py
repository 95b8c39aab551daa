"""Takes the tags out of MP3 sound, so that recordings put one behind another are one recording.

ID3v2 stands before the sound, ID3v1 behind it (id3.org, "ID3 tag version 2.4.0" and "ID3v1"). Both are
looked for only where a frame may begin, because any bytes may stand inside one (ISO 11172-3, 2.4.1.3).
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterator
from dataclasses import replace

from companion.stream.chunk import Blob, MessageChunk, StreamCtrl
from companion.stream.contract import PulledStream, Stream

_MOST_CHANNELS = 64
_MP3 = frozenset({"audio/mpeg", "audio/mp3", "audio/mpeg3", "audio/x-mp3", "audio/x-mpeg"})

_ID3V2_HEADER = 10
_ID3V2_HAS_FOOTER = 0x10
_ID3V1_BYTES = 128
_ID3V1_LONG_BYTES = 227
"""Of the extended tag ("TAG+") before it."""

_FRAME_HEADER = 4
_SYNC = 0xFF
_LAYER_3 = 0b01
_KILOBITS = (0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320)
_KILOBITS_LOW = (0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160)
_RATES = (44_100, 48_000, 32_000)
_SLOWER = {0b11: 1, 0b10: 2, 0b00: 4}
"""MPEG 1, 2 and 2.5: what their rates are divided by."""


class Untagged:
    """The bytes of one MP3 recording, or of several in a row, on their way: ``feed`` them and take what is sound.

    Bytes that are neither tag nor frame pass as they are.
    """

    def __init__(self) -> None:
        self._held = bytearray()
        self._tag_left = 0
        self._frame_left = 0
        self._is_lost = False
        """What was passed last is no frame, so nothing says that a tag may stand here."""

    def feed(self, data: bytes) -> bytes:
        """What of ``data``, and of what was held back, is known to be sound."""
        self._held += data
        return b"".join(self._settled())

    def finish(self) -> bytes:
        """What was held back because it could have become a tag or a frame. A tag that was cut short is dropped."""
        rest, self._held = bytes(self._held), bytearray()
        return b"" if rest.startswith((b"ID3", b"TAG")) else rest

    def _settled(self) -> Iterator[bytes]:
        while self._held:
            if self._tag_left:
                self._tag_left -= len(self._take(self._tag_left))
            elif self._frame_left:
                sound = self._take(self._frame_left)
                self._frame_left -= len(sound)
                yield sound
            elif not self._find():
                return

    def _take(self, count: int) -> bytes:
        taken = bytes(self._held[:count])
        del self._held[:count]
        return taken

    def _find(self) -> bool:
        """See what begins here; False if more bytes are needed to know."""
        head = bytes(self._held[:_ID3V2_HEADER])
        if self._is_lost and head[0] != _SYNC:
            self._frame_left = self._until_next_start()
        elif head.startswith(b"TAG") and len(head) > 3:
            self._tag_left = _ID3V1_LONG_BYTES if head[3:4] == b"+" else _ID3V1_BYTES
        elif head.startswith(b"ID3") and len(head) == _ID3V2_HEADER:
            self._tag_left = _id3v2_bytes(head)
        elif b"ID3".startswith(head[:3]) or b"TAG".startswith(head[:3]) or len(head) < _FRAME_HEADER:
            return False
        else:
            self._frame_left = _frame_bytes(head)
            self._is_lost = self._frame_left == 0
            self._frame_left = self._frame_left or 1
        return True

    def _until_next_start(self) -> int:
        """Bytes up to where the next frame may begin."""
        start = self._held.find(_SYNC)
        return start if start > 0 else len(self._held)


class Mp3Untagger:
    """Transformer: MP3 sound without its ID3v1 and ID3v2 tags, wherever it is cut; all else passes unchanged."""

    async def transform(self, source: Stream) -> PulledStream:
        """Return the stream without tags. It holds no task."""
        desk = _Desk()

        async def untagged() -> AsyncGenerator[MessageChunk, None]:
            async for chunk in source:
                for out in desk.take(chunk):
                    yield out
            for out in desk.flush():
                yield out

        return PulledStream(untagged(), source)


class _Desk:
    """The newest channels of MP3 of one stream; those that are begun and never ended do not pile up."""

    def __init__(self) -> None:
        self._channels: dict[tuple[str, str], tuple[Untagged, MessageChunk]] = {}

    def take(self, chunk: MessageChunk) -> Iterator[MessageChunk]:
        mime_type = chunk.mime_type
        if isinstance(chunk.part, Blob) and mime_type is not None and mime_type.partition(";")[0] in _MP3:
            yield from self._take_sound(chunk, chunk.part, (chunk.stream_id, mime_type))
            return
        if chunk.part is None and chunk.is_end:
            yield from self.flush(chunk.stream_id)
        yield chunk

    def flush(self, stream_id: str | None = None) -> Iterator[MessageChunk]:
        """What was held back of one route, or of all."""
        for key in [key for key in self._channels if stream_id in (None, key[0])]:
            yield from self._finish(key)

    def _finish(self, key: tuple[str, str]) -> Iterator[MessageChunk]:
        untagged, mark = self._channels.pop(key)
        if rest := untagged.finish():
            assert isinstance(mark.part, Blob)
            yield replace(mark, part=replace(mark.part, data=rest))

    def _take_sound(self, chunk: MessageChunk, blob: Blob, key: tuple[str, str]) -> Iterator[MessageChunk]:
        untagged, mark = self._channels.pop(key) if key in self._channels else _channel(chunk)
        sound = untagged.feed(blob.data)
        if chunk.is_end:
            sound += untagged.finish()
        else:
            self._channels[key] = untagged, mark
        if sound or chunk.is_begin or chunk.is_end:
            yield replace(chunk, part=replace(blob, data=sound))
        while len(self._channels) > _MOST_CHANNELS:
            yield from self._finish(next(iter(self._channels)))


def _channel(first: MessageChunk) -> tuple[Untagged, MessageChunk]:
    label = first.ctrl.label if first.ctrl else ""
    return Untagged(), replace(first, ctrl=StreamCtrl(first.stream_id, label))


def _id3v2_bytes(header: bytes) -> int:
    size = 0
    for byte in header[6:10]:
        size = size << 7 | byte & 0x7F
    return size + _ID3V2_HEADER * (2 if header[5] & _ID3V2_HAS_FOOTER else 1)


def _frame_bytes(header: bytes) -> int:
    """Length of the frame that begins with ``header``; 0 where none does."""
    sync = header[0] == _SYNC and header[1] & 0xE0 == 0xE0
    slower = _SLOWER.get(header[1] >> 3 & 0b11)
    bit_rate, rate, padding = header[2] >> 4, header[2] >> 2 & 0b11, header[2] >> 1 & 1
    if not sync or slower is None or header[1] >> 1 & 0b11 != _LAYER_3 or not 0 < bit_rate < 15 or rate == 3:
        return 0
    kilobits = (_KILOBITS if slower == 1 else _KILOBITS_LOW)[bit_rate]
    samples_by_8 = 144 if slower == 1 else 72
    return samples_by_8 * kilobits * 1000 // (_RATES[rate] // slower) + padding
