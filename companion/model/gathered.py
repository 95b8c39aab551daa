"""One answer, put together from its deltas.

What is counted is so far: the most of each count, not the sum. The finish reason is the last one that says anything.
A signature belongs to the thought before it; what comes behind it is another thought.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import assert_never

from companion.errors import BadInput, InvalidAnswer
from companion.model.calls import CallAssembler, CallDelta
from companion.model.content import Block, Thought
from companion.model.deltas import (
    BlobDelta,
    Counted,
    Delta,
    DeltaSource,
    Finish,
    Finished,
    RawDelta,
    TextDelta,
    ThoughtDelta,
)
from companion.model.message import ChatRole, Contents, Message, Payload
from companion.model.options import JsonValue
from companion.model.patient import SILENCE, TRAILING, PatientReader
from companion.model.raw_budget import RawBudget
from companion.stream import Blob, Status, Text, ToolCall, Usage

logger = logging.getLogger(__name__)

MOST_BYTES = 64 * 1024 * 1024
"""Of one answer: its characters, and the bytes of what it drew or said."""
MOST_PIECES = 1_000_000

_REASONS = {Finish.STOP: "stop", Finish.TOOL_CALLS: "tool", Finish.LENGTH: "length", Finish.REFUSED: "refused"}


@dataclass(frozen=True, slots=True)
class Gathered:
    """An answer as far as it came.

    blocks: words, thoughts, pictures and sound, in the order they came.
    finished: None where no finish signal came.
    raw: what has no name here, as far as there is room for it.
    """

    blocks: tuple[Block, ...] = ()
    calls: tuple[ToolCall, ...] = ()
    usage: Usage = field(default_factory=Usage)
    finished: Finished | None = None
    raw: tuple[JsonValue, ...] = ()

    @property
    def finish_reason(self) -> str:
        """ "tool" where tools are called, else "stop", "length" or "refused"; empty where no finish signal came."""
        if self.finished is None:
            return ""
        return "tool" if self.calls else _REASONS[self.finished.why]

    @property
    def provider_reason(self) -> str:
        """Why it has finished, in the provider's own word; empty where it gave none."""
        return "" if self.finished is None else self.finished.reason

    @property
    def text(self) -> str:
        """Its words."""
        return "".join(block.text for block in self.blocks if isinstance(block, Text))

    @property
    def messages(self) -> tuple[Message, ...]:
        """What is to be remembered of it: thoughts and words in one message, then each call in one of its own."""
        payloads: list[Payload] = [Contents(self.blocks)] if self.blocks else []
        return tuple(Message(ChatRole.ASSISTANT, payload) for payload in (*payloads, *self.calls))

    def deltas(self) -> Iterator[Delta]:
        """Deltas that gather to the same answer."""
        for block in self.blocks:
            match block:
                case Text(text):
                    yield TextDelta(text)
                case Thought(text, signature, redacted):
                    yield ThoughtDelta(text, signature, redacted)
                case Blob():
                    yield BlobDelta(block)
                case _:
                    raise BadInput(f"a model does not answer by a {type(block).__name__}")
        yield from (RawDelta(data) for data in self.raw)
        for index, call in enumerate(self.calls):
            yield CallDelta(index, call.id, call.func_call.name, call.func_call.arguments, call.signature)
        if self.usage != Usage():
            yield Counted(self.usage)
        if self.finished is not None:
            yield self.finished


def concat(deltas: Iterable[Delta | None], *, is_strict: bool = True) -> Gathered:
    """The answer that ``deltas``, of one answer, make together; nothing of them is changed.

    is_strict: two ids or names of one call are an error, and a call without an index is one of its own.

    Raises:
        BadInput: one of them is None; the message says which.
        InvalidAnswer: they do not make an answer.
    """
    calls, rest = CallAssembler(is_strict=is_strict), Gatherer()
    for place, delta in enumerate(deltas):
        match delta:
            case None:
                raise BadInput(f"delta {place} is none")
            case CallDelta():
                calls.add(delta)
            case _:
                rest.add(delta)
    is_cut = rest.finished is not None and rest.finished.why is Finish.LENGTH
    return rest.gathered(calls.take(is_cut=is_cut))


