"""A talk key that is held is push-to-talk, one that is tapped is the button on the screen."""

from __future__ import annotations

from typing import cast

import pytest

from companion.app.talk_key.hand import Hand
from companion.voice.loop import VoiceLoop


class Conversation:
    """Writes down what is asked of it."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.is_muted = False

    def mute(self, on: bool) -> None:
        self.is_muted = on
        self.asked.append("unmute")

    def talk(self, *, hold: bool = False) -> None:
        self.asked.append("hold" if hold else "talk")

    def release(self) -> None:
        self.asked.append("release")


class Desk:
    def __init__(self) -> None:
        self.now = 10.0
        self.conversation: Conversation | None = Conversation()
        self.hand = Hand(lambda: cast("VoiceLoop", self.conversation), lambda: self.now)

    @property
    def asked(self) -> list[str]:
        assert self.conversation is not None
        return self.conversation.asked


@pytest.fixture
def desk() -> Desk:
    return Desk()


def test_a_key_that_is_held_opens_the_ears_until_it_is_let_go(desk: Desk) -> None:
    desk.hand.press()
    desk.now += 3
    desk.hand.let_go()

    assert desk.asked == ["hold", "release"]


def test_a_key_that_is_tapped_leaves_the_ears_open(desk: Desk) -> None:
    desk.hand.press()
    desk.now += 0.1
    desk.hand.let_go()

    assert desk.asked == ["hold", "release", "talk"]


def test_a_keyboard_that_repeats_a_held_key_presses_it_once(desk: Desk) -> None:
    for _ in range(5):
        desk.hand.press()
        desk.now += 0.2
    desk.hand.let_go()
    desk.hand.let_go()

    assert desk.asked == ["hold", "release"]


def test_closed_ears_are_opened(desk: Desk) -> None:
    assert desk.conversation is not None
    desk.conversation.is_muted = True
    desk.hand.press()

    assert desk.asked == ["unmute", "hold"]


def test_a_key_without_a_conversation_does_nothing(desk: Desk) -> None:
    desk.conversation = None
    desk.hand.press()
    desk.hand.let_go()
    desk.conversation = Conversation()
    desk.hand.let_go()

    assert desk.asked == []
