"""The newest sound and the time it tells."""

from __future__ import annotations

from companion.voice.contract import BYTES_PER_SECOND, RATE
from companion.voice.sound import SampleClock, SoundBuffer


def second(value: int) -> bytes:
    return value.to_bytes(2, "little") * RATE


def test_sound_is_cut_by_time() -> None:
    buffer = SoundBuffer(10.0)
    for number in range(4):
        buffer.add(second(number), float(number))
    assert buffer.cut(1.0, 2.0) == second(1)
    assert buffer.cut(1.5, 2.5) == second(1)[: BYTES_PER_SECOND // 2] + second(2)[: BYTES_PER_SECOND // 2]
    assert buffer.cut(-1.0, 1.0) == second(0)
    assert buffer.cut(3.5, 9.0) == second(3)[: BYTES_PER_SECOND // 2]
    assert buffer.cut(2.0, 1.0) == b""


def test_old_sound_is_dropped_and_times_stay_true() -> None:
    buffer = SoundBuffer(3.0)
    for number in range(1000):
        buffer.add(second(number), float(number))
        assert len(buffer) <= 7 * BYTES_PER_SECOND
    assert buffer.cut(997.0, 998.0) == second(997)
    assert buffer.cut(1.0, 2.0) == b""


def test_a_gap_becomes_silence_and_a_long_one_a_new_beginning() -> None:
    buffer = SoundBuffer(3.0)
    buffer.add(second(1), 0.0)
    buffer.add(second(2), 2.0)
    assert buffer.cut(1.0, 3.0) == second(0) + second(2)
    buffer.add(second(3), 100.0)
    assert buffer.cut(0.0, 200.0) == second(3)


def test_time_is_sound_heard_and_the_clock_only_where_there_is_none() -> None:
    now = 50.0
    clock = SampleClock(lambda: now)
    assert clock.hear(0.5) == (0.0, 0.5)
    now += 0.1
    assert clock.hear(0.5) == (0.5, 1.0)
    now += 2.0
    assert clock.tick() == 3.0
    now += 0.25
    assert clock.tick() == 3.25
    assert clock.hear(0.5) == (3.25, 3.75)
