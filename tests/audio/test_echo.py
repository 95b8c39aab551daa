"""The companion does not hear itself, hears the user over itself, and rests while it is silent."""

from __future__ import annotations

import math

import numpy as np
import pytest
from doubles.sounds import RATE, tone, voice, white

from companion.app.echo_path import Room
from companion.audio.echo import EchoCanceller
from companion.audio.level import rms_dbfs
from companion.audio.reference import PlayedSound
from companion.audio.resample import Samples, samples_of
from companion.audio.vad import VoiceDetector
from companion.stream import Blob, MessageChunk, Role, StreamCtrl, begin_of_stream, end_of_stream, pcm, stream_of

CHUNK = 320


def as_chunks(samples: Samples) -> list[MessageChunk]:
    chunks = [begin_of_stream("room", role=Role.USER)]
    for at in range(0, len(samples) - CHUNK + 1, CHUNK):
        ctrl = StreamCtrl("room", timestamp=at * 1000 // RATE)
        chunks.append(MessageChunk(Role.USER, part=pcm(samples[at : at + CHUNK].tobytes(), RATE), ctrl=ctrl))
    return [*chunks, end_of_stream("room", role=Role.USER)]


async def cleaned(heard: Samples, reference: PlayedSound, **settings: bool) -> Samples:
    stream = await EchoCanceller(reference, lambda ms: ms / 1000, **settings).transform(stream_of(as_chunks(heard)))
    parts = [chunk.part.data async for chunk in stream if isinstance(chunk.part, Blob)]
    return samples_of(b"".join(parts))


def played(samples: Samples, *, speech: bool = True) -> PlayedSound:
    reference = PlayedSound(seconds=len(samples) / RATE + 1)
    for at in range(0, len(samples), 160):
        reference._pending.append((at / RATE, RATE, samples[at : at + 160].tobytes()))
        if len(reference._pending) > 400:
            reference.read(0.0, 1)
    reference.last_sound = len(samples) / RATE
    reference.last_speech = reference.last_sound if speech else -math.inf
    return reference


def echo_of(samples: Samples, delay_ms: int, seed_noise: float = -75) -> Samples:
    echo = np.convolve(samples, Room(loss_db=6).response())[: len(samples)]
    late = np.concatenate([np.zeros(delay_ms * RATE // 1000), echo])[: len(samples)]
    return np.round(late + white(len(samples) / RATE, seed_noise)[: len(samples)]).astype(np.int16)


def speech(seconds: float) -> Samples:
    return np.tile(np.concatenate([voice("lj", 0), voice("lj", 1)]), 4)[: int(seconds * RATE)]


def opens(samples: Samples) -> int:
    detector = VoiceDetector()
    said = [
        detector.hear(samples[at : at + CHUNK], rms_dbfs(samples[at : at + CHUNK]))
        for at in range(0, len(samples) - CHUNK + 1, CHUNK)
    ]
    return sum(probability >= 0.5 for probability in said)


def kept(user: Samples, out: Samples) -> float:
    """How much louder the user's voice came out than it was, in dB."""
    voiced = np.abs(user[: len(out)].astype(int)) > 1000
    return rms_dbfs(out[voiced]) - rms_dbfs(user[: len(out)][voiced])


@pytest.mark.parametrize("delay_ms", [50, 150, 300])
async def test_its_own_voice_is_removed_by_24_db_and_opens_no_detector(delay_ms: int) -> None:
    said = speech(14.0)
    heard = echo_of(said, delay_ms)

    out = await cleaned(heard, played(said))

    assert opens(heard) > 100
    assert opens(out) == 0
    later = slice(4 * RATE, None)
    assert rms_dbfs(heard[later]) - rms_dbfs(out[later]) >= 24


async def test_it_stays_deaf_to_itself_over_a_path_too_long_for_the_canceller() -> None:
    said = speech(8.0)

    assert opens(await cleaned(echo_of(said, 650), played(said))) <= 5


async def test_a_way_that_has_changed_is_learned_anew() -> None:
    said, half = speech(20.0), 10 * RATE
    heard = np.concatenate([echo_of(said, 50)[:half], echo_of(said, 300)[half:]])

    out = await cleaned(heard, played(said))

    assert opens(out[half:]) <= 10
    assert opens(out[half + 2 * RATE :]) == 0


async def test_after_a_doubt_it_is_as_cautious_as_at_first() -> None:
    said, half = speech(20.0), 10 * RATE
    heard = np.concatenate([echo_of(said, 50)[:half], echo_of(said, 300)[half:]])
    canceller = EchoCanceller(played(said), lambda ms: ms / 1000)
    stream = await canceller.transform(stream_of(as_chunks(heard)))
    parts: list[bytes] = []
    async for chunk in stream:
        if isinstance(chunk.part, Blob):
            parts.append(chunk.part.data)
        if len(parts) == half // CHUNK:
            canceller.doubt()

    assert opens(samples_of(b"".join(parts))) == 0


@pytest.mark.parametrize("seconds", [2.5, 6.0])
async def test_who_speaks_over_a_reply_as_loud_as_it_is_heard(seconds: float) -> None:
    said = speech(10.0)
    word = voice("commands", 1)[RATE // 2 : 3 * RATE // 2]
    user = np.zeros(len(said), np.int16)
    user[round(seconds * RATE) : round(seconds * RATE) + len(word)] = word
    heard = np.clip(echo_of(said, 50).astype(int) + user, -32768, 32767).astype(np.int16)

    out = await cleaned(heard, played(said))

    assert kept(user, out) > -3
    assert opens(out[round(seconds * RATE) :]) > 10
    assert opens(out[: round(seconds * RATE)]) == 0


async def test_in_a_later_reply_who_speaks_is_heard_after_a_second() -> None:
    replies = np.concatenate([speech(4.0), np.zeros(2 * RATE, np.int16), speech(4.0)])
    reference = played(replies)
    word = voice("commands", 1)[RATE // 2 : 3 * RATE // 2]
    user = np.zeros(len(replies), np.int16)
    user[7 * RATE : 7 * RATE + len(word)] = word
    # The loudspeaker was opened anew for it, 3 ms later than the sound server says.
    late = np.concatenate([replies[: 5 * RATE], np.zeros(48, np.int16), replies[5 * RATE :]])[: len(replies)]
    heard = np.clip(echo_of(late, 50).astype(int) + user, -32768, 32767).astype(np.int16)

    def clock(milliseconds: int) -> float:
        now = milliseconds / 1000
        reference.last_sound = reference.last_speech = min(now, 4.0) if now < 6.0 else now
        return now

    stream = await EchoCanceller(reference, clock).transform(stream_of(as_chunks(heard)))
    out = samples_of(b"".join([chunk.part.data async for chunk in stream if isinstance(chunk.part, Blob)]))

    assert opens(out[: 7 * RATE]) == 0
    assert opens(out[7 * RATE :]) > 10


async def test_over_headphones_a_user_is_heard_undamaged_from_two_seconds_on() -> None:
    said = speech(10.0)
    heard = white(10.0, -75)
    word = voice("commands", 1)[RATE // 2 : 3 * RATE // 2]
    user = np.zeros(len(heard), np.int16)
    user[2 * RATE : 2 * RATE + len(word)] = word

    out = await cleaned(heard + user, played(said))

    assert kept(user, out) == pytest.approx(0.0, abs=1.0)


async def test_an_echo_that_comes_up_later_is_noticed_and_removed() -> None:
    said = speech(14.0)
    heard = echo_of(said, 50)
    heard[: 4 * RATE] = white(4.0, -75)

    out = await cleaned(heard, played(said))

    assert opens(out[: 4 * RATE]) == 0
    assert opens(heard[8 * RATE :]) > 50
    assert opens(out[8 * RATE :]) == 0


async def test_who_speaks_right_after_the_first_chime_is_heard() -> None:
    chime = np.concatenate([tone(880, 0.2), np.zeros(3 * RATE, np.int16)])
    user = np.zeros(len(chime), np.int16)
    user[RATE // 2 :] = voice("commands", 1)[: len(chime) - RATE // 2]

    out = await cleaned(echo_of(chime, 50) + user, played(chime, speech=False))

    assert kept(user, out) == pytest.approx(0.0, abs=1.0)


async def test_clocks_that_jitter_and_drift_a_little_do_no_harm() -> None:
    said = speech(14.0)
    jitter = np.random.default_rng(3).uniform(-0.002, 0.002, 15_000)
    canceller = EchoCanceller(played(said), lambda ms: ms / 1000 + float(jitter[ms // 20]) + ms * 50e-9)
    stream = await canceller.transform(stream_of(as_chunks(echo_of(said, 150))))
    out = samples_of(b"".join([chunk.part.data async for chunk in stream if isinstance(chunk.part, Blob)]))

    assert opens(out) == 0


async def test_a_headset_that_sends_zeros_between_words_is_heard() -> None:
    said = speech(8.0)
    user = np.zeros(len(said), np.int16)
    word = voice("commands", 1)[RATE // 2 : 3 * RATE // 2]
    user[3 * RATE : 3 * RATE + len(word)] = word

    assert kept(user, await cleaned(user, played(said))) == pytest.approx(0.0, abs=1.0)


async def test_a_microphone_that_is_switched_on_in_the_midst_of_a_reply_soon_knows_the_echo() -> None:
    said = speech(14.0)
    heard = echo_of(said, 50)
    heard[: 4 * RATE] = 0

    assert opens((await cleaned(heard, played(said)))[8 * RATE :]) == 0


async def test_it_rests_while_nothing_is_played_and_the_room_is_quiet() -> None:
    heard = np.concatenate([white(2.0, -70), voice("commands", 0)])
    heard = heard[: len(heard) // CHUNK * CHUNK]

    assert np.array_equal(await cleaned(heard, PlayedSound()), heard)


async def test_steady_noise_is_lowered_and_the_voice_in_it_kept() -> None:
    said = np.concatenate([np.zeros(6 * RATE, np.int16), voice("commands", 0)])
    noisy = np.clip(said.astype(int) + white(len(said) / RATE + 1, -45)[: len(said)], -32768, 32767).astype(np.int16)

    out = await cleaned(noisy, PlayedSound())

    assert rms_dbfs(noisy[5 * RATE : 6 * RATE]) - rms_dbfs(out[5 * RATE : 6 * RATE]) > 6
    assert opens(out[6 * RATE :]) > 20
    assert np.array_equal(
        await cleaned(noisy, PlayedSound(), noise_suppression=False), noisy[: len(noisy) // CHUNK * CHUNK]
    )


async def test_gain_is_added_and_limited() -> None:
    heard = tone(440, 0.1, level=0.1)
    canceller = EchoCanceller(PlayedSound(), lambda ms: ms / 1000, gain_db=6.0)
    stream = await canceller.transform(stream_of(as_chunks(heard)))
    out = samples_of(b"".join([chunk.part.data async for chunk in stream if isinstance(chunk.part, Blob)]))

    assert rms_dbfs(out) - rms_dbfs(heard[: len(out)]) == pytest.approx(6.0, abs=0.1)


async def test_it_goes_by_other_settings_in_the_midst_of_the_sound() -> None:
    canceller = EchoCanceller(PlayedSound(), lambda ms: ms / 1000)
    stream = await canceller.transform(stream_of(as_chunks(tone(440, 0.2, level=0.05))))
    levels = []
    async for chunk in stream:
        if isinstance(chunk.part, Blob) and chunk.part.data:
            levels.append(rms_dbfs(samples_of(chunk.part.data)))
            if len(levels) == 5:
                canceller.adopt(echo_cancellation=False, noise_suppression=False, gain_db=6.0)
    assert levels[-1] - levels[2] == pytest.approx(6.0, abs=0.5)
