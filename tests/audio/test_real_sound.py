"""Real PortAudio on a real sound server with a virtual microphone and loudspeaker."""

from __future__ import annotations

import asyncio
import ctypes
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import numpy as np
import pytest
from doubles.sounds import RATE, reply_of, tone, voice

from companion.app.echo_path import Room
from companion.app.virtual_sound import VirtualSound
from companion.audio.devices import Devices, Direction
from companion.audio.echo import EchoCanceller
from companion.audio.level import rms_dbfs
from companion.audio.microphone import Microphone, MicrophoneState
from companion.audio.resample import Samples, samples_of
from companion.audio.speaker import Speaker
from companion.audio.vad import VoiceDetector
from companion.errors import StreamInterrupted
from companion.stream import Blob, MessageChunk, Stream


class Listener:
    """Reads a stream to its end and keeps what came, and when it was heard."""

    def __init__(self, microphone: Microphone) -> None:
        self._microphone = microphone
        self._heard: list[tuple[float, bytes]] = []
        self._news = asyncio.Condition()
        self.marks: list[MessageChunk] = []

    async def listen(self, stream: Stream) -> None:
        try:
            async for chunk in stream:
                if isinstance(chunk.part, Blob) and chunk.ctrl is not None:
                    at = self._microphone.time_of(chunk.ctrl.timestamp or 0)
                    self._heard.append((at or 0.0, chunk.part.data))
                else:
                    self.marks.append(chunk)
                async with self._news:
                    self._news.notify_all()
        except StreamInterrupted:
            return

    def since(self, moment: float) -> Samples:
        return samples_of(b"".join(sound for at, sound in self._heard if at >= moment))

    async def until(self, marks: int, seconds: float = 0.0) -> None:
        """Wait for so many begins and ends, and then for so much sound."""
        async with asyncio.timeout(15), self._news:
            await self._news.wait_for(lambda: len(self.marks) >= marks)
            enough = len(self._heard) + round(seconds * 50)
            await self._news.wait_for(lambda: len(self._heard) >= enough)


@asynccontextmanager
async def listening(speaker: Speaker | None = None) -> AsyncIterator[tuple[Listener, list[MicrophoneState]]]:
    states: list[MicrophoneState] = []
    microphone = Microphone(on_state=states.append)
    listener = Listener(microphone)
    stream: Stream = microphone
    if speaker is not None:
        stream = await EchoCanceller(speaker.reference, microphone.time_of).transform(microphone)
    async with asyncio.TaskGroup() as group:
        group.create_task(listener.listen(stream))
        try:
            yield listener, states
        finally:
            await stream.close()


async def test_devices_are_listed_by_the_names_people_see() -> None:
    async with VirtualSound():
        devices = Devices()
        await asyncio.to_thread(devices.refresh)
        named = await asyncio.to_thread(devices.choose, Direction.INPUT, "microphone")
        names = [device.name for device in await asyncio.to_thread(devices.all, Direction.OUTPUT)]

    assert named.key == "mic"
    assert names[0] == "pulse"
    assert "Loudspeaker" in names


async def test_what_is_said_is_heard_whole_and_on_time() -> None:
    said = voice("commands", 2)
    async with VirtualSound() as sound, listening() as (listener, states):
        await listener.until(1, seconds=0.5)
        began = time.monotonic()
        await sound.say(said.tobytes())
        await listener.until(1, seconds=0.2)
        heard = listener.since(began)
        first = sound.heard.first_loud(began)
        loud = np.flatnonzero(np.abs(heard.astype(int)) > 300)

    assert first is not None
    assert abs(loud[0] / RATE - (first - began)) < 0.15
    assert abs(rms_dbfs(heard[loud[0] : loud[-1]]) - rms_dbfs(said[np.abs(said.astype(int)).argmax() - 4000 :])) < 12
    assert len(loud) > 0.7 * (np.abs(said.astype(int)) > 300).sum()
    assert [state.is_open for state in states] == [True]


async def test_a_reply_is_played_whole_and_its_first_sound_is_told_when_it_is_heard() -> None:
    spoken = tone(440, 2.0).tobytes()
    told: list[float] = []
    async with VirtualSound() as sound:
        speaker = Speaker(volume=1.0)
        speaker.prime()
        await asyncio.sleep(0.5)
        began = time.monotonic()
        played = await speaker.play(reply_of(("Hm.", spoken)), on_first_sound=lambda: told.append(time.monotonic()))
        ended = time.monotonic()
        await asyncio.sleep(0.2)
        first, last = sound.spoken.first_loud(began), sound.spoken.last_loud(began)
        await speaker.close()

    assert first is not None
    assert last is not None
    assert first - began < 0.3
    assert abs(told[0] - first) < 0.08
    assert abs(last - first - 2.0) < 0.15
    assert abs(ended - last) < 0.2
    assert played.pieces[0].played == pytest.approx(2.0, abs=0.01)
    assert speaker.starved == 0


async def test_ducking_and_hushing_are_heard_soon() -> None:
    async with VirtualSound() as sound:
        speaker = Speaker(volume=1.0)
        speaker.prime()
        await asyncio.sleep(0.5)
        async with asyncio.TaskGroup() as group:
            reply = reply_of(("Long.", tone(440, 9.0).tobytes()))
            playing = group.create_task(speaker.play(reply, on_first_sound=lambda: None))
            await asyncio.sleep(1.0)
            ducked = time.monotonic()
            speaker.duck()
            await asyncio.sleep(0.6)
            hushed = time.monotonic()
            speaker.hush()
        returned = time.monotonic()
        await asyncio.sleep(0.2)
        soft = sound.spoken.between(ducked + 0.25, hushed)
        silent = sound.spoken.last_loud(ducked, above=20)
        await speaker.close()

    assert rms_dbfs(soft) < rms_dbfs(tone(440, 1.0)) - 25
    assert silent is not None
    assert silent - hushed < 0.25
    assert returned - hushed < 0.4
    assert playing.result().hushed
    assert 0.7 < playing.result().pieces[0].played < 1.1


