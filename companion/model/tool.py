"""A tool: a function a model may call, with the JSON schema of its arguments."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field

from companion.errors import BadArguments, BadTool
from companion.model.docstring import told
from companion.model.shape import Misfit, Record
from companion.model.typed import record_of


@dataclass(frozen=True, slots=True)
class FuncTool:
    """A function a model may call.

    parameters: the JSON schema of an object, whose fields are the arguments.
    function: called with the arguments by name, as JSON has them; None where the tool is only declared, because the
        caller wants the arguments themselves (a structured answer).
    title: for people. strict: the provider shall hold the model to the schema, where it can.
    is_parallel: it may run beside other calls of the same step.
    return_direct: what it gives is the answer; the model is not asked about it.
    limit_seconds: how long a call may take, where the tool knows better than who runs it.
    convert: makes the text of the result, in place of JSON.
    output: the JSON schema of the result. meta: what those who handle it need to know; no model sees it.
    """

    name: str
    description: str
    parameters: Mapping[str, object]
    function: Callable[..., Awaitable[object] | object] | None = None
    title: str = ""
    strict: bool = False
    is_parallel: bool = False
    return_direct: bool = False
    limit_seconds: float | None = None
    convert: Callable[[object], str] | None = None
    output: Mapping[str, object] | None = None
    meta: Mapping[str, object] = field(default_factory=dict)

    @classmethod
    def of(cls, function: Callable[..., object], *, name: str = "", description: str = "") -> FuncTool:
        """A tool of a typed function, sync or async; ``dataclasses.replace`` sets what else is to be said of it.

        Name, description and the meaning of each parameter come from the function and its docstring (``Args:``), or
        from ``Annotated[int, "what it means"]``. The function gets values of the types it asks for.

        Raises:
            BadTool: a parameter has no type, or one that JSON cannot say.
        """
        name = name or getattr(function, "__name__", "")
        try:
            about = told(function, inspect.signature(function).parameters)
            record = record_of(function, about.parameters)
            parameters = record.schema()
        except TypeError as error:
            raise BadTool(
                f"tool {name!r}: {error}",
                tool=name,
                mend="annotate every parameter with str, int, float, bool, Literal, Enum, list, dict or a dataclass",
            ) from error
        return cls(name, description or about.description, parameters, _from_json(record, name))


def _from_json(record: Record, tool: str) -> Callable[..., object]:
    """The function, called with what JSON has in place of the types it asks for."""

    def read(arguments: Mapping[str, object]) -> dict[str, object]:
        try:
            return record.read_fields(arguments)
        except ValueError as error:
            field = error.field if isinstance(error, Misfit) else ""
            raise BadArguments(f"the arguments of {tool!r} do not fit: {error}", tool=tool, field=field) from error

    def called(**arguments: object) -> object:
        return record.build(**read(arguments))

    async def awaited(**arguments: object) -> object:
        return await record.build(**read(arguments))  # type: ignore[misc]

    return awaited if is_async(record.build) else called


def is_async(function: object) -> bool:
    """Whether calling it gives something to await, as far as can be told without calling it."""
    return inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(type(function).__call__)


@dataclass(frozen=True, slots=True)
class SearchWebTool:
    """Asks a provider that can to search the web itself; nothing is run here."""

    name: str = field(default="search_web", init=False)


Tool = FuncTool | SearchWebTool


def functions_of(tools: Iterable[Tool]) -> list[FuncTool]:
    """Those that run here, not at the provider."""
    return [tool for tool in tools if isinstance(tool, FuncTool)]
