"""The mouth tells the truth about what was heard, whatever the device does."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import numpy as np
import pytest
from doubles.portaudio import FakeLibrary, PortAudioError, devices_of, loudspeaker_named
from doubles.sounds import reply_of, tone

from companion.audio.speaker import Speaker
from companion.audio.wave import write_sound
from companion.errors import NoSpeaker, StreamFailed
from companion.stream import MessageChunk, Role, StreamBuilder, StreamCtrl, Text, pcm

TONE = tone(440, 0.5).tobytes()


class Card:
    """A sound card that takes blocks as fast as it can, and keeps what it took."""

    def __init__(self, library: FakeLibrary) -> None:
        self.library = library
        self.sound = bytearray()
        self.pauses_after: float | None = None
        """Seconds after which it takes no more."""
        self.underflows = 0
        self._took = asyncio.Condition()

    async def until(self, seconds: float) -> None:
        """Wait until it has taken so much sound."""
        async with self._took:
            await self._took.wait_for(lambda: len(self.sound) >= seconds * 96_000)

    async def run(self) -> None:
        while True:
            await asyncio.sleep(0.001)
            stream = self.library.streams[-1] if self.library.streams else None
            if stream is None or stream.is_closed or not stream.active:
                continue
            if self.pauses_after is None or len(self.sound) < self.pauses_after * 96_000:
                self.sound += stream.take(underflow=self.underflows > 0)
                self.underflows = max(self.underflows - 1, 0)
                async with self._took:
                    self._took.notify_all()

    def heard_seconds(self) -> float:
        return len(np.flatnonzero(np.frombuffer(self.sound, np.int16))) / 48_000


@asynccontextmanager
async def card(library: FakeLibrary) -> AsyncIterator[Card]:
    made = Card(library)
    running = asyncio.get_running_loop().create_task(made.run())
    yield made
    running.cancel()
    await asyncio.wait([running])


def one_loudspeaker() -> FakeLibrary:
    return FakeLibrary([loudspeaker_named("HDMI")])


async def test_a_whole_reply_is_played_and_told_piece_by_piece() -> None:
    library = one_loudspeaker()
    speaker = Speaker(devices=devices_of(library))
    first: list[str] = []
    async with card(library) as heard:
        told = await speaker.play(
            reply_of(("One.", TONE), ("Two.", TONE)), on_first_sound=lambda: first.append("first")
        )
        await speaker.close()

    assert [(piece.text, piece.whole) for piece in told.pieces] == [("One.", True), ("Two.", True)]
    assert [piece.seconds for piece in told.pieces] == [0.5, 0.5]
    assert [piece.played for piece in told.pieces] == pytest.approx([0.5, 0.5], abs=0.001)
    assert not told.hushed
    assert first == ["first"]
    assert heard.heard_seconds() == pytest.approx(1.0, abs=0.05)
    assert not library.open_streams


async def test_a_hushed_reply_tells_what_was_heard_until_then() -> None:
    library = one_loudspeaker()
    speaker = Speaker(devices=devices_of(library))
    long = tone(440, 30.0).tobytes()
    async with card(library) as heard:
        heard.pauses_after = 1.0
        playing = asyncio.get_running_loop().create_task(
            speaker.play(reply_of(("Short.", TONE), ("Long.", long)), on_first_sound=lambda: None)
        )
        await heard.until(1.0)
        heard.pauses_after = None
        speaker.hush()
        told = await playing
        await speaker.close()

    assert told.hushed
    assert told.pieces[0].played == pytest.approx(0.5, abs=0.001)
    assert 0.4 < told.pieces[1].played < 1.0
    assert not told.pieces[1].whole
    assert heard.heard_seconds() < 1.5


async def test_a_device_that_vanishes_is_opened_again_and_the_reply_goes_on() -> None:
    library = one_loudspeaker()
    speaker = Speaker(devices=devices_of(library))
    async with card(library) as heard:
        heard.pauses_after = 0.2
        playing = asyncio.get_running_loop().create_task(
            speaker.play(reply_of(("a", TONE * 4)), on_first_sound=lambda: None)
        )
        await heard.until(0.2)
        library.streams[0].vanish()
        heard.pauses_after = None
        told = await playing
        await speaker.close()

    assert len(library.streams) == 2
    assert told.pieces[0].played == pytest.approx(2.0, abs=0.001)
    assert not told.hushed


async def test_a_named_loudspeaker_that_is_missing_gives_way_to_the_default() -> None:
    library = one_loudspeaker()
    speaker = Speaker("Headset", devices=devices_of(library))
    async with card(library):
        told = await speaker.play(reply_of(("a", TONE)), on_first_sound=lambda: None)
        await speaker.close()

    assert told.pieces[0].whole


async def test_without_any_loudspeaker_the_reply_fails_and_the_synthesiser_is_closed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("companion.audio.speaker.PAUSES", (0.0, 0.0))
    speaker = Speaker(devices=devices_of(FakeLibrary([{**loudspeaker_named("a"), "max_output_channels": 0}])))
    sound = reply_of(("a", TONE))

    with pytest.raises(NoSpeaker):
        await speaker.play(sound, on_first_sound=lambda: None)
    await speaker.close()

    assert sound.state is not None


async def test_a_busy_loudspeaker_is_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.audio.speaker.PAUSES", (0.0, 0.0))
    library = one_loudspeaker()
    library.faults = [PortAudioError("Device unavailable", -9985)]
    speaker = Speaker(devices=devices_of(library))
    async with card(library):
        told = await speaker.play(reply_of(("a", TONE)), on_first_sound=lambda: None)
        await speaker.close()

    assert told.pieces[0].played == pytest.approx(0.5, abs=0.001)


async def test_a_device_that_ran_dry_is_opened_with_a_longer_buffer() -> None:
    library = one_loudspeaker()
    speaker = Speaker(devices=devices_of(library))
    async with card(library) as heard:
        heard.underflows = 1
        await speaker.play(reply_of(("a", TONE)), on_first_sound=lambda: None)
        await speaker.play(reply_of(("b", TONE)), on_first_sound=lambda: None)
        await speaker.close()

    before, after = (stream.settings["latency"] for stream in library.streams)
    assert speaker.underruns == 1
    assert after > before


async def test_sound_that_breaks_is_played_as_far_as_it_was_made_and_then_told() -> None:
    library = one_loudspeaker()
    speaker = Speaker(devices=devices_of(library))
    builder = StreamBuilder()
    await builder.add(MessageChunk(Role.MODEL, part=Text("a"), ctrl=StreamCtrl("r")))
    await builder.add(MessageChunk(Role.MODEL, part=pcm(TONE, 16_000), ctrl=StreamCtrl("r")))
    builder.abort(ValueError("the voice died"))
    async with card(library) as heard:
        with pytest.raises(StreamFailed, match="the voice died"):
            await speaker.play(builder.stream, on_first_sound=lambda: None)
        await speaker.close()

    assert heard.heard_seconds() == pytest.approx(0.5, abs=0.05)


async def test_a_cancelled_reply_falls_silent_and_closes_its_source() -> None:
    library = one_loudspeaker()
    speaker = Speaker(devices=devices_of(library))
    builder = StreamBuilder()
    closed: list[bool] = []
    builder = StreamBuilder(on_close=lambda: closed.append(True))
    async with card(library):
        playing = asyncio.get_running_loop().create_task(speaker.play(builder.stream, on_first_sound=lambda: None))
        await asyncio.sleep(0.02)
        playing.cancel()
        await asyncio.wait([playing])
        again = await speaker.play(reply_of(("b", TONE)), on_first_sound=lambda: None)
        await speaker.close()

    assert closed == [True]
    assert again.pieces[0].whole


async def test_an_empty_reply_ends_at_once() -> None:
    library = one_loudspeaker()
    speaker = Speaker(devices=devices_of(library))
    async with card(library):
        told = await speaker.play(reply_of(), on_first_sound=lambda: pytest.fail("nothing sounded"))
        await speaker.close()

    assert told.pieces == ()


async def test_a_second_reply_at_the_same_time_is_refused() -> None:
    library = one_loudspeaker()
    speaker = Speaker(devices=devices_of(library))
    builder = StreamBuilder()
    async with card(library):
        playing = asyncio.get_running_loop().create_task(speaker.play(builder.stream, on_first_sound=lambda: None))
        await asyncio.sleep(0.01)
        with pytest.raises(RuntimeError):
            await speaker.play(reply_of(("b", TONE)), on_first_sound=lambda: None)
        speaker.hush()
        assert (await playing).hushed
        await speaker.close()


async def test_chimes_open_the_device_by_themselves_and_unknown_ones_are_silent(tmp_path: Path) -> None:
    write_sound(tmp_path / "ready.wav", tone(880, 0.1).tobytes(), 16_000)
    library = one_loudspeaker()
    speaker = Speaker(devices=devices_of(library), sounds=tmp_path)
    async with card(library) as heard:
        speaker.chime("unheard of")
        speaker.chime("ready")
        await heard.until(0.5)
        await speaker.close()

    assert heard.heard_seconds() == pytest.approx(0.1, abs=0.02)


async def test_a_fault_behind_a_chime_does_not_keep_the_device(monkeypatch: pytest.MonkeyPatch) -> None:
    library = one_loudspeaker()
    speaker = Speaker(devices=devices_of(library))
    async with card(library):
        await speaker.play(reply_of(("a", TONE)), on_first_sound=lambda: None)
        with monkeypatch.context() as patched:

            async def broken(name: str) -> None:
                raise RuntimeError("a fault of ours")

            patched.setattr(speaker, "_open_and_chime", broken)
            patched.setattr(Speaker, "is_open", property(lambda self: False))
            speaker.chime("listening")
            await asyncio.sleep(0)
        with pytest.raises(RuntimeError, match="a fault"):
            await speaker.close()

    assert not speaker.is_open


async def test_a_silent_loudspeaker_is_closed_after_a_while() -> None:
    library = one_loudspeaker()
    speaker = Speaker(devices=devices_of(library), keep_open=0.05)
    async with card(library):
        await speaker.play(reply_of(("a", TONE)), on_first_sound=lambda: None)
        assert speaker.is_open
        await asyncio.sleep(0.2)
        assert not speaker.is_open
        await speaker.close()


async def test_a_silent_loudspeaker_makes_way_for_a_fresh_list_of_devices() -> None:
    library = one_loudspeaker()
    devices = devices_of(library)
    speaker = Speaker(devices=devices)
    async with card(library):
        await speaker.play(reply_of(("a", TONE)), on_first_sound=lambda: None)
        assert not devices.refresh()
        devices.make_way()
        async with asyncio.timeout(5):
            while speaker.is_open:  # noqa: ASYNC110 - the loudspeaker tells nobody
                await asyncio.sleep(0.05)
        assert devices.refresh()
        await speaker.close()


async def test_the_reference_holds_what_was_really_played() -> None:
    library = one_loudspeaker()
    speaker = Speaker(devices=devices_of(library), volume=1.0)
    async with card(library):
        await speaker.play(reply_of(("a", TONE)), on_first_sound=lambda: None)
        await speaker.close()

    last = speaker.reference.last_sound
    assert speaker.reference.read(last - 2.0, 32_000).any()
    assert not speaker.reference.read(last + 1.0, 1600).any()