async def gather(source: DeltaSource, *, silence: float = SILENCE, trailing: float = TRAILING) -> Gathered:
    """The whole answer of a source, which is left open. What goes wrong behind the finish signal takes nothing from it.

    silence, trailing: as for ``PatientReader``.

    Raises:
        ModelDied: it ended without a finish signal.
        TimeoutError: nothing came for too long before it.
        InvalidAnswer: it cannot be put together, or there is more than anybody would use.
        ModelError: as the source.
    """
    reader, calls, rest = PatientReader(source, silence, trailing), CallAssembler(), Gatherer()
    try:
        while (delta := await reader.next()) is not None:
            if isinstance(delta, CallDelta):
                calls.add(delta)
            rest.add(delta)
    except Exception as error:
        if reader.finished is None:
            raise
        logger.debug("behind an answer: %s", type(error).__name__)
    return rest.gathered(calls.take(is_cut=reader.state().status is Status.TRUNCATED))


class Gatherer:
    """Keeps all of an answer but its calls, which are put together elsewhere."""

    def __init__(self) -> None:
        self._blocks: list[Block] = []
        self._pieces: list[str] = []
        """Of the block that is written on, which is the last."""
        self._raw: list[JsonValue] = []
        self._raw_budget = RawBudget()
        self._size = self._count = 0
        self._usage = Usage()
        self.finished: Finished | None = None

    def add(self, delta: Delta) -> None:
        """Take one delta.

        Raises:
            InvalidAnswer: there is more than anybody would use.
        """
        match delta:
            case TextDelta(text):
                self._write(Text(""), text)
            case ThoughtDelta(text, signature, redacted):
                self._think(text, signature, redacted)
            case BlobDelta(blob):
                self._append(blob, len(blob.data))
            case RawDelta(data):
                if self._raw_budget.takes(data):
                    self._raw.append(data)
            case Counted(usage):
                self._usage = self._usage.most(usage)
            case Finished(reason=reason):
                before = self.finished
                self.finished = replace(delta, reason=reason or (before.reason if before else ""))
            case CallDelta():
                pass
            case _:
                assert_never(delta)
        self._count += 1
        if self._size > MOST_BYTES or self._count > MOST_PIECES:
            raise InvalidAnswer("the answer is longer than anybody would use", mend="ask for less at once")

    def gathered(self, calls: Iterable[ToolCall]) -> Gathered:
        """All so far, with these calls."""
        self._close()
        return Gathered(tuple(self._blocks), tuple(calls), self._usage, self.finished, tuple(self._raw))

    def _think(self, text: str, signature: str, redacted: str) -> None:
        if redacted:
            self._append(Thought("", signature, redacted), len(redacted) + len(signature))
            return
        if text:
            self._write(Thought(""), text)
        if signature:
            self._sign(signature)

    def _sign(self, signature: str) -> None:
        """The signature of the thought so far, which ends by it."""
        self._close()
        match self._blocks[-1:]:
            case [Thought(signature="", redacted="") as thought]:
                self._blocks[-1] = replace(thought, signature=signature)
            case _:
                self._append(Thought("", signature), 0)
        self._size += len(signature)

    def _write(self, empty: Text | Thought, text: str) -> None:
        """Go on with the last block where it is of this kind and open, else begin one."""
        last = self._blocks[-1] if self._blocks and self._pieces else None
        if type(last) is not type(empty):
            self._append(empty, 0)
        self._pieces.append(text)
        self._size += len(text)

    def _append(self, block: Block, size: int) -> None:
        self._close()
        self._blocks.append(block)
        self._size += size

    def _close(self) -> None:
        """Nothing more is written on the last block."""
        if self._pieces:
            block, text = self._blocks[-1], "".join(self._pieces)
            assert isinstance(block, Text | Thought)
            self._blocks[-1] = replace(block, text=text)
            self._pieces = []
