"""One recording through the senses, the endpointer and the turn machine, on its own sample clock.

Nothing waits for real time. What a model takes is measured and its answer comes that much later on the sample clock,
so that the turn ends where it would end in a room. One model works on one thing at a time, as its worker does: an
attempt that was thrown away still holds back the next one.
"""

from __future__ import annotations

import asyncio
import heapq
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TypeVar

from companion.agent.answer import Said
from companion.stream import Text
from companion.voice import cues, orders
from companion.voice.contract import BYTES_PER_SECOND, RATE, Senses
from companion.voice.cues import Cue
from companion.voice.endpoint import Endpointer
from companion.voice.phases import Rules, Turn
from companion.voice.turn import step

T = TypeVar("T")

PIECE_SECONDS = 0.02
LEAD = 0.5
"""Seconds of silence before a recording, in which the senses settle."""
COMMAND_REPLY = 0.15
MODEL_REPLY = 0.35
"""Seconds from the end of a turn to the first sound, as the loop takes at best. What is said until then is still
part of the same sentence."""
REPLY_SECONDS = 0.5


@dataclass(frozen=True, slots=True)
class Mind:
    """What is asked about an utterance.

    hear: words of 16 kHz sound. judge: whether it sounds complete; None for no judge.
    """

    hear: Callable[[bytes], Awaitable[Text]]
    judge: Callable[[bytes], Awaitable[float]] | None
    is_command: Callable[[Said], bool]
    may_go_on: Callable[[Said], bool]


@dataclass(slots=True)
class Answered:
    """A turn that ended. Times are seconds in the recording."""

    text: str
    ended: float
    """When the turn ended."""
    sounded: float | None = None
    """When its answer would have been heard; None where it was taken back before."""


@dataclass(slots=True)
class Story:
    """What became of one recording."""

    answered: list[Answered] = field(default_factory=list)
    recognised: list[tuple[float, float]] = field(default_factory=list)
    """From where to where each attempt heard."""
    recogniser_seconds: list[float] = field(default_factory=list)
    judge_seconds: list[float] = field(default_factory=list)


class Replay:
    """Plays recordings, one after the other, with the microphone always open."""

    def __init__(self, senses: Senses, rules: Rules, mind: Mind | None, *, language: str = "en") -> None:
        self._senses = senses
        self._rules = rules
        self._mind = mind
        self._language = language

    async def play(self, sound: bytes, *, silence: float = 2.5) -> Story:
        """Hear 16 kHz ``sound`` with silence before and behind it. Without a mind nothing is ever recognised."""
        self._senses.forget()
        run = _Run(self._rules, self._mind, self._language)
        whole = bytes(round(LEAD * RATE) * 2) + sound + bytes(round(silence * RATE) * 2)
        endpointer = Endpointer()
        size = round(PIECE_SECONDS * RATE) * 2
        for place in range(0, len(whole) - size + 1, size):
            began, ended = place / BYTES_PER_SECOND, (place + size) / BYTES_PER_SECOND
            await run.deliver(began, ended)
            sensed = self._senses.hear(whole[place : place + size])
            await run.feed(endpointer.hear(sensed.voice, sensed.level, began, ended), whole)
        return run.story


