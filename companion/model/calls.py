"""Tool calls, put together from the pieces in which they come.

By index, then by id, and given out in the order of their index. Where a piece has no index, the id alone says whose
it is; where it has neither, a name begins the next call. Some providers use an index twice: another id is another
call. Who is strict takes that for an error, takes no name in pieces, and a piece without an index for a whole call.
"""

from __future__ import annotations

import logging
import os
from dataclasses import dataclass, field

from companion.errors import InvalidAnswer
from companion.model.json_repair import LONGEST, is_json
from companion.stream import FuncCall, ToolCall

logger = logging.getLogger(__name__)

MOST_CALLS = 64
"""In one answer."""


@dataclass(frozen=True, slots=True)
class CallDelta:
    """More of a tool call: its place in the answer or its id say of which, where the provider says so."""

    index: int | None = None
    id: str = ""
    name: str = ""
    arguments: str = ""
    signature: str = ""


@dataclass(slots=True)
class CallSoFar:
    """A call as far as it has come.

    is_open: somebody was told of it, under this id, which then stays.
    """

    index: int | None
    id: str
    name: str = ""
    arguments: list[str] = field(default_factory=list)
    signature: str = ""
    given_id: str = ""
    is_open: bool = False

    @property
    def text(self) -> str:
        """Its arguments."""
        return "".join(self.arguments)

    @property
    def is_known(self) -> bool:
        """Whether it can be told of: its id and name have come, and its arguments begin."""
        return bool(self.id and self.name and any(self.arguments))

    def whole(self) -> ToolCall:
        """The call, were this all of it.

        Raises:
            InvalidAnswer: it has no name.
        """
        if not self.name:
            raise InvalidAnswer("a tool call has no name")
        called = FuncCall(self.name, self.text.strip() or "{}")
        return ToolCall(self.given_id or self.id or new_call_id(), called, self.signature)


class CallAssembler:
    """Puts tool calls together from their pieces."""

    def __init__(self, *, is_strict: bool = False) -> None:
        self._is_strict = is_strict
        self._calls: list[CallSoFar] = []
        self._size = 0
        self._begun = 0

    def add(self, piece: CallDelta) -> CallSoFar:
        """Take one piece, and give the call it belongs to.

        Raises:
            InvalidAnswer: there are too many calls, or their arguments are too long; for who is strict, too, where two
                pieces of one call disagree.
        """
        call = self._call_of(piece) or self._begin(piece)
        if self._is_strict:
            _demand_agreement(call, piece)
        call.id = call.id or piece.id
        # Some providers repeat the whole name in every piece, others send it in pieces.
        call.name += piece.name if piece.name != call.name else ""
        call.arguments.append(piece.arguments)
        call.signature = call.signature or piece.signature
        self._size += len(piece.arguments)
        if self._size > LONGEST:
            raise InvalidAnswer(f"the tool calls are longer than {LONGEST} characters", mend="ask for less at once")
        return call

    def take(self, *, is_cut: bool) -> list[ToolCall]:
        """The calls that were fully received, by index, and forget all.

        is_cut: the answer ended in the middle, so that arguments that are no JSON are not all there.

        Raises:
            InvalidAnswer: a call has no name.
        """
        return [call.whole() for call, is_whole in self.take_all(is_cut=is_cut) if is_whole]

    def take_all(self, *, is_cut: bool) -> list[tuple[CallSoFar, bool]]:
        """All calls, by index, and whether each was fully received; forgets them."""
        calls = sorted(self._calls, key=lambda call: -1 if call.index is None else call.index)
        self._calls = []
        return [(call, not is_cut or _was_received(call)) for call in calls]

    def _call_of(self, piece: CallDelta) -> CallSoFar | None:
        """The newest call that the piece can belong to."""
        for call in reversed(self._calls):
            if piece.index is not None:
                is_its = not piece.id or not call.id or piece.id == call.id
                if call.index == piece.index and (is_its or self._is_strict):
                    return call
            elif self._is_strict:
                return None
            elif piece.id:
                if call.id == piece.id:
                    return call
            elif not piece.name:
                return call
        return None

    def _begin(self, piece: CallDelta) -> CallSoFar:
        self._begun += 1
        if self._begun > MOST_CALLS:
            raise InvalidAnswer(f"the answer calls more than {MOST_CALLS} tools", mend="ask for less at once")
        self._calls.append(CallSoFar(piece.index, piece.id))
        return self._calls[-1]


def new_call_id() -> str:
    """An id for a call whose provider gives none."""
    return f"call_{os.urandom(8).hex()}"


def _demand_agreement(call: CallSoFar, piece: CallDelta) -> None:
    for what, said, before in (("ids", piece.id, call.id), ("names", piece.name, call.name)):
        if said and before and said != before:
            raise InvalidAnswer(f"the tool call at index {call.index} has two {what}: {before!r} and {said!r}")


def _was_received(call: CallSoFar) -> bool:
    if is_json(call.text.strip()):
        return True
    logger.info("a call of %s was cut off and is left out", call.name or "a tool without a name")
    return False
