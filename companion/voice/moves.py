"""The moves that several phases share: rest, listen, close, end, resume, tell, announce.

A ``Moves`` lives for one step: it holds the turn as it changes and collects the orders.
"""

from __future__ import annotations

from dataclasses import replace
from math import inf

from companion.voice.cues import Announced, Problem
from companion.voice.orders import (
    Announce,
    Answer,
    Chime,
    Forget,
    Hush,
    Ignore,
    Order,
    Pause,
    Reason,
    Recognise,
    Resume,
    Sound,
    Tell,
    Unduck,
)
from companion.voice.phases import (
    FIRST_SOUND_PATIENCE,
    FIRST_TOKEN_PATIENCE,
    TALK_PATIENCE,
    WAKE_PATIENCE,
    Asleep,
    Deaf,
    Deciding,
    Ducked,
    Hearing,
    Listening,
    Matter,
    Muted,
    Opening,
    Phase,
    Speaking,
    Talk,
    Thinking,
    Turn,
)

MARGIN = 0.3
"""Seconds of sound kept before and after the voiced part."""
BARGE_IN_MARGIN = 0.15
"""The same before a voice over a reply: what lies there is the reply."""
QUIET = 0.5
"""Seconds without a voice before an announcement."""
JUST_NOW = 0.2
"""Seconds in which a voice last heard counts as still going on."""
ANNOUNCEMENT_PATIENCE = 10.0
"""Seconds after which an announcement no longer waits for a room that talks (a television)."""
MOST_WAITING = 8