class _Run:
    def __init__(self, rules: Rules, mind: Mind | None, language: str) -> None:
        self._turn, _ = step(Turn(rules), cues.Stopped(0.0))
        self._mind = mind
        self._language = language
        self._due: list[tuple[float, int, Callable[[float], Cue], int]] = []
        self._posted = 0
        self._free = 0.0
        """When the recogniser has done with what it was given."""
        self._texts: dict[int, str] = {}
        self._open: dict[int, Answered] = {}
        self._whole = b""
        self.story = Story()

    async def deliver(self, now: float, until: float) -> None:
        """Tell the machine what came in meanwhile."""
        while self._due and self._due[0][0] <= until:
            _, _, make, _ = heapq.heappop(self._due)
            await self.feed(make(now), self._whole)

    async def feed(self, cue: Cue, whole: bytes) -> None:
        self._whole = whole
        if isinstance(cue, cues.ReplyBegan) and cue.reply in self._open:
            self._open[cue.reply].sounded = cue.at - LEAD
        self._turn, ordered = step(self._turn, cue)
        for order in ordered:
            await self._obey(order, cue.at)

    async def _obey(self, order: orders.Order, now: float) -> None:
        match order:
            case orders.Recognise():
                self.story.recognised.append((order.began - LEAD, order.ended - LEAD))
                if self._mind is not None:
                    await self._recognise(order, now, self._mind)
            case orders.Forget(number) | orders.Withdraw(number) | orders.Hush(number) | orders.Pause(number):
                self._due = [due for due in self._due if due[3] != number]
                heapq.heapify(self._due)
            case orders.Answer(number):
                self._answer(number, now)
            case orders.Resume(number):
                self._post(now + COMMAND_REPLY, number, lambda at: cues.ReplyEnded(at, number))
            case orders.Tell(number) | orders.Announce(number):
                self._post(now + REPLY_SECONDS, number, lambda at: cues.ReplyEnded(at, number))
            case _:
                pass

    def _answer(self, number: int, now: float) -> None:
        answered = Answered(self._texts.get(number, ""), now - LEAD)
        self.story.answered.append(answered)
        self._open[number] = answered
        said = Said(answered.text, self._language)
        delay = COMMAND_REPLY if self._mind is None or self._mind.is_command(said) else MODEL_REPLY
        self._post(now + delay, number, lambda at: cues.ReplyBegan(at, number))
        self._post(now + delay + REPLY_SECONDS, number, lambda at: cues.ReplyEnded(at, number))

    async def _recognise(self, order: orders.Recognise, now: float, mind: Mind) -> None:
        (text, took), (complete, judged) = await asyncio.gather(
            _timed(mind.hear(self._cut(order.began, order.ended))),
            _timed(mind.judge(self._cut(order.began, order.spoken_until)) if mind.judge else _nobody()),
        )
        self.story.recogniser_seconds.append(took)
        said = Said(text.text.strip(), text.language or self._language)
        self._texts[order.attempt] = said.text
        self._free = max(self._free, now) + took
        self._post(self._free, order.attempt, lambda at: _words(order.attempt, said, mind, at))
        if complete is not None:
            self.story.judge_seconds.append(judged)
            self._post(now + judged, order.attempt, lambda at: cues.Judged(at, order.attempt, complete))

    def _post(self, at: float, number: int, make: Callable[[float], Cue]) -> None:
        self._posted += 1
        heapq.heappush(self._due, (at, self._posted, make, number))

    def _cut(self, began: float, ended: float) -> bytes:
        return self._whole[2 * round(began * RATE) : 2 * round(ended * RATE)]


def _words(attempt: int, said: Said, mind: Mind, at: float) -> Cue:
    return cues.Recognised(
        at,
        attempt,
        said.text,
        said.language,
        command=bool(said.text) and mind.is_command(said),
        open_ended=bool(said.text) and mind.may_go_on(said),
    )


async def _timed(work: Awaitable[T]) -> tuple[T, float]:
    began = time.perf_counter()
    return await work, time.perf_counter() - began


async def _nobody() -> None:
    return None


async def utterance(senses: Senses, sound: bytes) -> bytes:
    """What the loop would give its recogniser of a recording that holds one utterance; empty where it hears none.

    A pause of up to 1.2 s does not end it.
    """

    async def some_words(_: bytes) -> Text:
        return Text("words")

    mind = Mind(some_words, None, is_command=lambda _: False, may_go_on=lambda _: False)
    story = await Replay(senses, Rules(open_microphone=True, default_silence=1.2), mind).play(sound)
    if not story.answered:
        return b""
    ended = story.answered[0].ended
    began, until = [heard for heard in story.recognised if heard[1] <= ended][-1]
    return sound[2 * max(round(began * RATE), 0) : 2 * max(round(until * RATE), 0)]
