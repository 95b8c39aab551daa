"""A language model in this process, by llama.cpp, that never reads the same prompt twice."""

from __future__ import annotations

import codecs
import logging
import time
from collections.abc import AsyncGenerator, Generator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from companion.model import FuncTool, ModelContext, ModelParams, ModelReport
from companion.model.deltas import broken_off
from companion.model.structured import Way, by_text, invoke_by, told_in_words
from companion.providers.local.chat_prompt import ChatPrompt, Unthinking, turns_of
from companion.providers.local.gbnf import grammar_of
from companion.providers.local.resident import Later, Resident
from companion.providers.local.worker import Stop
from companion.stream import (
    FuncCall,
    MessageChunk,
    PulledStream,
    Role,
    State,
    Status,
    Stream,
    StreamCtrl,
    Text,
    Usage,
    begin_of_stream,
    end_of_stream,
    new_stream_id,
)

if TYPE_CHECKING:
    from companion.providers.local.llama_engine import LlamaEngine

logger = logging.getLogger(__name__)

_AHEAD = 8
"""Pieces written before somebody reads them; more would take the processor from the voice."""
_SHORTEST_ANSWER = 256
"""Tokens of the context left for an answer whose length nobody asked for."""
_SLICE_SECONDS = 0.1
"""Reading a prompt looks at its stop flag about this often."""
_SMALLEST_SLICE, _LARGEST_SLICE = 16, 512
_BYTES_PER_TOKEN = 3
"""To guess the number of tokens while the model is not in memory; rather too many than too few."""


