"""A tool on its way to the model: what a plugin says of its own is bounded, and what it does is watched."""

from __future__ import annotations

import copy
import inspect
import re
from collections.abc import Mapping
from dataclasses import replace
from enum import IntEnum

from companion.agent.guests import Guests
from companion.agent.safety import EFFECTS, ORIGIN, OWNER, SENSITIVE, Sensitive, Source
from companion.agent.turns import Turn
from companion.errors import PluginError
from companion.model import FuncTool
from companion.model.plain import to_json
from companion.model.tool import is_async
from companion.model.tool_context import called_within, tool_context
from companion.model.toolkit import LIMIT_SECONDS, CallBudget

LONGEST_DESCRIPTION = 2_000
"""Characters a plugin may say of a tool."""
LONGEST_SCHEMA = 16_000
"""Characters of its arguments."""
LONGEST_RESULT = 100_000
"""Characters that it may give; the rest is cut off."""
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{0,63}")


class Rank(IntEnum):
    """Whose tool a name means where several have it: the lower one's."""

    BUILT_IN = 0
    PLUGIN = 1
    DEVICE = 2


def ready(tool: FuncTool, owner: str, rank: Rank, guests: Guests) -> FuncTool:
    """The tool as it is offered. Our own stay as they are.

    Raises:
        PluginError: it has no name or function, or says too much of itself.
    """
    name = tool.name.strip()
    if not name or tool.function is None:
        raise PluginError(f"{owner}: a tool needs a name and a function", plugin=owner)
    if rank is Rank.BUILT_IN:
        return replace(tool, name=name)
    if not _NAME.fullmatch(name):
        raise PluginError(f"{owner}: no tool can be called {name[:40]!r}", plugin=owner)
    if len(tool.description) > LONGEST_DESCRIPTION or len(to_json(tool.parameters)) > LONGEST_SCHEMA:
        raise PluginError(f"{owner}: {name} says too much of itself", plugin=owner)
    parameters = copy.deepcopy(dict(tool.parameters))
    return _watched(replace(tool, name=name, parameters=parameters, meta=_meta(tool.meta, owner)), owner, guests)


def _meta(said: Mapping[str, object], owner: str) -> Mapping[str, object]:
    """What counts of what a plugin says of its tool: it may ask for more care, and never for less."""
    meta: dict[str, object] = {ORIGIN: Source.PLUGIN, OWNER: owner}
    if said.get(SENSITIVE):
        meta[SENSITIVE] = Sensitive.TOOL
    if said.get(EFFECTS) is False:
        meta[EFFECTS] = False
    return meta


def _watched(tool: FuncTool, owner: str, guests: Guests) -> FuncTool:
    """The tool, whose failures count against its owner, and which sees of the turn what is settled of it."""
    function, seconds = tool.function, _seconds(tool.limit_seconds)
    assert function is not None
    convert = tool.convert

    def text(result: object) -> str:
        said = convert(result) if convert is not None else result if isinstance(result, str) else to_json(result)
        if not isinstance(said, str):
            raise TypeError(f"the result of {tool.name} is no text")
        return said[:LONGEST_RESULT]

    async def call(arguments: Mapping[str, object]) -> str:
        if is_async(function):
            result = await function(**arguments)  # type: ignore[misc]
        else:
            result = await guests.on_thread(owner, lambda: function(**arguments))
        result = await result if inspect.isawaitable(result) else result
        return result[:LONGEST_RESULT] if isinstance(result, str) and convert is None else await _on(result)

    async def _on(result: object) -> str:
        return await guests.on_thread(owner, lambda: text(result))

    async def watched(**arguments: object) -> str:
        async def ask() -> str:
            return await call(arguments)

        around = tool_context()
        with called_within(replace(around, attributes=_settled(around.attributes), budget=CallBudget())):
            return await guests.ask(owner, f"tool {tool.name}", ask, seconds=seconds)

    return replace(tool, function=watched, convert=None, limit_seconds=seconds + 1)


def _settled(attributes: Mapping[str, object]) -> Mapping[str, object]:
    """What a plugin may know of the turn that calls it: ``about``, and nothing that can be changed."""
    turn = attributes.get("turn")
    return {"about": turn.about} if isinstance(turn, Turn) else {}


def _seconds(wanted: object) -> float:
    is_number = isinstance(wanted, int | float) and not isinstance(wanted, bool)
    return min(float(wanted), LIMIT_SECONDS) if is_number and wanted > 0 else LIMIT_SECONDS  # type: ignore[operator, arg-type]
