"""All that is said: answers, apologies and announcements, one at a time."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

from companion.agent.answer import Answer, Answerer, Said
from companion.agent.plugin import Effect, SayAgain, SetVolume, StopSpeaking
from companion.errors import CompanionError, StreamFailed
from companion.stream import MessageChunk, Role, Stream, StreamCtrl, Text, end_of_stream, new_stream_id, stream_of
from companion.stream.tasks import Tasks
from companion.voice.cues import Cue, Problem
from companion.voice.events import AnswerStarted, Asked, Event, Exchanged, Speaking, Spoken, TakenBack, Trouble, Writing
from companion.voice.reply import Draft, Office, Reply, Studio
from companion.voice.sentences import language_of, mend, sentence

logger = logging.getLogger(__name__)

COMMIT_PATIENCE = 5.0
"""Seconds the history has to take a turn."""


class Replies:
    """Makes replies and passes the machine's orders to them by number.

    now: seconds on the sample clock.
    """

    def __init__(
        self,
        answerer: Answerer,
        studio: Studio,
        *,
        now: Callable[[], float],
        feed: Callable[[Cue], None],
        show: Callable[[Event], None],
        tasks: Tasks,
    ) -> None:
        self._answerer = answerer
        self._studio = studio
        self._show = show
        self._tasks = tasks
        self._office = Office(now, feed, self._sure, self._words, self._caption, self._trouble, self._settle)
        self._replies: dict[int, Reply] = {}
        self._newest: Reply | None = None
        self._why: BaseException | None = None
        self._last_words = ""
        self.saying = ""
        """What was said of the reply that is being said, or was last; nothing is said of one that is only prepared."""
        self._is_new = False
        """Whether nothing was said yet of the newest reply."""

    # -- the machine's orders

    def prepare(self, number: int, said: Said) -> None:
        """Have an answer made, up to its first sound."""

        async def draft() -> Draft:
            return await self._ask(said, reply)

        reply = self._start(number, draft)

    def answer(self, number: int, said: Said) -> None:
        """Answer, with what was prepared if it was."""
        prepared = self._replies.get(number)
        if prepared is None or prepared.is_over:
            self.prepare(number, said)
        self._replies[number].release()

    def tell(self, number: int, problem: Problem, language: str, *, aloud: bool) -> None:
        """Show what went wrong, and say it."""
        words = sentence(problem, language)
        why, self._why = self._why, None
        remedy = why.mend if isinstance(why, CompanionError) and why.mend else mend(problem)
        self._show(Trouble(words, remedy, str(why or "")))
        if aloud:
            self.say(number, words, language_of(language))

    def blame(self, error: BaseException) -> None:
        """What the next trouble comes from."""
        broke_it = error.__cause__ if isinstance(error, StreamFailed) else None
        self._why = broke_it or error

    def say(self, number: int, words: str, language: str, *, announcement: int = 0) -> None:
        """Say what is no part of the conversation. ``announcement``: its number, where it is one."""

        async def draft() -> Draft:
            return Draft(_text(words, language), language, announcement=announcement)

        self._start(number, draft).release()

    def pause(self, number: int) -> None:
        self._with(number, Reply.pause)

    def resume(self, number: int) -> None:
        self._with(number, Reply.resume)

    def hush(self, number: int) -> None:
        self._with(number, Reply.hush)

    def withdraw(self, number: int) -> None:
        """Drop a reply, or one that is only being prepared, as if it had never been."""
        if (reply := self._replies.get(number)) and reply.was_released and not reply.is_over:
            self._show(TakenBack(_turn(reply)))
        self._with(number, Reply.withdraw)

    def _with(self, number: int, order: Callable[[Reply], None]) -> None:
        if reply := self._replies.get(number):
            order(reply)

    async def finish(self, seconds: float) -> None:
        """Hush what is being said, and give it so long to be written down."""
        for reply in self._replies.values():
            if reply.was_released:
                reply.hush()
            else:
                reply.withdraw()
        await self.settle(seconds)

    async def settle(self, seconds: float) -> None:
        """Wait until every reply is written down, at most so long."""
        waits = [reply.settled.wait() for reply in self._replies.values()]
        try:
            async with asyncio.timeout(seconds):
                await asyncio.gather(*waits)
        except TimeoutError:
            logger.warning("a reply did not end within %s s", seconds)

    # -- making one

    def _start(self, number: int, draft: Callable[[], Awaitable[Draft]]) -> Reply:
        reply = Reply(number, draft, self._studio, self._office, after=self._newest)
        self._newest = self._replies[number] = reply
        self._is_new = True
        reply.start(self._tasks).add_done_callback(lambda _: self._gone(reply))
        return reply

    def _gone(self, reply: Reply) -> None:
        if self._replies.get(reply.number) is reply:
            del self._replies[reply.number]

    async def _ask(self, said: Said, reply: Reply) -> Draft:
        answer = await self._answerer.answer(said)
        if answer.effects:
            await reply.may_be_heard.wait()
        self._show(AnswerStarted(answer.source))
        text = answer.text
        for effect in answer.effects:
            text = await self._carry_out(effect, answer, text)
        stops = any(isinstance(effect, StopSpeaking) for effect in answer.effects)
        return Draft(text, answer.language, answer, answer.follow_up and not stops)

    async def _carry_out(self, effect: Effect, answer: Answer, text: Stream) -> Stream:
        match effect:
            case SetVolume():
                self.turn_volume(effect)
            case SayAgain() if self._last_words:
                await text.close()
                return _text(self._last_words, answer.language)
            case SayAgain() | StopSpeaking():
                pass
        return text

    def turn_volume(self, order: SetVolume) -> None:
        """Turn the mouth louder or softer, within what it can."""
        mouth = self._studio.mouth
        wanted = (mouth.volume if order.volume is None else order.volume) + order.change
        mouth.volume = min(max(wanted, 0.0), 1.0)

    # -- what replies report

    def _sure(self, reply: Reply) -> None:
        if reply.draft is not None and (answer := reply.draft.answer) is not None:
            self._show(Asked(answer.turn, answer.said.text, answer.said.language))

    def _words(self, reply: Reply, words: str) -> None:
        if reply.draft is not None and (answer := reply.draft.answer) is not None:
            self._show(Writing(answer.turn, words))

    def _caption(self, text: str) -> None:
        self.saying = text if self._is_new else self.saying + text
        self._is_new = False
        self._show(Speaking(text))

    def _trouble(self, problem: Problem, error: BaseException) -> None:
        logger.warning("%s: %s", problem, error, exc_info=None if isinstance(error, CompanionError) else error)
        self.blame(error)

    async def _settle(self, reply: Reply, heard: str, whole: bool) -> None:
        draft = reply.draft
        if draft is None:
            return
        self._show(Spoken(heard, whole, draft.announcement, reply.has_begun))
        if draft.answer is None:
            return
        said, language = draft.answer.said.text, draft.language
        self._show(Exchanged(draft.answer.turn, said, language, draft.answer.source, reply.written, heard, whole))
        if reply.written:
            self._last_words = reply.written
        try:
            async with asyncio.timeout(COMMIT_PATIENCE):
                await self._answerer.commit(draft.answer, heard, whole=whole)
        except TimeoutError:
            self._show(Trouble("The conversation could not be kept in time.", "check the disk"))
        except CompanionError as error:
            self._show(Trouble("The conversation could not be kept.", error.mend, str(error)))


def _turn(reply: Reply) -> int:
    answer = reply.draft.answer if reply.draft is not None else None
    return answer.turn if answer is not None else 0


def _text(words: str, language: str) -> Stream:
    route = new_stream_id()
    return stream_of(
        [
            MessageChunk(role=Role.MODEL, part=Text(words, language), ctrl=StreamCtrl(route)),
            end_of_stream(route, role=Role.MODEL, part=Text("")),
            end_of_stream(route, role=Role.MODEL),
        ]
    )
