"""A chat backend that costs money: no call above its size, no month above its budget."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import assert_never

from companion.compose.ledger import Ledger, Reservation
from companion.compose.owed import is_owed
from companion.compose.tokens import BYTES_PER_TOKEN, media_tokens, tokens_of
from companion.errors import ContextTooLong
from companion.model import JsonValue, ModelParams
from companion.model.calls import CallDelta
from companion.model.deltas import (
    BlobDelta,
    Counted,
    Delta,
    DeltaSource,
    Finished,
    RawDelta,
    TextDelta,
    ThoughtDelta,
)
from companion.model.request import ChatBackend, ChatRequest, answered_by
from companion.stream import Usage

_MILLION = 1_000_000
_MOST_TOKENS = 10**12
"""More were never counted; a provider may say anything."""
_LIMITS = frozenset({"maxtokens", "maxcompletiontokens", "maxoutputtokens", "numpredict", "maxnewtokens"})
"""Names by which the dialects limit an answer, in small letters and without underscores."""
_COUNTS = frozenset({"n", "candidatecount", "bestof"})
"""And by which they ask for several answers."""
_HOLDERS = frozenset({"options", "parameters", "generationconfig"})
"""Objects in which these may stand."""
_SHORTEST_ANSWER = 16
"""Tokens below which there is no use in asking."""


@dataclass(frozen=True, slots=True)
class Price:
    """Of a million tokens, in the user's currency."""

    prompt: float
    completion: float

    def of(self, usage: Usage) -> float:
        """What an answer has cost. Tokens from a cache are counted in full, which is rather too much."""
        read, written = (min(max(count, 0), _MOST_TOKENS) for count in (usage.prompt_tokens, usage.completion_tokens))
        return (read * self.prompt + written * self.completion) / _MILLION


class Metered:
    """A ChatBackend around one that costs money.

    most_tokens: of one call, question and answer together. The answer is limited to what is left of them.
    stage: what it is used for ("language model"), as the ledger shall name it.
    """

    def __init__(
        self, backend: ChatBackend, ledger: Ledger, price: Price, *, most_tokens: int, stage: str = "language model"
    ) -> None:
        self._backend = backend
        self._ledger = ledger
        self._price = price
        self._most_tokens = most_tokens
        self._stage = stage

    @property
    def name(self) -> str:
        return self._backend.name

    async def ask(self, request: ChatRequest) -> DeltaSource:
        """Put down what the answer may cost, and ask.

        Raises:
            ContextTooLong: the question alone is above what one call may have. As with the next, nothing was sent.
            OverBudget: the month's budget does not suffice.
            StorageError: what is put down cannot be kept.
            ModelError, TimeoutError: as the backend does.
        """
        params, limits = without_limits(request.context.params)
        request = replace(request, context=replace(request.context, params=params))
        asked = tokens_of(request)
        answers = max(params.n or 1, 1)
        room = (self._most_tokens - asked) // answers
        if room < _SHORTEST_ANSWER:
            raise ContextTooLong(
                f"the question has about {asked} tokens, and one call may have {self._most_tokens}",
                needed=asked + _SHORTEST_ANSWER * answers,
                room=self._most_tokens,
                mend="Raise cloud.call_tokens, or begin a new conversation.",
            )
        longest = min([room, *limits])
        limited = replace(request, context=replace(request.context, params=replace(params, max_tokens=longest)))
        worst = self._price.of(Usage(asked, longest * answers))
        reservation = await self._ledger.reserve(f"{self._stage}: {self.name}", worst)
        try:
            source = await self._backend.ask(limited)
        except BaseException as error:
            # The question was read, whoever no longer waits for its answer.
            owed = self._price.of(Usage(asked)) if is_owed(error) else 0.0
            await self._ledger.settle_quietly(reservation, owed)
            raise
        return _MeteredSource(source, self._backend, _Meter(self._ledger, self._price, reservation, asked))


class _Meter:
    """What one answer has cost so far."""

    def __init__(self, ledger: Ledger, price: Price, reservation: Reservation, asked: int) -> None:
        self._ledger = ledger
        self._price = price
        self._reservation = reservation
        self._asked = asked
        self._guessed = 0
        """Bytes of the answer, as if all were words."""
        self._media = 0
        """Tokens of what is none."""
        self._counted = Usage()
        self._has_finished = False

    def see(self, delta: Delta) -> None:
        match delta:
            case Counted(usage):
                self._counted = self._counted.most(usage)
            case TextDelta(text) | ThoughtDelta(text):
                self._guessed += len(text.encode("utf-8", "surrogatepass"))
            case CallDelta(arguments=arguments):
                self._guessed += len(arguments.encode("utf-8", "surrogatepass"))
            case BlobDelta(blob):
                self._media += media_tokens(blob)
            case Finished():
                self._has_finished = True
            case RawDelta():
                pass
            case _:
                assert_never(delta)

    async def settle(self) -> None:
        await self._ledger.settle_quietly(self._reservation, self._price.of(self._usage()))

    def _usage(self) -> Usage:
        """What the provider has counted. One that was left in the middle has not told all, and is guessed."""
        if self._has_finished and self._counted.completion_tokens:
            return self._counted if self._counted.prompt_tokens else self._counted.most(Usage(self._asked))
        return self._counted.most(Usage(self._asked, self._guessed // BYTES_PER_TOKEN + self._media))


class _MeteredSource:
    def __init__(self, source: DeltaSource, backend: ChatBackend, meter: _Meter) -> None:
        self._source = source
        self._backend = backend
        self._meter = meter

    @property
    def answered_by(self) -> tuple[str, ...]:
        return answered_by(self._source, self._backend)

    async def next(self) -> Delta:
        try:
            delta = await self._source.next()
        except Exception:
            await self._meter.settle()
            raise
        self._meter.see(delta)
        return delta

    async def close(self) -> None:
        await self._source.close()
        await self._meter.settle()


def without_limits(params: ModelParams) -> tuple[ModelParams, list[int]]:
    """The same, but with nothing among the extra fields that would raise the limit of an answer or the number of
    answers, and the limits that were asked for."""
    limits = [] if params.max_tokens is None else [params.max_tokens]
    counts = [] if params.n is None else [params.n]
    extra = _without_limits(params.extra_fields, limits, counts)
    return replace(params, extra_fields=extra, n=max(counts, default=None)), [limit for limit in limits if limit > 0]


def _without_limits(fields: Mapping[str, JsonValue], limits: list[int], counts: list[int]) -> dict[str, JsonValue]:
    kept: dict[str, JsonValue] = {}
    for name, value in fields.items():
        plain = name.replace("_", "").lower()
        if plain in _LIMITS or plain in _COUNTS:
            if isinstance(value, int):
                (limits if plain in _LIMITS else counts).append(value)
        elif plain in _HOLDERS and isinstance(value, Mapping):
            kept[name] = _without_limits(value, limits, counts)
        else:
            kept[name] = value
    return kept
