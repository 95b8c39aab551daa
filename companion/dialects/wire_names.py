"""What tools and their calls are called on a wire, where it does not take what they are called here.

A model may call a tool that nobody offered, by a name that its provider refuses to read again; and a conversation may
go on with another provider, which takes no ids like those of the first. So each request has one mapping of both, made
of nothing but the request: the same question is always written in the same words, and no two names or ids become one.
Tools that are offered keep their names: others know them by these.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Final

from companion.errors import Unsupported
from companion.model.calls import CallDelta
from companion.model.deltas import Delta
from companion.model.message import Message, ToolResult
from companion.model.request import ChatRequest
from companion.model.tool import FuncTool, functions_of
from companion.stream import ToolCall

_ANY: Final = r"\s\S"
_MARK: Final = 8
"""Letters that tell two names apart whose others are the same."""


@dataclass(frozen=True, slots=True)
class Form:
    """What a wire takes for a name.

    letters, first: those that may stand in it, and at its beginning, as between the brackets of a regular expression.
    shortest, longest: in letters.
    """

    letters: str = _ANY
    longest: int = 1 << 20
    shortest: int = 1
    first: str = ""

    def fits(self, name: str) -> bool:
        """Whether it is taken as it is."""
        letters, first = f"[{self.letters}]", f"[{self.first or self.letters}]"
        return self.shortest <= len(name) <= self.longest and bool(re.fullmatch(f"{first}{letters}*", name))

    def nearest(self, name: str, taken: Iterable[str]) -> str:
        """The name that fits and is most like ``name``, and none of those ``taken``."""
        clean = re.sub(f"[^{self.letters}]", "_" if self._has_line else "", name) if self.letters != _ANY else name
        if self.first and not re.match(f"[{self.first}]", clean):
            clean = f"_{clean}"
        if self.fits(clean) and clean not in taken:
            return clean
        marked = (self._marked(clean, _mark(name, turn)) for turn in count())
        return next(one for one in marked if one not in taken)

    @property
    def _has_line(self) -> bool:
        return re.match(f"[{self.letters}]", "_") is not None

    def _marked(self, clean: str, mark: str) -> str:
        if not self._has_line:
            return mark[: self.longest]
        return f"{clean[: self.longest - _MARK - 1]}_{mark[:_MARK]}"


@dataclass(frozen=True, slots=True)
class NameLimits:
    """What a wire takes for the names of tools, and for the ids of their calls."""

    names: Form = field(default_factory=Form)
    ids: Form = field(default_factory=Form)


WORD: Final = r"a-zA-Z0-9_\-"
"""The letters that nearly all take."""


def fitted_names(request: ChatRequest, limits: NameLimits, dialect: str) -> tuple[ChatRequest, dict[str, str]]:
    """The request with names and ids that fit, and the names on the wire that are others here, by these.

    Raises:
        Unsupported: a tool that is offered has a name that does not fit.
    """
    tools = functions_of(request.context.tools)
    check_names(tools, limits.names, dialect)
    offered = [tool.name for tool in tools]
    messages = request.context.messages
    names = mapping_of((call.func_call.name for call in _calls(messages)), limits.names, offered)
    ids = mapping_of(_ids(messages), limits.ids)
    if not names and not ids:
        return request, {}
    context = replace(request.context, messages=tuple(_renamed(one, names, ids) for one in messages))
    return replace(request, context=context), {wire: name for name, wire in names.items()}


def check_names(tools: Iterable[FuncTool], form: Form, dialect: str) -> None:
    """Refuse tools whose names do not fit.

    Raises:
        Unsupported: one does not; it is named.
    """
    for tool in tools:
        if not form.fits(tool.name):
            mend = f"give it a name of {form.shortest} to {form.longest} letters that the provider takes"
            raise Unsupported(f"{dialect} takes no tool of the name {tool.name!r}", mend=mend)


def names_back(deltas: list[Delta], names: Mapping[str, str]) -> list[Delta]:
    """The deltas of an answer, with the names of the conversation. names: as from ``fitted_names``."""
    if not names:
        return deltas
    return [replace(one, name=names.get(one.name, one.name)) if type(one) is CallDelta else one for one in deltas]


def mapping_of(names: Iterable[str], form: Form, offered: Iterable[str] = ()) -> dict[str, str]:
    """What takes the place of those that do not fit, and is none of those ``offered``."""
    named = dict.fromkeys(names)
    strange = [name for name in named if not form.fits(name)]
    if not strange:
        return {}
    taken = {*offered, *named}
    mapping: dict[str, str] = {}
    for name in strange:
        mapping[name] = form.nearest(name, taken)
        taken.add(mapping[name])
    return mapping


def _ids(messages: Iterable[Message]) -> Iterable[str]:
    return (one.payload.id for one in messages if isinstance(one.payload, ToolCall | ToolResult))


def _calls(messages: Iterable[Message]) -> Iterable[ToolCall]:
    return (one.payload for one in messages if isinstance(one.payload, ToolCall))


def _renamed(message: Message, names: Mapping[str, str], ids: Mapping[str, str]) -> Message:
    match message.payload:
        case ToolCall(id, call) as payload:
            called = replace(call, name=names.get(call.name, call.name))
            return replace(message, payload=replace(payload, id=ids.get(id, id), func_call=called))
        case ToolResult(id) as payload:
            return replace(message, payload=replace(payload, id=ids.get(id, id)))
        case _:
            return message


def _mark(name: str, turn: int) -> str:
    """Letters and digits that another name, or another turn, has others of."""
    import hashlib

    text = f"{turn} {name}".encode("utf-8", "surrogatepass")
    return hashlib.sha256(text, usedforsecurity=False).hexdigest()
