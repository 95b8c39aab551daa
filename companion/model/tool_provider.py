"""The ways to offer tools to a model: one by one, as typed functions, or many at once by a provider."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Protocol, runtime_checkable

from companion.errors import BadTool
from companion.model.tool import FuncTool, SearchWebTool, Tool


@runtime_checkable
class ToolProvider(Protocol):
    """Has tools that belong together."""

    def provided_tools(self) -> Iterable[Tool]:
        """The tools as they are now."""


Offered = Tool | ToolProvider | Callable[..., object]


def tools_of(offered: Iterable[Offered]) -> tuple[Tool, ...]:
    """The tools that are offered, in order; a function becomes a tool by its types.

    Raises:
        BadTool: something is no tool, or a function has a parameter that JSON cannot say.
    """
    tools: list[Tool] = []
    for one in offered:
        match one:
            case FuncTool() | SearchWebTool():
                tools.append(one)
            case ToolProvider():
                tools.extend(one.provided_tools())
            case _ if callable(one):
                tools.append(FuncTool.of(one))
            case _:
                raise BadTool(f"{type(one).__name__} is no tool", tool=type(one).__name__)
    return tuple(tools)
