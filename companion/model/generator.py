"""The contract of a language model."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from companion.model.context import ModelContext
from companion.model.tool import FuncTool
from companion.stream import FuncCall, Stream, Usage


@runtime_checkable
class Generator(Protocol):
    """Answers a context with a stream of chunks of role ``model``, or with the call of one tool.

    Serves concurrent calls; closing one answer's stream, or cancelling one ``invoke``, ends that answer's work only.
    """

    async def generate_stream(self, context: ModelContext, *, model: str = "") -> Stream:
        """Start an answer.

        Raises:
            ModelError: the model cannot be loaded or cannot carry the context.
        """

    async def invoke(self, context: ModelContext, tool: FuncTool, *, model: str = "") -> tuple[Usage, FuncCall]:
        """Have ``tool`` called: its arguments come back as JSON that fits its schema. Nothing is run.

        The usage counts every attempt.

        Raises:
            InvalidAnswer: the model did not find arguments that fit, told what was wrong or not.
            ModelError: the model cannot be loaded or cannot carry the context.
            StreamError: the answer was refused or broke.
            TimeoutError: the answer did not come in time.
        """
