"""One attempt to make words of an utterance, and to judge whether it sounds complete."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

from companion.errors import ModelDied
from companion.stream import (
    Blob,
    MessageChunk,
    Role,
    StreamCtrl,
    Text,
    Transformer,
    begin_of_stream,
    end_of_stream,
    new_stream_id,
    pcm,
    stream_of,
)
from companion.stream.tasks import Tasks
from companion.voice.contract import RATE, TurnJudge

logger = logging.getLogger(__name__)


class Attempt:
    """Runs recogniser and judge side by side; ``drop`` ends both at once.

    sound: the utterance with its margins; spoken: the same without the silence behind it.
    """

    def __init__(self, number: int, sound: bytes, spoken: bytes) -> None:
        self.number = number
        self.words = Text("")
        self._sound = sound
        self._spoken = spoken
        self._running: list[asyncio.Task[None]] = []

    def start(
        self,
        tasks: Tasks,
        hear: Transformer,
        judge: TurnJudge | None,
        *,
        on_words: Callable[[Attempt], None],
        on_judged: Callable[[Attempt, float], None],
        on_failure: Callable[[Attempt, Exception], None],
    ) -> None:
        """Begin; each callback comes at most once."""

        async def recognise() -> None:
            try:
                self.words = await words_in(self._sound, hear)
            except Exception as error:  # noqa: BLE001 - whatever is wrong with the recogniser, the user is told
                on_failure(self, error)
            else:
                on_words(self)

        async def vote(judge: TurnJudge) -> None:
            try:
                complete = await judge.judge(self._spoken)
            except Exception as error:  # noqa: BLE001 - a turn ends without this vote, only later
                logger.warning("the turn judge failed: %s", error)
            else:
                on_judged(self, complete)

        self._running.append(tasks.start(recognise(), name=f"recognise {self.number}"))
        if judge is not None:
            self._running.append(tasks.start(vote(judge), name=f"judge {self.number}"))

    def drop(self) -> None:
        """Nobody wants its words any more."""
        for task in self._running:
            task.cancel()


async def words_in(sound: bytes, hear: Transformer) -> Text:
    """What is said in 16 kHz mono ``sound``; empty text where nobody speaks.

    Raises:
        StreamError, ModelError: the recogniser cannot.
    """
    route = new_stream_id()
    part = pcm(sound, RATE)
    source = stream_of(
        [
            begin_of_stream(route, role=Role.USER),
            MessageChunk(role=Role.USER, part=part, ctrl=StreamCtrl(route)),
            end_of_stream(route, role=Role.USER, part=Blob(part.mime_type, b"")),
            end_of_stream(route, role=Role.USER),
        ]
    )
    stream = await hear.transform(source)
    heard, fault = Text(""), ""
    try:
        async for chunk in stream:
            fault = fault or (chunk.ctrl.error if chunk.ctrl is not None else "")
            if isinstance(chunk.part, Text) and chunk.part.text:
                heard = Text(heard.text + chunk.part.text, chunk.part.language, chunk.part.confidence)
    finally:
        await stream.close()
    if fault:
        # Only here: a stream that breaks behind it says more.
        raise ModelDied(f"the recogniser broke off: {fault}")
    return heard
