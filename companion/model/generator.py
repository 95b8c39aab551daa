"""The contract of a language model."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from companion.model.context import ModelContext
from companion.stream import Stream


@runtime_checkable
class Generator(Protocol):
    """Answers a context with a stream of text chunks of role ``model``.

    Serves concurrent calls; closing one answer's stream ends that answer's work only.
    """

    async def generate_stream(self, context: ModelContext, *, model: str = "") -> Stream:
        """Start an answer.

        Raises:
            ModelError: the model cannot be loaded or cannot carry the context.
        """