@pytest.mark.parametrize("delay_ms", [50, 150, 300])
async def test_its_own_voice_from_the_room_opens_no_detector(delay_ms: int) -> None:
    said = np.concatenate([voice("lj", 0), voice("lj", 1)]).tobytes()
    async with VirtualSound() as sound:
        speaker = Speaker(volume=1.0)
        speaker.prime()
        async with listening(speaker) as (listener, _):
            await sound.start_echo(Room(delay_ms=delay_ms))
            await listener.until(1, seconds=1.5)
            began = time.monotonic()
            await speaker.play(reply_of(("Hm.", said)), on_first_sound=lambda: None)
            await listener.until(1, seconds=0.5)
            raw, clean = sound.heard.between(began, time.monotonic()), listener.since(began)
        await speaker.close()

    assert rms_dbfs(raw) > -45, "there was no echo to cancel"
    assert longest_voice(clean) < 0.25, "long enough to count as barging in"


def longest_voice(samples: Samples) -> float:
    """Seconds of the longest stretch the voice detector takes for speech."""
    detector = VoiceDetector()
    steps = (samples[at : at + 320] for at in range(0, len(samples) - 319, 320))
    longest = current = 0
    for step in steps:
        current = current + 1 if detector.hear(step, rms_dbfs(step)) >= 0.5 else 0
        longest = max(longest, current)
    return longest * 0.02


async def test_an_unplugged_microphone_ends_its_route_and_comes_back_when_replugged() -> None:
    async with VirtualSound() as sound, listening() as (listener, states):
        await listener.until(1, seconds=0.3)
        await sound.unplug_microphone()
        await listener.until(2)
        await sound.plug_microphone()
        await listener.until(3, seconds=0.3)
        began = time.monotonic()
        await sound.say(voice("alexa").tobytes())
        await listener.until(3, seconds=0.2)
        heard = listener.since(began)

    assert [mark.is_end for mark in listener.marks[:3]] == [False, True, False]
    assert listener.marks[1].ctrl is not None
    assert "unplugged" in listener.marks[1].ctrl.error
    assert listener.marks[2].stream_id != listener.marks[0].stream_id
    assert np.abs(heard.astype(int)).max() > 1000
    assert any(not state.is_open and state.mend for state in states)
    assert states[-1].is_open


async def test_a_sound_server_that_dies_and_comes_back_is_recovered_from_by_ear_and_mouth() -> None:
    async with VirtualSound() as sound, listening() as (listener, states):
        speaker = Speaker(volume=1.0)
        speaker.prime()
        await listener.until(1, seconds=0.3)
        await sound.kill_server()
        await listener.until(2)
        await sound.start_server()
        await listener.until(3, seconds=0.3)
        began = time.monotonic()
        played = await speaker.play(reply_of(("Back.", tone(440, 0.5).tobytes())), on_first_sound=lambda: None)
        await asyncio.sleep(0.2)
        first = sound.spoken.first_loud(began)
        await speaker.close()

    assert played.pieces[0].played == pytest.approx(0.5, abs=0.01)
    assert first is not None
    assert states[-1].is_open


async def test_a_reply_goes_on_when_its_loudspeaker_is_unplugged_and_replugged() -> None:
    async with VirtualSound() as sound:
        speaker = Speaker(volume=1.0)
        speaker.prime()
        await asyncio.sleep(0.5)
        async with asyncio.TaskGroup() as group:
            reply = reply_of(("Long.", tone(440, 4.0).tobytes()))
            playing = group.create_task(speaker.play(reply, on_first_sound=lambda: None))
            await asyncio.sleep(1.0)
            await sound.unplug_speaker()
            await asyncio.sleep(0.3)
            await sound.plug_speaker()
            replugged = time.monotonic()
        await asyncio.sleep(0.2)
        last = sound.spoken.last_loud(replugged)
        await speaker.close()

    assert playing.result().pieces[0].whole
    assert playing.result().pieces[0].played == pytest.approx(4.0, abs=0.01)
    assert last is not None


async def test_a_microphone_waits_for_a_sound_server_that_starts_late() -> None:
    sound = VirtualSound()
    async with sound:
        await sound.kill_server()
        async with listening() as (listener, states):
            await asyncio.sleep(0.5)
            assert [state.is_open for state in states] == [False]
            assert states[0].mend
            await sound.start_server()
            await listener.until(1, seconds=0.2)

    assert states[-1].is_open


async def test_an_underrun_is_counted_and_healed_by_a_longer_buffer() -> None:
    async with VirtualSound():
        speaker = Speaker(volume=1.0)
        speaker.prime()
        await asyncio.sleep(0.5)
        async with asyncio.TaskGroup() as group:
            reply = reply_of(("Long.", tone(440, 2.0).tobytes()))
            playing = group.create_task(speaker.play(reply, on_first_sound=lambda: None))
            await asyncio.sleep(0.5)
            # Sleep without letting go of the interpreter: the audio callback cannot run.
            ctypes.PyDLL(None).usleep(400_000)
        before = speaker.buffer_seconds
        again = await speaker.play(reply_of(("Again.", tone(440, 1.0).tobytes())), on_first_sound=lambda: None)
        after = speaker.buffer_seconds
        await speaker.close()

    assert playing.result().pieces[0].whole
    assert again.pieces[0].whole
    assert speaker.underruns > 0
    assert after > before
