"""A generator with parameters of its own, for what a context leaves open."""

from __future__ import annotations

from collections.abc import Awaitable
from dataclasses import replace
from typing import Protocol, runtime_checkable

from companion.compose.loader.entry import Entry
from companion.model import ChatRequest, FuncTool, Generator, ModelContext, ModelParams
from companion.model.backends import backend_of
from companion.model.deltas import DeltaSource
from companion.stream import FuncCall, Stream, Usage


@runtime_checkable
class Closes(Protocol):
    """Something that frees what it holds when it is closed."""

    def close(self) -> Awaitable[None]: ...


class TunedGenerator:
    """``generator``, asked with ``generate`` or ``invoke`` where the context does not say otherwise.

    It is a ChatBackend too.
    """

    def __init__(self, generator: Generator, generate: ModelParams, invoke: ModelParams) -> None:
        self._generator = generator
        self._generate = generate
        self._invoke = invoke

    @property
    def name(self) -> str:
        return backend_of(self._generator).name

    async def ask(self, request: ChatRequest) -> DeltaSource:
        """Start an answer; one in a form is asked for as ``invoke`` does.

        Raises:
            ModelError, TimeoutError: as the generator.
        """
        params = self._generate if request.answer_form is None else self._invoke
        tuned = replace(request, context=_tuned(request.context, params))
        return await backend_of(self._generator).ask(tuned)

    async def generate_stream(self, context: ModelContext, *, model: str = "") -> Stream:
        return await self._generator.generate_stream(_tuned(context, self._generate), model=model)

    async def invoke(self, context: ModelContext, tool: FuncTool, *, model: str = "") -> tuple[Usage, FuncCall]:
        return await self._generator.invoke(_tuned(context, self._invoke), tool, model=model)

    async def close(self) -> None:
        """Close the generator, if that is to be done."""
        if isinstance(self._generator, Closes):
            await self._generator.close()


def _tuned(context: ModelContext, params: ModelParams) -> ModelContext:
    return replace(context, params=params.merged(context.params))


def tuned_by(entry: Entry, generator: Generator) -> Generator:
    """The generator, with the parameters of its entry where it has any."""
    if not (entry.generate_params.is_set or entry.invoke_params.is_set):
        return generator
    return TunedGenerator(generator, entry.generate_params, entry.invoke_params)
