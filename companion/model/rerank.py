"""Which of several texts answer a question best.

Laws of a Reranker:

1. The best come first; among equals the one that stood first.
2. Each document is ranked once at most, and ``top_n`` of them, or all where there are fewer; anything else is
   WireBroken.
3. Nothing is sent for no documents.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple, Protocol

from companion.errors import WireBroken
from companion.model.options import JsonValue
from companion.stream import Usage


class Ranked(NamedTuple):
    """One document. place: its index in what was given. score: the higher the better; compare within one answer."""

    place: int
    score: float


@dataclass(frozen=True, slots=True)
class RerankParams:
    """How to rank.

    model: by the provider's name; empty for the one it is set up with.
    extra_fields: what only one provider knows, sent to it as it is.
    """

    model: str = ""
    extra_fields: Mapping[str, JsonValue] = field(default_factory=dict)

    def merged(self, override: RerankParams) -> RerankParams:
        """These, with what ``override`` sets in their place; of the extra fields each one for itself."""
        return RerankParams(override.model or self.model, {**self.extra_fields, **override.extra_fields})


@dataclass(frozen=True, slots=True)
class RerankRequest:
    """What is asked. documents: at least one. top_n: how many shall come back; None for all."""

    query: str
    documents: tuple[str, ...]
    top_n: int | None = None
    params: RerankParams = RerankParams()


@dataclass(frozen=True, slots=True)
class Reranked:
    """What came back, in any order, and what it cost."""

    ranked: tuple[Ranked, ...]
    usage: Usage = field(default_factory=Usage)


class RerankBackend(Protocol):
    """Who ranks: an endpoint, or a model of this machine. Serves concurrent requests."""

    @property
    def name(self) -> str:
        """Who it is, for people."""

    async def rerank(self, request: RerankRequest) -> Reranked:
        """Score the documents.

        Raises:
            Unsupported: it cannot do what is asked; nothing was sent.
            ModelError: it could not be reached, or refused.
            TimeoutError: it did not answer in time.
        """


class Reranker:
    """Ranks documents. params: what holds for every request, unless it says something else."""

    def __init__(self, backend: RerankBackend, params: RerankParams = RerankParams()) -> None:
        self._backend = backend
        self._params = params

    @property
    def name(self) -> str:
        return self._backend.name

    async def rank(
        self,
        query: str,
        documents: Sequence[str],
        top_n: int | None = None,
        params: RerankParams = RerankParams(),
    ) -> tuple[Ranked, ...]:
        """The ``top_n`` documents that answer ``query`` best, the best first. Raises as ``ask`` does."""
        return (await self.ask(RerankRequest(query, tuple(documents), top_n, params))).ranked

    def input(self, query: str, documents: Sequence[str]) -> RerankInput:
        """The same, said step by step: ``reranker.input(query, documents).top_n(3).call()``."""
        return RerankInput(self, RerankRequest(query, tuple(documents)))

    async def ask(self, request: RerankRequest) -> Reranked:
        """What is asked, the best first, and what it cost.

        Raises:
            ValueError: ``top_n`` is below 1.
            WireBroken: what came back does not belong to what was asked.
            ModelError: the backend could not be reached, or refused.
            TimeoutError: it did not answer in time.
        """
        if request.top_n is not None and request.top_n < 1:
            raise ValueError("top_n is at least 1")
        if not request.documents:
            return Reranked(())
        answer = await self._backend.rerank(replace(request, params=self._params.merged(request.params)))
        return replace(answer, ranked=_sorted(answer.ranked, request, self.name))


@dataclass(frozen=True, slots=True)
class RerankInput:
    """A question to a reranker that is still being put together. Each step makes a new one."""

    _reranker: Reranker
    _request: RerankRequest

    def top_n(self, count: int) -> RerankInput:
        """How many shall come back."""
        return replace(self, _request=replace(self._request, top_n=count))

    def params(self, params: RerankParams) -> RerankInput:
        """How to rank, on top of what was said before."""
        return replace(self, _request=replace(self._request, params=self._request.params.merged(params)))

    async def call(self) -> tuple[Ranked, ...]:
        """The documents, the best first. Raises as ``Reranker.ask`` does."""
        return (await self._reranker.ask(self._request)).ranked


def _sorted(ranked: tuple[Ranked, ...], request: RerankRequest, name: str) -> tuple[Ranked, ...]:
    count = len(request.documents)
    wanted = min(request.top_n or count, count)
    seen: set[int] = set()
    for place, score in ranked:
        if not 0 <= place < count or place in seen:
            raise WireBroken(f"{name}: ranked document {place} of {count}, which was not given or came before")
        if not math.isfinite(score):
            raise WireBroken(f"{name}: the score of document {place} is no number")
        seen.add(place)
    if len(ranked) < wanted:
        raise WireBroken(f"{name}: {wanted} documents were to be ranked and {len(ranked)} came back")
    return tuple(sorted(ranked, key=lambda each: (-each.score, each.place))[:wanted])
