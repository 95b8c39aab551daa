"""One answer on its way out of the dock: the agent's text at once, and the voices of its speakers behind it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass, replace

from companion.errors import CompanionError, EndOfStream, RouteError, StreamFailed
from companion.model import Generator, ModelContext
from companion.stream import (
    Blob,
    MessageChunk,
    Role,
    Stream,
    StreamCtrl,
    Text,
    Transformer,
    begin_of_stream,
    end_of_stream,
)
from companion.stream.invocation import Invocation
from companion.stream.lifecycle import Route
from companion.voice.child import Child

logger = logging.getLogger(__name__)

Voices = Callable[[str], Transformer | None]
"""The voice of a speaker: text in (cut as it likes), sound out. None where the speaker is only read."""


@dataclass(frozen=True, slots=True)
class Patience:
    """Seconds to wait."""

    agent: float = 60.0
    """For each chunk of the agent."""
    voice: float = 60.0
    """From the end of a text to the end of its sound."""
    ears: float = 60.0
    """From the end of a sound to the end of its words."""


class DockedReply:
    """What the agent writes, each of its routes one speaker, one response, and one voice."""

    def __init__(self, invocation: Invocation, voices: Voices, patience: Patience) -> None:
        self._invocation = invocation
        self._voices = voices
        self._patience = patience
        self._speakers: dict[str, _Speaker] = {}

    async def run(self, generator: Generator, context: ModelContext, *, model: str) -> None:
        """Write and speak it to its end. What goes wrong ends the responses it concerns."""
        try:
            async with asyncio.timeout(self._patience.agent):
                agent = await generator.generate_stream(context, model=model)
        except TimeoutError:
            self._fail(RouteError(f"the agent did not begin within {self._patience.agent:g} s"))
            return
        except CompanionError as error:
            self._fail(error)
            return
        try:
            async with asyncio.TaskGroup() as tasks:
                await self._write(agent, tasks)
        finally:
            await agent.close()

    def interrupt(self) -> None:
        """Drop what was not pulled of it, and end it. Cancel ``run`` besides."""
        for speaker in self._speakers.values():
            self._invocation.interrupt(speaker.response)

    async def _write(self, agent: Stream, tasks: asyncio.TaskGroup) -> None:
        try:
            while True:
                async with asyncio.timeout(self._patience.agent):
                    chunk = await agent.next()
                speaker = self._speakers.get(chunk.stream_id) or self._enter(chunk, tasks)
                speaker.take(chunk)
        except EndOfStream:
            for speaker in self._speakers.values():
                speaker.leave()
        except TimeoutError:
            self._fail(RouteError(f"the agent wrote nothing for {self._patience.agent:g} s"))
        except CompanionError as error:
            self._fail(error)

    def _enter(self, chunk: MessageChunk, tasks: asyncio.TaskGroup) -> _Speaker:
        speaker = self._speakers[chunk.stream_id] = _Speaker(
            self._invocation, self._voices, self._patience.voice, chunk, tasks
        )
        return speaker

    def _fail(self, error: CompanionError) -> None:
        logger.warning("an answer failed: %s", error)
        if not self._speakers:
            self._invocation.end(self._invocation.start_response(role=Role.MODEL), reason(error))
        for speaker in self._speakers.values():
            if not speaker.is_written:
                speaker.fail(error)


class _Speaker:
    """One route of the agent's, as a response with a voice. It ends when it is written and spoken."""

    def __init__(
        self, invocation: Invocation, voices: Voices, patience: float, first: MessageChunk, tasks: asyncio.TaskGroup
    ) -> None:
        self._invocation = invocation
        self._voices = voices
        self._patience = patience
        self._tasks = tasks
        self._name = first.name
        self._label = first.ctrl.label if first.ctrl else ""
        self._role = first.role or Role.MODEL
        self._route = Route(first.stream_id, begin_first=True)
        self._voice: Child | None = None
        self._is_cast = False
        self._speaking: asyncio.Task[None] | None = None
        self._error = ""
        self.is_written = False
        self.response = invocation.start_response(role=self._role, name=self._name, label=self._label)

    def take(self, chunk: MessageChunk) -> None:
        """Pass on what the agent wrote; what does not belong ends the response.

        Raises:
            StreamError: the output is over.
        """
        if not self.response.is_active:
            return
        try:
            self._route.accept(chunk)
        except RouteError as error:
            self.fail(RouteError(f"the agent: {error}"))
            return
        ctrl = chunk.ctrl or StreamCtrl()
        if chunk.part is None and chunk.is_end:
            self._close(ctrl.error)
            return
        own = replace(chunk, ctrl=replace(ctrl, stream_id=self.response.stream_id))
        self._invocation.emit(self.response, own)
        if isinstance(chunk.part, Text):
            self._say(own, chunk.part)

    def leave(self) -> None:
        """The agent has ended."""
        if self._route.is_complete:
            self._close("")
        else:
            self.fail(RouteError(f"the agent: stream {self._route.stream_id!r} never ended"))

    def fail(self, error: CompanionError) -> None:
        """End the response here, and its voice."""
        if self._speaking is not None:
            self._speaking.cancel()
        self._invocation.end(self.response, reason(error))

    def _close(self, error: str) -> None:
        if error:
            self.fail(RouteError(error))
            return
        self.is_written = True
        self._end_voice()
        self._settle()

    def _say(self, chunk: MessageChunk, text: Text) -> None:
        if text.text and not self._is_cast:
            self._cast(chunk.name or self._name)
        if self._voice is not None:
            self._voice.add(chunk)
        if chunk.is_end:
            self._end_voice()

    def _cast(self, name: str) -> None:
        self._is_cast = True
        work = self._voices(name)
        if work is None:
            return
        self._voice = Child(f"the voice of {name!r}", work, self._patience)
        self._voice.add(begin_of_stream(self.response.stream_id, role=self._role, label=self._label))
        self._speaking = self._tasks.create_task(self._speak(self._voice), name="voice")

    def _end_voice(self) -> None:
        if self._voice is not None:
            self._voice.add(end_of_stream(self.response.stream_id, role=self._role, label=self._label))
            self._voice.finish()
            self._voice = None

    async def _speak(self, voice: Child) -> None:
        try:
            await voice.run(self._hear)
        except CompanionError as error:
            logger.warning("%s", error)
            self._error = reason(error)
        self._speaking = None
        self._settle()

    def _hear(self, chunk: MessageChunk) -> None:
        if chunk.ctrl is not None:
            self._error = self._error or chunk.ctrl.error
        if isinstance(chunk.part, Blob):
            self._invocation.emit(self.response, chunk)

    def _settle(self) -> None:
        if self.is_written and self._speaking is None:
            self._invocation.end(self.response, self._error)


def reason(error: CompanionError) -> str:
    """What to write into an end: the words of what broke a stream, not that it broke."""
    return str(error.__cause__ or error) if isinstance(error, StreamFailed) else str(error)
