"""A language model in this process, by llama.cpp, that never reads the same prompt twice."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Generator
from pathlib import Path
from typing import TYPE_CHECKING

from companion.compose.tokens import guessed
from companion.model import ChatRequest, FuncTool, ModelContext, ModelReport
from companion.model.answer_stream import answer_of
from companion.model.deltas import Delta
from companion.model.structured import Way, by_text, invoke_by
from companion.providers.local.chat_prompt import turns_of
from companion.providers.local.llama_answer import Answer, Mind, Plan, plan_of
from companion.providers.local.resident import Later, Resident
from companion.providers.local.worker import Flow, Stop
from companion.stream import FuncCall, Stream, Usage

if TYPE_CHECKING:
    from companion.providers.local.llama_engine import LlamaEngine

logger = logging.getLogger(__name__)

_AHEAD = 8
"""Pieces written before somebody reads them; more would take the processor from the voice."""
_SILENCE = 600.0
"""Seconds a slow machine may read a long prompt before the first word."""


class LlamaGenerator:
    """A Generator and a ChatBackend over one GGUF file.

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
        self._model: Resident[Mind] = Resident(
            file.stem,
            load=self._load,
            unload=lambda mind: mind.engine.close(),
            idle_unload=idle_unload,
            speed_unit="tokens/s",
            later=later,
        )

    @property
    def name(self) -> str:
        """The name of the file, without its ending."""
        return self._file.stem

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
        return count if count is not None else guessed(text)

    async def warm(self, context: ModelContext) -> None:
        """Read the system texts and messages ahead, so that the first word of the next answer comes at once.

        Gives way as soon as an answer is asked for; what was read until then counts.

        Raises:
            ModelError: the model cannot be loaded, or failed.
        """
        asked = self._asked

        def work(mind: Mind, stop: Stop) -> None:
            stem = mind.prompt.stem(context)
            if stem and len(stem) < mind.engine.context_tokens:
                for _ in mind.read(stem, owner=None):
                    if stop.is_set or self._asked != asked:
                        return

        await self._model.run(work)

    async def generate_stream(self, context: ModelContext, *, model: str = "") -> Stream:
        """Start an answer; it is written at most a few words ahead of its reader.

        Raises:
            Unsupported: a tool is no function, or a message holds something else than words.
            ModelBroken: the file does not load.
            SetupError: llama-cpp-python is missing.
        """
        return await self._answer(plan_of(ChatRequest(context, model)))

    async def ask(self, request: ChatRequest) -> Deltas:
        """Start an answer, piece by piece. It has one model, whatever name is asked for.

        A call that is forced is held to the schema of its tool, and so is an answer that shall have a form.

        Raises:
            Unsupported: as for ``generate_stream``; or a call is forced that no grammar can say.
            ModelBroken, SetupError: as for ``generate_stream``.
        """
        return await self._begin(plan_of(request))

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
        return await self._answer(plan_of(ChatRequest(context, answer_form=tool)))

    async def _answer(self, plan: Plan) -> Stream:
        return answer_of(await self._begin(plan), silence=_SILENCE)

    async def _begin(self, plan: Plan) -> Deltas:
        turns_of(plan.context)
        self._asked += 1
        if not self.report.loaded:
            await self._model.load()
        return Deltas(self._model.stream(lambda stop: self._write(plan, stop), ahead=_AHEAD), self._model)

    def _load(self) -> Mind:
        from companion.providers.local.llama_engine import LlamaEngine

        engine = LlamaEngine(self._file, context_tokens=self._context_tokens, threads=self._threads)
        mind = Mind(engine)
        # The first run of a graph is slower than those after it.
        engine.read(engine.tokenise("Hello"))
        self._engine = engine
        return mind

    def _write(self, plan: Plan, stop: Stop) -> Generator[Delta, None, None]:
        """Write one answer on the model's thread, piece by piece, and its finish signal in the end."""
        answer = Answer(self._model, plan)
        try:
            yield from answer.write(stop)
        finally:
            answer.close()
        if answer.speed:
            self._model.note_speed(answer.speed)


class Deltas:
    """One answer of a model of this machine, which stays in memory until it is closed or at its end."""

    def __init__(self, flow: Flow[Delta], model: Resident[Mind]) -> None:
        self._flow = flow
        self._model = model
        self._use = contextlib.ExitStack()
        self._has_begun = False

    async def next(self) -> Delta:
        """The next delta.

        Raises:
            EndOfStream: the answer has ended, or was closed.
            ModelError: the model failed.
        """
        if not self._has_begun:
            self._has_begun = True
            self._use.enter_context(self._model.in_use())
        try:
            return await self._flow.next()
        except Exception:
            self._use.close()
            raise

    async def close(self) -> None:
        """End the work. Wakes a waiting ``next``; idempotent, never raises."""
        self._use.close()
        await self._flow.close()
