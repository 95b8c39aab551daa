"""Tool calls, put together from the pieces in which they come.

By index, then by id, and given out in the order of their index. Where a piece has no index, the id alone says whose
it is; where it has neither, a name begins the next call.
"""

from __future__ import annotations

import logging
import secrets
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
class _Call:
    """A call as far as it has come."""

    index: int | None
    id: str
    name: str = ""
    arguments: list[str] = field(default_factory=list)
    signature: str = ""


class CallAssembler:
    """Puts tool calls together from their pieces."""

    def __init__(self) -> None:
        self._calls: list[_Call] = []
        self._size = 0
        self._begun = 0

    def add(self, piece: CallDelta) -> None:
        """Take one piece.

        Raises:
            InvalidAnswer: there are too many calls, or their arguments are too long.
        """
        call = self._call_of(piece) or self._begin(piece)
        call.id = call.id or piece.id
        # Some providers repeat the whole name in every piece, others send it in pieces.
        call.name += piece.name if piece.name != call.name else ""
        call.arguments.append(piece.arguments)
        call.signature = call.signature or piece.signature
        self._size += len(piece.arguments)
        if self._size > LONGEST:
            raise InvalidAnswer(f"the tool calls are longer than {LONGEST} characters", mend="ask for less at once")

    def take(self, *, is_cut: bool) -> list[ToolCall]:
        """The calls that were fully received, by index, and forget all.

        is_cut: the answer ended in the middle, so that arguments that are no JSON are not all there.

        Raises:
            InvalidAnswer: a call has no name.
        """
        calls = sorted(self._calls, key=lambda call: -1 if call.index is None else call.index)
        self._calls = []
        return [tool_call for call in calls if (tool_call := _tool_call(call, is_cut)) is not None]

    def _call_of(self, piece: CallDelta) -> _Call | None:
        """The newest call that the piece can belong to."""
        for call in reversed(self._calls):
            if piece.index is not None:
                if call.index == piece.index and (not piece.id or not call.id or piece.id == call.id):
                    return call
            elif piece.id:
                if call.id == piece.id:
                    return call
            elif not piece.name:
                return call
        return None

    def _begin(self, piece: CallDelta) -> _Call:
        self._begun += 1
        if self._begun > MOST_CALLS:
            raise InvalidAnswer(f"the answer calls more than {MOST_CALLS} tools", mend="ask for less at once")
        self._calls.append(_Call(piece.index, piece.id))
        return self._calls[-1]


def _tool_call(call: _Call, is_cut: bool) -> ToolCall | None:
    arguments = "".join(call.arguments).strip()
    if is_cut and not is_json(arguments):
        logger.info("a call of %s was cut off and is left out", call.name or "a tool without a name")
        return None
    if not call.name:
        raise InvalidAnswer("a tool call has no name")
    return ToolCall(call.id or f"call_{secrets.token_hex(8)}", FuncCall(call.name, arguments or "{}"), call.signature)
