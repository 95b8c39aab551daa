"""MP3 sound without its tags, wherever it is cut, and everything else as it was."""

from __future__ import annotations

import io
from random import Random

import numpy as np
import pytest
import soundfile
from hypothesis import given
from hypothesis import strategies as st

from companion.errors import StreamFailed
from companion.stream import (
    Blob,
    MessageChunk,
    Role,
    Stream,
    StreamBuilder,
    StreamCtrl,
    Text,
    begin_of_stream,
    end_of_stream,
    stream_of,
)
from companion.stream.laws import check_transformer
from companion.stream.mp3 import Mp3Untagger, Untagged

MP3 = "audio/mpeg"


def recording(seconds: float = 0.5, rate: int = 22_050, hertz: float = 330) -> bytes:
    """A real MP3 file, as an encoder writes it, without any tag of its own."""
    time = np.arange(int(seconds * rate)) / rate
    file = io.BytesIO()
    soundfile.write(file, 0.4 * np.sin(2 * np.pi * hertz * time), rate, format="MP3")
    sound = file.getvalue()
    assert sound[:1] == b"\xff"
    return sound


def id3v2(size: int = 300, *, has_footer: bool = False) -> bytes:
    length = bytes([size >> 21 & 0x7F, size >> 14 & 0x7F, size >> 7 & 0x7F, size & 0x7F])
    flags = b"\x10" if has_footer else b"\x00"
    body = (b"ID3TAG\xff\xfb\x90\x00" * size)[:size]
    footer = b"3DI\x04\x00" + flags + length if has_footer else b""
    return b"ID3\x04\x00" + flags + length + body + footer


ID3V1 = b"TAG" + b"A title".ljust(125, b"\0")
ID3V1_LONG = b"TAG+" + b"A longer title".ljust(223, b"\0")
SOUND = recording()
OTHER = recording(0.3, 44_100, 500)


def cut(data: bytes, chance: Random, most: int = 12) -> list[bytes]:
    places = sorted(chance.randrange(len(data) + 1) for _ in range(chance.randrange(most)))
    return [data[start:end] for start, end in zip([0, *places], [*places, len(data)], strict=True)]


def sound_of(pieces: list[bytes]) -> bytes:
    untagged = Untagged()
    return b"".join(untagged.feed(piece) for piece in pieces) + untagged.finish()


@pytest.mark.parametrize(
    ("tagged", "sound"),
    [
        (SOUND, SOUND),
        (id3v2() + SOUND, SOUND),
        (id3v2() + id3v2(0) + SOUND, SOUND),
        (id3v2(5000, has_footer=True) + SOUND, SOUND),
        (SOUND + ID3V1, SOUND),
        (SOUND + ID3V1_LONG + ID3V1, SOUND),
        (id3v2() + SOUND + ID3V1 + id3v2() + OTHER + ID3V1, SOUND + OTHER),
        (b"", b""),
        (id3v2(), b""),
        (id3v2()[:200], b""),
        (SOUND + ID3V1[:50], SOUND),
        (b"no sound at all, TAG or no TAG" * 9, b"no sound at all, TAG or no TAG" * 9),
        (b"ID", b"ID"),
        (b"\xff", b"\xff"),
    ],
)
def test_tags_are_taken_out_wherever_the_bytes_are_cut(tagged: bytes, sound: bytes) -> None:
    assert sound_of([tagged]) == sound
    assert sound_of([tagged[place : place + 1] for place in range(len(tagged))]) == sound


@given(st.lists(st.sampled_from([SOUND, OTHER, id3v2(7), id3v2(200), ID3V1]), max_size=6), st.integers())
def test_any_row_of_recordings_and_tags_is_its_recordings(parts: list[bytes], seed: int) -> None:
    sound = b"".join(part for part in parts if part in (SOUND, OTHER))
    assert sound_of(cut(b"".join(parts), Random(seed))) == sound


def test_what_looks_like_a_tag_inside_a_frame_is_sound() -> None:
    frame = bytearray(SOUND[:400])
    frame[60:63], frame[90:93] = b"ID3", b"TAG"
    sound = bytes(frame) + SOUND[400:]
    assert sound_of(cut(sound, Random(3))) == sound


_BITS = st.sampled_from([b"ID3", b"TAG", b"\xff\xfb\x90\x00", b"\xff", b"\x00", b"I", b"T", id3v2(3), b"\x7f" * 9])


