"""The voice loop: the turn machine's orders, carried out.

One task listens and steps the machine; each recognition and each reply is a task of its own. Whatever
happens anywhere comes back as a cue, so that every decision is the machine's.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import assert_never

from companion.agent.answer import Answerer, Said
from companion.agent.plugin import Effect, SayAgain, SetVolume, StopSpeaking
from companion.errors import CompanionError
from companion.settings.language import or_english
from companion.settings.schema import Turn as TurnSettings
from companion.settings.schema import Wake
from companion.stream import Stream, Transformer
from companion.stream.tasks import Tasks
from companion.voice import cues, events, orders
from companion.voice.attempt import Attempt
from companion.voice.contract import Mouth, Senses, TurnJudge
from companion.voice.cues import Cue, Problem
from companion.voice.ears import AT_REST, Ears
from companion.voice.events import Event, State
from companion.voice.orders import Order
from companion.voice.phases import Rules, Turn
from companion.voice.replies import Replies
from companion.voice.reply import Studio
from companion.voice.say import language_of
from companion.voice.sentences import deaf_sentence, mend
from companion.voice.shown import awaits, is_barge_in, is_busy, is_over, is_resting, shown
from companion.voice.timing import Stopwatch
from companion.voice.turn import step
from companion.voice.words import calls_stop, is_own_words, strip_wake

logger = logging.getLogger(__name__)

CLOSE_PATIENCE = 1.5
"""Seconds a reply has to fall silent and be written down when the loop is closed."""
SPARE = 5.0
"""Seconds of sound kept beyond the longest turn."""


class VoiceLoop:
    """Talks with one user through ears and a mouth. Everything happens on the event loop of ``run``.

    ears: 16 kHz mono chunks; a route that ends with an error is a lost microphone.
    judge: None where no model judges ends of turns; silence alone does then.
    hear: sound to text. cut: text to pieces. speak: pieces to captioned sound.
    clock: monotonic seconds, for the time in which the ears say nothing.
    on_event: told of everything; must not wait.
    language: the user's, until a recogniser says otherwise.
    """

    def __init__(
        self,
        *,
        ears: Stream,
        senses: Senses,
        judge: TurnJudge | None,
        hear: Transformer,
        answerer: Answerer,
        cut: Transformer,
        speak: Transformer,
        mouth: Mouth,
        wake: Wake,
        turn: TurnSettings,
        clock: Callable[[], float],
        on_event: Callable[[Event], None],
        language: str = "en",
    ) -> None:
        self._stream = ears
        self._judge = judge
        self._hear = hear
        self._answerer = answerer
        self._mouth = mouth
        self._wake = wake
        self._show = on_event
        self._language = or_english(language)
        self._turn = Turn(Rules.of(wake, turn))
        self._cues: deque[Cue] = deque()
        self._is_stepping = False
        self._attempt: Attempt | None = None
        self._stopwatch = Stopwatch(clock)
        self._tasks = Tasks()
        self._is_running = False
        self._ended = asyncio.Event()
        self._ears = Ears(
            ears,
            senses,
            clock=clock,
            feed=self._feed,
            show=on_event,
            saying=lambda: self._replies.saying if is_busy(self._turn) else "",
            is_busy=lambda: is_busy(self._turn),
            tasks=self._tasks,
        )
        self._replies = Replies(
            answerer,
            Studio(cut, speak, mouth),
            now=lambda: self._ears.now,
            feed=self._feed,
            show=on_event,
            tasks=self._tasks,
        )

    # -- what the world may do

    @property
    def state(self) -> State:
        return shown(self._turn.phase).state

    @property
    def is_muted(self) -> bool:
        return self._turn.muted

    async def run(self) -> None:
        """Talk until the ears end (what was begun is brought to its end then) or ``close`` is called.

        Raises:
            StreamFailed: the ears broke for good.
        """
        self._is_running = True
        self._feed(cues.Stopped(self._ears.now))
        self._show(shown(self._turn.phase))
        try:
            if await self._ears.listen():
                await self._wind_down()
        finally:
            await self._shut()

    async def close(self) -> None:
        """Fall silent, write down what was heard, end every task. In bounded time; may be called twice."""
        was_running = self._is_running
        await self._stream.close()
        if was_running:
            await self._ended.wait()

    def talk(self, *, hold: bool = False) -> None:
        """The talk key: begin a turn without the wake word, or end it. ``hold``: until ``release``."""
        self._feed(cues.Pressed(self._ears.now, hold))

    def release(self) -> None:
        """The talk key was let go."""
        self._feed(cues.Released(self._ears.now))

    def mute(self, on: bool) -> None:
        """Close the ears, or open them again. A reply goes on."""
        self._ears.mute(on=on)
        self._feed(cues.MuteTurned(self._ears.now, on))

    def stop(self) -> None:
        """End the reply and the conversation."""
        self._feed(cues.Stopped(self._ears.now))

    def adopt(self, wake: Wake, turn: TurnSettings) -> None:
        """Go by other settings from now on. Another wake word is the senses' to hear."""
        opens = wake.open_microphone is not self._wake.open_microphone
        self._wake = wake
        self._turn = replace(self._turn, rules=Rules.of(wake, turn))
        if opens and is_resting(self._turn):
            self._feed(cues.Stopped(self._ears.now))

    def carry_out(self, effects: Iterable[Effect]) -> None:
        """Do what a typed command asks of the voice. What it would say again was shown to the reader."""
        for effect in effects:
            match effect:
                case SetVolume():
                    self._replies.turn_volume(effect)
                case StopSpeaking():
                    self.stop()
                case SayAgain():
                    pass

    def announce(self, text: str, *, chime: str = "", language: str = "", number: int = 0) -> None:
        """Say something as soon as nobody speaks.

        chime: played before it. language: of the text; empty for that of the conversation, unless its script is
        another's. number: by which it is taken back, and told of in ``Spoken``.
        """
        self._feed(cues.Announced(self._ears.now, text, chime, language, number))

    def will_announce(self, number: int) -> bool:
        """Whether an announcement is still to begin."""
        return awaits(self._turn, number)

    def recall(self, number: int) -> None:
        """Take an announcement back, if nothing of it was heard yet."""
        self._feed(cues.Recalled(self._ears.now, number))

    # -- the machine

    def _feed(self, cue: Cue) -> None:
        self._cues.append(cue)
        if self._is_stepping:
            return  # came out of an order that is being carried out
        self._is_stepping = True
        try:
            while self._cues:
                self._step(self._cues.popleft())
        finally:
            # What a fault leaves behind is taken up with the next cue.
            self._is_stepping = False

    def _step(self, cue: Cue) -> None:
        before = self._turn.phase
        self._mark(cue)
        self._turn, ordered = step(self._turn, cue)
        for order in ordered:
            self._obey(order)
        phase = self._turn.phase
        if type(phase) is not type(before):
            self._ears.keep(AT_REST if is_resting(self._turn) else self._turn.rules.longest + SPARE)
            self._show(shown(phase))

    def _obey(self, order: Order) -> None:
        match order:
            case orders.Recognise():
                self._recognise(order)
            case orders.Forget(attempt):
                self._forget(attempt)
            case orders.Prepare(attempt):
                self._replies.prepare(attempt, self._said())
            case orders.Answer(attempt):
                self._answer(attempt)
            case orders.Tell(reply, problem, aloud):
                self._replies.tell(reply, problem, self._language, aloud=aloud)
            case orders.Announce(reply, text, chime, language, number):
                if chime:
                    self._mouth.chime(chime)
                self._replies.say(reply, text, language or language_of(text, self._language), announcement=number)
            case _:
                self._obey_over_reply(order)

    def _obey_over_reply(
        self,
        order: orders.Withdraw
        | orders.Duck
        | orders.Unduck
        | orders.Pause
        | orders.Resume
        | orders.Hush
        | orders.Chime
        | orders.Ignore,
    ) -> None:
        match order:
            case orders.Duck():
                self._mouth.duck()
            case orders.Unduck():
                self._mouth.unduck()
            case orders.Pause(reply):
                self._replies.pause(reply)
            case orders.Resume(reply):
                self._replies.resume(reply)
            case orders.Hush(reply):
                self._replies.hush(reply)
            case orders.Withdraw(reply):
                self._replies.withdraw(reply)
            case orders.Chime(sound):
                self._mouth.chime(sound)
            case orders.Ignore(reason):
                self._show(events.Ignored(reason))
            case _:
                assert_never(order)

    # -- hearing and answering

    def _recognise(self, order: orders.Recognise) -> None:
        if self._attempt is not None:
            self._attempt.drop()
        self._stopwatch.begin(order.attempt, self._ears.now - order.spoken_until)
        self._attempt = Attempt(
            order.attempt,
            self._ears.cut(order.began, order.ended),
            self._ears.cut(order.began, order.spoken_until),
        )
        self._attempt.start(
            self._tasks,
            self._hear,
            self._judge,
            on_words=self._on_words,
            on_judged=lambda attempt, complete: self._feed(cues.Judged(self._ears.now, attempt.number, complete)),
            on_failure=self._on_failure,
        )

    def _forget(self, attempt: int) -> None:
        if self._attempt is not None and self._attempt.number == attempt:
            self._attempt.drop()
        self._replies.withdraw(attempt)

    def _on_words(self, attempt: Attempt) -> None:
        if is_barge_in(self._turn) and calls_stop(attempt.words.text):
            # What stands before it is the reply's own sound.
            attempt.words = replace(attempt.words, text="Stop." if attempt.words.text.isascii() else "停。")
        said = self._said_in(attempt)
        if said.text:
            self._language = said.language
            self._show(events.HeardText(said.text, said.language, final=False))
        self._feed(
            cues.Recognised(
                self._ears.now,
                attempt.number,
                said.text,
                said.language,
                command=bool(said.text) and self._answerer.is_command(said),
                open_ended=bool(said.text) and self._answerer.may_go_on(said),
                own=is_own_words(said.text, self._replies.saying),
            )
        )

    def _on_failure(self, attempt: Attempt, error: Exception) -> None:
        logger.warning(
            "the recogniser failed: %s", error, exc_info=None if isinstance(error, CompanionError) else error
        )
        self._replies.blame(error)
        self._feed(cues.NotRecognised(self._ears.now, attempt.number))

    def _answer(self, attempt: int) -> None:
        said = self._said()
        self._stopwatch.mark(attempt, "turn_ended")
        self._show(events.HeardText(said.text, said.language, final=True))
        self._replies.answer(attempt, said)

    def _said(self) -> Said:
        assert self._attempt is not None
        return self._said_in(self._attempt)

    def _said_in(self, attempt: Attempt) -> Said:
        text = strip_wake(attempt.words.text.strip(), self._wake.word)
        return Said(text, attempt.words.language or self._language)

    def _mark(self, cue: Cue) -> None:
        match cue:
            case cues.Recognised(attempt=attempt):
                self._stopwatch.mark(attempt, "recognised")
            case cues.FirstToken(reply=reply):
                self._stopwatch.mark(reply, "first_token")
            case cues.ReplyBegan(reply=reply):
                timed = self._stopwatch.read(reply)
                if timed is not None:
                    self._show(timed)
            case cues.EarsLost():
                self._show(events.Trouble(deaf_sentence(self._language), mend(Problem.MICROPHONE_LOST)))
            case _:
                pass

    # -- the end

    async def _wind_down(self) -> None:
        """The ears have ended: answer what was asked, say what waits."""
        await self._ears.fall_silent(lambda: is_over(self._turn))
        await self._replies.settle(CLOSE_PATIENCE)

    async def _shut(self) -> None:
        try:
            await self._replies.finish(CLOSE_PATIENCE)
            await self._tasks.close()
        finally:
            self._is_running = False
            self._ended.set()
