"""What a model is given, and several contexts as one."""

from __future__ import annotations

import pytest

from companion.model import (
    ChatRole,
    FuncTool,
    Message,
    ModelContext,
    ModelParams,
    ModelReport,
    SearchWebTool,
    SystemPrompt,
)

HELLO = Message.of(ChatRole.USER, "hello")
YES = Message.of(ChatRole.ASSISTANT, "yes?")
NOW = FuncTool("now", "The time.", {"type": "object"})


def test_an_empty_context_is_a_good_context() -> None:
    context = ModelContext()

    assert (context.prompts, context.messages, context.closing, context.tools, context.cots) == ((), (), "", (), ())
    assert context.params == ModelParams()


def test_nobody_changes_a_context_under_a_model() -> None:
    context = ModelContext(prompts=(SystemPrompt("who", "You are kind."),))

    with pytest.raises(AttributeError):
        context.closing = "now"  # type: ignore[misc]


def test_joined_contexts_follow_one_another() -> None:
    first = ModelContext((SystemPrompt("who", "kind"),), (HELLO,), "It is noon.", tools=(NOW,), cots=("think",))
    second = ModelContext(
        (SystemPrompt("who", "brief"),), (YES,), "It rains.", tools=(SearchWebTool(),), cots=("twice",)
    )

    assert ModelContext.joined(first, second) == ModelContext(
        prompts=(SystemPrompt("who", "kind"), SystemPrompt("who", "brief")),
        messages=(HELLO, YES),
        closing="It is noon.\nIt rains.",
        tools=(NOW, SearchWebTool()),
        cots=("think", "twice"),
    )


def test_only_the_first_params_that_are_set_count() -> None:
    zero, other = ModelParams(temperature=0.0), ModelParams(temperature=1.0, top_k=3)

    joined = ModelContext.joined(ModelContext(), ModelContext(params=zero), ModelContext(params=other))

    assert joined.params == zero


def test_nothing_joined_is_an_empty_context() -> None:
    assert ModelContext.joined() == ModelContext()


def test_a_model_that_is_not_loaded_costs_nothing() -> None:
    report = ModelReport("tiny", loaded=False)

    assert (report.load_seconds, report.memory_bytes, report.speed, report.speed_unit) == (0.0, 0, 0.0, "")