class _Mind:
    """The loaded model: its engine, and how prompts are written for it."""

    def __init__(self, engine: LlamaEngine) -> None:
        self.engine = engine
        self.prompt = ChatPrompt(engine)
        self._slice = 64

    def prompt_for(self, context: ModelContext) -> list[int]:
        wanted = context.params.max_tokens or _SHORTEST_ANSWER
        spare = min(wanted, self.engine.context_tokens // 2)
        return self.prompt.write(context, room=self.engine.context_tokens - spare)

    def read(self, tokens: Sequence[int], owner: object) -> Generator[int, None, None]:
        """Bring the memory to ``tokens``, yielding between slices how many of them it held before."""
        kept = self.engine.keep(tokens)
        self.engine.owner = owner
        place = kept
        yield kept
        while place < len(tokens):
            piece = tokens[place : place + self._slice]
            began = time.perf_counter()
            self.engine.read(piece)
            place += len(piece)
            speed = len(piece) / max(time.perf_counter() - began, 1e-6)
            if len(piece) == self._slice:
                self._slice = min(max(int(speed * _SLICE_SECONDS), _SMALLEST_SLICE), _LARGEST_SLICE)
            yield kept


class LlamaGenerator:
    """A Generator over one GGUF file.

    file: the model. context_tokens: most that prompt and answer hold together. threads: 0 takes all cores.
    idle_unload: seconds unused after which it leaves memory; 0 keeps it.
    """

    def __init__(
        self,
        file: Path,
        *,
        context_tokens: int = 2048,
        threads: int = 0,
        idle_unload: float = 0.0,
        later: Later | None = None,
    ) -> None:
        self._file = file
        self._context_tokens = context_tokens
        self._threads = threads
        self._engine: LlamaEngine | None = None
        self._asked = 0
        self._model: Resident[_Mind] = Resident(
            file.stem,
            load=self._load,
            unload=lambda mind: mind.engine.close(),
            idle_unload=idle_unload,
            speed_unit="tokens/s",
            later=later,
        )

    @property
    def report(self) -> ModelReport:
        return self._model.report

    async def load(self) -> None:
        """Load it and run it once.

        Raises:
            ModelBroken: the file does not load.
            SetupError: llama-cpp-python is missing.
        """
        await self._model.load()

    async def unload(self) -> None:
        """Free its memory until it is used again; an answer on its way goes on after a second load."""
        await self._model.unload()

    async def close(self) -> None:
        """Free everything; answers on their way end with ModelDied."""
        await self._model.close()

    def count_tokens(self, text: str) -> int:
        """How many tokens ``text`` has; while the model is not in memory, a guess that is rather too high."""
        engine = self._engine
        count = engine.count(text) if engine is not None else None
        return count if count is not None else len(text.encode()) // _BYTES_PER_TOKEN + 1

    async def warm(self, context: ModelContext) -> None:
        """Read the system texts and messages ahead, so that the first word of the next answer comes at once.

        Gives way as soon as an answer is asked for; what was read until then counts.

        Raises:
            ModelError: the model cannot be loaded, or failed.
        """
        asked = self._asked

        def work(mind: _Mind, stop: Stop) -> None:
            stem = mind.prompt.stem(context)
            if stem and len(stem) < mind.engine.context_tokens:
                for _ in mind.read(stem, owner=None):
                    if stop.is_set or self._asked != asked:
                        return

        await self._model.run(work)

    async def generate_stream(self, context: ModelContext, *, model: str = "") -> Stream:
        """Start an answer; it is written at most a few words ahead of its reader.

        Raises:
            Unsupported: tools are offered, or a message holds something else than words.
            ModelBroken: the file does not load.
            SetupError: llama-cpp-python is missing.
        """
        return await self._answer(context)

    async def invoke(self, context: ModelContext, tool: FuncTool, *, model: str = "") -> tuple[Usage, FuncCall]:
        """Have ``tool`` called; its schema becomes a grammar, out of which the model cannot write.

        Raises:
            InvalidAnswer: what a grammar cannot say was not kept, or the answer was cut in a place that matters.
            Unsupported, ModelBroken, SetupError: as for ``generate_stream``.
            TimeoutError: the answer did not come in time.
        """
        ways: list[Way] = [self._by_grammar, by_text(self.generate_stream)]
        return await invoke_by(ways, context, tool)

    async def _by_grammar(self, context: ModelContext, tool: FuncTool) -> Stream:
        return await self._answer(told_in_words(context, tool), grammar=grammar_of(tool.parameters))

    async def _answer(self, context: ModelContext, *, grammar: str = "") -> Stream:
        turns_of(context)
        self._asked += 1
        if not self.report.loaded:
            await self._model.load()
        flow = self._model.stream(lambda stop: self._write(context, grammar, stop), ahead=_AHEAD)

        async def chunks() -> AsyncGenerator[MessageChunk, None]:
            route = new_stream_id()
            with self._model.in_use():
                yield begin_of_stream(route, role=Role.MODEL)
                try:
                    async for made in flow:
                        if isinstance(made, State):
                            answer.finish(made)
                        else:
                            yield MessageChunk(role=Role.MODEL, part=Text(made), ctrl=StreamCtrl(route))
                except Exception as error:
                    yield broken_off(route, error)
                    raise
                yield end_of_stream(route, role=Role.MODEL, part=Text(""))
                yield end_of_stream(route, role=Role.MODEL)

        answer = PulledStream(chunks(), flow)
        return answer

    def _load(self) -> _Mind:
        from companion.providers.local.llama_engine import LlamaEngine

        engine = LlamaEngine(self._file, context_tokens=self._context_tokens, threads=self._threads)
        mind = _Mind(engine)
        # The first run of a graph is slower than those after it.
        engine.read(engine.tokenise("Hello"))
        self._engine = engine
        return mind

    def _write(self, context: ModelContext, grammar: str, stop: Stop) -> Generator[str | State, None, None]:
        """Write one answer on the model's thread, piece by piece, and its state in the end."""
        answer = _Answer(self._model, context, grammar)
        try:
            yield from answer.write(stop)
        finally:
            answer.close()
        if answer.speed:
            self._model.note_speed(answer.speed)


class _Answer:
    """One answer as it is written. Lives on the model's thread."""

    def __init__(self, model: Resident[_Mind], context: ModelContext, grammar: str) -> None:
        self._model = model
        self._mind = model.model()
        self._params: ModelParams = context.params
        self._prompt = self._mind.prompt_for(context)
        self._sampler = self._mind.engine.sampler(self._params, grammar=grammar)
        self._letters = codecs.getincrementaldecoder("utf-8")("replace")
        self._unthinking = Unthinking()
        self._written: list[int] = []
        self._text: list[str] = []
        self._seconds = 0.0

    @property
    def speed(self) -> float:
        return len(self._written) / self._seconds if self._seconds else 0.0

    def close(self) -> None:
        self._sampler.close()

    def write(self, stop: Stop) -> Generator[str | State, None, None]:
        cached = self._read_prompt(stop)
        status = Status.TRUNCATED
        for _ in range(self._limit()):
            token = self._next_token(stop)
            if token is None:
                return
            if self._mind.engine.ends_turn(token):
                status = Status.DONE
                break
            self._written.append(token)
            said = self._said(self._letters.decode(self._mind.engine.bytes_of(token)))
            if said:
                yield said
        rest = self._unthinking.take(self._letters.decode(b"", final=True)) + self._unthinking.rest()
        if rest and status is Status.DONE:
            self._text.append(rest)
            yield rest
        self._mind.prompt.remember("".join(self._text), self._written)
        yield State(status, Usage(len(self._prompt), len(self._written), cached))

    def _said(self, piece: str) -> str:
        said = self._unthinking.take(piece)
        if not self._text:
            said = said.lstrip()
        if said:
            self._text.append(said)
        return said

    def _limit(self) -> int:
        room = self._mind.engine.context_tokens - len(self._prompt)
        return room if self._params.max_tokens is None else min(self._params.max_tokens, room)

    def _read_prompt(self, stop: Stop) -> int:
        """Bring the prompt into memory, and return how much of it was there."""
        cached = 0
        for kept in self._mind.read(self._prompt, owner=self):
            cached = kept
            if stop.is_set:
                break
        return cached

    def _next_token(self, stop: Stop) -> int | None:
        """Sample one, after reading what was written before it; None if it was told to stop."""
        self._mind = self._model.model()
        engine = self._mind.engine
        began = time.perf_counter()
        if engine.owner is not self:
            # Another answer, or an unloading, came between.
            for _ in self._mind.read([*self._prompt, *self._written], owner=self):
                if stop.is_set:
                    return None
        elif self._written:
            engine.read(self._written[-1:])
        token = None if stop.is_set else engine.sample(self._sampler)
        self._seconds += time.perf_counter() - began
        return token
