"""What random programs are run over: every join, fork and passing stage, each with the model of what it does."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Sequence

import pytest
from doubles.stream_models import (
    Direct,
    Feed,
    Joined,
    Model,
    Split,
    Teed,
    Through,
    Told,
    in_sequence,
    in_turns,
    one_by_one,
)
from doubles.stream_outputs import ListOutput, Output, outputs_of, words_of

from companion.compose.held import HeldStream
from companion.stream import (
    Elements,
    Limit,
    MessageChunk,
    PulledStream,
    Stream,
    Transformer,
    composite_seq,
    merge,
    merge_interleaved,
    split,
    tee,
)
from companion.stream.chain import Chain
from companion.stream.fresh_ids import FreshIds
from companion.stream.mp3 import Mp3Untagger


def passed(source: Stream) -> Stream:
    """A stage that changes nothing, but is interrupted when its reader is cancelled."""

    async def chunks() -> AsyncGenerator[MessageChunk, None]:
        async for chunk in source:
            yield chunk

    return PulledStream(chunks(), source)


def is_even(chunk: MessageChunk) -> bool:
    return int(words_of(chunk)) % 2 == 0


Made = tuple[list[Output], Callable[[Sequence[Feed]], Model]]
Make = Callable[[Sequence[Stream], int], Made]


def _direct(sources: Sequence[Stream], limit: int) -> Made:
    return outputs_of(*sources), lambda feeds: Direct(feeds[0])


def _merge(sources: Sequence[Stream], limit: int) -> Made:
    return outputs_of(merge(*sources)), lambda feeds: Joined(feeds, one_by_one)


def _interleave(sources: Sequence[Stream], limit: int) -> Made:
    return outputs_of(merge_interleaved(*sources)), lambda feeds: Joined(feeds, in_turns)


def _compose(sources: Sequence[Stream], limit: int) -> Made:
    return outputs_of(composite_seq(*sources)), lambda feeds: Joined(feeds, in_sequence)


def _split(sources: Sequence[Stream], limit: int) -> Made:
    halves = split(sources[0], is_even, limit=Limit(items=limit))
    return outputs_of(*halves), lambda feeds: Split(feeds[0], limit)


def _tee(sources: Sequence[Stream], limit: int) -> Made:
    halves = tee(sources[0], limit=Limit(items=limit))
    return outputs_of(*halves), lambda feeds: Teed(feeds[0], limit)


def _elements(sources: Sequence[Stream], limit: int) -> Made:
    outputs: list[Output] = []
    outputs.append(ListOutput(Elements(sources[0], limit=Limit(items=limit)), outputs))
    return outputs, lambda feeds: Told(feeds[0], limit)


def _tee_of_interleaved(sources: Sequence[Stream], limit: int) -> Made:
    halves = tee(merge_interleaved(*sources), limit=Limit(items=limit))
    return outputs_of(*halves), lambda feeds: Teed(Through(Joined(feeds, in_turns)), limit)


def _halves_merged(sources: Sequence[Stream], limit: int) -> Made:
    halves = split(sources[0], is_even, limit=Limit(items=limit))

    def model(feeds: Sequence[Feed]) -> Model:
        inner = Split(feeds[0], limit)
        return Joined([Through(inner, 0), Through(inner, 1)], one_by_one)

    return outputs_of(merge(*halves)), model


def _held(sources: Sequence[Stream], limit: int) -> Made:
    return outputs_of(HeldStream(sources[0], lambda: None)), lambda feeds: Direct(feeds[0])


def _fresh_ids(sources: Sequence[Stream], limit: int) -> Made:
    return _bent(sources[0], FreshIds())


def _chain(sources: Sequence[Stream], limit: int) -> Made:
    return _bent(sources[0], Chain(Mp3Untagger(), FreshIds()))


def _bent(source: Stream, transformer: Transformer) -> Made:
    # None of these waits for anything before it is read.
    making = transformer.transform(source).__await__()
    with pytest.raises(StopIteration) as made:
        next(making)
    return outputs_of(made.value.value), lambda feeds: Joined(feeds, one_by_one)


KINDS: dict[str, tuple[int, Make]] = {
    "growing": (1, _direct),
    "held": (1, _held),
    "fresh ids": (1, _fresh_ids),
    "chain": (1, _chain),
    "merge": (3, _merge),
    "merge_interleaved": (3, _interleave),
    "composite_seq": (3, _compose),
    "split": (1, _split),
    "tee": (1, _tee),
    "elements": (1, _elements),
    "tee of merge_interleaved": (2, _tee_of_interleaved),
    "merge of split": (1, _halves_merged),
}
"""Each with the number of its sources."""
UNSTAGED = {"growing", "held"}
"""Read as the writer made them, so that a read that is cancelled interrupts nothing."""
