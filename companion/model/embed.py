"""Texts as vectors: near where they mean alike.

Laws of an Embedder:

1. As many vectors come back as texts went in, in their order, all of one length; anything else is WireBroken.
2. Texts are sent in batches as large as the backend takes, one after the other.
3. Nothing is sent for no texts.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from companion.errors import WireBroken
from companion.model.options import JsonValue
from companion.stream import Usage

Vector = tuple[float, ...]

PROBE = "test"
"""What is embedded to learn how long a backend's vectors are."""


@dataclass(frozen=True, slots=True)
class EmbedParams:
    """How to embed; None leaves it to the backend.

    model: by the provider's name; empty for the one it is set up with.
    dimensions: how long the vectors shall be.
    purpose: "query" or "document", for models that tell them apart.
    extra_fields: what only one provider knows, sent to it as it is.
    """

    model: str = ""
    dimensions: int | None = None
    purpose: str | None = None
    extra_fields: Mapping[str, JsonValue] = field(default_factory=dict)

    def merged(self, override: EmbedParams) -> EmbedParams:
        """These, with what ``override`` sets in their place; of the extra fields each one for itself."""
        return replace(
            self,
            model=override.model or self.model,
            dimensions=self.dimensions if override.dimensions is None else override.dimensions,
            purpose=self.purpose if override.purpose is None else override.purpose,
            extra_fields={**self.extra_fields, **override.extra_fields},
        )


@dataclass(frozen=True, slots=True)
class Embedded:
    """What came back: a vector for each text, and what it cost."""

    vectors: tuple[Vector, ...]
    usage: Usage = field(default_factory=Usage)


class EmbedBackend(Protocol):
    """Who embeds: an endpoint, or a model of this machine. Serves concurrent requests."""

    @property
    def name(self) -> str:
        """Who it is, for people."""

    @property
    def batch_size(self) -> int:
        """The most texts it takes at once."""

    async def embed_batch(self, texts: Sequence[str], params: EmbedParams) -> Embedded:
        """Embed ``texts``, ``batch_size`` of them at most and at least one.

        Raises:
            Unsupported: it cannot do what the params ask for; nothing was sent.
            ModelError: it could not be reached, or refused.
            TimeoutError: it did not answer in time.
        """


class Embedder:
    """Embeds any number of texts.

    params: what holds for every request, unless it says something else.
    batch_size: fewer texts at once than the backend takes; 0 leaves it to the backend.
    """

    def __init__(self, backend: EmbedBackend, params: EmbedParams = EmbedParams(), *, batch_size: int = 0) -> None:
        if batch_size < 0:
            raise ValueError("a batch holds at least one text")
        self._backend = backend
        self._params = params
        self._batch_size = batch_size

    @property
    def name(self) -> str:
        return self._backend.name

    async def embed(self, text: str, params: EmbedParams = EmbedParams()) -> Vector:
        """The vector of ``text``. Raises as ``ask`` does."""
        return (await self.ask((text,), params)).vectors[0]

    async def embed_texts(self, texts: Sequence[str], params: EmbedParams = EmbedParams()) -> tuple[Vector, ...]:
        """The vectors of ``texts``, in their order. Raises as ``ask`` does."""
        return (await self.ask(texts, params)).vectors

    async def dimensions(self, params: EmbedParams = EmbedParams()) -> int:
        """How long its vectors are, found out by embedding a word. Raises as ``ask`` does."""
        return len(await self.embed(PROBE, params))

    async def ask(self, texts: Sequence[str], params: EmbedParams = EmbedParams()) -> Embedded:
        """The vectors of ``texts``, in their order, and what they cost.

        Raises:
            WireBroken: what came back does not belong to what was asked.
            ModelError: the backend could not be reached, or refused.
            TimeoutError: it did not answer in time.
        """
        params = self._params.merged(params)
        vectors: list[Vector] = []
        usage = Usage()
        for batch in _batches(texts, self._most()):
            answer = await self._backend.embed_batch(batch, params)
            _check(answer, len(batch), len(vectors[0]) if vectors else 0, self.name)
            vectors.extend(answer.vectors)
            usage = usage + answer.usage
        return Embedded(tuple(vectors), usage)

    def _most(self) -> int:
        most = max(self._backend.batch_size, 1)
        return min(most, self._batch_size) if self._batch_size else most


def _batches(texts: Sequence[str], size: int) -> list[tuple[str, ...]]:
    return [tuple(texts[start : start + size]) for start in range(0, len(texts), size)]


def _check(answer: Embedded, count: int, length: int, name: str) -> None:
    if len(answer.vectors) != count:
        raise WireBroken(f"{name}: {count} texts were asked for and {len(answer.vectors)} vectors came back")
    length = length or len(answer.vectors[0])
    for vector in answer.vectors:
        if not vector or len(vector) != length:
            raise WireBroken(f"{name}: a vector of {len(vector)} numbers came back where others have {length}")
        if not all(map(math.isfinite, vector)):
            raise WireBroken(f"{name}: a vector came back with something in it that is no number")