class Moves:
    """One step of the machine in the making."""

    def __init__(self, turn: Turn) -> None:
        self.rules = turn.rules
        self.phase: Phase = turn.phase
        self.muted = turn.muted
        self.deaf = turn.deaf
        self.count = turn.count
        self.waiting = turn.waiting
        self.voice_at = turn.voice_at
        self.orders: list[Order] = []

    def turn(self) -> Turn:
        """What became of the turn."""
        return Turn(self.rules, self.phase, self.muted, self.deaf, self.count, self.waiting, self.voice_at)

    @property
    def has_ears(self) -> bool:
        return not (self.deaf or self.muted)

    def go(self, phase: Phase) -> None:
        self.phase = phase

    def order(self, *orders: Order) -> None:
        self.orders.extend(orders)

    def number(self) -> int:
        self.count += 1
        return self.count

    def rest(self, at: float) -> None:
        """Back to where a conversation starts."""
        if self.deaf:
            self.go(Deaf())
        elif self.muted:
            self.go(Muted())
        elif self.rules.open_microphone:
            self.go(Listening(Opening.OPEN, at, inf))
        else:
            self.go(Asleep())

    def listen(
        self, at: float, opening: Opening, *, since: float | None = None, floor: float = 0.0, tries: int = 0
    ) -> None:
        """Wait for the user to speak, for as long as ``opening`` is worth."""
        window = self._window(opening)
        if not self.has_ears or window == 0:
            self.rest(at)
        else:
            self.go(Listening(opening, at if since is None else since, at + window, floor, tries=tries))

    def _window(self, opening: Opening) -> float:
        match opening:
            case Opening.WAKE:
                return WAKE_PATIENCE
            case Opening.TALK:
                return TALK_PATIENCE
            case Opening.FOLLOW_UP | Opening.BARGE_IN:
                return self.rules.follow_up
            case Opening.OPEN:
                return inf

    def interrupt(self, over: Thinking | Speaking, at: float, since: float) -> None:
        """A voice comes before or over a reply: keep the reply back and hear it."""
        self.order(Pause(over.reply))
        self.hear_over(at, since, over)

    def hear_over(self, at: float, since: float, over: Thinking | Speaking | None) -> None:
        self.go(Hearing(Talk(max(since - BARGE_IN_MARGIN, 0.0), since, Opening.BARGE_IN, over=over), at))

    def recognise(self, talk: Talk, at: float, since: float) -> int:
        """Have the utterance recognised, voiced until ``since``."""
        attempt = self.number()
        self.order(Recognise(attempt, talk.began, since, min(at, since + MARGIN)))
        return attempt

    def close(self, talk: Talk, at: float, *, talking: bool) -> None:
        """End the utterance here, whatever the ears say."""
        attempt = self.recognise(talk, at, at)
        self.go(Deciding(replace(talk, closed=True), at, attempt, at, talking=talking))

    def forget(self, attempt: int) -> None:
        """Throw an attempt away; 0 is none."""
        if attempt:
            self.order(Forget(attempt))

    def release(self, over: Thinking | Speaking | None) -> None:
        """End the reply that was paused, if there is one."""
        if over is not None:
            self.order(Hush(over.reply))

    def think(self, attempt: int, talk: Talk, at: float, *, command: bool) -> None:
        """The turn has ended: have it answered."""
        self.order(Answer(attempt))
        self.go(Thinking(attempt, talk, at, at + FIRST_TOKEN_PATIENCE, command))

    def resume(self, over: Thinking | Speaking, at: float) -> None:
        """It was nothing: the paused reply goes on."""
        self.order(Resume(over.reply))
        if isinstance(over, Thinking):
            self.go(replace(over, until=at + FIRST_TOKEN_PATIENCE))
        else:
            self.go(replace(over, began=None, until=at + FIRST_SOUND_PATIENCE, burst=0))

    def nothing(self, phase: Deciding, at: float, reason: Reason) -> None:
        """What was heard is no turn. The second time in a row the ears close again."""
        talk = phase.talk
        self.order(Forget(phase.attempt), Ignore(reason))
        if talk.over is not None:
            self.resume(talk.over, at)
            return
        if talk.after_wake:
            # Perhaps it was but the end of the wake word: not a try of the user's.
            self.listen(at, talk.opening, tries=talk.tries)
            return
        if talk.opening in (Opening.WAKE, Opening.TALK):
            self.order(Chime(Sound.NOT_UNDERSTOOD))
        if talk.closed or talk.tries > 0:
            self.rest(at)
        else:
            self.listen(at, talk.opening, tries=talk.tries + 1)

    def tell(self, at: float, problem: Problem, *, aloud: bool = True) -> None:
        """Say what went wrong, or only show it where there is no voice to say it with, or the user speaks."""
        reply = self.number()
        talked_over = self.has_ears and at - self.voice_at < JUST_NOW
        aloud = aloud and problem.can_be_spoken and not talked_over
        self.order(Tell(reply, problem, aloud))
        if aloud:
            self.go(Speaking(reply, Matter.APOLOGY, None, at + FIRST_SOUND_PATIENCE))
        else:
            self.order(Chime(Sound.TROUBLE))
            self.listen(at, Opening.FOLLOW_UP)

    def spoken(self, at: float, *, follow_up: bool) -> None:
        """A reply is over."""
        if follow_up:
            self.listen(at, Opening.FOLLOW_UP)
        else:
            self.rest(at)

    def failed(self, at: float, matter: Matter, problem: Problem) -> None:
        """A reply broke. Only an answer is apologised for aloud, so that apologies cannot chase each other."""
        self.tell(at, problem, aloud=matter is Matter.ANSWER)

    def clear(self) -> None:
        """Drop whatever is going on."""
        match self.phase:
            case Hearing(talk):
                self.release(talk.over)
            case Deciding() as deciding:
                self.forget(deciding.attempt)
                self.release(deciding.talk.over)
            case Thinking(reply):
                self.order(Hush(reply))
            case Speaking() as speaking:
                self.drop(speaking)
            case Ducked(speaking):
                self.drop(speaking)
            case Asleep() | Muted() | Deaf() | Listening():
                pass

    def drop(self, speaking: Speaking) -> None:
        """End a reply; an announcement nobody has heard yet goes back to the queue."""
        self.order(Hush(speaking.reply))
        self.forget(speaking.burst)
        if speaking.announced is not None:
            self.waiting = (speaking.announced, *self.waiting)

    def unduck(self, ducked: Ducked) -> Speaking:
        self.order(Unduck(ducked.speaking.reply))
        self.go(ducked.speaking)
        return ducked.speaking

    def queue(self, announced: Announced) -> None:
        if len(self.waiting) >= MOST_WAITING:
            self.order(Ignore(Reason.TOO_MANY_ANNOUNCEMENTS))
        else:
            self.waiting = (*self.waiting, announced)

    def recall(self, at: float, number: int) -> None:
        """Make an announcement no more, if nobody has heard anything of it."""
        self.waiting = tuple(announced for announced in self.waiting if announced.number != number)
        match self.phase:
            case Speaking(announced=Announced(number=begun)) as speaking if begun == number:
                self.drop(replace(speaking, announced=None))
                self.spoken(at, follow_up=speaking.follow_up)

    def announce_if_quiet(self, at: float) -> None:
        """Say the next announcement, if there is one and nobody speaks."""
        if not self.waiting:
            return
        quiet = at - self.voice_at >= QUIET
        overdue = at - self.waiting[0].at >= ANNOUNCEMENT_PATIENCE
        follow_up = False
        match self.phase:
            case Asleep() | Muted() | Deaf():
                quiet = quiet or overdue
            case Listening(opening=Opening.OPEN | Opening.FOLLOW_UP as opening):
                follow_up = opening is Opening.FOLLOW_UP
            case _:
                return
        if quiet:
            self._announce(at, follow_up=follow_up)

    def _announce(self, at: float, *, follow_up: bool) -> None:
        first, *others = self.waiting
        reply = self.number()
        self.waiting = tuple(others)
        self.order(Announce(reply, first.text, first.chime, first.language, first.number))
        self.go(Speaking(reply, Matter.ANNOUNCEMENT, None, at + FIRST_SOUND_PATIENCE, follow_up, first))
