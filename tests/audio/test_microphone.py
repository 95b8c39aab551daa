"""The microphone outlives its device, its reader and its callback's faults."""

from __future__ import annotations

import asyncio

import numpy as np
import pytest
from doubles.portaudio import FakeLibrary, PortAudioError, devices_of, loudspeaker_named, microphone_named

from companion.audio.microphone import LONGEST_PAUSE, Microphone, MicrophoneState, wait_for
from companion.errors import StreamBusy, StreamInterrupted
from companion.stream import Blob, MessageChunk

MS_20 = 320


class Waits:
    """Waits that are over at once: short ones truly wait for the event, long ones are only noted."""

    def __init__(self) -> None:
        self.pauses: list[float] = []
        self.gives_up = False
        self._paused = asyncio.Condition()

    async def until(self, count: int) -> None:
        async with self._paused:
            await self._paused.wait_for(lambda: len(self.pauses) >= count)

    async def __call__(self, event: asyncio.Event, seconds: float) -> bool:
        if seconds in (2.0, 6.0) and not self.gives_up:
            return await wait_for(event, 5.0)
        self.pauses.append(seconds)
        async with self._paused:
            self._paused.notify_all()
        await asyncio.sleep(0)
        return event.is_set()


def one_microphone(rate: int = 16_000) -> FakeLibrary:
    return FakeLibrary([microphone_named("Yeti", rate)])


def tone(samples: int, value: int = 1000) -> bytes:
    return np.full(samples, value, np.int16).tobytes()


def sound_of(chunk: MessageChunk) -> bytes:
    assert isinstance(chunk.part, Blob)
    return chunk.part.data


async def opened(microphone: Microphone, library: FakeLibrary) -> MessageChunk:
    begin = await microphone.next()
    assert begin.is_begin
    assert library.streams
    return begin


