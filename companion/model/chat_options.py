"""How a chat model shall answer: common options, and those that only one provider knows.

An option sets one thing. Options are applied in order, the last one wins, and nothing is changed by it but the copy.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from companion.errors import BadInput
from companion.model.options import JsonValue, ModelParams, Thinking
from companion.model.patient import SILENCE
from companion.model.request import Calling, ToolChoice
from companion.model.specific import SpecificOption
from companion.model.tool import FuncTool, Tool
from companion.model.tool_provider import Offered, tools_of
from companion.model.toolkit import LIMIT_SECONDS, MOST_CALLS

MOST_ROUNDS = 10
"""How often the tools may be used before an answer has to come."""
DEADLINE = 600.0
"""Seconds a whole turn may take, with all its tools."""
LONGEST_RESULT = 16_000
"""Characters of a tool's result that a model is shown."""


@dataclass(frozen=True, slots=True)
class ChatOptions:
    """The common ones.

    model: by the provider's name. tools: None where nobody said; an empty tuple is no tools at all.
    answer_form: the answer's words shall be the arguments of this tool, as JSON.
    runs_tools: whether the turn goes on by itself when the model calls tools; else the calls are the answer.
    most_rounds, most_calls: of tools, in one turn. longest_result: characters.
    silence: seconds the provider may say nothing. deadline: seconds for the whole turn.
    tool_seconds: for one call, where its tool does not say.
    attributes: what those who handle a request on its way need to know.
    specific: what only one provider knows, as options.
    """

    model: str = ""
    params: ModelParams = field(default_factory=ModelParams)
    tools: tuple[Tool, ...] | None = None
    tool_choice: ToolChoice | None = None
    answer_form: FuncTool | None = None
    runs_tools: bool = True
    most_rounds: int = MOST_ROUNDS
    most_calls: int = MOST_CALLS
    longest_result: int = LONGEST_RESULT
    silence: float = SILENCE
    deadline: float = DEADLINE
    tool_seconds: float = LIMIT_SECONDS
    attributes: Mapping[str, object] = field(default_factory=dict)
    specific: tuple[SpecificOption[Any], ...] = ()

    def merged(self, *options: Option) -> ChatOptions:
        """These, with what ``options`` set in their place."""
        merged = self
        for option in options:
            match option:
                case CommonOption(change):
                    merged = change(merged)
                case SpecificOption():
                    merged = replace(merged, specific=(*merged.specific, option))
        return merged


@dataclass(frozen=True, slots=True)
class CommonOption:
    """Sets what every provider knows; ``change`` gives other options and leaves those it gets as they are."""

    change: Callable[[ChatOptions], ChatOptions]


Option = CommonOption | SpecificOption[Any]


def with_params(params: ModelParams) -> Option:
    """How to sample: what is set of ``params``."""
    return CommonOption(lambda options: replace(options, params=options.params.merged(params)))


def with_temperature(temperature: float) -> Option:
    return with_params(ModelParams(temperature=temperature))


def with_top_p(top_p: float) -> Option:
    return with_params(ModelParams(top_p=top_p))


def with_max_tokens(max_tokens: int) -> Option:
    return with_params(ModelParams(max_tokens=max_tokens))


def with_stop(*texts: str) -> Option:
    """Texts before which the answer ends; none: nothing ends it."""
    return with_params(ModelParams(stop=texts))


def with_thinking(*, enabled: bool | None = None, level: str | None = None) -> Option:
    return with_params(ModelParams(thinking=Thinking(enabled, level)))


def with_extra_fields(**fields: JsonValue) -> Option:
    """What a provider is sent as it is."""
    return with_params(ModelParams(extra_fields=fields))


def with_model(name: str) -> Option:
    return CommonOption(lambda options: replace(options, model=name))


def with_tools(tools: Iterable[Offered] | None) -> Option:
    """These tools in place of any before; None, as an empty list, is none at all.

    Raises:
        BadTool: one of them is none.
    """
    offered = tools_of(tools or ())
    return CommonOption(lambda options: replace(options, tools=offered))


def with_tool_choice(calling: Calling, *names: str) -> Option:
    """Whether tools may be called, and which; no name is all of them."""
    return CommonOption(lambda options: replace(options, tool_choice=ToolChoice(calling, names)))


def with_answer_form(form: FuncTool | type) -> Option:
    """Words that are JSON of this form: ``ChatResponse.bind`` reads them.

    Raises:
        BadInput: JSON has no objects of this type.
    """
    tool = form if isinstance(form, FuncTool) else form_of(form)
    return CommonOption(lambda options: replace(options, answer_form=tool))


def with_tools_run(runs_tools: bool) -> Option:
    """Whether the turn goes on by itself when the model calls tools."""
    return CommonOption(lambda options: replace(options, runs_tools=runs_tools))


def with_limits(*, rounds: int | None = None, calls: int | None = None, result: int | None = None) -> Option:
    """Most rounds of tools, most calls, and most characters of a result; None leaves a limit as it is.

    Raises:
        BadInput: one is below zero.
    """
    given = {"most_rounds": rounds, "most_calls": calls, "longest_result": result}
    return _numbers(given)


def with_timeouts(*, silence: float | None = None, deadline: float | None = None, tool: float | None = None) -> Option:
    """Seconds the provider may say nothing, a turn may take, and a call may take; None leaves one as it is.

    Raises:
        BadInput: one is below zero.
    """
    return _numbers({"silence": silence, "deadline": deadline, "tool_seconds": tool})


def with_attributes(**attributes: object) -> Option:
    """What those who handle a request on its way (a router) need to know."""
    return CommonOption(lambda options: replace(options, attributes={**options.attributes, **attributes}))


def form_of(kind: type) -> FuncTool:
    """The form an answer has that is to become a ``kind``: a dataclass, a pydantic model, a TypedDict.

    Raises:
        BadInput: JSON has no objects of this type.
    """
    from companion.model.typed import shape_of

    name = getattr(kind, "__name__", "answer")
    try:
        schema = shape_of(kind).schema()
    except TypeError as error:
        raise BadInput(f"an answer cannot have the form of {name}: {error}") from error
    if schema.get("type") != "object":
        raise BadInput(f"an answer cannot have the form of {name}: it is no object", mend="put it into a dataclass")
    return FuncTool(name, (kind.__doc__ or "").strip() if _has_words(kind) else "", schema)


def _has_words(kind: type) -> bool:
    """A dataclass without a docstring gets one from Python, which says nothing."""
    return not (kind.__doc__ or "").startswith(f"{kind.__name__}(")


def _numbers(given: Mapping[str, float | None]) -> Option:
    set_ones: dict[str, Any] = {name: number for name, number in given.items() if number is not None}
    for name, number in set_ones.items():
        if not number >= 0:
            raise BadInput(f"{name}: {number} is below zero")
    return CommonOption(lambda options: replace(options, **set_ones))
