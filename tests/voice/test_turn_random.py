"""A hundred thousand conversations by chance: the machine always comes back, and never commits a foul."""

from __future__ import annotations

import random

import pytest
from doubles.referee import Referee

from companion.voice.cues import (
    Announced,
    Cue,
    EarsBack,
    EarsLost,
    FirstToken,
    Judged,
    MuteTurned,
    NotRecognised,
    Pressed,
    Problem,
    Recalled,
    Recognised,
    Released,
    ReplyBegan,
    ReplyEnded,
    ReplyFailed,
    ReplyMoved,
    Silence,
    Stopped,
    Tick,
    Voice,
    Woken,
)
from companion.voice.phases import Asleep, Deaf, Listening, Muted, Opening, Rules, Turn, deadline
from companion.voice.turn import step

CONVERSATIONS = 100_000
CUES = 14
TEXTS = ("", "what time is it", "mhm", "okay", "remind me to", "stop", "tell me a story", "boo")
RULES = (Rules(), Rules(), Rules(), Rules(open_microphone=True), Rules(barge_in=False), Rules(follow_up=0.0))
STEPS = (0.01, 0.03, 0.06, 0.12, 0.2, 0.3, 0.6, 2.0, 9.0)


class World:
    """Makes up the next cue: mostly what may come in this phase, now and then anything."""

    def __init__(self, chance: random.Random, rules: Rules) -> None:
        self.chance = chance
        self.turn = Turn(rules)
        self.referee = Referee()
        self.at = 0.0
        self._voice = False
        self._since = 0.0

    def step(self, cue: Cue) -> None:
        before = self.turn
        self.turn, orders = step(before, cue)
        self.referee.watch(before, cue, orders)

    def anything(self) -> Cue:
        lot = self.chance.random()
        if lot < 0.6:
            return self._sound()
        if lot < 0.92:
            return self._helpers()
        return self._people()

    def _sound(self) -> Cue:
        began, self.at = self.at, self.at + STEPS[int(self.chance.random() * len(STEPS))]
        if self.chance.random() < 0.1:
            return Tick(self.at)
        if self.chance.random() < 0.5:
            self._voice, self._since = not self._voice, began
        return Voice(self.at, self._since) if self._voice else Silence(self.at, self._since)

    def _helpers(self) -> Cue:
        at, number = self.at, self._number()
        lot = int(self.chance.random() * 12)
        if lot < 4:
            text = TEXTS[int(self.chance.random() * len(TEXTS))]
            return Recognised(at, number, text, "en", text in ("what time is it", "stop"))
        match lot:
            case 4:
                return Judged(at, number, self.chance.random())
            case 5 | 6 | 7:
                return ReplyBegan(at, number)
            case 8:
                return FirstToken(at, number)
            case 9:
                return ReplyEnded(at, number, self.chance.random() < 0.7)
            case 10:
                return ReplyMoved(at, number)
            case _:
                if self.chance.random() < 0.4:
                    return NotRecognised(at, number)
                return ReplyFailed(at, number, self.chance.choice(tuple(Problem)))

    def _number(self) -> int:
        """Nearly always one that is awaited."""
        if self.chance.random() < 0.1:
            return int(self.chance.random() * (self.turn.count + 1))
        return self.turn.count

    def _people(self) -> Cue:
        at = self.at
        match int(self.chance.random() * 12):
            case 0 | 1 | 2 | 3:
                return Woken(at, max(at - self.chance.random(), 0.0))
            case 4:
                return Pressed(at, self.chance.random() < 0.5)
            case 5:
                return Released(at)
            case 6 | 7 if self.chance.random() < 0.2:
                return Recalled(at, int(self.chance.random() * 4))
            case 6 | 7:
                return Announced(at, "It is time.", number=int(self.chance.random() * 4))
            case 8:
                return Stopped(at)
            case 9:
                return MuteTurned(at, self.chance.random() < 0.4)
            case 10:
                return EarsLost(at)
            case _:
                return EarsBack(at)

    def settle(self) -> None:
        """Only time goes by. Each phase has one deadline; a few of them lead home."""
        for _ in range(24):
            if self._is_home():
                return
            self.at = min(max(deadline(self.turn.phase, self.turn.rules), self.at), self.at + 60.0) + 0.001
            self.step(Tick(self.at))
        raise AssertionError(f"never came back from {self.turn.phase}")

    def _is_home(self) -> bool:
        match self.turn.phase:
            case Asleep() | Muted() | Deaf():
                return not self.turn.waiting
            case Listening(opening=Opening.OPEN):
                return not self.turn.waiting
            case _:
                return False


@pytest.mark.timeout(900)
def test_a_hundred_thousand_conversations_come_back_and_commit_no_foul() -> None:
    phases = set()
    for seed in range(CONVERSATIONS):
        chance = random.Random(seed)
        world = World(chance, RULES[seed % len(RULES)])
        if seed % 3:
            world.step(Woken(0.0, 0.0))
        try:
            for _ in range(CUES):
                world.step(world.anything())
                phases.add(type(world.turn.phase).__name__)
            world.settle()
            assert not world.referee.replies, f"never ended: {world.referee.replies}"
        except AssertionError as foul:
            raise AssertionError(f"conversation {seed}: {foul}") from foul
    assert len(phases) == 9, phases
