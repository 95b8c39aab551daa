"""Options set one thing each, the last one wins, and nothing that is shared is changed by them."""

from __future__ import annotations

import copy
from dataclasses import dataclass, replace

import pytest
from doubles.chat_backend import ScriptedBackend, says

from companion.errors import BadInput, BadTool
from companion.model import Calling, FuncTool, ModelParams, SearchWebTool, ToolChoice
from companion.model.chat import ChatModel
from companion.model.chat_options import (
    ChatOptions,
    with_attributes,
    with_extra_fields,
    with_limits,
    with_max_tokens,
    with_model,
    with_stop,
    with_temperature,
    with_thinking,
    with_timeouts,
    with_tool_choice,
    with_tools,
    with_top_p,
)
from companion.model.option_names import options_named
from companion.model.specific import SpecificOption, own_options
from companion.model.tool import Tool


def add(one: int, two: int) -> int:
    """Adds two numbers."""
    return one + two


ADD = FuncTool.of(add)
BASE = ChatOptions(params=ModelParams(temperature=0.5, extra_fields={"a": 1}), tools=(ADD,), attributes={"a": 1})


def test_the_last_one_wins_and_what_is_not_set_stays() -> None:
    merged = BASE.merged(with_temperature(0.1), with_temperature(0.0), with_max_tokens(5), with_model("small"))

    assert (merged.params.temperature, merged.params.max_tokens, merged.model) == (0.0, 5, "small")
    assert merged.tools == (ADD,)


def test_no_tools_is_no_tools_and_not_those_of_before() -> None:
    assert BASE.merged(with_tools(None)).tools == ()
    assert BASE.merged(with_tools([])).tools == ()
    assert BASE.merged().tools == (ADD,)
    assert ChatOptions().tools is None


def test_merging_changes_nothing_that_is_shared() -> None:
    before = copy.deepcopy((BASE.params, BASE.attributes))
    BASE.merged(
        with_top_p(0.1),
        with_stop("x", "y"),
        with_thinking(enabled=True, level="low"),
        with_extra_fields(b=2),
        with_attributes(b=2),
        with_tool_choice(Calling.FORCED, "add"),
        with_limits(rounds=1),
    )

    assert (BASE.params, BASE.attributes) == before
    assert BASE.tool_choice is None
    assert BASE.merged(with_extra_fields(b=2)).params.extra_fields == {"a": 1, "b": 2}
    assert BASE.merged(with_tool_choice(Calling.FORCED, "add")).tool_choice == ToolChoice(Calling.FORCED, ("add",))


@dataclass(frozen=True)
class OwnOptions:
    """What one provider alone knows."""

    tier: str = ""


@dataclass(frozen=True)
class OtherOptions:
    """What another provider alone knows."""

    tier: str = ""


def with_tier(tier: str) -> SpecificOption[OwnOptions]:
    return SpecificOption(OwnOptions, lambda options: replace(options, tier=tier))


async def test_what_only_one_provider_knows_the_others_pass_over() -> None:
    backend = ScriptedBackend(says("ok"))
    await ChatModel(backend, options=[with_tier("slow")]).generate("?", with_tier("fast"), with_temperature(0.0))
    (request,) = backend.requests

    assert own_options(OwnOptions(), request.specific) == OwnOptions("fast")
    assert own_options(OtherOptions(), request.specific) == OtherOptions()
    assert request.context.params.temperature == 0.0


async def test_options_of_one_question_do_not_touch_the_next() -> None:
    backend = ScriptedBackend(says("ok"))
    model = ChatModel(backend, options=[with_temperature(0.7)])
    await model.generate("?", with_temperature(0.0))
    await model.generate("?")

    assert [request.context.params.temperature for request in backend.requests] == [0.0, 0.7]


def test_a_provider_offers_many_tools_at_once() -> None:
    class Sums:
        def provided_tools(self) -> list[Tool]:
            return [ADD, SearchWebTool()]

    def sub(one: int, two: int) -> int:
        """Takes one number from another."""
        return one - two

    tools = ChatOptions().merged(with_tools([Sums(), sub])).tools
    assert tools is not None
    assert [tool.name for tool in tools] == ["add", "search_web", "sub"]
    with pytest.raises(BadTool, match="int is no tool"):
        with_tools([5])  # type: ignore[list-item]


def test_limits_are_not_below_zero() -> None:
    with pytest.raises(BadInput, match="most_rounds: -1"):
        with_limits(rounds=-1)
    with pytest.raises(BadInput, match="silence: nan"):
        with_timeouts(silence=float("nan"))
    assert ChatOptions().merged(with_timeouts(silence=1.0, tool=2.0)).tool_seconds == 2.0


def test_a_configuration_names_its_options() -> None:
    given = {"temperature": 1, "stop": ["."], "thinking_level": "low", "extra_fields": {"a": 2}, "most_rounds": 3}
    options = ChatOptions().merged(*options_named(given), *options_named({"model": "m", "deadline": 5, "seed": 0}))

    assert options.params.temperature == 1.0
    assert (options.params.stop, options.params.extra_fields, options.params.seed) == ((".",), {"a": 2}, 0)
    assert (options.most_rounds, options.model, options.deadline) == (3, "m", 5.0)


@pytest.mark.parametrize(
    ("given", "told", "mend"),
    [
        ({"temprature": 1}, "no option 'temprature'", "'temperature' is like it"),
        ({"zzz": 1}, "no option 'zzz'", "there are: model"),
        ({"max_tokens": "5"}, "option 'max_tokens': '5' is not of type 'integer'", ""),
        ({"stop": [1]}, "option 'stop': \\[0\\]: 1 is not of type 'string'", ""),
    ],
)
def test_an_option_nobody_knows_is_refused_with_one_that_is_like_it(
    given: dict[str, object], told: str, mend: str
) -> None:
    with pytest.raises(BadInput, match=told) as fault:
        options_named(given)
    assert fault.value.mend.startswith(mend)


async def test_no_tools_given_leaves_them_to_the_options() -> None:
    backend = ScriptedBackend(says("Hi"))
    model = ChatModel(backend, options=[with_tools([ADD])])
    for one in (model, model.with_tools([]), model.with_options(with_tools(None))):
        await one.generate("?")

    assert [request.context.tools for request in backend.requests] == [(ADD,), (), ()]