@given(st.lists(st.one_of(_BITS, st.binary(max_size=20)), max_size=30), st.integers())
def test_whatever_the_bytes_are_it_is_one_where_they_are_cut(parts: list[bytes], seed: int) -> None:
    data = b"".join(parts)
    assert sound_of(cut(data, Random(seed))) == sound_of([data])


def piece(data: bytes, mime_type: str = MP3, route: str = "r", **marks: bool) -> MessageChunk:
    ctrl = StreamCtrl(route, "music", begin_of_stream=marks.get("begin", False), end_of_stream=marks.get("end", False))
    return MessageChunk(Role.MODEL, "radio", Blob(mime_type, data), ctrl=ctrl)


async def untagged(*chunks: MessageChunk) -> list[MessageChunk]:
    return await read(await Mp3Untagger().transform(stream_of(chunks)))


async def read(stream: Stream) -> list[MessageChunk]:
    return [chunk async for chunk in stream]


def data_of(chunks: list[MessageChunk]) -> bytes:
    return b"".join(chunk.part.data for chunk in chunks if isinstance(chunk.part, Blob))


async def test_chunks_keep_their_marks_and_one_that_was_all_tag_is_gone() -> None:
    tagged = id3v2() + SOUND + ID3V1
    out = await untagged(
        begin_of_stream("r"), piece(tagged[:100], begin=True), piece(tagged[100:200]), piece(tagged[200:]),
        piece(b"", end=True), end_of_stream("r"),
    )  # fmt: skip
    assert data_of(out) == SOUND
    assert [(chunk.is_begin, chunk.is_end) for chunk in out] == [
        (True, False), (True, False), (False, False), (False, True), (False, True),
    ]  # fmt: skip
    assert {(chunk.role, chunk.name, chunk.stream_id, chunk.ctrl and chunk.ctrl.label) for chunk in out[1:-1]} == {
        (Role.MODEL, "radio", "r", "music")
    }


async def test_what_was_held_back_comes_before_the_end_of_its_route_or_of_all() -> None:
    out = await untagged(piece(b"I"), end_of_stream("r"))
    assert [chunk.is_end for chunk in out] == [False, True]
    assert data_of(out) == b"I"
    assert data_of(await untagged(piece(b"T"))) == b"T"


async def test_two_routes_are_kept_apart() -> None:
    first, second = id3v2() + SOUND, OTHER + ID3V1
    chunks = [
        part
        for place in range(0, max(len(first), len(second)), 97)
        for part in (piece(first[place : place + 97]), piece(second[place : place + 97], route="s"))
    ]
    out = await untagged(*chunks)
    assert data_of([chunk for chunk in out if chunk.stream_id == "r"]) == SOUND
    assert data_of([chunk for chunk in out if chunk.stream_id == "s"]) == OTHER


async def test_what_is_held_back_of_routes_that_never_end_does_not_pile_up_and_is_not_lost() -> None:
    pieces = [piece(b"T", route=f"r{number}") for number in range(70)]
    source = StreamBuilder(70)
    await source.add(*pieces)
    stream = await Mp3Untagger().transform(source.stream)

    early = [await stream.next() for _ in range(6)]
    source.done()

    assert [chunk.stream_id for chunk in early] == [f"r{number}" for number in range(6)]
    assert data_of([*early, *await read(stream)]) == b"T" * 70


async def test_all_else_passes_unchanged() -> None:
    others = [
        begin_of_stream("r"),
        piece(id3v2(), "audio/ogg"),
        piece(ID3V1, "image/png"),
        piece(b"TAG", "no mime type"),
        MessageChunk(part=Text("TAG"), ctrl=StreamCtrl("r")),
        end_of_stream("r"),
    ]
    assert await untagged(*others) == others


async def test_a_source_that_breaks_is_told() -> None:
    source = StreamBuilder()
    await source.add(piece(b"I"))
    source.abort(OSError("gone"))
    with pytest.raises(StreamFailed, match="gone"):
        await read(await Mp3Untagger().transform(source.stream))


async def test_it_keeps_the_laws_of_a_transformer() -> None:
    tagged = id3v2() + SOUND + ID3V1
    feed = [begin_of_stream("r"), *map(piece, cut(tagged, Random(1))), piece(b"", end=True), end_of_stream("r")]
    await check_transformer(Mp3Untagger, feed)
