"""One call of a realtime Transformer: the user's stream to the session, the session's answers to the reader."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Callable, Coroutine
from typing import Any, assert_never

from companion.dialects.openai_realtime import (
    AnswerBegan,
    AnswerEnded,
    Called,
    Committed,
    Heard,
    Noted,
    Outcome,
    RealtimeEvent,
    Said,
    SessionReady,
    Sounded,
    Trouble,
    Turns,
    VoiceBegan,
    VoiceEnded,
    answer,
    cancel,
    truncate,
)
from companion.errors import ModelError, Unreachable, WireBroken, one_line
from companion.providers.remote.realtime_answers import Answers, Hearing
from companion.providers.remote.realtime_line import RealtimeLine
from companion.providers.remote.realtime_plan import RealtimePlan
from companion.providers.remote.realtime_session import RealtimeSession
from companion.providers.remote.realtime_tools import RealtimeTools
from companion.providers.remote.realtime_user import RealtimeUser
from companion.stream import MessageChunk, State, Status, Stream, Usage
from companion.stream.tasks import Tasks

logger = logging.getLogger(__name__)

_BUSY = "conversation_already_has_active_response"
_EXPIRED = "session_expired"
_ANSWER = "answer"


class RealtimeCall:
    """One call. heard, most_unread: as for ``RealtimeSpeech``."""

    def __init__(self, plan: RealtimePlan, source: Stream, heard: Hearing | None, most_unread: int) -> None:
        self._plan = plan
        self._source = source
        self._session = RealtimeSession(plan)
        self._answers = Answers(heard, most_unread)
        self._user = RealtimeUser(self._session, self._answers.invocation, plan.settings)
        self._tasks = Tasks()
        self._calm = asyncio.Event()
        self._limit: asyncio.Timeout | None = None
        self._over = asyncio.Event()
        self._is_asked = False
        """An answer was asked for, and has not begun."""
        self._is_wanted = False
        """One shall be asked for as soon as none is under way."""
        self._is_unwanted = False
        """The one that was asked for is to be left off as soon as it begins."""
        self._has_called = False
        """The model waits for results."""
        self._meter = plan.meter() if plan.meter is not None else None
        self._fault: Exception | None = None
        self._rounds = 0
        self._may_call = True
        """Whether the answer that was asked for may call tools."""
        self._tools = RealtimeTools(plan, self._session, self._start, self._go_on)

    @property
    def stream(self) -> Stream:
        return self._answers.invocation.stream

    async def read(self, finish: Callable[[State], None]) -> AsyncGenerator[MessageChunk, None]:
        self._start(self._follow(), "realtime line")
        self._start(self._listen(), "realtime user")
        try:
            async for chunk in self.stream:
                yield chunk
            if self._answers.usage != State(Status.DONE).usage and (end := self._source.state) is not None:
                finish(State(end.status, end.usage + self._answers.usage))
        finally:
            await self._tasks.close()
            await self._session.leave()
            if self._meter is not None:
                await self._meter.close(self._fault, is_owed=bool(self._is_asked or self._answers.open))

    def _start(self, work: Coroutine[Any, Any, None], name: str) -> None:
        self._tasks.start(self._guarded(work), name=name)

    async def _guarded(self, work: Coroutine[Any, Any, None]) -> None:
        """Whatever ends it is told to the reader, who would wait for ever else."""
        try:
            await work
        except Exception as error:  # noqa: BLE001 - see above
            self._fault = error
            self._over.set()
            self._answers.invocation.fail(error)

    # -- the user

    async def _listen(self) -> None:
        async for chunk in self._source:
            if self._user.is_new(chunk):
                await self._interrupt(has_cancelled=False)
            async with self._session.door:
                if await self._user.take(chunk):
                    await self._ask_anew()
        async with self._session.door:
            if await self._user.finish():
                await self._ask_anew()
        self._settle()
        await self._calm.wait()
        self._over.set()
        self._answers.invocation.done()

    async def _ask_anew(self) -> None:
        """The user wants an answer."""
        self._begin_turn()
        await self._ask()

    def _begin_turn(self) -> None:
        self._rounds = 0
        self._tools.begin_turn()

    async def _ask(self) -> None:
        """Have an answer begun, or see to it that one is when none is under way. The door has to be held."""
        if self._is_asked or self._answers.open:
            self._is_wanted = True
        else:
            if self._meter is not None:
                await self._meter.put_down()
            self._is_asked, self._is_wanted = True, False
            self._may_call = self._rounds < self._plan.patience.rounds and not self._tools.is_over
            await self._send_wish()
        self._settle()

    async def _send_wish(self) -> None:
        await self._session.send(answer(order=self._session.order(_ANSWER), may_call=self._may_call))

    async def _interrupt(self, *, has_cancelled: bool) -> None:
        """The user speaks: leave off answering. has_cancelled: the server has done so by itself."""
        async with self._session.door:
            coming, cuts = self._answers.cut()
            self._is_wanted = self._has_called = False
            self._is_unwanted = self._is_asked and not has_cancelled
            for name in coming if not has_cancelled else ():
                await self._session.send(cancel(name, order=self._session.order("cancel")))
            for cut in cuts:
                self._session.recall.cut(cut.item, cut.heard_ms)
                order = self._session.order("truncate")
                await self._session.send(truncate(cut.item, cut.part, cut.heard_ms, order=order))

    # -- the line

    async def _follow(self) -> None:
        """Read the line, and make it again when it breaks."""
        failures, was_there = 0, False
        if self._meter is not None:
            await self._meter.open()
        while not self._over.is_set():
            try:
                async with self._session.door:
                    line = await self._session.open()
                    if self._meter is not None:
                        self._meter.ready()
                    if self._is_asked:
                        await self._send_wish()
                was_there = True
                await self._read_line(line)
            except (Unreachable, TimeoutError, WireBroken) as error:
                if self._over.is_set():
                    return
                is_final = isinstance(error, ModelError) and not error.retryable
                failures = 1 if self._answers.has_progressed() else failures + 1
                if is_final or not was_there or failures > self._plan.patience.tries:
                    raise
                await self._break_off(error)
                await self._plan.sleep(self._plan.patience.pause * 2 ** (failures - 1))

    async def _read_line(self, line: RealtimeLine) -> None:
        """Raises when the line breaks, or says nothing for too long while an answer is awaited."""
        try:
            async with asyncio.timeout(None) as self._limit:
                self._settle()
                while not self._over.is_set():
                    event = await line.next()
                    await self._take(event)
                    self._settle()
        except TimeoutError as error:
            if self._limit is not None and self._limit.expired():
                seconds = self._plan.patience.silence
                raise TimeoutError(f"{self._session.host} said nothing for {seconds:g} s") from error
            raise
        finally:
            self._limit = None

    def _settle(self) -> None:
        """Set the deadline of the line by whether it owes an answer, and tell whether anything is under way."""
        is_awaited = bool(self._is_asked or self._is_wanted or self._answers.open)
        if self._limit is not None and not self._limit.expired():
            loop = asyncio.get_running_loop()
            self._limit.reschedule(loop.time() + self._plan.patience.silence if is_awaited else None)
        if is_awaited or self._tools.is_running or self._has_called:
            self._calm.clear()
        else:
            self._calm.set()

    async def _break_off(self, error: Exception) -> None:
        logger.warning("%s; it is made again", error)
        await self._session.leave()
        async with self._session.door:
            if self._meter is not None and (self._is_asked or self._answers.open):
                await self._meter.lost()
            for name in self._answers.open:
                if self._answers.has_come(name):
                    self._answers.end(name, one_line(error))
                else:
                    self._answers.drop(name)
                    self._is_asked = True
            self._is_asked = (self._is_asked and not self._is_unwanted) or self._is_wanted
            self._is_wanted = self._is_unwanted = False
            await self._pay_ahead()

    # -- what the server says

    async def _take(self, event: RealtimeEvent) -> None:
        match event:
            case Said() | Sounded() | Called():
                await self._take_answer(event)
            case AnswerBegan(name):
                await self._begin(name)
            case AnswerEnded():
                await self._end(event)
            case VoiceBegan():
                await self._interrupt(has_cancelled=True)
            case VoiceEnded():
                self._begin_turn()
                self._is_asked, self._may_call = True, True
            case Committed(item):
                async with self._session.door:
                    self._session.taken(item)
                    self._session.recall.named(item)
            case Heard():
                self._user.heard(event)
            case Trouble():
                await self._trouble(event)
            case SessionReady() | Noted():
                pass
            case _:
                assert_never(event)

    async def _take_answer(self, event: Said | Sounded | Called) -> None:
        if not self._answers.take(event):
            return
        recall = self._session.recall
        match event:
            case Said(item=item, text=text):
                recall.said(item, text)
            case Sounded(item=item, sound=sound):
                recall.sounded(item, len(sound))
            case Called():
                recall.called(event.item, event.call, event.name, event.arguments)
                self._session.calls.add(event.call)
                self._has_called |= self._tools.take(event)

    async def _begin(self, name: str) -> None:
        self._answers.begin(name)
        self._is_asked = False
        if self._is_unwanted:
            self._is_unwanted = False
            wanted = self._is_wanted
            await self._interrupt(has_cancelled=False)
            self._is_wanted = wanted

    async def _end(self, ended: AnswerEnded) -> None:
        self._answers.usage += ended.usage
        error = one_line(ended.error) if ended.error is not None else ""
        self._answers.end(ended.answer, error or ("interrupted" if ended.outcome is Outcome.CANCELLED else ""))
        if self._meter is not None:
            if ended.usage == Usage() and self._answers.has_come(ended.answer):
                # Nobody has counted what came.
                await self._meter.lost()
            else:
                await self._meter.counted(ended.usage)
            await self._pay_ahead()
        async with self._session.door:
            if self._is_wanted:
                await self._ask()
        await self._go_on()

    async def _pay_ahead(self) -> None:
        """Put down the price of an answer that the server begins without being asked."""
        if self._meter is not None and (self._is_asked or self._plan.settings.turns is not Turns.OURS):
            await self._meter.put_down()

    async def _trouble(self, trouble: Trouble) -> None:
        if trouble.code == _EXPIRED:
            raise Unreachable(f"{self._session.host} has closed the session: {one_line(trouble.error)}")
        if not trouble.order.startswith(_ANSWER):
            logger.warning("%s did not take an event (%s): %s", self._session.host, trouble.order, trouble.code)
            return
        self._is_asked = False
        if trouble.code == _BUSY:
            self._is_wanted = True
            return
        self._answers.begin(trouble.order)
        self._answers.end(trouble.order, one_line(trouble.error))

    async def _go_on(self) -> None:
        """Have the model go on once it has all results."""
        async with self._session.door:
            if self._has_called and not self._tools.is_running and not self._answers.open:
                self._has_called = False
                self._rounds += 1
                await self._ask()
        self._settle()