@pytest.mark.parametrize("rate", [48_000, 44_100, 16_000])
async def test_any_rate_becomes_20_ms_of_16_khz_on_the_sample_clock(rate: int) -> None:
    library = one_microphone(rate)
    microphone = Microphone(devices=devices_of(library))
    await opened(microphone, library)
    for _ in range(20):
        library.streams[0].deliver(tone(rate // 50))

    chunks = [await microphone.next() for _ in range(8)]
    await microphone.close()

    assert [chunk.ctrl.timestamp for chunk in chunks if chunk.ctrl] == [0, 20, 40, 60, 80, 100, 120, 140]
    assert {chunk.mime_type for chunk in chunks} == {"audio/pcm; channels=1; rate=16000"}
    assert {len(sound_of(chunk)) for chunk in chunks} == {640}
    assert abs(np.frombuffer(sound_of(chunks[-1]), np.int16).mean() - 1000) < 20


async def test_a_lost_device_ends_the_route_with_an_error_and_a_new_one_begins() -> None:
    library = one_microphone()
    states: list[MicrophoneState] = []
    microphone = Microphone(devices=devices_of(library), wait=Waits(), on_state=states.append)
    first = await opened(microphone, library)
    library.streams[0].deliver(tone(MS_20))
    await microphone.next()

    library.streams[0].vanish()
    end, begin = await microphone.next(), await microphone.next()
    library.streams[1].deliver(tone(MS_20))
    chunk = await microphone.next()
    await microphone.close()

    assert end.is_end
    assert end.stream_id == first.stream_id
    assert end.ctrl is not None
    assert "Yeti" in end.ctrl.error
    assert begin.is_begin
    assert begin.stream_id != first.stream_id
    assert chunk.stream_id == begin.stream_id
    assert chunk.ctrl is not None
    assert chunk.ctrl.timestamp == 20
    assert [state.is_open for state in states] == [True, False, True]
    assert not library.open_streams


async def test_a_missing_microphone_is_sought_for_ever_with_growing_pauses() -> None:
    library = FakeLibrary([loudspeaker_named("HDMI")])
    waits = Waits()
    states: list[MicrophoneState] = []

    def plug_in(state: MicrophoneState) -> None:
        states.append(state)

    microphone = Microphone(devices=devices_of(library), wait=waits, on_state=plug_in)
    reading = asyncio.get_running_loop().create_task(microphone.next())
    await waits.until(9)
    library.devices.append(microphone_named("Yeti"))
    begin = await reading
    await microphone.close()

    assert begin.is_begin
    assert waits.pauses[:6] == [0.2, 0.4, 0.8, 1.6, 3.2, LONGEST_PAUSE]
    assert [state.is_open for state in states] == [False, True]
    assert states[0].mend


async def test_a_busy_microphone_is_told_and_tried_again() -> None:
    library = one_microphone()
    library.faults = [PortAudioError("Device unavailable", -9985)]
    states: list[MicrophoneState] = []
    microphone = Microphone(devices=devices_of(library), wait=Waits(), on_state=states.append)

    await opened(microphone, library)
    await microphone.close()

    assert "another program" in states[0].error


async def test_a_device_that_falls_silent_counts_as_lost() -> None:
    library = one_microphone()
    waits = Waits()
    microphone = Microphone(devices=devices_of(library), wait=waits)
    await opened(microphone, library)
    library.streams[0].deliver(tone(MS_20))
    await microphone.next()

    waits.gives_up = True
    end = await microphone.next()
    await microphone.close()

    assert end.ctrl is not None
    assert "silent" in end.ctrl.error


async def test_a_device_that_sends_only_zeros_for_ten_minutes_is_opened_afresh() -> None:
    library = one_microphone(16_000)
    microphone = Microphone(devices=devices_of(library), wait=Waits(), buffered=700.0, block_ms=1000)
    await opened(microphone, library)
    library.streams[0].deliver(bytes(2 * 16_000 * 601))

    while not (chunk := await microphone.next()).is_end:
        pass
    begin = await microphone.next()
    await microphone.close()

    assert chunk.ctrl is not None
    assert "zeros" in chunk.ctrl.error
    assert begin.is_begin


async def test_a_late_reader_loses_the_oldest_sound_and_the_clock_steps_over_it() -> None:
    library = one_microphone(16_000)
    microphone = Microphone(devices=devices_of(library), buffered=0.1)
    await opened(microphone, library)
    for number in range(15):
        library.streams[0].deliver(tone(320, number + 1))

    chunk = await microphone.next()
    await microphone.close()

    assert chunk.ctrl is not None
    assert chunk.ctrl.timestamp == 200
    assert sound_of(chunk) == tone(320, 11)
    assert microphone.dropped_seconds == pytest.approx(0.2)


async def test_sound_lost_after_a_replug_is_counted_from_nought() -> None:
    library = one_microphone(16_000)
    microphone = Microphone(devices=devices_of(library), buffered=0.1, wait=Waits())
    await opened(microphone, library)
    for _ in range(15):
        library.streams[0].deliver(tone(320))
    await microphone.next()
    library.streams[0].settings["finished_callback"]()
    while not (await microphone.next()).is_begin:
        pass

    for _ in range(10):
        library.streams[1].deliver(tone(320))
    await microphone.next()
    await microphone.close()

    assert microphone.dropped_seconds == pytest.approx(0.2 + 0.1)


async def test_longer_blocks_wake_the_reader_less_often() -> None:
    library = one_microphone(16_000)
    microphone = Microphone(devices=devices_of(library), block_ms=80)
    await opened(microphone, library)
    for _ in range(4):
        library.streams[0].deliver(tone(320))

    chunk = await microphone.next()
    microphone.block_ms = 20
    library.streams[0].deliver(tone(320))
    short = await microphone.next()
    await microphone.close()

    assert (len(sound_of(chunk)), len(sound_of(short))) == (4 * 640, 640)
    assert short.ctrl is not None
    assert short.ctrl.timestamp == 80
    with pytest.raises(ValueError, match="20 ms"):
        microphone.block_ms = 15


async def test_a_fault_in_the_callback_is_counted_and_survived() -> None:
    library = one_microphone(16_000)
    microphone = Microphone(devices=devices_of(library))
    await opened(microphone, library)
    library.streams[0].settings["callback"](object(), 0, None, None)
    library.streams[0].deliver(tone(320))

    await microphone.next()
    await microphone.close()

    assert microphone.callback_errors == 1


async def test_closing_wakes_a_waiting_reader_and_lets_the_device_go() -> None:
    library = one_microphone()
    microphone = Microphone(devices=devices_of(library))
    await opened(microphone, library)
    reading = asyncio.get_running_loop().create_task(microphone.next())
    await asyncio.sleep(0.01)
    with pytest.raises(StreamBusy):
        await microphone.next()

    await microphone.close()

    with pytest.raises(StreamInterrupted):
        await reading
    assert not library.open_streams
    await microphone.close()


async def test_a_reader_cancelled_while_the_device_opens_leaves_nothing_open() -> None:
    library = one_microphone()
    microphone = Microphone(devices=devices_of(library))
    reading = asyncio.get_running_loop().create_task(microphone.next())
    await asyncio.sleep(0)
    reading.cancel()
    with pytest.raises(asyncio.CancelledError):
        await reading
    await microphone.close()

    assert not library.open_streams
