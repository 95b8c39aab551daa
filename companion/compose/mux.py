"""Many models behind one door: each call names the one it wants, and a pattern table finds it.

A mux is an instance, handed to whoever needs it. A call keeps what serves it in use until its stream has
ended, so that a model can be replaced while others still talk to it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Generic, Protocol, TypeVar

from companion.compose.held import HeldStream
from companion.compose.patterns import PatternTable, Registration
from companion.model import FuncTool, Generator, ModelContext
from companion.stream import FuncCall, Stream, Transformer, Usage

T = TypeVar("T")
Input = TypeVar("Input")
InputOnly = TypeVar("InputOnly", contravariant=True)
Result = TypeVar("Result")
ResultOnly = TypeVar("ResultOnly", covariant=True)


class Processor(Protocol[InputOnly, ResultOnly]):
    """Makes a result of an input by asking a model: a segmentor, profiler or labeler."""

    async def process(self, source: InputOnly, /) -> ResultOnly:
        """Return the result.

        Raises:
            ModelError: the model failed, or its answer does not fit.
        """


class GeneratorMux(PatternTable[Generator]):
    """A Generator that is many: ``model`` says which one, and is handed on as it was asked for."""

    what = "generator"

    async def generate_stream(self, context: ModelContext, *, model: str = "") -> Stream:
        """Start an answer.

        Raises:
            NotRegistered: no generator serves ``model``.
            ModelError: as the generator has it.
        """
        found = self.take(model)
        return await _held(found, lambda: found.value.generate_stream(context, model=model))

    async def invoke(self, context: ModelContext, tool: FuncTool, *, model: str = "") -> tuple[Usage, FuncCall]:
        """Have ``tool`` called. Raises as ``generate_stream`` does."""
        with self.using(model) as generator:
            return await generator.invoke(context, tool, model=model)


class TransformerMux(PatternTable[Transformer]):
    """Recognisers, voices and whatever else bends streams."""

    what = "transformer"

    async def transform(self, name: str, source: Stream) -> Stream:
        """Bend ``source`` by the transformer that serves ``name``.

        Raises:
            NotRegistered: none does.
            ModelError: as the transformer has it.
        """
        found = self.take(name)
        return await _held(found, lambda: found.value.transform(source))

    def named(self, name: str) -> Transformer:
        """A Transformer that looks ``name`` up at each call, so that it may be registered later or replaced."""
        return _Named(self, name)


class _Named:
    def __init__(self, mux: TransformerMux, name: str) -> None:
        self._mux = mux
        self._name = name

    async def transform(self, source: Stream) -> Stream:
        return await self._mux.transform(self._name, source)


class ProcessorMux(PatternTable[Processor[Input, Result]], Generic[Input, Result]):
    """What reads texts for meaning. The rooms that do so define inputs and results."""

    what = "processor"

    async def process(self, name: str, source: Input) -> Result:
        """Have ``source`` processed by what serves ``name``.

        Raises:
            NotRegistered: nothing does.
            ModelError: as the processor has it.
        """
        with self.using(name) as processor:
            return await processor.process(source)


class SegmentorMux(ProcessorMux[Input, Result]):
    """Segmentors by name."""

    what = "segmentor"


class ProfilerMux(ProcessorMux[Input, Result]):
    """Profilers by name."""

    what = "profiler"


class LabelerMux(ProcessorMux[Input, Result]):
    """Labelers by name."""

    what = "labeler"


async def _held(found: Registration[T], start: Callable[[], Awaitable[Stream]]) -> Stream:
    try:
        stream = await start()
    except BaseException:
        found.give_back()
        raise
    return HeldStream(stream, found.give_back)
