"""Which of the tools that are offered may be called."""

from __future__ import annotations

from collections.abc import Iterable

from companion.errors import Unsupported
from companion.model.request import Calling, ToolChoice
from companion.model.tool import FuncTool, Tool


def functions_of(tools: Iterable[Tool]) -> list[FuncTool]:
    """Those that run here, not at the provider."""
    return [tool for tool in tools if isinstance(tool, FuncTool)]


def named_of(tools: Iterable[Tool], choice: ToolChoice, name: str) -> list[FuncTool]:
    """The functions that ``choice`` leaves to the model. name: of the dialect.

    Raises:
        Unsupported: a call is to be forced, and none of them is there.
    """
    named = [tool for tool in functions_of(tools) if not choice.names or tool.name in choice.names]
    if choice.calling is Calling.FORCED and not named:
        raise Unsupported(f"{name}: a call is to be forced, of no tool that is offered", mend="offer the tool")
    return named
