"""A voice stands out of what an echo filter leaves behind; the echo does not."""

from __future__ import annotations

import numpy as np
import pytest
from doubles.sounds import RATE, voice, white

from companion.app.echo_path import Room
from companion.audio.echo_filter import HOP, Cancelled, EchoFilter
from companion.audio.near_end import NearEnd
from companion.audio.resample import Floats
from companion.audio.trust import Trust


def reply(seconds: float) -> Floats:
    spoken = np.tile(np.concatenate([voice("lj", 0), voice("lj", 1)]), 4)[: int(seconds * RATE)]
    return spoken.astype(np.float32)


def echo_of(played: Floats, delay_ms: int = 50) -> Floats:
    late = np.concatenate([np.zeros(delay_ms * RATE // 1000), np.convolve(played, Room().response())])[: len(played)]
    return (late + white(len(played) / RATE + 1, -75)[: len(played)]).astype(np.float32)


def cancelled(near: Floats, far: Floats, echo_filter: EchoFilter) -> list[Cancelled]:
    return [echo_filter.cancel(near[at : at + HOP], far[at : at + HOP]) for at in range(0, len(near) - HOP + 1, HOP)]


def removed_db(hops: list[Cancelled], near: Floats) -> float:
    left = np.concatenate([hop.residual for hop in hops])
    near = near[-len(left) :]
    return float(10 * np.log10((near @ near) / (left @ left)))


def test_the_way_is_learned_while_somebody_speaks_over_it() -> None:
    far = reply(8.0)
    user = np.zeros_like(far)
    word = voice("commands", 1)[: 3 * RATE].astype(np.float32)
    user[2 * RATE : 2 * RATE + len(word)] = word
    near = echo_of(far) + user

    hops = cancelled(near, far, EchoFilter())

    assert removed_db(hops[6 * 50 :], near) > 18


@pytest.mark.parametrize("loudness", [0.05, 0.3, 2.0])
def test_how_loud_the_echo_is_makes_no_difference(loudness: float) -> None:
    far = reply(6.0)
    near = echo_of(far) * np.float32(loudness)

    hops = cancelled(near, far, EchoFilter())

    assert removed_db(hops[4 * 50 :], near[: len(hops) * HOP]) > 12


def test_what_is_left_of_an_echo_is_what_the_filter_expects() -> None:
    far = reply(8.0)

    hops = cancelled(echo_of(far), far, EchoFilter())
    gate = NearEnd()
    gains = [gate.gain(hop) for hop in hops]

    assert max(gains) < 1.0


def test_the_gate_opens_within_two_hops_of_a_voice_and_stays_open_to_the_next_syllable() -> None:
    far = reply(6.0)
    user = np.zeros_like(far)
    tone = (8000 * np.sin(np.arange(RATE // 4) * 2 * np.pi * 220 / RATE)).astype(np.float32)
    user[4 * RATE : 4 * RATE + len(tone)] = tone
    gate = NearEnd()

    gains = [gate.gain(hop) for hop in cancelled(echo_of(far) + user, far, EchoFilter())]

    onset = 4 * 50
    assert max(gains[:onset]) < 1.0
    assert gains[onset + 1 : onset + 25] == [1.0] * 24


def test_a_click_does_not_open_the_gate() -> None:
    far = reply(6.0)
    near = echo_of(far)
    near[4 * RATE] += 20_000
    gate = NearEnd()

    assert max(gate.gain(hop) for hop in cancelled(near, far, EchoFilter())) < 1.0


@pytest.mark.parametrize("room_dbfs", [-75, -60, -50])
def test_a_word_behind_a_pause_of_the_reply_does_not_slip_through_a_gate_that_the_room_opened(room_dbfs: int) -> None:
    far = reply(10.0)
    for second in range(1, 10, 2):
        far[second * RATE : second * RATE + RATE * 7 // 10] = 0
    near = echo_of(far) + white(10.0, room_dbfs)[: len(far)].astype(np.float32)
    gate = NearEnd()

    gains = [gate.gain(hop) for hop in cancelled(near, far, EchoFilter())]

    assert np.mean(np.array(gains[2 * 50 :]) == 1.0) < 0.02


def follow(trust: Trust, near: Floats, far: Floats) -> list[bool]:
    hops = cancelled(near, far, EchoFilter())
    return [
        trust.follow(near[at * HOP : (at + 1) * HOP], far[at * HOP : (at + 1) * HOP], hop)
        for at, hop in enumerate(hops)
    ]


def test_trust_is_earned_by_an_echo_that_goes_and_by_one_that_never_comes() -> None:
    far = reply(4.0)
    for near in (echo_of(far), white(4.0, -75).astype(np.float32)):
        trust = Trust()

        told = follow(trust, near, far)

        assert not told[0]
        assert told[-1]
        trust.forget()
        assert not trust.is_earned


@pytest.mark.parametrize("room_dbfs", [-60, -50, -42])
def test_trust_is_earned_in_rooms_that_are_not_quiet(room_dbfs: int) -> None:
    far = reply(6.0)
    room = white(6.0, room_dbfs)[: len(far)].astype(np.float32)

    assert follow(Trust(), room, far)[-1]
    assert follow(Trust(), room + echo_of(far), far)[-1]


def test_a_soft_reply_earns_trust_too() -> None:
    far = reply(6.0) * np.float32(0.04)

    assert follow(Trust(), echo_of(far), far)[-1]


def test_who_coughs_and_types_over_headphones_keeps_the_trust() -> None:
    far = reply(12.0)
    near = white(12.0, -75)[: len(far)].astype(np.float32)
    for second in range(3, 12):
        near[second * RATE : second * RATE + RATE // 10] += white(0.1, -30).astype(np.float32)

    assert all(follow(Trust(), near, far)[2 * 50 :])


def test_a_way_too_long_for_the_filter_is_never_trusted() -> None:
    far = reply(8.0)

    assert not any(follow(Trust(), echo_of(far, 650), far))


def test_nobody_earns_trust_while_nothing_plays() -> None:
    assert not any(follow(Trust(), white(3.0, -75).astype(np.float32), np.zeros(3 * RATE, np.float32)))


def test_trust_is_lost_where_the_echo_stands_again() -> None:
    far = reply(8.0)
    near = np.concatenate([echo_of(far)[: 4 * RATE], echo_of(far, 400)[4 * RATE :]])

    told = follow(Trust(), near, far)

    assert told[4 * 50 - 1]
    assert not all(told[4 * 50 :])
