"""A chat backend that costs money: no call above its size, no month above its budget."""

from __future__ import annotations

from dataclasses import dataclass, replace

from companion.compose.ledger import Ledger, Reservation
from companion.errors import ContextTooLong
from companion.model import Contents, ModelContext, ToolResult
from companion.model.calls import CallDelta
from companion.model.deltas import Counted, Delta, DeltaSource, TextDelta, ThoughtDelta
from companion.model.plain import to_json
from companion.model.request import ChatBackend, ChatRequest, answered_by
from companion.model.tool import FuncTool, Tool
from companion.stream import FuncCall, Text, ToolCall, Usage

_MILLION = 1_000_000
_BYTES_PER_TOKEN = 3
"""Rather too few, so that a question is rather counted too long; a Chinese letter has three."""
_SHORTEST_ANSWER = 16
"""Tokens below which there is no use in asking."""


@dataclass(frozen=True, slots=True)
class Price:
    """Of a million tokens, in the user's currency."""

    prompt: float
    completion: float

    def of(self, usage: Usage) -> float:
        """What an answer has cost. Tokens from a cache are counted in full, which is rather too much."""
        return (usage.prompt_tokens * self.prompt + usage.completion_tokens * self.completion) / _MILLION


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
        asked = tokens_of(request.context)
        room = self._most_tokens - asked
        if room < _SHORTEST_ANSWER:
            raise ContextTooLong(
                f"the question has about {asked} tokens, and one call may have {self._most_tokens}",
                needed=asked + _SHORTEST_ANSWER,
                room=self._most_tokens,
                mend="Raise cloud.call_tokens, or begin a new conversation.",
            )
        params = request.context.params
        answer = min(params.max_tokens or room, room)
        limited = replace(request, context=replace(request.context, params=replace(params, max_tokens=answer)))
        worst = self._price.of(Usage(asked, answer))
        reservation = await self._ledger.reserve(f"{self._stage}: {self.name}", worst)
        try:
            source = await self._backend.ask(limited)
        except BaseException:
            # Whatever failed before an answer began is not charged for.
            await self._ledger.settle_quietly(reservation, 0.0)
            raise
        return _MeteredSource(source, self._backend, _Meter(self._ledger, self._price, reservation, asked))


class _Meter:
    """What one answer has cost so far."""

    def __init__(self, ledger: Ledger, price: Price, reservation: Reservation, asked: int) -> None:
        self._ledger = ledger
        self._price = price
        self._reservation = reservation
        self._asked = asked
        self._bytes = 0
        self._counted = Usage()

    def see(self, delta: Delta) -> None:
        match delta:
            case Counted(usage):
                self._counted = self._counted.most(usage)
            case TextDelta(text) | ThoughtDelta(text):
                self._bytes += len(text.encode())
            case CallDelta(arguments=arguments):
                self._bytes += len(arguments.encode())
            case _:
                pass

    async def settle(self) -> None:
        await self._ledger.settle_quietly(self._reservation, self._price.of(self._usage()))

    def _usage(self) -> Usage:
        """What the provider has counted. One that was left in the middle has not told, and is guessed."""
        if self._counted.completion_tokens:
            return self._counted
        return self._counted.most(Usage(self._asked, self._bytes // _BYTES_PER_TOKEN))


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


def _told(tool: Tool) -> str:
    return to_json(tool.parameters) + tool.description + tool.name if isinstance(tool, FuncTool) else tool.name


def tokens_of(context: ModelContext) -> int:
    """About how many tokens a question has; rather too many than too few."""
    texts = [*(prompt.text for prompt in context.prompts), context.closing, *context.cots, *map(_told, context.tools)]
    for message in context.messages:
        match message.payload:
            case Contents(parts):
                texts += [part.text for part in parts if isinstance(part, Text)]
            case ToolCall(func_call=FuncCall(name, arguments)):
                texts.append(name + arguments)
            case ToolResult(result=result):
                texts.append(result)
    return sum(len(text.encode()) // _BYTES_PER_TOKEN + 1 for text in texts if text)
